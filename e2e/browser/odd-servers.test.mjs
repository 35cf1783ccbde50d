// Servers that mean harm, and servers that admit no page: what they say stays text, and the kernel is asked only where it may be.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { startMcpServer } from "../support/mcp-server.mjs";
import { KEPT, becomes, callTool, openServers, outcome, part, row, status } from "../support/playground.mjs";
import { until } from "../support/process.mjs";
import { startSdkServer } from "../support/sdk-server.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const LOUD = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script> \u202eevil';
const SECRET = "a-secret-of-many-letters";
const FORWARD = "**/api/network/forwardProxy";

describe("playground: servers that are odd", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });
  const open = (kept, options) => openServers(browser, system.kernel, kept, options);

  test("whatever a server says is text: names, instructions, schemas, results, links, and two million letters", async (t) => {
    const schema = { type: "object", properties: { [LOUD]: { type: "string", description: LOUD, enum: [LOUD, "b"] }, deep: { $ref: "#" } }, required: [LOUD] };
    const content = [
      { type: "text", text: LOUD },
      { type: "text", text: "x".repeat(2_000_000) },
      { type: "image", mimeType: "image/svg+xml", data: btoa('<svg onload="document.title=1"/>') },
      { type: "resource_link", uri: "javascript:document.title='owned'", name: LOUD, description: LOUD },
      { type: "resource", resource: { uri: `x://${LOUD}`, mimeType: "text/html", text: LOUD } },
      { type: "resource", resource: { uri: "x://page.html", mimeType: "text/html", blob: btoa(LOUD.replace(/[^\x00-\x7f]/g, "")) } },
    ];
    const server = await startMcpServer({ says: {
      initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: LOUD, version: LOUD }, instructions: LOUD },
      "tools/list": { tools: [{ name: LOUD, title: LOUD, description: LOUD.repeat(2000), inputSchema: schema, annotations: { readOnlyHint: true } }] },
      "tools/call": { content, structuredContent: { [LOUD]: LOUD } },
      "prompts/list": { prompts: [{ name: LOUD, title: LOUD, description: LOUD, arguments: [{ name: LOUD, description: LOUD, required: true }] }] },
      "prompts/get": { description: LOUD, messages: [{ role: LOUD, content: { type: "text", text: LOUD } }] },
      "resources/list": { resources: [{ uri: `x://${LOUD}`, name: LOUD, description: LOUD }] },
      "resources/templates/list": { resourceTemplates: [{ uriTemplate: `x://{${LOUD}}`, name: LOUD }] },
    } });
    t.after(() => server.stop());
    const { panel, page, problems } = await open({ loud: { url: server.url } });
    const title = await page.title();
    await becomes(panel, "loud", "success");
    await row(panel, "loud").locator("summary").click();
    await callTool(panel, LOUD);
    const shown = await outcome(panel);
    assert.equal(await shown.locator("pre").first().evaluate((it) => it.textContent), LOUD);
    assert.deepEqual(await shown.locator("a").evaluateAll((all) => all.map((it) => it.getAttribute("href").split(",")[0])), ["data:application/octet-stream;base64"]);
    for (const look of ["tree", "raw", "content"]) await panel.locator(`[data-look="${look}"]:visible`).click();
    for (const name of ["prompts", "resources"]) await part(panel, name);
    await part(panel, "prompts");
    await panel.locator('[data-name="prompts"] [data-do="fill"]').click();
    await panel.locator('[data-name="messages"] pre').filter({ hasText: "evil" }).waitFor();
    assert.equal(await page.title(), title);
    assert.equal(await panel.locator("script, iframe, object, embed, img[src=x], [onerror], [onload]").count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("a server that admits no page is reached through the kernel once the person allows it, and told of nothing else (B-217)", async (t) => {
    const server = await startSdkServer("newer", { cors: false });
    t.after(() => server.stop());
    const asked = [];
    // The kernel's endpoint, for a name that is public.
    const prepare = (context) => context.route(FORWARD, async (route) => {
      const given = route.request().postDataJSON();
      asked.push(given);
      const url = given.url.replace("https://mcp.example", `http://127.0.0.1:${server.port}`);
      const headers = Object.assign({ "content-type": given.contentType }, ...given.headers);
      const answer = await fetch(url, { method: given.method, headers, body: given.payload ? Buffer.from(given.payload, "base64") : undefined });
      const body = Buffer.from(await answer.arrayBuffer()).toString("base64");
      const sent = Object.fromEntries([...answer.headers].map(([name, value]) => [name, [value]]));
      await route.fulfill({ json: { code: 0, msg: "", data: { status: answer.status, headers: sent, body, bodyEncoding: "base64" } } });
    });
    const { panel, page, problems } = await open({}, { prepare });
    const entry = (name) => panel.locator(`[data-entry="${name}"]`);
    const fill = async (url) => {
      await entry("name").fill("far");
      await entry("url").fill(url);
      await entry("header").fill("X-Key");
      await entry("value").fill(SECRET);
      await entry("kernel").setChecked(true);
      await panel.locator('[data-do="keep"]').click();
    };
    for (const url of [server.url, "https://192.168.1.1/mcp", "https://169.254.169.254/", "https://[::1]/", "https://2130706433/", "https://nas.local/", "http://mcp.example/mcp"]) {
      await fill(url);
      await panel.locator('[data-name="unfit"]').filter({ hasText: "does not connect to" }).waitFor();
    }
    await fill("https://mcp.example/mcp");
    const question = page.locator('.b3-dialog--open [role="alertdialog"]');
    assert.match(await question.innerText(), /https:\/\/mcp\.example\/mcp/);
    await page.locator("#cancelDialogConfirmBtn").click();
    await question.waitFor({ state: "detached" });
    assert.equal(await row(panel, "far").count(), 0, "a no keeps nothing");
    assert.deepEqual(asked, []);

    await panel.locator('[data-do="keep"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await becomes(panel, "far", "success");
    assert.equal((await system.kernel.read(KEPT)).far.throughKernel, true);
    assert.match(await row(panel, "far").innerText(), /through SiYuan's kernel/);
    await callTool(panel, "echo", { text: "Grüße" });
    assert.match(await (await outcome(panel)).innerText(), /Grüße/);
    assert.ok(asked.every((it) => it.url === "https://mcp.example/mcp" && it.redirect === false && it.headers.some((one) => one["X-Key"] === SECRET)));
    assert.equal(server.seen.at(-1).headers["x-key"], SECRET);
    assert.equal(server.seen.some((it) => "cookie" in it.headers || "origin" in it.headers), false);
    assert.ok(!(await panel.innerHTML()).includes(SECRET));
    assert.deepEqual(problems(), []);
  });

  test("a server hears nothing of the page but what the person entered for it, and leads it nowhere else", async (t) => {
    const server = await startMcpServer();
    const second = await startMcpServer();
    const away = createServer((request, response) => {
      const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
      if (request.method === "OPTIONS") response.writeHead(204, headers).end();
      else response.writeHead(307, { ...headers, Location: second.url }).end();
    }).listen(0, "127.0.0.1");
    await once(away, "listening");
    t.after(() => Promise.all([server.stop(), second.stop(), new Promise((done) => away.close(done))]));
    const prepare = (context) => context.addCookies([{ name: "session", value: SECRET, domain: "127.0.0.1", path: "/" }]);
    const moved = { url: `http://127.0.0.1:${away.address().port}/mcp`, headers: { "X-Key": SECRET } };
    const { panel } = await open({ plain: { url: server.url }, moved }, { prepare });
    await becomes(panel, "plain", "success");
    await becomes(panel, "moved", "error");
    assert.match(await status(panel, "moved"), /redirects/);
    assert.deepEqual(second.seen, []);
    assert.ok(server.seen.length > 0 && server.seen.every(({ headers }) => !("cookie" in headers || "referer" in headers)));
  });

  test("a file that wants the kernel to reach this machine is not obeyed (B-217)", async (t) => {
    const server = await startMcpServer();
    t.after(() => server.stop());
    const asked = [];
    const prepare = (context) => context.route(FORWARD, (route) => { asked.push(1); return route.abort(); });
    const { panel } = await open({ near: { url: server.url, throughKernel: true } }, { prepare });
    await becomes(panel, "near", "error");
    assert.match(await status(panel, "near"), /not asked to reach this machine/);
    assert.deepEqual([asked.length, server.seen.length], [0, 0]);
  });

  test("a text of headers appears nowhere: not in the page, the console or the device's storage (B-200)", async (t) => {
    const server = await startMcpServer({ token: SECRET });
    t.after(() => server.stop());
    const said = [];
    const prepare = (context) => context.on("console", (message) => said.push(message.text()));
    const { panel, page } = await open({ kept: { url: server.url, headers: { Authorization: `Bearer ${SECRET}` } } }, { prepare });
    await becomes(panel, "kept", "success");
    await row(panel, "kept").locator('[data-do="edit"]').click();
    await until(async () => (await panel.locator('[data-entry="name"]').inputValue()) === "kept", { what: "the form" });
    const fields = await panel.locator("input, textarea").evaluateAll((all) => all.map((it) => it.value).join("\n"));
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const place of [fields, stored, await page.content(), said.join("\n")]) assert.ok(!place.includes(SECRET));
  });
});
