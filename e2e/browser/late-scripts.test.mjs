// Scripts of the page that do not load at first, in a real browser: what needs them says so, no module breaks, and the
// next try brings them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { openPanel } from "../support/page.mjs";
import { openPeer } from "../support/peer.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

describe("scripts that do not load at first", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    browser = parts.browser;
    ({ kernel } = parts.system);
    // Nobody answers there.
    await kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort() });
  });

  /** A page to which this script is refused once. */
  const open = async (script) => {
    let asked = 0;
    const prepare = async (context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await context.route(`**/page/${script}.js*`, (route) => ((asked += 1) === 1 ? route.abort() : route.continue()));
    };
    const stage = await openPuppy(browser, kernel.url, { prepare });
    const problems = () => stage.problems().filter((it) => !/net::ERR_|could not be/.test(it));
    return { ...stage, problems, notice: stage.page.locator("#message").getByText("part of the plugin could not be loaded") };
  };

  test("a copy is said to have failed, then made", async () => {
    const { page, problems } = await open("hand");
    const panel = await openPanel(page, "playground");
    const copy = panel.locator('[data-copy="command"]');
    await copy.click();
    await copy.filter({ hasText: "Could not copy" }).waitFor();
    await copy.click();
    await copy.filter({ hasText: /^Copied/ }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^siyuan-puppy /);
    assert.deepEqual(problems(), []);
  });

  test("a file is not handed out, which is said, then it is", async () => {
    const { page, notice, problems } = await open("hand");
    const panel = await openPanel(page, "advanced");
    const save = panel.locator('[data-do="export"]');
    await save.click();
    await notice.waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
    assert.match(file.suggestedFilename(), /settings\.json$/);
    assert.deepEqual(problems(), []);
  });

  test("a question that cannot be asked is a no, then it is asked", async () => {
    const { page, notice, problems } = await open("confirm");
    const panel = await openPanel(page, "advanced");
    const remove = panel.locator('[data-do="remove"]');
    await remove.click();
    await notice.waitFor();
    assert.ok(await kernel.permissions(), "nothing is removed");
    await remove.click();
    await page.locator("#cancelDialogConfirmBtn").click();
    assert.deepEqual(problems(), []);
  });

  test("the puppy's menu stays closed, which is said, then it opens", async () => {
    const { page, notice, problems } = await open("menu");
    const dog = page.locator("body > .pup-dog");
    await dog.click({ button: "right" });
    await notice.waitFor();
    await dog.click({ button: "right" });
    await page.locator("#commonMenu:not(.fn__none) .b3-menu__item").first().waitFor();
    assert.deepEqual(problems(), []);
  });

  test("a page that loads late says why it is not there, then it is", async () => {
    const { page, problems } = await open("late");
    const panel = await openPanel(page, "playground");
    const trouble = panel.locator('[data-name="playground"] .pup-trouble:visible');
    await trouble.locator('[data-do="retry"]').click();
    await panel.locator('[data-pick="tool"]').waitFor();
    assert.deepEqual(problems(), []);
  });

  test("a page action fails, then it works", async () => {
    const { problems } = await open("screen");
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    assert.equal(await peer.call("get_ui_state", {}), "failed");
    assert.equal((await peer.call("get_ui_state", {})).done.frontend, "browser-desktop");
    assert.deepEqual(problems(), []);
  });

  test("the channel to the servers opens with the next word of one", async () => {
    const { problems } = await open("channel");
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    assert.equal((await peer.call("get_ui_state", {})).done.frontend, "browser-desktop");
    assert.deepEqual(problems(), []);
  });
});
