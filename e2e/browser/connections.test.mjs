// The playground's connections in a real browser: our server and others, good and bad, and nothing left behind.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { freePort } from "../support/desktop.mjs";
import { startMcpServer } from "../support/mcp-server.mjs";
import { closeDialog } from "../support/page.mjs";
import { KEPT, answer, becomes, callTool, openServers, part, row, status } from "../support/playground.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const TOKEN = "a-token-of-these-tests";

describe("playground: connections", () => {
  let browser;
  let system;
  let sidecar;
  inBrowser(async () => {
    const kernel = await startKernel({ plugin: true });
    return { ...kernel, stop: async () => { await sidecar?.stop(); await kernel.stop(); } };
  }, async (parts) => {
    ({ system, browser } = parts);
    sidecar = await startSidecar(system.kernel, { token: TOKEN });
  });

  const own = () => ({ port: Number(new URL(sidecar.url).port), token: TOKEN });
  const open = (kept) => openServers(browser, system.kernel, kept, { own: own() });

  test("our server: connected with its token, facts shown, a call as an agent makes it (B-202, B-206)", async () => {
    const { panel, problems } = await open();
    await becomes(panel, "siyuan", "success");
    const own = row(panel, "siyuan");
    assert.match(await own.innerText(), /MCP \d{4}-\d\d-\d\d.*puppy.*11 tools/s);
    const headers = await own.locator('[data-name="headers"]').innerText();
    assert.match(headers, /Authorization: •+ests$/);
    assert.ok(!(await panel.innerHTML()).includes(TOKEN), "the token is nowhere in the page");
    await own.locator("summary").click();
    assert.match(await own.locator('[data-name="steps"]').innerText(), /first request.*response received.*capabilities exchanged.*Connected/s);
    await part(panel, "calls");
    await panel.locator('[data-name="call"] [data-pick="server-tool"]').selectOption("notebook");
    await panel.locator('[data-name="call"] [data-field="action"]').selectOption("list");
    await panel.locator('[data-name="call"] [data-do="run"]').click();
    await panel.locator(".pup-outcome:visible").filter({ hasText: "Done" }).waitFor();
    const text = await answer(panel);
    assert.match(text, /Garden/);
    assert.doesNotMatch(text, /Private/);
    assert.deepEqual(problems(), []);
  });

  test("a dead port, a wrong token and a server without CORS fail with their reasons, and hold up nobody (B-201, B-203)", async (t) => {
    const closed = await startMcpServer({ token: "right" });
    const foreign = await startMcpServer({ cors: false });
    const good = await startMcpServer();
    t.after(() => Promise.all([closed, foreign, good].map((it) => it.stop())));
    const { panel, problems } = await open({
      dead: { url: `http://127.0.0.1:${await freePort()}/mcp` },
      closed: { url: closed.url, headers: { Authorization: "Bearer wrong" } },
      foreign: { url: foreign.url },
      good: { url: good.url },
    });
    await becomes(panel, "good", "success");
    for (const name of ["dead", "closed", "foreign"]) await becomes(panel, name, "error");
    assert.match(await status(panel, "dead"), /first request.*no server answers.*CORS/s);
    assert.match(await status(panel, "closed"), /negotiating the protocol.*refused the token \(401\)/s);
    assert.match(await status(panel, "foreign"), /first request.*CORS/s);
    assert.ok(!(await panel.innerHTML()).includes("Bearer wrong"));
    // The person repairs it: the header is replaced, and the server connected anew.
    await row(panel, "closed").locator('[data-do="edit"]').click();
    await panel.locator('[data-entry="value"]').fill("Bearer right");
    await panel.locator('[data-do="keep"]').click();
    await becomes(panel, "closed", "success");
    assert.equal((await system.kernel.read(KEPT)).closed.headers.Authorization, "Bearer right");
    assert.deepEqual(problems(), []);
  });

  test("a call is stopped; one whose stream breaks off is told, and the next works (B-207)", async (t) => {
    const server = await startMcpServer();
    t.after(() => server.stop());
    const { panel, problems } = await open({ odd: { url: server.url } });
    await becomes(panel, "odd", "success");
    let group = await callTool(panel, "drop");
    await group.locator('[data-name="said"]').filter({ hasText: /drop of odd failed \(broken\)/ }).waitFor();
    group = await callTool(panel, "wait");
    await group.locator('[data-name="said"]').filter({ hasText: "Running" }).waitFor();
    await group.locator('[data-do="run"]').click();
    await group.locator('[data-name="said"]').filter({ hasText: "Stopped" }).waitFor();
    await until(() => server.count("notifications/cancelled") === 1, { what: "the server hears of the stop" });
    await callTool(panel, "echo", { text: "Grüße <b>\n" });
    await panel.locator(".pup-outcome:visible").filter({ hasText: "Done" }).waitFor();
    assert.match(await answer(panel), /Grüße <b>/);
    assert.deepEqual(problems(), []);
  });

  for (const forgotten of [404, 400]) {
    test(`a restart between two calls goes unnoticed, also by ${forgotten} (B-209)`, async (t) => {
      const server = await startMcpServer({ forgotten });
      t.after(() => server.stop());
      const { panel, problems } = await open({ odd: { url: server.url } });
      await becomes(panel, "odd", "success");
      await callTool(panel, "echo", { text: "before" });
      await panel.locator(".pup-outcome:visible").filter({ hasText: "Done" }).waitFor();
      server.restart();
      await callTool(panel, "echo", { text: "after" });
      await until(async () => (await answer(panel)) === "after", { what: "the answer after the restart" });
      assert.ok(server.count("initialize") >= 2);
      assert.deepEqual(problems(), []);
    });
  }

  test("leaving ends every session, and opening again connects anew (B-214)", async (t) => {
    const server = await startMcpServer();
    t.after(() => server.stop());
    const { panel, page, problems } = await open({ odd: { url: server.url } });
    await becomes(panel, "odd", "success");
    await panel.locator('[role="tab"][data-name="home"]').click();
    await until(() => server.sessions() === 0, { what: "no session after leaving the page" });
    await panel.locator('[role="tab"][data-name="playground"]').click();
    await part(panel, "connections");
    await becomes(panel, "odd", "success");
    assert.equal(server.sessions(), 1);
    await closeDialog(page);
    await until(() => server.sessions() === 0, { what: "no session after closing the panel" });
    assert.equal(server.count("DELETE"), 2);
    assert.deepEqual(problems(), []);
  });

  test("a pasted configuration is taken over; switches hold for this page only (B-200, B-213)", async (t) => {
    const server = await startMcpServer();
    t.after(() => server.stop());
    const { panel, problems } = await open();
    const text = JSON.stringify({ mcpServers: { pasted: { url: server.url, headers: { "X-Key": "a-secret-of-many-letters" } }, local: { command: "npx" } } });
    await panel.locator('[data-entry="paste"]').fill(text);
    await panel.locator('[data-do="paste"]').click();
    await becomes(panel, "pasted", "success");
    assert.match(await panel.locator('[data-name="pasted"]').innerText(), /Added: pasted\..*cannot start programs.*local/s);
    assert.equal(server.seen.find((it) => it.method === "initialize").headers["x-key"], "a-secret-of-many-letters");
    await row(panel, "pasted").locator('[data-do="switch"]').setChecked(false);
    await becomes(panel, "pasted", "idle");
    await until(() => server.sessions() === 0, { what: "the server is left" });
    const kept = await system.kernel.read(KEPT);
    assert.equal(kept.pasted.enabled, true, "what is saved stays");
    await row(panel, "pasted").locator('[data-do="remove"]').click();
    await until(async () => !("pasted" in (await system.kernel.read(KEPT))), { what: "the file without it" });
    assert.deepEqual(problems(), []);
  });

  test("prompts with completion, resources read and attached (B-211, B-212)", async (t) => {
    const server = await startMcpServer();
    t.after(() => server.stop());
    const { panel, problems } = await open({ odd: { url: server.url } });
    await becomes(panel, "odd", "success");
    await part(panel, "resources");
    const resources = panel.locator('[data-name="resources"]');
    const options = await resources.locator('[data-pick="resource"] option').allTextContents();
    assert.ok((await resources.locator('[data-pick="resource"] optgroup').evaluateAll((all) => all.map((it) => it.label))).some((it) => it.startsWith("odd: ")));
    await resources.locator('[data-pick="resource"]').selectOption({ label: options.find((it) => it.includes("Seeds")) });
    await resources.locator('[data-do="read"]').click();
    await resources.locator('[data-name="contents"] pre').filter({ hasText: "Contents of x://seeds" }).waitFor();
    await resources.locator('[data-do="attach"]').click();
    await panel.locator('[data-name="attachments"] pre').filter({ hasText: "Contents of x://seeds" }).waitFor();
    await part(panel, "prompts");
    const prompts = panel.locator('[data-name="prompts"]');
    await prompts.locator('[data-pick="prompt"]').selectOption({ label: "odd: plan" });
    await prompts.locator('[data-field="topic"]').fill("Pot");
    await until(async () => (await prompts.locator("datalist option").getAttribute("value").catch(() => "")) === "Potatoes", { what: "a proposal" });
    await prompts.locator('[data-do="fill"]').click();
    const messages = prompts.locator('[data-name="messages"]');
    await messages.locator("pre").filter({ hasText: "Plan: Pot" }).waitFor();
    assert.match(await messages.innerText(), /attached resources.*Seeds \(x:\/\/seeds\).*user.*Plan: Pot/s);
    await part(panel, "resources");
    assert.equal(await panel.locator('[data-name="attachments"] pre:visible').count(), 0, "cleared");
    assert.deepEqual(problems(), []);
  });

  test("an answer that comes late shows under no other choice, and takes no attachments", async (t) => {
    let release;
    let held = new Promise((done) => { release = done; });
    const named = (word) => [{ name: "slow", uri: "x://slow" }, { name: "quick", uri: "x://quick" }].map((it) => ({ [word]: it[word], name: it.name }));
    const server = await startMcpServer({
      says: { "resources/list": { resources: named("uri") }, "prompts/list": { prompts: named("name") } },
      before: ({ params }) => (["slow", "x://slow"].includes(params?.name ?? params?.uri) ? held : undefined),
    });
    t.after(() => server.stop());
    const { panel, problems } = await open({ odd: { url: server.url } });
    await becomes(panel, "odd", "success");
    const letGo = async () => {
      release();
      // An answer after it, so that it has arrived.
      await callTool(panel, "echo", { text: "after" });
      await panel.locator(".pup-outcome:visible").filter({ hasText: "Done" }).waitFor();
      held = new Promise((done) => { release = done; });
    };
    const choose = (group, pick, label) => group.locator(`[data-pick="${pick}"]`).selectOption({ label });
    await part(panel, "resources");
    const resources = panel.locator('[data-name="resources"]');
    const contents = resources.locator('[data-name="contents"]');
    await choose(resources, "resource", "slow");
    await resources.locator('[data-do="read"]').click();
    await until(() => server.count("resources/read") === 1, { what: "the slow request" });
    await choose(resources, "resource", "quick");
    await resources.locator('[data-do="read"]').click();
    await contents.getByText("Contents of x://quick").waitFor();
    await letGo();
    await part(panel, "resources");
    assert.match(await contents.innerText(), /x:\/\/quick/);
    await resources.locator('[data-do="attach"]').click();
    const attached = panel.locator('[data-name="attachments"] pre');
    await attached.getByText("Contents of x://quick").waitFor();
    await part(panel, "prompts");
    const prompts = panel.locator('[data-name="prompts"]');
    await choose(prompts, "prompt", "odd: slow");
    await prompts.locator('[data-do="fill"]').click();
    await until(() => server.count("prompts/get") === 1, { what: "the slow request" });
    await choose(prompts, "prompt", "odd: quick");
    await letGo();
    await part(panel, "prompts");
    assert.equal(await prompts.locator('[data-name="messages"] pre').count(), 0);
    await part(panel, "resources");
    assert.ok(await attached.isVisible());
    assert.deepEqual(problems(), []);
  });

  test("a change touches its own entry of the file; what another window wrote stays (B-200)", async () => {
    const url = "http://127.0.0.1:9/mcp";
    const { panel, problems } = await open({ one: { url, enabled: false }, two: { url, enabled: false } });
    await row(panel, "two").waitFor();
    const others = { other: { url, enabled: false, of_tomorrow: 1 }, strange: 7 };
    await system.kernel.write(KEPT, { ...(await system.kernel.read(KEPT)), ...others });
    const becomesFile = (file) => until(async () => isDeepStrictEqual(await system.kernel.read(KEPT), file), { what: JSON.stringify(file) });
    // Two changes at once.
    await panel.evaluate((it) => it.querySelectorAll('[data-do="enable"]').forEach((box) => box.click()));
    await becomesFile({ one: { url, enabled: true }, two: { url, enabled: true }, ...others });
    await row(panel, "one").locator('[data-do="edit"]').click();
    await panel.locator('[data-entry="name"]').fill("first");
    await panel.locator('[data-do="keep"]').click();
    await row(panel, "first").waitFor();
    await row(panel, "two").locator('[data-do="remove"]').click();
    await becomesFile({ first: { url, enabled: true }, ...others });
    assert.deepEqual(problems(), []);
  });

  test("the limits of connecting and of calls are settings (B-207)", async (t) => {
    const mute = createServer(() => {}).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const server = await startMcpServer();
    t.after(() => Promise.all([server.stop(), new Promise((done) => { mute.closeAllConnections(); mute.close(done); })]));
    const kept = { mute: { url: `http://127.0.0.1:${mute.address().port}/mcp` }, odd: { url: server.url } };
    const { panel, page, problems } = await open({ ...kept, limits: { connectSeconds: 3 } });
    await becomes(panel, "mute", "error");
    assert.match(await status(panel, "mute"), /no answer within 3 s/);
    const setting = (name) => panel.locator(`[data-setting="${name}"]`);
    assert.deepEqual([await setting("connect_limit").inputValue(), await setting("call_limit").inputValue()], ["3", "300"]);
    await setting("call_limit").fill("0");
    await page.keyboard.press("Tab");
    await panel.getByText("Enter a number from 1 to 3600.").waitFor();
    assert.deepEqual((await system.kernel.read(KEPT)).limits, { connectSeconds: 3 });
    await setting("call_limit").fill("1");
    await page.keyboard.press("Tab");
    await until(async () => isDeepStrictEqual((await system.kernel.read(KEPT)).limits, { connectSeconds: 3, callSeconds: 1 }), { what: "the saved limits" });
    await becomes(panel, "odd", "success");
    const group = await callTool(panel, "wait");
    await group.locator('[data-name="said"]').filter({ hasText: /wait of odd failed \(timed_out\): no answer within 1 s/ }).waitFor();
    assert.deepEqual(problems(), []);
  });
});
