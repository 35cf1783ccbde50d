// The panel's first page in a real browser: what holds, what was called last, which SiYuan this is, and the ways on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;

describe("home page", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  const open = async (options = {}) => {
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page);
    await panel.locator('[data-name="home"][role="tabpanel"]').waitFor();
    return { ...stage, panel };
  };
  const becomes = (place, text) => until(async () => text.test(await place.innerText()), { what: `${text}` });

  test("it is the first page, and tells the levels, the actions and the version", async () => {
    const { panel, problems } = await open();
    await becomes(panel.locator('[data-name="may"]'), /1 none · 2 read · 1 write · 1 delete/);
    await becomes(panel.locator('[data-name="may"]'), /\d+ of \d{3} actions are on/);
    await becomes(panel.locator('[data-name="siyuan"]'), /Version 3\.7\.3\s+MCP Puppy was seen working with it\./);
    assert.equal(await panel.locator('[data-name="differences"]').innerText(), "");
    await becomes(panel.locator('[data-name="state"]'), /This page cannot start the server\. Connection says how\./);
    assert.deepEqual(problems(), []);
  });

  test("a newer SiYuan is said to be untried, with what is different there", async () => {
    const prepare = (context) => context.route("**/api/system/version", (route) => route.fulfill({ json: { code: 0, msg: "", data: "3.9.0" } }));
    const { panel } = await open({ prepare });
    await becomes(panel.locator('[data-name="siyuan"]'), /newer than all that MCP Puppy knows: untried/);
    assert.equal((await panel.locator('[data-name="differences"]').innerText()).split("\n").length, 3);
  });

  test("the newest call appears with its outcome", async () => {
    const { panel } = await open();
    const client = await connectHttp(system.sidecar.url);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await becomes(panel.locator('[data-name="last"]'), /^notebook\.list, a moment ago$/);
    assert.equal((await call(client, "document", "read", { id: "20240101000000-missing" })).ok, false);
    await becomes(panel.locator('[data-name="last"]'), /^document\.read, a moment ago · failed$/);
    await client.close();
  });

  test("a pause refuses every call until it is lifted, and shows wherever it was made", async () => {
    await system.kernel.write(SETTINGS, { of_tomorrow: 1 });
    const { panel, problems } = await open();
    const client = await connectHttp(system.sidecar.url);
    const answers = (ok) => until(async () => (await call(client, "notebook", "list", {})).ok === ok, { what: `calls that are ${ok ? "served" : "refused"}` });
    const pause = panel.locator('[data-do="pause"]');
    assert.equal(await pause.getAttribute("aria-pressed"), "false");
    await pause.click();
    await panel.getByText("Paused by you.").waitFor();
    assert.deepEqual(await system.kernel.read(SETTINGS), { of_tomorrow: 1, paused: true });
    await answers(false);
    await pause.click();
    await until(async () => (await pause.getAttribute("aria-pressed")) === "false", { what: "the end of the pause" });
    await answers(true);
    await system.kernel.write(SETTINGS, { paused: true });
    await panel.getByText("Paused by you.").waitFor();
    await system.kernel.remove(SETTINGS);
    await client.close();
    assert.deepEqual(problems(), []);
  });

  test("every way on leads to its page with the keyboard, and takes the focus there", async () => {
    const { panel, page } = await open();
    for (const name of ["connection", "permissions", "tools"]) {
      await panel.locator('[role="tab"][data-name="home"]').click();
      await panel.locator(`[data-do="go"][data-to="${name}"]`).focus();
      await page.keyboard.press("Enter");
      await panel.locator(`[role="tabpanel"][data-name="${name}"]`).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement.dataset.name), name);
    }
    await page.keyboard.press("Home");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.name), "home");
    await panel.locator('[role="tabpanel"][data-name="home"]').waitFor();
  });

  test("what cannot be read is said, not guessed", async () => {
    await system.kernel.write(`${STORAGE}/mcpToolsConfig`, [1]);
    const { panel } = await open();
    await becomes(panel.locator('[data-name="may"]'), /It cannot be read, so nothing is allowed\./);
    await system.kernel.remove(`${STORAGE}/mcpToolsConfig`);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the page (${lang})`, async () => {
      const { panel, page, problems } = await open({ lang });
      await panel.locator('[data-name="version"]').waitFor();
      await pictures(page, (theme) => `home-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `home-narrow-${lang}-${theme}`);
      assert.deepEqual(problems(), []);
    });
  }
});
