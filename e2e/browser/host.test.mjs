// The stub host page itself: the facts of SiYuan 3.7.3 that make a plugin test meaningful.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStage } from "../support/page.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

/** A plugin that records what it sees; it replaces what the kernel delivers. */
const PROBE = `
const host = require("siyuan");
globalThis.seen = globalThis.seen ?? [];
globalThis.keys = Object.keys(host).sort();
module.exports = class Probe extends host.Plugin {
  onload() {
    globalThis.probe = this;
    globalThis.host = host;
    seen.push({ at: "onload", lang: document.documentElement.lang, data: Object.keys(document.documentElement.dataset).length,
      languages: typeof siyuan.languages, bar: !!document.getElementById("barPlugins"), status: !!document.getElementById("status"),
      other: typeof require("no-such-module") });
  }
  onLayoutReady() {
    seen.push({ at: "layout", lang: document.documentElement.lang, languages: typeof siyuan.languages, bar: !!document.getElementById("barPlugins") });
    this.addIcons('<symbol id="iconProbe" viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"></circle></symbol>');
    this.addTopBar({ icon: "iconProbe", title: "Probe: open", callback: () => seen.push({ at: "top bar" }) });
  }
  openSetting() { this.dialog = new host.Dialog({ content: "<p class='probe-panel'>panel</p>", width: "max(70vw, min(90vw, 900px))", height: "90vh" }); }
  onunload() { seen.push({ at: "onunload" }); }
};`;
const petal = { name: "probe", displayName: "Probe", enabled: true, js: PROBE, css: ".probe-panel { color: red }", i18n: { hello: "Hello" } };

describe("stub host page", () => {
  let browser;
  let system;
  inBrowser(() => startKernel(), (parts) => { ({ system, browser } = parts); });

  /** The page with the probe in it. */
  async function open(options = {}) {
    return openStage(browser, system.kernel.url, {
      ...options,
      prepare: (context) => context.route("**/api/petal/loadPetals", (route) => route.fulfill({ json: { code: 0, msg: "", data: [petal] } })),
    });
  }

  test("a plugin meets the two phases as on the real page", async () => {
    const stage = await open();
    const seen = await stage.page.evaluate(() => globalThis.seen);
    assert.deepEqual(seen[0], { at: "onload", lang: "", data: 0, languages: "undefined", bar: false, status: true, other: "undefined" });
    assert.deepEqual(seen[1], { at: "layout", lang: "en", languages: "object", bar: true });
    assert.equal(await stage.page.locator("#pluginsStyle + #pluginsStyleprobe").count(), 1);
    assert.deepEqual(stage.problems(), []);
  });

  test("bars, docks and dialog have the measured sizes", async () => {
    const stage = await open();
    const size = async (selector) => {
      const { x, y, width, height } = await stage.page.locator(selector).boundingBox();
      return [x, y, width, height];
    };
    assert.equal((await size("#toolbar"))[3], 42);
    assert.equal((await size("#dockLeft"))[2], 42);
    assert.deepEqual(await size("#status"), [0, 828, 1280, 32]);
    await stage.page.evaluate(() => globalThis.probe.openSetting());
    await stage.page.waitForTimeout(300);
    assert.deepEqual(await size(".b3-dialog__container"), [190, 43, 900, 774]);
  });

  test("settings open from the plugin menu; Esc closes menu first, then the last dialog", async () => {
    const stage = await open();
    const { page } = stage;
    await page.click("#barPlugins");
    await page.locator("#commonMenu #plugin_probe_0, #commonMenu [data-id=plugin_probe_0]").hover();
    await page.locator("#commonMenu [data-id=config]").click();
    await page.waitForSelector(".b3-dialog--open .probe-panel");
    await page.dispatchEvent("#barPlugins", "click");
    await page.waitForSelector("#commonMenu:not(.fn__none)");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#commonMenu.fn__none", { state: "attached" });
    assert.equal(await page.locator(".b3-dialog--open .probe-panel").count(), 1, "the dialog stayed");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll(".b3-dialog").length === 0);
    await page.waitForFunction(() => window.siyuan.dialogs.length === 0);
  });

  test("a dialog leaves after its animation, and calls back once it is gone", async () => {
    const stage = await open();
    const order = await stage.page.evaluate(() => new Promise((done) => {
      const log = [];
      const dialog = new globalThis.host.Dialog({ content: "x", destroyCallback: () => {
        log.push(`callback, in page: ${document.contains(dialog.element)}, listed: ${siyuan.dialogs.includes(dialog)}`);
        setTimeout(() => done([...log, `later, listed: ${siyuan.dialogs.includes(dialog)}`]));
      } });
      dialog.destroy();
      log.push(`after destroy, in page: ${document.contains(dialog.element)}`);
    }));
    assert.deepEqual(order, ["after destroy, in page: true", "callback, in page: false, listed: true", "later, listed: false"]);
  });

  test("confirm: Enter is yes, Esc is no, the scrim is neither", async () => {
    const stage = await open();
    const { page } = stage;
    const ask = () => page.evaluate(() => {
      globalThis.answer = "none";
      globalThis.host.confirm("Title", "Text", () => { globalThis.answer = "yes"; }, () => { globalThis.answer = "no"; });
    });
    const gone = () => page.waitForFunction(() => document.querySelectorAll(".b3-dialog").length === 0);
    for (const [act, expected] of [
      [() => page.keyboard.press("Enter"), "yes"],
      [() => page.keyboard.press("Escape"), "no"],
      [() => page.mouse.click(5, 5), "none"],
    ]) {
      await ask();
      await page.waitForSelector(".b3-dialog--open .b3-dialog__container");
      await act();
      await gone();
      assert.equal(await page.evaluate(() => globalThis.answer), expected);
    }
  });

  test("storage: what was saved comes back, a missing file is an empty text", async () => {
    const stage = await open();
    const [saved, missing] = await stage.page.evaluate(async () => {
      await globalThis.probe.saveData("settings", { a: [1, "二"] });
      return [await globalThis.probe.loadData("settings"), await globalThis.probe.loadData("nothing")];
    });
    assert.deepEqual(saved, { a: [1, "二"] });
    assert.equal(missing, "");
    assert.deepEqual(await system.kernel.read("/data/storage/petal/probe/settings"), { a: [1, "二"] });
  });

  test("nothing orders two reloads at once: a plugin that does not care ends up twice", async () => {
    const stage = await open();
    const instances = await stage.page.evaluate(async () => {
      await Promise.all([window.siyuanApp.reload(["probe"]), window.siyuanApp.reload(["probe"])]);
      return window.siyuanApp.plugins.length;
    });
    assert.equal(instances, 2);
  });

  test("the phone page has neither status bar elements nor the desktop's keys", async () => {
    const stage = await open({ frontend: "browser-mobile", viewport: { width: 390, height: 844 } });
    const { page } = stage;
    assert.equal(await page.evaluate(() => globalThis.keys.includes("getAllTabs")), false);
    assert.equal(await page.evaluate(() => globalThis.probe.addStatusBar({ element: document.createElement("i") })), undefined);
    assert.equal(await page.locator("#menu #plugin_probe_0.b3-menu__item").count(), 1);
    await page.evaluate(() => new globalThis.host.Dialog({ content: "x", width: "92vw", height: "90vh" }));
    await page.waitForTimeout(300);
    const { width, height } = await page.locator(".b3-dialog__container").boundingBox();
    assert.deepEqual([Math.round(width), Math.round(height)], [359, 760]);
    assert.ok(await page.locator(".b3-dialog__close").isVisible());
  });
});
