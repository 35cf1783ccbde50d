// The page actions in a real browser, asked by a scripted server: what is open, opening, scrolling, a question to the
// person; each is answered once, with ids and no text of notes.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { openPeer } from "../support/peer.mjs";
import { until } from "../support/process.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

describe("page actions", () => {
  let browser;
  let kernel;
  let docs;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });
  before(async () => {
    const rows = await kernel.post("/api/query/sql", { stmt: "SELECT b.id, b.root_id FROM blocks b WHERE b.type = 'p' ORDER BY b.id LIMIT 200" });
    const roots = [...new Set(rows.map((row) => row.root_id))];
    docs = roots.map((id) => ({ id, block: rows.find((row) => row.root_id === id).id }));
  });

  const open = async (options) => {
    const stage = await openPuppy(browser, kernel.url, options);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    return { ...stage, peer };
  };

  test("a document opens, is told by its id, and a block of it is scrolled to (B-182, B-183)", async () => {
    const { page, peer, problems } = await open();
    const before = (await peer.call("get_ui_state", {})).done.open;
    const [doc, other] = docs.filter((it) => before.every((tab) => tab.doc !== it.id));
    assert.deepEqual(await peer.call("open_document", { id: doc.id, focus: true, zoom: false }), { done: null });
    const { done } = await peer.call("get_ui_state", {});
    assert.deepEqual(done, {
      frontend: "browser-desktop",
      active: { doc: doc.id, block: "", zoomed: "", selected: [] },
      open: [{ doc: doc.id, pinned: false }, ...before],
      databases: done.databases,
    });
    assert.deepEqual(await peer.call("scroll_to_block", { id: doc.block, open: false }), { done: { visible: true, closed: false } });
    assert.deepEqual(await peer.call("scroll_to_block", { id: other.block, open: false }), { done: { visible: false, closed: true } });
    assert.equal((await peer.said("answered")).length, 5);
    assert.deepEqual(problems(), []);
    await page.close();
  });

  test("what the page does not understand fails, and is answered once", async () => {
    const { peer } = await open();
    assert.equal(await peer.call("open_document", { id: "../x", focus: true, zoom: false }), "failed");
    assert.equal(await peer.call("run_script", {}), "failed");
    assert.equal(await peer.call("get_ui_state", { deep: true }), "failed");
    assert.equal((await peer.said("answered")).length, 3);
  });

  const ask = { question: "<b>Which bed?</b>", options: ["North", "South"], allow_text: true, seconds: 60 };
  const asking = ".pup-user";

  test("a person answers with an option, a text, or not at all; a second question finds the page busy", async () => {
    const { page, peer, problems } = await open();
    let answer = peer.call("ask_user", ask);
    await page.waitForSelector(asking);
    assert.equal(await page.locator(`${asking} p`).innerText(), "<b>Which bed?</b>");
    assert.equal(await peer.call("ask_user", ask), "busy");
    await page.getByRole("button", { name: "South" }).click();
    assert.deepEqual(await answer, { done: { option: 1 } });
    await page.waitForSelector(asking, { state: "detached" });
    answer = peer.call("ask_user", ask);
    await page.locator(`${asking} input`).fill("Between them");
    await page.keyboard.press("Enter");
    assert.deepEqual(await answer, { done: { text: "Between them" } });
    await page.waitForSelector(asking, { state: "detached" });
    answer = peer.call("ask_user", { ...ask, allow_text: false });
    await page.waitForSelector(asking);
    await page.keyboard.press("Escape");
    assert.deepEqual(await answer, { done: { dismissed: true } });
    assert.deepEqual(problems(), []);
  });

  test("a question closes when its caller leaves", async () => {
    const { page, peer } = await open();
    await peer.tellOne({ call: { call_id: "left", action: "ask_user", args: ask, deadline_ms: 60000 } });
    await page.waitForSelector(asking);
    await peer.tellOne({ cancel: { call_id: "left" } });
    await page.waitForSelector(asking, { state: "detached" });
    await until(async () => (await peer.said("answered")).length <= 1, { what: "no second answer" });
  });
});
