// Actions tried in a real browser, under the levels of agents: in the page, where no server runs, and at the server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;
/** The browser's own words for the server that does not answer. */
const NOBODY = /net::ERR_CONNECTION_REFUSED/;

/** Opens the playground; `problems` are those of the page, `loaded` the addresses that it asked for. */
async function openPlayground(browser, kernel, options = {}) {
  const loaded = [];
  const prepare = async (context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    context.on("request", (request) => loaded.push(request.url()));
    await options.prepare?.(context);
  };
  const stage = await openStage(browser, kernel.url, { ...options, prepare });
  const panel = await openPanel(stage.page, "playground");
  return { panel, page: stage.page, loaded, problems: () => stage.problems().filter((it) => !NOBODY.test(it)) };
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
const runsAt = (panel, place) => panel.locator(`[data-place="${place}"][aria-pressed="true"]`).waitFor();

async function answered(panel, wanted) {
  await outcome(panel).filter({ hasText: wanted }).waitFor();
  return shown(panel);
}

describe("playground: actions in the page, without a server", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    ({ system, browser } = parts);
    await system.kernel.write(SETTINGS, { port: await freePort() });
  });

  const open = (options) => openPlayground(browser, system.kernel, options);

  test("a read runs without a server, under the levels of agents (B-215)", async () => {
    const { panel, page, problems } = await open();
    await runsAt(panel, "page");
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
    const copied = async (name) => {
      const button = panel.locator(`[data-copy="${name}"]`);
      await button.click();
      await button.filter({ hasText: "Copied" }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.equal(await copied("command"), "siyuan-puppy fs list /Garden");
    const call = JSON.parse(await copied("call"));
    assert.deepEqual(call.params, { name: "fs", arguments: { action: "list", path: "/Garden" } });
    assert.equal(call.method, "tools/call");
    assert.deepEqual(problems(), []);
  });

  test("the form shows what the declaration says, and the core's own validation answers", async () => {
    const { panel, problems } = await open();
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
    assert.deepEqual(problems(), []);
  });

  test("a write is previewed first, then done; a level that is too low refuses it (B-215)", async () => {
    const { panel, problems } = await open();
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
    assert.deepEqual(problems(), []);
  });

  test("a danger is asked in the page, and neither Enter nor Esc allows it (B-070, B-215)", async () => {
    const { panel, page, problems } = await open();
    const notebook = (await system.kernel.notebooks()).Scratch.id;
    const id = await system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: "/To go", markdown: "Words that would be lost." });
    const exists = async () => (await system.kernel.post("/api/query/sql", { stmt: `SELECT * FROM blocks WHERE id = '${id}'` })).length > 0;
    await until(exists, { what: "the document in the index" });
    await take(panel, "document", "remove", { ids: id });
    await preview(panel, false);

    for (const key of ["Enter", "Escape"]) {
      await run(panel);
      const question = page.locator('.b3-dialog--open [role="alertdialog"]');
      await question.waitFor();
      assert.match(await question.innerText(), /document\.remove.*To go/s);
      const stops = [];
      for (const step of ["Tab", "Tab", "Shift+Tab", "Tab"]) {
        await page.keyboard.press(step);
        stops.push(await page.evaluate(() => document.activeElement.id.slice(0, 3)));
      }
      assert.deepEqual(stops, ["con", "can", "con", "can"], "Tab stays in the question");
      await page.keyboard.press(key);
      await question.waitFor({ state: "detached" });
      assert.match(await answered(panel, "Failed"), /confirmation_required/);
      assert.ok(await exists(), "a no changes nothing");
    }

    await run(panel);
    await page.locator("#confirmDialogConfirmBtn").click();
    await until(async () => !(await exists()), { what: "the removal" });
    assert.deepEqual(problems(), []);
  });

  test("a danger is refused in the page, unasked, where the first way to ask is to refuse (B-070)", async () => {
    const notebook = (await system.kernel.notebooks()).Scratch.id;
    const id = await system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: "/To stay", markdown: "Words that stay." });
    const exists = async () => (await system.kernel.post("/api/query/sql", { stmt: `SELECT * FROM blocks WHERE id = '${id}'` })).length > 0;
    await until(exists, { what: "the document in the index" });
    const before = await system.kernel.read(SETTINGS);
    const remove = async (confirm) => {
      await system.kernel.write(SETTINGS, { ...before, confirm });
      const { panel, page, problems } = await open();
      await take(panel, "document", "remove", { ids: id });
      await preview(panel, false);
      await run(panel);
      return { panel, page, problems };
    };
    try {
      const { panel, page, problems } = await remove(["block", "approve"]);
      assert.match(await answered(panel, "Failed"), /confirmation_required.*The settings block dangerous calls/s);
      assert.equal(await page.locator('[role="alertdialog"]').count(), 0, "nobody is asked");
      assert.ok(await exists());
      assert.deepEqual(problems(), []);
      // As a second way it is for those who cannot be asked: the person at the page can.
      const other = await remove(["approve", "block"]);
      await other.page.locator('.b3-dialog--open [role="alertdialog"]').waitFor();
      assert.ok(await exists());
    } finally {
      await system.kernel.write(SETTINGS, before);
    }
  });

  test("a question shows the letters that turn others around, and that its plan is cut (B-039)", async () => {
    const { panel, page, problems } = await open();
    const notebook = (await system.kernel.notebooks()).Scratch.id;
    const make = (title) => system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: `/${title}`, markdown: "x" });
    const ids = [];
    for (let n = 0; n < 40; n += 1) ids.push(await make(`Turned \u202e round ${n} ${"long ".repeat(12)}`));
    const ask = async (some) => {
      await take(panel, "document", "remove", { ids: some.join("\n") });
      await preview(panel, false);
      await run(panel);
      const text = await page.locator('.b3-dialog--open [role="alertdialog"] .pup-ask').innerText();
      await page.locator("#cancelDialogConfirmBtn").click();
      await answered(panel, "Failed");
      return text;
    };
    const short = await ask(ids.slice(0, 1));
    assert.match(short, /Turned ⟨U\+202E⟩ round 0/);
    assert.doesNotMatch(short, /…$/);
    const long = await ask(ids);
    assert.match(long, /…$/);
    assert.ok(![short, long].some((it) => it.includes("\u202e")));
    assert.deepEqual(problems(), []);
  });

  test("a call can be stopped, and the next one runs (B-207)", async () => {
    const { panel, problems } = await open();
    await take(panel, "fs", "list", { path: "/Garden" });
    await system.kernel.faults([{ path: "/api/filetree/listDocsByPath", fault: "delay", ms: 5000, times: 1 }]);
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Running" }).waitFor();
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Stopped" }).waitFor();
    await system.kernel.faults([]);
    await run(panel);
    await answered(panel, "Done");
    assert.deepEqual(problems(), []);
  });

  test("actions that do not load are said, and the next run brings them", async () => {
    let fails = true;
    const prepare = (context) => context.route("**/actions_bg.wasm*", (route) => (fails ? route.abort() : route.continue()));
    const { panel, problems } = await open({ prepare });
    await take(panel, "notebook", "list");
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "could not be loaded" }).waitFor();
    fails = false;
    await run(panel);
    assert.match(await answered(panel, "Done"), /Garden/);
    assert.ok(problems().every((it) => /actions|action could not be run/.test(it)), "the page says what failed");
  });

  test("a module that does not load is said, and a second try brings it", async () => {
    let fails = true;
    const prepare = (context) => context.route("**/playground_bg.wasm*", (route) => (fails ? route.abort() : route.continue()));
    const { panel, problems } = await open({ prepare });
    const trouble = panel.locator('[data-name="playground"] .pup-trouble:visible');
    await trouble.filter({ hasText: "could not be loaded" }).waitFor();
    fails = false;
    await trouble.locator('[data-do="retry"]').click();
    await panel.locator('[data-pick="tool"]').waitFor();
    assert.ok(problems().every((it) => /playground/.test(it)), "the page says what failed");
  });
});

