// Puppy and panel on SiYuan 3.8, whose host loads plugins in turn, awaits their end and tells why data changed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PLUGIN, STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { exists, sleep, until } from "../support/process.mjs";
import { inState, openPuppy, watch } from "../support/puppy.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { inBrowser, inElectron, inWorkspace } from "../support/stage-suite.mjs";
import { startKernel, startSystem } from "../support/system.mjs";

/** A plugin whose end takes a while, and that records what it sees; it replaces what the kernel delivers. */
const PROBE = `
const host = require("siyuan");
globalThis.seen ??= [];
module.exports = class Probe extends host.Plugin {
  constructor(options) {
    super(options);
    seen.push("made, styled: " + !!document.getElementById("pluginsStyleprobe"));
  }
  onload() { seen.push("onload, styled: " + !!document.getElementById("pluginsStyleprobe")); }
  onLayoutReady() {
    this.addTopBar({ id: "one", icon: "iconProbe", title: "One" });
    this.addTopBar({ id: "one", icon: "iconProbe", title: "One again" });
  }
  onDataChanged(reason) { seen.push("data changed: " + reason); }
  async onunload() {
    await new Promise((done) => setTimeout(done, 100));
    seen.push("ended");
  }
  uninstall() { seen.push("uninstalled"); }
};`;
const petal = { name: "probe", displayName: "Probe", enabled: true, js: PROBE, css: "p { color: red }", i18n: {} };

describe("stub host page as SiYuan 3.8", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ siyuan: "3.8" }), (parts) => { ({ system, browser } = parts); });

  test("data that changes while a plugin is loaded is told once, when its layout is ready", async () => {
    const early = { ...petal, js: PROBE.replace('onload() {', 'onload() { ["sync", "overwrite"].forEach((why) => window.siyuanApp.dataChanged("probe", why));')
      .replace("onLayoutReady() {", 'onLayoutReady() { seen.push("layout");') };
    const stage = await openStage(browser, system.kernel.url, {
      prepare: (context) => context.route("**/api/petal/loadPetals", (route) => route.fulfill({ json: { code: 0, msg: "", data: [early] } })),
    });
    await stage.page.waitForFunction(() => globalThis.seen.at(-1)?.startsWith("data changed"));
    assert.deepEqual(await stage.page.evaluate(() => globalThis.seen.slice(2)), ["layout", "data changed: overwrite"]);
    assert.deepEqual(stage.problems(), []);
  });

  test("plugins are loaded in turn and their end is awaited", async () => {
    const stage = await openStage(browser, system.kernel.url, {
      prepare: (context) => context.route("**/api/petal/loadPetals", (route) => route.fulfill({ json: { code: 0, msg: "", data: [petal] } })),
    });
    const { page } = stage;
    assert.equal(await page.evaluate(() => window.siyuan.config.system.kernelVersion), "3.8.6");
    assert.equal(await page.locator('[id="plugin_probe:one"]').count(), 1, "an id has one button");
    const seen = await page.evaluate(async () => {
      const app = window.siyuanApp;
      await Promise.all([app.reload(["probe"]), app.reload(["probe"]), app.dataChanged("probe", "sync")]);
      return { seen: globalThis.seen, instances: app.plugins.length };
    });
    const life = ["made, styled: false", "onload, styled: true"];
    assert.deepEqual(seen, { seen: [...life, "ended", ...life, "ended", ...life, "data changed: sync"], instances: 1 });
    const last = await page.evaluate(async () => {
      await window.siyuanApp.uninstall("probe");
      return globalThis.seen.slice(-2);
    });
    assert.deepEqual(last, ["ended", "uninstalled"], "one after the other");
    assert.equal(await page.locator('[id="plugin_probe:one"]').count(), 0);
    assert.deepEqual(stage.problems(), []);
  });
});

