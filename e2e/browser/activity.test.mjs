// The activity page in a real browser: calls recorded by the real server, shown, filtered, exported and cleared for good.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { EVENTS, PLUGIN, STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const FOLDER = `/temp/${PLUGIN}/analytics`;
const CLEARED = `/temp/${PLUGIN}/analyticsCleared`;
const DAY = 86_400_000;

const line = (timestamp, action, more = {}) => {
  const [category, name] = action.split(".");
  return JSON.stringify({ timestamp, transport: "http", category, action: name, duration_ms: 6, status: "success", request_approx_tokens: 4, response_approx_tokens: 40, result_size_hint: "0-200", ...more });
};

describe("activity page", () => {
  let browser;
  let system;
  let client;
  inBrowser(() => startSystem({ plugin: true }), async (parts) => {
    ({ system, browser } = parts);
    client = await connectHttp(system.sidecar.url);
  });

  const open = async (options = {}) => {
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page, "activity");
    await panel.locator('[data-name="activity"][role="tabpanel"]').waitFor();
    return { ...stage, panel };
  };
  const sums = (panel) => panel.locator('[data-name="sums"]');
  const lines = (panel) => panel.locator('[data-name="recent"] .pup-line:not(.pup-line-head)');
  const becomes = (place, text) => until(async () => text.test(await place.innerText()), { what: `${text}` });
  const remove = () => system.kernel.remove(FOLDER);

  test("without a call it says so, and leads to the clients", async () => {
    const { panel, page, problems } = await open();
    await panel.getByText("No calls yet.").waitFor();
    await panel.locator('[data-do="connect"]').click();
    await panel.locator('[role="tabpanel"][data-name="connection"]').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.name), "connection");
    assert.deepEqual(problems(), []);
  });

  test("calls of the real server appear with their end; titles only where agents may read (B-257)", async () => {
    const { panel, problems } = await open();
    assert.ok((await call(client, "fs", "read", { path: "/Garden/Welcome" })).ok);
    assert.equal((await call(client, "fs", "read", { path: "/Private/Diary/A quiet day" })).ok, false);
    await becomes(sums(panel), /^Calls: 2 · 50\.0 % failed · \d+ ms on average · ≈ \d+ tokens$/);
    await becomes(lines(panel).nth(0), /\S+\s+fs\.read\s*Reads\s+\d+ ms\s+✗ failed not found/);
    await becomes(lines(panel).nth(1), /\S+\s+puppy-e2e\s+fs\.read\s*Reads\s+Garden \/ Welcome\s+\d+ ms\s+✓ done/);
    assert.equal((await panel.innerText()).includes("Diary"), false);
    await lines(panel).nth(1).getByRole("button", { name: "Open Garden / Welcome" }).waitFor();
    assert.equal(await lines(panel).nth(0).getByRole("button").count(), 0);
    assert.match(await panel.locator('svg[data-name="days"]').getAttribute("aria-label"), /^Calls per day: 2 in total, at most 2 on \d{4}-\d\d-\d\d\.$/);
    assert.deepEqual(problems(), []);
  });

  test("in a narrow window a line breaks between words, and its cells do not overlap", async () => {
    const { panel, page } = await open();
    await lines(panel).nth(0).waitFor();
    for (const width of [900, 420, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const cells = await lines(panel).nth(0).locator('> [role="cell"]').evaluateAll((all) => all
        .map((it) => ({ ...it.getBoundingClientRect().toJSON(), wide: it.scrollWidth - it.clientWidth }))
        .filter((it) => it.width > 0));
      const overlap = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
      assert.ok(!cells.some((one, at) => cells.slice(at + 1).some((other) => overlap(one, other))), JSON.stringify(cells));
      const action = await lines(panel).nth(0).locator(".pup-line-action").evaluate((it) => {
        const range = document.createRange();
        return [...it.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).map((node) => {
          range.selectNode(node);
          return range.getClientRects().length;
        });
      });
      assert.ok(action.every((rows) => rows === 1), `broken within a word at ${width}: ${action}`);
    }
  });

  test("a cleared record stays cleared, while the server that wrote it goes on (B-257)", async () => {
    const { panel, page } = await open();
    await becomes(sums(panel), /^Calls: 2 /);
    const { balance } = await system.kernel.events();
    await panel.locator('[data-do="clear"]').click();
    await page.locator("#cancelDialogConfirmBtn").click();
    await becomes(sums(panel), /^Calls: 2 /);
    await panel.locator('[data-do="clear"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await panel.getByText("No calls yet.").waitFor();
    const events = await system.kernel.events();
    assert.deepEqual([events.events, events.balance], [[], balance]);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await becomes(sums(panel), /^Calls: 1 /);
    assert.equal(await lines(panel).count(), 1);
    const [file] = await system.kernel.post("/api/file/readDir", { path: FOLDER });
    await until(async () => (await (await system.kernel.raw("/api/file/getFile", { path: `${FOLDER}/${file.name}` })).text()).trim().split("\n").length === 1, { what: "one line in the server's file" });
  });

  test("period, result, source and name filter what is counted, drawn and listed", async () => {
    await remove();
    await system.kernel.remove(CLEARED);
    await system.kernel.write(EVENTS, { events: [], balance: 1, total_calls: 1 });
    const now = Date.now();
    const written = [
      line(now, "block.get"), line(now, "block.get"), line(now, "fs.write", { status: "error", error_type: "permission_denied" }),
      line(now - 3 * DAY, "search.text", { transport: "stdio" }), line(now - 100 * DAY, "document.remove", { status: "error", error_type: "confirmation_required" }),
    ];
    await system.kernel.write(`${FOLDER}/old.jsonl`, `${written.join("\n")}\n`);
    const { panel, page, problems } = await open();
    await becomes(sums(panel), /^Calls: 4 · 25\.0 % failed · 6 ms on average · ≈ 176 tokens/);
    assert.deepEqual(await panel.locator(".pup-top li").allInnerTexts().then((all) => all.map((it) => it.replace(/\s+/g, " "))), ["block.get 2", "fs.write 1", "search.text 1"]);
    const [period, result, source] = await panel.locator(".pup-filters select").all();
    await period.selectOption("365");
    await becomes(sums(panel), /^Calls: 5 /);
    await becomes(lines(panel).nth(4), /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s+HTTP\s+document\.remove\s*Deletes ⚠\ufe0e\s+6 ms\s+\S+ expired/);
    await result.selectOption("bad");
    await becomes(lines(panel), /fs\.write[\s\S]*⊘ not allowed/);
    await result.selectOption("all");
    await source.selectOption("stdio");
    await becomes(sums(panel), /^Calls: 1 /);
    await source.selectOption("");
    await panel.locator('[data-setting="text"]').fill("BLOCK");
    await becomes(sums(panel), /^Calls: 2 /);
    await panel.locator('[data-setting="text"]').fill("nothing");
    await panel.getByText("No call matches the filter.").waitFor();
    await panel.locator('[data-setting="text"]').fill("");
    await period.selectOption("7");
    await panel.locator('[data-do="table"]').focus();
    await page.keyboard.press("Enter");
    assert.equal(await panel.locator(".pup-days .pup-line").count(), 8);
    assert.equal(await panel.locator('svg[data-name="year"] rect:not(.pup-heat-0)').count(), 3);
    assert.deepEqual(problems(), []);
  });

  test("what is shown is handed out as a file", async () => {
    const { panel, page } = await open();
    await becomes(sums(panel), /^Calls: 4 /);
    const [file] = await Promise.all([page.waitForEvent("download"), panel.locator('[data-do="export"]').click()]);
    assert.equal(file.suggestedFilename(), "siyuan-mcp-puppy-calls.csv");
    const text = readFileSync(await file.path(), "utf8").trim().split("\n");
    assert.equal(text.length, 5);
    assert.match(text[1], /^\d+,http,(block\.get,6,0,success|fs\.write,6,0,not_allowed),44,"",""$/);
  });

  test("of a long record the newest calls are read, and that is said", async () => {
    const now = Date.now();
    const short = (action) => JSON.stringify({ timestamp: now, transport: "cli", category: "fs", action, duration_ms: 1, status: "success" });
    const file = (name, action, count) => system.kernel.write(`${FOLDER}/${name}.jsonl`, `${short(action)}\n`.repeat(count));
    await remove();
    await file("1", "list", 3);
    for (const name of ["2", "3", "4", "5", "6"]) await file(name, "read", 10_000);
    const { panel, problems } = await open();
    await becomes(sums(panel), /^Calls: 50000 /);
    await panel.locator('[data-name="left-out"]', { hasText: "Only the newest 50000 calls are shown." }).waitFor();
    await remove();
    assert.deepEqual(problems(), []);
  });

  test("hostile files are text or left out, never markup", async () => {
    const notebooks = await system.kernel.notebooks();
    const name = "<img src=x onerror=alert(1)>";
    await system.kernel.post("/api/notebook/renameNotebook", { notebook: notebooks.Reading.id, name });
    const event = { seq: 1, instance: "x", tool: "fs", action: "read", status: "success", ts: Date.now(), duration_ms: 1, notebook: notebooks.Reading.id };
    await system.kernel.write(EVENTS, { events: [event, { ...event, seq: 2, tool: name, ts: Date.now() + 1 }], balance: 1, total_calls: 1 });
    await system.kernel.write(`${FOLDER}/evil.jsonl`, `${line(Date.now(), `fs.${name}`)}\n{"torn`);
    await system.kernel.write(CLEARED, "99999999999999");
    const { panel, problems } = await open();
    await panel.locator('[data-name="left-out"]', { hasText: "2 unreadable lines were skipped." }).waitFor();
    await panel.locator(".pup-title", { hasText: "<img src=x onerror=" }).waitFor();
    assert.equal(await panel.locator("img").count(), 0);
    await system.kernel.post("/api/notebook/renameNotebook", { notebook: notebooks.Reading.id, name: "Reading" });
    assert.deepEqual(problems(), []);
  });

  test("a silent SiYuan is said, and the page goes on by itself", async () => {
    const prepare = (context) => context.route("**/api/file/readDir", (route) => route.abort());
    const { panel, context } = await open({ prepare });
    await panel.getByText("SiYuan does not answer.").waitFor();
    await context.unroute("**/api/file/readDir");
    await becomes(sums(panel), /^Calls/);
  });

  test("where SiYuan is read-only nothing can be cleared", async () => {
    const prepare = (context) => context.route("**/api/system/getConf", async (route) => {
      const reply = await (await route.fetch()).json();
      reply.data.conf.readonly = true;
      await route.fulfill({ json: reply });
    });
    const { panel } = await open({ prepare });
    await becomes(sums(panel), /^Calls/);
    assert.equal(await panel.locator('[data-do="clear"]').isDisabled(), true);
    await panel.getByText("SiYuan is read-only.").waitFor();
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the page (${lang})`, async () => {
      await remove();
      await system.kernel.remove(CLEARED);
      const now = Date.now();
      const actions = ["block.get", "block.get", "fs.read", "fs.read", "fs.read", "search.text", "document.read", "document.create", "tag.list"];
      const all = [];
      for (let day = 0; day < 300; day++) {
        for (let n = 0; n < (day * 7) % 11; n++) {
          const bad = (day + n) % 9 === 0 ? { status: "error", error_type: "not_found" } : {};
          all.push(line(now - day * DAY - n * 60_000, actions[(day + n) % actions.length], { transport: n % 3 ? "http" : "stdio", ...bad }));
        }
      }
      await system.kernel.write(`${FOLDER}/long.jsonl`, `${all.join("\n")}\n`);
      const { panel, page, problems } = await open({ lang });
      await lines(panel).first().waitFor();
      await pictures(page, (theme) => `activity-${lang}-${theme}`);
      await panel.locator('[data-name="recent"]').scrollIntoViewIfNeeded();
      await pictures(page, (theme) => `activity-below-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await panel.locator(".pup-filters").scrollIntoViewIfNeeded();
      await pictures(page, (theme) => `activity-narrow-${lang}-${theme}`);
      assert.equal(await page.evaluate(() => document.querySelector(".pup-panel").scrollWidth <= document.querySelector(".pup-panel").clientWidth), true);
      assert.deepEqual(problems(), []);
    });
  }
});
