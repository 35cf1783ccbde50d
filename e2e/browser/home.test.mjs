// The panel's first page in a real browser: the first steps, then the state, the last call, the version of SiYuan, the ways on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { closeDialog, openPanel, openStage } from "../support/page.mjs";
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

  // These come first: the page changes with the first call ever.
  test("until the first call it has four steps, which say what is done and lead on with the keyboard", async () => {
    const prepare = (context) => context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { panel, page, problems } = await open({ prepare });
    const steps = panel.locator('[data-name="steps"] .config-item');
    await until(async () => (await steps.count()) === 4, { what: "the steps" });
    assert.equal(await panel.locator('[data-name="may"], [data-name="last"]').count(), 0, "no zeros");
    const done = () => steps.locator(".pup-step").allInnerTexts();
    await until(async () => (await done()).join() === "✓ Done,To do,✓ Done,To do", { what: "the state of the steps" });
    await becomes(steps.nth(0), /1 server is connected/);
    assert.match(await steps.nth(0).innerText(), /Only for clients that connect over HTTP/);
    const ends = await steps.locator(".pup-step").evaluateAll((all) => all.map((it) => Math.round(it.getBoundingClientRect().right)));
    assert.equal(new Set(ends).size, 1, `the states stand in one column: ${ends}`);
    await becomes(steps.nth(2), /No access 1 · Read 2 · Write 1 · Delete 1/);
    await steps.nth(3).locator("[data-copy]").click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === "List my notebooks.", { what: "the copied question" });
    await steps.nth(1).locator('[data-client="cursor"]').focus();
    await page.keyboard.press("Enter");
    await panel.locator('[role="tabpanel"][data-name="connection"]').waitFor();
    await until(() => page.evaluate(() => document.activeElement.matches('[data-client="cursor"][aria-pressed="true"]')), { what: "the focus on the client" });
    assert.equal(await panel.locator('[data-way="http"]').getAttribute("aria-pressed"), "true", "a server is connected");
    await panel.locator('[data-way="starts"]').click();
    await panel.locator('[data-copy="install"]').click();
    await panel.locator('[role="tab"][data-name="home"]').click();
    await until(async () => (await done()).join() === "✓ Done,✓ Done,✓ Done,To do", { what: "the connected client" });
    await steps.nth(2).locator('[data-do="go"]').focus();
    await page.keyboard.press("Enter");
    await panel.locator('[role="tabpanel"][data-name="permissions"]').waitFor();
    await closeDialog(page);
    await openPanel(page, "connection");
    assert.equal(await panel.locator('[data-client="cursor"]').getAttribute("aria-pressed"), "true", "the client is remembered");
    assert.deepEqual(problems(), []);
  });

  test("without a server and with the default levels the steps say so", async () => {
    const prepare = async (context) => {
      await context.route("**/api/file/getFile", async (route) => {
        if (!route.request().postDataJSON()?.path.endsWith("/notebookPermissions")) return route.fallback();
        return route.fulfill({ status: 202, json: { code: 404, msg: "", data: null } });
      });
      await context.routeWebSocket("**/ws/broadcast*", () => {});
    };
    const { panel } = await open({ prepare });
    const steps = panel.locator('[data-name="steps"] .config-item');
    await becomes(steps.nth(0), /This page cannot start a server/);
    await becomes(steps.nth(2), /5 notebooks: Read/);
    assert.deepEqual(await steps.locator(".pup-step").allInnerTexts(), ["To do", "To do", "To do", "To do"]);
    await steps.nth(0).locator('[data-to="connection"]').click();
    await panel.locator('[role="tabpanel"][data-name="connection"]').waitFor();
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the first steps (${lang})`, async () => {
      const { panel, page } = await open({ lang });
      await panel.locator('[data-name="steps"] .config-item').nth(3).waitFor();
      await pictures(page, (theme) => `home-first-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `home-first-narrow-${lang}-${theme}`);
    });
  }

  test("after the first call it shows the levels, the actions and the version", async () => {
    const { panel, problems } = await open();
    const client = await connectHttp(system.sidecar.url);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await client.close();
    await becomes(panel.locator('[data-name="may"]'), /No access 1 · Read 2 · Write 1 · Delete 1/);
    await becomes(panel.locator('[data-name="may"]'), /\d+ of \d{3} actions are on/);
    await becomes(panel.locator('[data-name="siyuan"]'), /Version 3\.7\.3\s+Tested with this version\./);
    assert.equal(await panel.locator('[data-name="differences"]').innerText(), "");
    await becomes(panel.locator('[data-name="state"]'), /1 server is connected at http:\/\/127\.0\.0\.1:\d+\/mcp\. It was started outside this page\./);
    assert.deepEqual(problems(), []);
  });

  test("a newer SiYuan is said to be untried, with what is different there", async () => {
    const prepare = (context) => context.route("**/api/system/version", (route) => route.fulfill({ json: { code: 0, msg: "", data: "3.9.0" } }));
    const { panel } = await open({ prepare });
    await becomes(panel.locator('[data-name="siyuan"]'), /Not tested: this version is newer/);
    assert.equal((await panel.locator('[data-name="differences"]').innerText()).split("\n").length, 3);
  });

  test("the newest call appears with its outcome", async () => {
    const { panel } = await open();
    const client = await connectHttp(system.sidecar.url);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await becomes(panel.locator('[data-name="last"]'), /^[^:]+: Notebooks › list, a moment ago$/);
    assert.equal((await call(client, "document", "read", { id: "20240101000000-missing" })).ok, false);
    await becomes(panel.locator('[data-name="last"]'), /^[^:]+: Documents › read, a moment ago · failed$/);
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
    await panel.getByText("Paused. Agents are refused").waitFor();
    assert.deepEqual(await system.kernel.read(SETTINGS), { of_tomorrow: 1, paused: true });
    await answers(false);
    await pause.click();
    await until(async () => (await pause.getAttribute("aria-pressed")) === "false", { what: "the end of the pause" });
    await answers(true);
    await system.kernel.write(SETTINGS, { paused: true });
    await panel.getByText("Paused. Agents are refused").waitFor();
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
    await becomes(panel.locator('[data-name="may"]'), /The setting cannot be read, so nothing is allowed\./);
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
