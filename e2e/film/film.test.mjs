// Makes the moving picture of README.md: a chat beside SiYuan's stub page, a real call through the real server, and a
// person's yes. Only the words of the chat are scripted. In e2e/: `npm ci --prefix film && node --test film/film.test.mjs`.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import sharp from "sharp";
import { E2E, ROOT, STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { addFonts, openStage, stageUrl } from "../support/page.mjs";
import { sleep } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const FILE = join(ROOT, "docs", "pictures", "film.webp");
/** The most that a page of text may carry, in bytes. */
const MOST = 2_000_000;
const SIZE = { width: 1120, height: 600 };
/** The milliseconds between two frames, and the longest that one stays. */
const STEP = 90;
const LONGEST = 2500;
const DOC = "/Garden/Jobs";
const WISH = "Remove the finished jobs from my Jobs page.";
const FINISHED = ["ask the neighbour first", "oil the tools"];

/** The frames of a page as they are drawn, with the moment of each in milliseconds. */
async function record(page) {
  const session = await page.context().newCDPSession(page);
  const frames = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ at: metadata.timestamp * 1000, png: Buffer.from(data, "base64") });
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await session.send("Page.startScreencast", { format: "png" });
  return async () => {
    await session.send("Page.stopScreencast");
    return frames;
  };
}

/** One frame in each step of time, with how long it stays. */
function paced(frames) {
  const kept = [];
  for (const frame of frames) {
    const last = kept.at(-1);
    if (last && frame.at - last.at < STEP) continue;
    kept.push(frame);
  }
  const delays = kept.map(({ at }, index) => Math.min(Math.round((kept[index + 1]?.at ?? at + LONGEST) - at), LONGEST));
  return { pictures: kept.map(({ png }) => png), delays };
}

/** The chat beside the stage; the address is the kernel's, so that both are one page. */
async function openFilm(browser, kernel) {
  const stage = `${stageUrl(kernel.url, { theme: "light", live: "1" })}`;
  const html = readFileSync(join(E2E, "film", "film.html"), "utf8").replace("{stage}", stage.replaceAll("&", "&amp;"));
  const prepare = (context) => context.route("**/film.html", (route) => route.fulfill({ contentType: "text/html", body: html }));
  const { page, problems } = await openStage(browser, kernel.url, { viewport: SIZE, prepare });
  await page.goto(`${kernel.url}/film.html`);
  const siyuan = page.frameLocator("iframe");
  await siyuan.locator(".pup-dog").waitFor();
  await addFonts(page.frames()[1]);
  return { page, siyuan, problems };
}

describe("moving picture", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true }), (parts) => { ({ browser, system } = parts); });

  test("an agent asks, a person allows, the note changes", async (t) => {
    const { kernel, sidecar } = system;
    // Deleting needs this level.
    const levels = await kernel.permissions();
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...levels, [(await kernel.notebooks()).Garden.id]: "rwd" });
    const { page, siyuan, problems } = await openFilm(browser, kernel);
    const say = (who, text) => page.evaluate((it) => globalThis.say(...it), [who, text]);
    const agent = await connectHttp(sidecar.url, "", { name: "Demo agent", version: "1.0.0" });
    /** A call as it is made, told in the chat; the answer must be a success. */
    const asked = async (tool, action, args) => {
      await say("call", `${tool}.${action} ${DOC}`);
      const answer = await call(agent, tool, action, args);
      assert.ok(answer.ok, JSON.stringify(answer.error));
      return answer;
    };
    /** A person reads, points and clicks. */
    const press = async (button, reading) => {
      await button.waitFor();
      await sleep(reading);
      const { x, y, width, height } = await button.boundingBox();
      const at = [x + width / 2, y + height / 2];
      await page.evaluate((it) => globalThis.point(...it), at);
      await sleep(900);
      await page.mouse.click(...at);
    };
    const [{ id }] = await kernel.post("/api/query/sql", { stmt: "SELECT id FROM blocks WHERE type = 'd' AND hpath = '/Jobs'" });
    const list = FINISHED.map((it) => `'${it}'`).join(", ");
    const blocks = await kernel.post("/api/query/sql", { stmt: `SELECT parent_id AS id FROM blocks WHERE type = 'p' AND content IN (${list})` });
    assert.equal(blocks.length, FINISHED.length);
    assert.ok((await call(agent, "system", "open_document", { id })).ok);
    await siyuan.locator(".protyle-wysiwyg [data-node-id]").first().waitFor();
    // It went there to show the opened page.
    await sleep(1500);
    await page.frames()[1].waitForFunction(() => {
      const { style, dataset } = document.querySelector(".pup-dog");
      return !style.translate && !dataset.walk;
    }, undefined, { timeout: 60_000 });
    await sleep(1000);

    const stop = await record(page);
    await sleep(900);
    await say("you", WISH);
    await sleep(1400);
    await asked("fs", "read", { path: DOC });
    await sleep(1200);
    const removed = asked("block", "delete", { ids: blocks.map((it) => it.id) });
    await press(siyuan.locator('.pup-question [data-pick="more"]'), 1800);
    // A question takes no click right after it appears.
    await press(siyuan.locator('.b3-dialog--open [data-pick="once"]'), 3000);
    await removed;
    for (const job of FINISHED) await siyuan.locator(".protyle-wysiwyg").getByText(job).waitFor({ state: "detached" });
    await page.evaluate(() => globalThis.point());
    await say("agent", "Done: two finished jobs are gone. The history of the page still has them.");
    await sleep(5000);
    const { pictures, delays } = paced(await stop());
    await agent.close();
    assert.deepEqual(problems(), []);

    mkdirSync(dirname(FILE), { recursive: true });
    await sharp(pictures, { join: { animated: true } }).webp({ delay: delays, loop: 0, quality: 85, effort: 5, minSize: true }).toFile(FILE);
    const { size } = statSync(FILE);
    const seconds = delays.reduce((sum, it) => sum + it, 0) / 1000;
    t.diagnostic(`${FILE}: ${pictures.length} frames, ${seconds.toFixed(1)} s, ${size} bytes`);
    // For eyes, before the file is committed.
    if (process.env.FRAMES) pictures.forEach((png, at) => writeFileSync(join(process.env.FRAMES, `${String(at).padStart(3, "0")}.png`), png));
    assert.ok(size < MOST, `at most ${MOST} bytes`);
  });
});
