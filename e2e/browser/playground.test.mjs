// The playground in a real browser, with no server running: actions run in the page under the levels of agents.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPanel, openStage } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

describe("playground: actions in the page", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  async function open(options = {}) {
    const prepare = async (context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await options.prepare?.(context);
    };
    const stage = await openStage(browser, system.kernel.url, { ...options, prepare });
    const panel = await openPanel(stage.page, "playground");
    return { stage, panel, page: stage.page };
  }

  /** Takes an action and fills its form. */
  async function take(panel, tool, action, entries = {}) {
    await panel.locator('[data-pick="tool"]').selectOption(tool);
    await panel.locator('[data-pick="action"]').selectOption(action);
    for (const [name, value] of Object.entries(entries)) {
      const field = panel.locator(`[data-name="attempt"] [data-field="${name}"]`);
      if ((await field.evaluate((it) => it.tagName)) === "SELECT") await field.selectOption(value);
      else await field.fill(value);
    }
  }

  const attempt = (panel) => panel.locator('[data-name="attempt"]');
  const preview = (panel, is) => attempt(panel).locator('[data-do="preview"]').setChecked(is);
  const run = (panel) => attempt(panel).locator('[data-do="run"]').click();
  const outcome = (panel) => panel.locator(".pup-outcome:visible");
  const shown = (panel) => panel.locator(".pup-answer:visible").innerText();

  async function answered(panel, wanted) {
    await outcome(panel).filter({ hasText: wanted }).waitFor();
    return shown(panel);
  }

  test("a read runs without a server, under the levels of agents (B-215)", async () => {
    const { stage, panel, page } = await open();
    await take(panel, "notebook", "list");
    await run(panel);
    const text = await answered(panel, "Done");
    assert.match(text, /Garden/);
    assert.doesNotMatch(text, /Private/, "a closed notebook does not exist here either");
    assert.match(await outcome(panel).innerText(), /\d+ ms · \d+ bytes · ≈ \d+ tokens/);

    await panel.locator('[data-look="raw"]:visible').click();
    const raw = JSON.parse(await shown(panel));
    assert.equal(raw.isError, false);
    assert.ok(raw.content.some((it) => it.text.includes("Garden")));
    await panel.locator('[data-look="tree"]:visible').click();
    const tree = panel.locator(".pup-tree:visible");
    await tree.locator("summary").nth(1).click();
    await tree.locator("summary").nth(2).click();
    await tree.filter({ hasText: /"Garden"|"Reading"|"Scratch"/ }).waitFor();

    await take(panel, "fs", "list", { path: "/Garden" });
    await panel.locator('[data-copy="command"]').click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "siyuan-puppy fs list --path /Garden");
    await panel.locator('[data-copy="call"]').click();
    const call = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    assert.deepEqual(call.params, { name: "fs", arguments: { action: "list", path: "/Garden" } });
    assert.equal(call.method, "tools/call");
    assert.deepEqual(stage.problems(), []);
  });

  test("the form shows what the declaration says, and the core's own validation answers", async () => {
    const { stage, panel } = await open();
    await take(panel, "search", "text", { query: "mint", limit: "many" });
    assert.match(await attempt(panel).locator('[data-name="facts"]').innerText(), /Reads/);
    assert.match(await attempt(panel).locator("#pup-here-limit-about").innerText(), /whole number from 1 to/);
    assert.equal(await attempt(panel).locator('[data-field="query"]').getAttribute("aria-required"), "true");
    await run(panel);
    assert.match(await answered(panel, "Failed"), /validation_error.*limit/s);
    await take(panel, "document", "remove");
    assert.match(await attempt(panel).locator(".pup-danger").innerText(), /Delete.*asked first/s);
    await attempt(panel).locator('[data-do="example"]').click();
    assert.match(await attempt(panel).locator('[data-field="ids"]').inputValue(), /^\d{14}-/);
    assert.deepEqual(stage.problems(), []);
  });

  test("a write is previewed first, then done; a level that is too low refuses it (B-215)", async () => {
    const { stage, panel } = await open();
    const path = "/Scratch/Tried in the page";
    await take(panel, "fs", "write", { path, markdown: "From the playground." });
    assert.equal(await attempt(panel).locator('[data-do="preview"]').isChecked(), true);
    await run(panel);
    assert.match(await answered(panel, "Done"), /"preview":true/);
    const ids = () => system.kernel.post("/api/query/sql", { stmt: "SELECT * FROM blocks WHERE type = 'd' AND content = 'Tried in the page'" });
    assert.equal((await ids()).length, 0, "a preview changes nothing");
    await preview(panel, false);
    await run(panel);
    await until(async () => (await ids()).length === 1, { what: "the new document" });
    await take(panel, "fs", "write", { path: "/Reading/No", markdown: "x" });
    await preview(panel, false);
    await run(panel);
    assert.match(await answered(panel, "Failed"), /permission_denied/);
    assert.deepEqual(stage.problems(), []);
  });

  test("a danger is asked in the page, and Enter does not allow it (B-070, B-215)", async () => {
    const { stage, panel, page } = await open();
    const notebook = (await system.kernel.notebooks()).Scratch.id;
    const id = await system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: "/To go", markdown: "Words that would be lost." });
    const exists = async () => (await system.kernel.post("/api/query/sql", { stmt: `SELECT * FROM blocks WHERE id = '${id}'` })).length > 0;
    await until(exists, { what: "the document in the index" });
    await take(panel, "document", "remove", { ids: id });
    await preview(panel, false);

    await run(panel);
    const question = page.locator('.b3-dialog--open [role="alertdialog"]');
    await question.waitFor();
    assert.match(await question.innerText(), /document\.remove.*To go/s);
    await page.keyboard.press("Enter");
    assert.match(await answered(panel, "Failed"), /confirmation_required/);
    assert.ok(await exists(), "a no changes nothing");

    await run(panel);
    await page.locator("#confirmDialogConfirmBtn").click();
    await until(async () => !(await exists()), { what: "the removal" });
    assert.deepEqual(stage.problems(), []);
  });

  test("a call can be stopped, and the next one runs (B-207)", async () => {
    const { stage, panel } = await open();
    await take(panel, "fs", "list", { path: "/Garden" });
    await system.kernel.faults([{ path: "/api/filetree/listDocsByPath", fault: "delay", ms: 5000, times: 1 }]);
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Running" }).waitFor();
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Stopped" }).waitFor();
    await system.kernel.faults([]);
    await run(panel);
    await answered(panel, "Done");
    assert.deepEqual(stage.problems(), []);
  });

  test("actions that do not load are said, and the next run brings them", async () => {
    let fails = true;
    const prepare = (context) => context.route("**/actions_bg.wasm*", (route) => (fails ? route.abort() : route.continue()));
    const { stage, panel } = await open({ prepare });
    await take(panel, "notebook", "list");
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "could not be loaded" }).waitFor();
    fails = false;
    await run(panel);
    assert.match(await answered(panel, "Done"), /Garden/);
    assert.ok(stage.problems().every((it) => /actions|action could not be run/.test(it)), "the page says what failed");
  });

  test("a module that does not load is said, and a second try brings it", async () => {
    let fails = true;
    const prepare = (context) => context.route("**/pages_bg.wasm*", (route) => (fails ? route.abort() : route.continue()));
    const { stage, panel } = await open({ prepare });
    const trouble = panel.locator('[data-name="playground"] .pup-trouble:visible');
    await trouble.filter({ hasText: "could not be loaded" }).waitFor();
    fails = false;
    await trouble.locator('[data-do="retry"]').click();
    await panel.locator('[data-pick="tool"]').waitFor();
    assert.ok(stage.problems().every((it) => /pages/.test(it)), "the page says what failed");
  });
});
