// The puppy's walk in a real browser, told by a scripted server: to the touched block and back, by whatever means the
// person lets it move, and the leash that shows the level.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { pictures } from "../support/pictures.mjs";
import { openPeer } from "../support/peer.mjs";
import { until } from "../support/process.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const PLUGIN = "siyuan-mcp-puppy";

describe("the puppy's walk", () => {
  let browser;
  let kernel;
  let doc;
  let blocks;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });
  before(async () => {
    const rows = await kernel.post("/api/query/sql", { stmt: "SELECT root_id, COUNT(*) AS n FROM blocks GROUP BY root_id ORDER BY n DESC LIMIT 1" });
    doc = rows[0].root_id;
    blocks = (await kernel.post("/api/block/getChildBlocks", { id: doc })).map((it) => it.id);
  });

  const open = async (options) => {
    const stage = await openPuppy(browser, kernel.url, options);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    assert.deepEqual(await peer.call("open_document", { id: doc, focus: true, zoom: false }), { done: null });
    const { page } = stage;
    const look = () => page.evaluate(() => {
      const dog = document.querySelector(".pup-dog");
      const { left, top, right, bottom, height } = dog.getBoundingClientRect();
      return { left, top, right, bottom, middle: top + height / 2, translate: dog.style.translate, walk: dog.dataset.walk };
    });
    const touch = (block, level = "rw", where = doc) => peer.tell({ touched: { doc: where, block, level } });
    const settings = (lines) => page.evaluate(([name, text]) => window.siyuanApp.plugins.find((it) => it.name === name).tellPuppy(text), [PLUGIN, `settings\n${lines}`]);
    return { ...stage, peer, look, touch, settings, leash: page.locator(".pup-leash") };
  };
  /** Notes every way in which the puppy goes from now on: a look now and then could miss one. */
  const watchWalks = async (page) => {
    await page.evaluate(() => {
      globalThis.walks = [];
      const dog = document.querySelector(".pup-dog");
      new MutationObserver(() => globalThis.walks.push(dog.dataset.walk ?? "")).observe(dog, { attributes: true, attributeFilter: ["data-walk"] });
    });
    return () => page.evaluate(() => globalThis.walks);
  };
  const box = (page, id) => page.evaluate((it) => {
    const { top, bottom, right } = document.querySelector(`.protyle-wysiwyg [data-node-id="${it}"]`).getBoundingClientRect();
    return { top, bottom, right };
  }, id);

  test("it trots to the touched block, points, and comes back", async () => {
    const { page, look, touch, problems } = await open();
    const home = await look();
    const walks = await watchWalks(page);
    await touch(blocks[0]);
    await until(async () => (await walks()).includes("trot"), { what: "the trot" });
    await until(async () => (await look()).translate && !(await look()).walk, { what: "the end of the trot" });
    const [there, block] = [await look(), await box(page, blocks[0])];
    assert.ok(Math.abs(there.middle - (block.top + block.bottom) / 2) < 40, JSON.stringify({ there, block }));
    assert.ok(there.right <= block.right + 1 && there.left !== home.left, JSON.stringify({ there, block }));
    assert.equal(await page.locator(".pup-pointer").count(), 1);
    await pictures(page, (theme) => `walk-${theme}`);
    await until(async () => { const it = await look(); return !it.translate && !it.walk && it.left === home.left && it.top === home.top; }, { what: "the way home" });
    assert.equal(await page.locator(".pup-pointer").count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("a click on it there leads to the block, and does nothing else", async () => {
    const { page, look, touch } = await open({ viewport: { width: 1000, height: 240 } });
    const last = blocks.at(-1);
    await page.waitForSelector(`.protyle-wysiwyg [data-node-id="${last}"]`, { state: "attached" });
    const seen = async () => { const it = await box(page, last); return it.top < 240 && it.bottom > 0; };
    assert.equal(await seen(), false, "the last block is below the window");
    await touch(last);
    await until(async () => (await look()).translate && !(await look()).walk, { what: "the end of the trot" });
    const { left, right, middle } = await look();
    await page.mouse.click((left + right) / 2, middle);
    await until(seen, { what: "the block" });
    await until(async () => !(await look()).translate, { what: "the way home" });
    assert.notEqual(await page.locator(".pup-dog").getAttribute("data-state"), "petting");
    // At home a click pets it, as ever.
    await until(async () => !(await look()).walk, { what: "the end of the way home" });
    const at = await look();
    await page.mouse.click((at.left + at.right) / 2, at.middle);
    await page.waitForSelector('.pup-dog[data-state="petting"]');
  });

  test("its leash is short for read, long for write, and has a bell for delete", async () => {
    const { page, touch, leash } = await open();
    const lengths = [];
    for (const [level, bells] of [["r", 0], ["rw", 0], ["rwd", 1]]) {
      await touch(null, level, null);
      await page.waitForSelector(`.pup-leash[data-level="${level}"]`);
      assert.equal(await leash.locator("circle").count(), bells, level);
      assert.equal(await leash.count(), 1);
      lengths.push(await leash.locator("path").first().evaluate((path) => path.getTotalLength()));
      await pictures(page, (theme) => `leash-${level}-${theme}`, page.locator(".pup-dog"));
    }
    assert.ok(lengths[0] * 2 < lengths[1] && lengths[1] === lengths[2], String(lengths));
    await leash.waitFor({ state: "detached" });
    await touch(null, "none", null);
    await touch(null, "everything", null);
    await page.waitForTimeout(300);
    assert.equal(await leash.count(), 0);
  });

  test("it stays where the person wants it: switched off, while others may look, and for other documents", async () => {
    const { page, look, touch, settings, leash } = await open();
    for (const lines of ["trot false\n", "quiet true\n"]) {
      await settings(lines);
      await touch(blocks[0]);
      await page.waitForTimeout(300);
      assert.deepEqual([(await look()).translate, await leash.count()], ["", 0], lines);
    }
    await settings("trot true\n");
    await touch(blocks[0], "rw", "20200101000000-unknown");
    await leash.waitFor({ state: "attached" });
    assert.equal((await look()).translate, "", "its document is not open");
  });

  test("without motion it fades out and in", async () => {
    const { page, look, touch } = await open({ context: { reducedMotion: "reduce" } });
    const walks = await watchWalks(page);
    await touch(blocks[0]);
    await until(async () => (await look()).translate, { what: "the block" });
    const seen = await walks();
    assert.ok(seen.includes("fade") && !seen.includes("trot"), seen.join());
  });
});