describe("SiYuan 3.8", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true, siyuan: "3.8" }), (parts) => { ({ system, browser } = parts); });

  test("there is one puppy, however often the plugin is loaded anew, and none at the end", async () => {
    const stage = await openPuppy(browser, system.kernel.url);
    const { page } = stage;
    const count = () => page.evaluate((name) => ({
      dogs: document.querySelectorAll(".pup-dog").length,
      buttons: document.querySelectorAll(`[id="plugin_${name}:settings"]`).length,
    }), PLUGIN);
    assert.deepEqual(await count(), { dogs: 1, buttons: 1 });
    await page.evaluate(async (name) => {
      const app = window.siyuanApp;
      const body = JSON.stringify({ frontend: app.frontend });
      const petals = await (await fetch("/api/petal/loadPetals", { method: "POST", body })).json();
      const petal = petals.data.find((it) => it.name === name);
      // In the page the order is certain; two requests to the switch in the kernel may overtake each other.
      for (let i = 0; i < 5; i += 1) await Promise.all([app.unload(name), app.load(petal)]);
      await app.reload([name]);
    }, PLUGIN);
    await page.waitForSelector(".pup-dog", { state: "attached" });
    await sleep(500);
    assert.deepEqual(await count(), { dogs: 1, buttons: 1 });
    await page.evaluate((name) => window.siyuanApp.unload(name), PLUGIN);
    assert.deepEqual(await count(), { dogs: 0, buttons: 0 });
    assert.deepEqual(stage.problems(), []);
  });

  test("an agent's call is seen, and synced settings reach the puppy without a reload", async () => {
    const stage = await openPuppy(browser, system.kernel.url);
    const client = await connectHttp(system.sidecar.url);
    await watch(stage.page);
    const { ok } = await call(client, "notebook", "list");
    assert.ok(ok);
    await inState(stage.page, "success");
    await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { paused: true });
    await stage.page.evaluate((name) => {
      globalThis.before = window.siyuanApp.plugins.find((plugin) => plugin.name === name);
      return window.siyuanApp.dataChanged(name, "overwrite");
    }, PLUGIN);
    const same = await stage.page.evaluate((name) => window.siyuanApp.plugins.find((plugin) => plugin.name === name) === globalThis.before, PLUGIN);
    assert.ok(same, "the plugin was not reloaded");
    await inState(stage.page, "paused");
    // A sidecar asks for its settings at most once a second.
    await until(async () => !(await call(client, "notebook", "list")).ok, { what: "the pause" });
    await system.kernel.remove(`${STORAGE}/mcpHttpSettings`);
    assert.deepEqual(stage.problems(), []);
  });

  test("what one page writes reaches the others, and never comes back to it", async () => {
    const one = await openPuppy(browser, system.kernel.url);
    const other = await openPuppy(browser, system.kernel.url);
    const pages = [one.page, other.page];
    for (const page of pages) {
      await page.evaluate((name) => {
        const plugin = window.siyuanApp.plugins.find((it) => it.name === name);
        const own = plugin.onDataChanged.bind(plugin);
        globalThis.heard = [];
        plugin.onDataChanged = (reason) => {
          globalThis.heard.push(reason);
          return own(reason);
        };
      }, PLUGIN);
    }
    const heard = () => Promise.all(pages.map((page) => page.evaluate(() => globalThis.heard)));
    const panel = await openPanel(one.page);
    await panel.locator('[data-do="pause"]').click();
    await inState(other.page, "paused");
    assert.deepEqual(await heard(), [[], ["overwrite"]]);
    // A program has no page: all of them hear what it writes.
    await system.kernel.remove(`${STORAGE}/mcpHttpSettings`);
    await until(async () => (await heard()).every((it) => it.at(-1) === "overwrite"), { what: "both pages" });
    assert.deepEqual([...one.problems(), ...other.problems()], []);
  });

  test("the button opens the panel, which shows the levels", async () => {
    const stage = await openStage(browser, system.kernel.url);
    await stage.page.locator(`[id="plugin_${PLUGIN}:settings"]`).click();
    await stage.page.locator(".pup-panel").waitFor();
    const own = stage.page.locator('.pup-panel [data-name="siyuan"]');
    await until(async () => /Version 3\.8\.6\s+Should work; not tested with this version yet/.test(await own.innerText()), { what: "the version" });
    assert.equal((await stage.page.locator('.pup-panel [data-name="differences"]').innerText()).split("\n").length, 3);
    const { Garden } = await system.kernel.notebooks();
    assert.equal((await system.kernel.permissions())[Garden.id], "rw");
    assert.deepEqual(stage.problems(), []);
  });
});

describe("SiYuan 3.8 on the desktop", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let browser;
  let system;
  let host;
  inElectron((parts) => { ({ browser, system, host } = parts); }, { siyuan: "3.8" });

  /** The page in Electron with a server to start; `options` go into its address. */
  async function open(options = {}) {
    await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort(), token: "" });
    const prepare = async (context) => {
      await host.prepare(context);
      await inWorkspace(context, system.workspace);
    };
    const stage = await openStage(browser, system.kernel.url, { frontend: "desktop", prepare, ...options });
    const panel = await openPanel(stage.page, "connection");
    const becomes = (wanted) => until(async () => (await panel.locator('[data-name="state"]').getAttribute("data-state")) === wanted, { deadline: 20_000, what: `the state ${wanted}` });
    return { ...stage, panel, becomes };
  }

  const pids = () => host.children.filter(({ child }) => exists(child.pid)).map(({ child }) => child.pid);

  test("loaded anew the server goes on, switched off it ends; the assistant gets its entry", async () => {
    const { page, panel, becomes, problems } = await open();
    await becomes("running");
    const [pid] = pids();
    const toggle = panel.locator('[data-setting="assistant"]');
    const servers = async () => (await system.kernel.post("/api/system/getConf")).conf.ai.mcp.servers.map(({ name }) => name);
    await toggle.click();
    await until(async () => String(await servers()) === PLUGIN, { what: "the entry" });
    await page.evaluate((name) => window.siyuanApp.reload([name]), PLUGIN);
    await sleep(1500);
    assert.deepEqual(pids(), [pid], "the same one");
    await page.evaluate((name) => window.siyuanApp.unload(name), PLUGIN);
    await until(() => pids().length === 0, { what: "the end of the server" });
    assert.deepEqual(problems(), []);
  });

  test("uninstalled, the server has ended when the host goes on", async () => {
    const { page, becomes, problems } = await open();
    await becomes("running");
    await page.evaluate((name) => window.siyuanApp.uninstall(name), PLUGIN);
    assert.deepEqual(pids(), []);
    assert.deepEqual(problems(), []);
  });

  test("a window for a kernel elsewhere starts nothing, and says so", async () => {
    const { panel, problems } = await open({ remote: "1" });
    await panel.getByText("Your notes are on another computer or in a container.").waitFor();
    assert.equal(host.children.length, 0);
    assert.deepEqual(problems(), []);
  });
});
