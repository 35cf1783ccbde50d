// The playground's connections in a real browser: our server and others, good and bad, and nothing left behind.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
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
    assert.match(await own.locator('[data-name="steps"]').innerText(), /first request.*something answers.*capabilities exchanged.*Connected/s);
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
    assert.match(await status(panel, "dead"), /first request.*nothing answers.*CORS/s);
    assert.match(await status(panel, "closed"), /agreeing on the protocol.*refused the token \(401\)/s);
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
    assert.match(await panel.locator('[data-name="pasted"]').innerText(), /Added: pasted\..*starts no programs.*local/s);
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
    const options = await resources.locator('[data-pick="resource"] option').allInnerTexts();
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
});