describe("playground: actions at the server", () => {
  const TOKEN = "a-token-of-these-tests";
  let browser;
  let system;
  let sidecar;
  inBrowser(async () => {
    const kernel = await startKernel({ plugin: true });
    return { ...kernel, stop: async () => { await sidecar?.stop(); await kernel.stop(); } };
  }, async (parts) => {
    ({ system, browser } = parts);
    sidecar = await startSidecar(system.kernel, { token: TOKEN });
    await system.kernel.write(SETTINGS, { port: Number(new URL(sidecar.url).port), token: TOKEN });
  });

  const open = (options) => openPlayground(browser, system.kernel, options);

  test("a server that answers runs them, as an agent's calls and under its levels; the page loads no actions", async () => {
    const { panel, loaded, problems } = await open();
    await runsAt(panel, "server");
    await take(panel, "notebook", "list");
    await run(panel);
    const text = await answered(panel, "Done");
    assert.match(text, /Garden/);
    assert.doesNotMatch(text, /Private/);
    await take(panel, "fs", "write", { path: "/Reading/No", markdown: "x" });
    await preview(panel, false);
    await run(panel);
    assert.match(await answered(panel, "Failed"), /permission_denied/);
    assert.deepEqual(loaded.filter((url) => url.includes("/actions")), []);
    assert.ok(loaded.some((url) => url === sidecar.url), "the calls went to the server");

    await panel.locator('[data-place="page"]').click();
    const before = loaded.filter((url) => url === sidecar.url).length;
    await take(panel, "notebook", "list");
    await run(panel);
    assert.match(await answered(panel, "Done"), /Garden/);
    assert.ok(loaded.some((url) => url.includes("/actions_bg.wasm")), "the person chose the page");
    assert.equal(loaded.filter((url) => url === sidecar.url).length, before);
    assert.deepEqual(problems(), []);
  });

  test("a danger is asked in SiYuan before the server does it (B-070)", async () => {
    const { panel, page, problems } = await open();
    await runsAt(panel, "server");
    const notebook = (await system.kernel.notebooks()).Scratch.id;
    const id = await system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: "/To go", markdown: "Words that would be lost." });
    const exists = async () => (await system.kernel.post("/api/query/sql", { stmt: `SELECT * FROM blocks WHERE id = '${id}'` })).length > 0;
    await until(exists, { what: "the document in the index" });
    await take(panel, "document", "remove", { ids: id });
    await run(panel);
    assert.match(await answered(panel, "Done"), /"preview":true/);
    await preview(panel, false);
    await run(panel);
    const question = page.locator(".b3-dialog--open .pup-asking");
    await question.filter({ hasText: "To go" }).waitFor();
    assert.ok(await exists(), "nothing is done before the answer");
    await question.locator('[data-pick="once"]').first().click();
    await until(async () => !(await exists()), { what: "the removal" });
    await answered(panel, "Done");
    assert.deepEqual(problems(), []);
  });

  test("a call at the server can be stopped, which loads nothing, and a server that goes leaves the page (B-207)", async () => {
    const { panel, loaded } = await open();
    await runsAt(panel, "server");
    await take(panel, "fs", "list", { path: "/Garden" });
    await system.kernel.faults([{ path: "/api/filetree/listDocsByPath", fault: "delay", ms: 5000, times: 1 }]);
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Running" }).waitFor();
    await run(panel);
    await attempt(panel).locator('[data-name="said"]').filter({ hasText: "Stopped" }).waitFor();
    await system.kernel.faults([]);
    assert.deepEqual(loaded.filter((url) => url.includes("/actions")), []);
    await sidecar.stop();
    await runsAt(panel, "page");
    await run(panel);
    await answered(panel, "Done");
  });
});
