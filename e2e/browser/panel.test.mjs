// The panel in a real browser: opened like a person does, changed, applied, and obeyed by the next agent call.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { closeDialog, closePages, openPanel, openStage } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { startSystem } from "../support/system.mjs";

/** A changed table takes effect within 1 s; the rest is for the calls that detect it. */
const CHANGE_MS = 1500;

describe("panel", () => {
  let browser;
  let system;
  let client;
  let notebooks;
  before(async () => {
    system = await startSystem({ plugin: true });
    browser = await launch();
    client = await connectHttp(system.sidecar.url);
    notebooks = await system.kernel.notebooks();
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await client?.close();
    await browser?.close();
    await system?.stop();
  });

  const row = (panel, name) => panel.locator(`.pup-row[data-notebook="${notebooks[name].id}"]`);
  const choose = (panel, name, level) => row(panel, name).locator(`button[data-level="${level}"]`).click();
  const chosen = (panel, name) => row(panel, name).locator('button[aria-checked="true"]').getAttribute("data-level");

  test("settings open through the plugin menu; the matrix shows every notebook at its level (B-064)", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page, "permissions");
    await row(panel, "Garden").waitFor();
    const levels = {};
    for (const name of Object.keys(notebooks)) levels[name] = await chosen(panel, name);
    assert.deepEqual(levels, { Garden: "rw", Reading: "r", Private: "none", Scratch: "rwd", Attic: "r" });
    assert.deepEqual(stage.problems(), []);
  });

  test("names of notebooks keep their room in a narrow window", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page, "permissions");
    for (const width of [1280, 900, 800, 420]) {
      await stage.page.setViewportSize({ width, height: 800 });
      const name = await row(panel, "Garden").locator(".pup-name").boundingBox();
      assert.ok(name.width >= 110, `${name.width} px at ${width}`);
    }
  });

  test("a panel that a pointer opened shows no ring until a key is pressed", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page);
    const ring = (name) => panel.locator(`[role="tab"][data-name="${name}"]:focus`).evaluate((it) => getComputedStyle(it).outlineStyle);
    assert.equal(await ring("home"), "none");
    await stage.page.keyboard.press("ArrowDown");
    assert.equal(await ring("connection"), "solid");
  });

  test("a level that was applied holds for the next agent call (B-010, B-061, B-064)", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page, "permissions");
    assert.ok((await call(client, "fs", "list", { path: "/Garden" })).ok, "open before");

    await choose(panel, "Garden", "none");
    assert.ok((await call(client, "fs", "list", { path: "/Garden" })).ok, "a draft grants and takes nothing");
    await panel.locator('[data-do="apply"]').click();
    await until(async () => (await system.kernel.permissions())[notebooks.Garden.id] === "none", { what: "the written table" });
    const denied = await until(async () => {
      const answer = await call(client, "fs", "list", { path: "/Garden" });
      return answer.ok ? undefined : answer;
    }, { deadline: CHANGE_MS, every: 100, what: "the lowered level" });
    assert.equal(denied.error.type, "not_found");

    await choose(panel, "Garden", "rw");
    await panel.locator('[data-do="apply"]').click();
    // The panel asks for confirmation before it grants more than before.
    const ask = stage.page.locator("#confirmDialogConfirmBtn");
    await ask.click({ timeout: 1500 }).catch(() => {});
    await until(async () => (await system.kernel.permissions())[notebooks.Garden.id] === "rw", { what: "the table put back" });
    await until(async () => (await call(client, "fs", "list", { path: "/Garden" })).ok,
      { deadline: CHANGE_MS, every: 100, what: "the raised level" });
    assert.deepEqual(stage.problems(), []);
  });

  test("discard forgets the draft and writes nothing", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page, "permissions");
    await row(panel, "Reading").waitFor();
    const before = await system.kernel.permissions();
    await choose(panel, "Reading", "rwd");
    assert.equal(await chosen(panel, "Reading"), "rwd");
    await panel.locator('[data-do="discard"]').click();
    await until(async () => (await chosen(panel, "Reading")) === "r", { what: "the row put back" });
    assert.deepEqual(await system.kernel.permissions(), before);
  });

  test("an action switched off is gone from tools/list (B-003)", async () => {
    const stage = await openStage(browser, system.kernel.url);
    const panel = await openPanel(stage.page, "tools");
    const tool = panel.locator('input.b3-switch[data-tool="tag"]');
    await tool.waitFor();
    await tool.click();
    await panel.locator('[data-do="apply"]:visible').click();
    await until(async () => (await system.kernel.read(`${STORAGE}/mcpToolsConfig`))?.tag?.enabled === false, { what: "the written switch" });
    await until(async () => !(await client.listTools()).tools.some((one) => one.name === "tag"),
      { deadline: 2000, every: 100, what: "the shorter list" });
    await tool.click();
    await panel.locator('[data-do="apply"]:visible').click();
    await stage.page.locator("#confirmDialogConfirmBtn").click({ timeout: 1500 }).catch(() => {});
    await until(async () => (await client.listTools()).tools.some((one) => one.name === "tag"), { what: "the whole list again" });
    assert.deepEqual(stage.problems(), []);
  });

  test("opening and closing the panel leaves nothing behind", async () => {
    // The playground looks for a server where none is.
    await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort() });
    const stage = await openStage(browser, system.kernel.url);
    const session = await stage.context.newCDPSession(stage.page);
    await session.send("Performance.enable");
    const cycle = async (times) => {
      for (let i = 0; i < times; i += 1) {
        const panel = await openPanel(stage.page);
        for (const tab of await panel.locator('[role="tab"]').all()) await tab.click();
        await closeDialog(stage.page);
      }
      await session.send("HeapProfiler.collectGarbage");
      const { metrics } = await session.send("Performance.getMetrics");
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    };
    const warm = await cycle(3);
    const worn = await cycle(10);
    console.log(`ten cycles: nodes ${warm.Nodes} -> ${worn.Nodes}, listeners ${warm.JSEventListeners} -> ${worn.JSEventListeners}`);
    assert.ok(worn.Nodes - warm.Nodes < 100, "a panel is several hundred nodes");
    assert.ok(worn.JSEventListeners - warm.JSEventListeners < 20, "and dozens of listeners");
    assert.equal(await stage.page.locator(".pup-panel").count(), 0);
    assert.equal(await stage.page.evaluate(() => window.siyuan.dialogs.length), 0);
    assert.deepEqual(stage.problems().filter((it) => !/ERR_CONNECTION_REFUSED http:\/\/127\.0\.0\.1:\d+\/mcp$/.test(it)), []);
  });
});
