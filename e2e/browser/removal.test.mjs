// The end of the plugin in a workspace: what is asked, what stays, and what goes; the kernel has removed its files by then.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { PLUGIN, PURSES, STATS, STORAGE } from "../support/config.mjs";
import { closePages, openStage } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { startKernel } from "../support/system.mjs";

const TEMP = `/temp/${PLUGIN}`;
const HTTP = `${STORAGE}/mcpHttpSettings`;
/** Things that a person made, the secrets and the records, as they lie after some days. */
const FILES = {
  [HTTP]: { token: "secret", port: 36_806, paused: true },
  [`${STORAGE}/accessSettings`]: {},
  [`${STORAGE}/agentNotebooks`]: {},
  [`${STORAGE}/agents`]: {},
  [`${STORAGE}/mcpToolsConfig`]: {},
  [`${STORAGE}/panelPresets`]: {},
  [`${STORAGE}/puppySettings`]: { size: 1 },
  [`${STORAGE}/bridgeKey`]: "key",
  [`${STORAGE}/mcpConnections`]: {},
  [`${STORAGE}/telemetryConfig`]: {},
  [`${PURSES}/a.free.json`]: {},
  [STATS]: { total_calls: 3 },
  [`${TEMP}/puppyEvents.json`]: {},
  [`${TEMP}/analytics/a.jsonl`]: "",
};
const KEPT = ["accessSettings", "agentNotebooks", "agents", "mcpHttpSettings", "mcpToolsConfig", "notebookPermissions", "panelPresets", "puppySettings"];
const OWN = { id: "2", name: PLUGIN, enabled: true, type: "stdio", command: "siyuan-puppy", args: ["stdio"], url: "", headers: {}, timeout: 30 };

for (const siyuan of ["3.7", "3.8"]) {
  describe(`removal of the plugin, SiYuan ${siyuan}`, () => {
    let browser;
    before(async () => { browser = await launch(); });
    after(() => browser.close());

    /** A workspace with everything in it, and a page in which the plugin has run for a while. */
    async function started(work, options = {}) {
      const system = await startKernel({ plugin: true, siyuan });
      const { kernel } = system;
      try {
        for (const [path, content] of Object.entries(FILES)) await kernel.write(path, content);
        const stage = await openStage(browser, kernel.url, options);
        await stage.page.evaluate(() => localStorage.setItem("siyuan-mcp-puppy-called-cursor", "yes"));
        await loaded(stage.page);
        const names = async (folder) => (await (await kernel.raw("/api/file/readDir", { path: folder })).json()).data?.map(({ name }) => name).sort();
        await work({ ...stage, kernel, names, uninstall: () => uninstall(system, stage.page) });
        assert.deepEqual(stage.problems(), []);
      } finally {
        await closePages(browser);
        await system.stop();
      }
    }

    const loaded = (page) => page.evaluate(async (name) => {
      const plugin = window.siyuanApp.plugins.find((it) => it.name === name);
      while (!plugin.removal) await new Promise((done) => setTimeout(done, 50));
      await plugin.removal;
    }, PLUGIN);

    /** As the kernel does it: the files first, then the page; the host goes on without a person's answer. */
    async function uninstall({ workspace }, page) {
      rmSync(join(workspace, "data", "plugins", PLUGIN), { recursive: true });
      await page.evaluate((name) => window.siyuanApp.uninstall(name), PLUGIN);
    }

    const question = (page) => page.locator('[role="alertdialog"]', { has: page.locator("#pup-removal-title") });
    const gone = (page) => until(async () => (await question(page).count()) === 0, { what: "the end of the question" });

    test("kept are levels, settings and puppy; token, keys and records go", () => started(async ({ page, context, kernel, names, uninstall }) => {
      const levels = await kernel.permissions();
      await uninstall();
      await question(page).getByText("MCP Puppy was uninstalled").waitFor();
      assert.equal(await page.locator(".pup-dog").count(), 0);
      // Secrets do not wait for an answer.
      await until(async () => (await kernel.read(HTTP))?.token === undefined, { what: "settings without the token" });
      assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "keep");
      await page.keyboard.press("Enter");
      await gone(page);
      await until(async () => (await names(TEMP)).length === 2, { what: "the end of the records" });
      assert.deepEqual([await names(STORAGE), await names(TEMP), await names(PURSES)], [KEPT, ["coins", "puppyStats.json"], ["a.free.json"]]);
      assert.deepEqual([await kernel.read(HTTP), await kernel.permissions()], [{ port: 36_806, paused: true }, levels]);
      assert.equal(await page.evaluate(() => localStorage.getItem("siyuan-mcp-puppy-called-cursor")), "yes");
      assert.equal(context.pages().length, 1);
    }));

    test("removed is everything, in the workspace, on the device and in the assistant", () => started(async ({ page, kernel, names, uninstall }) => {
      const other = { ...OWN, id: "1", name: "mine" };
      await kernel.post("/api/setting/setAI", { mcp: { servers: [other, OWN] } });
      await uninstall();
      await question(page).locator('[data-do="remove-all"]').click();
      await gone(page);
      await until(async () => (await names(STORAGE)) === undefined && (await names(TEMP)) === undefined, { what: "the empty workspace" });
      await until(() => page.evaluate(() => !Object.keys(localStorage).some((it) => it.startsWith("siyuan-mcp-puppy"))), { what: "a device that remembers nothing" });
      const { conf } = await kernel.post("/api/system/getConf");
      assert.deepEqual(conf.ai.mcp.servers.map(({ name }) => name), ["mine"]);
    }));

    if (siyuan !== "3.7") return;

    test("a question that is only closed removes nothing that may stay; it is asked in one window", () => started(async ({ page, context, names, uninstall }) => {
      const other = await context.newPage();
      await other.goto(page.url());
      await other.waitForFunction(() => document.documentElement.dataset.stage === "ready");
      await loaded(other);
      await uninstall();
      await question(page).getByText("MCP 小狗已卸载").waitFor();
      await other.evaluate((name) => window.siyuanApp.uninstall(name), PLUGIN);
      await other.waitForTimeout(500);
      assert.equal(await question(other).count(), 0);
      await page.keyboard.press("Escape");
      await gone(page);
      await until(async () => (await names(TEMP)).length === 2, { what: "the end of the records" });
      assert.deepEqual(await names(STORAGE), KEPT);
    }, { lang: "zh_CN" }));

    test("nothing is asked where another device has removed everything already", () => started(async ({ page, kernel, names, uninstall }) => {
      await kernel.remove(STORAGE);
      await uninstall();
      await until(async () => (await names(TEMP)) === undefined, { what: "the end of the records" });
      assert.equal(await question(page).count(), 0);
    }));

    test("loaded anew, nothing is asked and nothing goes", () => started(async ({ page, names }) => {
      const all = await names(STORAGE);
      await page.evaluate((name) => window.siyuanApp.reload([name]), PLUGIN);
      await loaded(page);
      assert.equal(await question(page).count(), 0);
      assert.deepEqual(await names(STORAGE), all);
    }));
  });
}
