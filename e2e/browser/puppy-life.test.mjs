// The puppy's life under a clock that the test controls: polls of the kernel, timers, broken files, the bubble's texts, loaded files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, test } from "node:test";
import { EVENTS, PLUGIN_DIR, STORAGE } from "../support/config.mjs";
import { closePages } from "../support/page.mjs";
import { sleep } from "../support/process.mjs";
import { EventWriter, inState, openPuppy, STATES } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const DOG = "body > .pup-dog";
const SETTINGS = `${STORAGE}/puppySettings`;
const MINUTE = 60_000;
/** Steps of the page's clock: an answer to a poll needs real time. */
const STEP_MS = 250;
const ANSWER_MS = 8;

describe("the puppy's life", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  const open = (options) => openPuppy(browser, system.kernel.url, options);

  /** A page whose clock the test controls, with all timers of the page counted. */
  async function openWithClock() {
    const stage = await open({
      prepare: async (context) => {
        await context.clock.install();
        await context.addInitScript(countTimers);
      },
    });
    const { page } = stage;
    const asked = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/file/getFile") && request.postData()?.includes("puppyEvents.json")) asked.push(request);
    });
    await page.clock.pauseAt(new Date(Date.now() + 1000));
    return {
      ...stage,
      asked,
      async pass(ms) {
        for (let passed = 0; passed < ms; passed += STEP_MS) {
          await page.clock.runFor(STEP_MS);
          await sleep(ANSWER_MS);
        }
      },
    };
  }

  test("its collars have the colours of the agents at work, at most two", async () => {
    const { page, problems } = await open();
    const writer = new EventWriter(system.kernel, "collars");
    const agent = (name, color) => ({ ...STATES.success, agent: { name, color, is_proved: true } });
    await writer.write(agent("Ada", "violet"));
    await page.locator(`${DOG}[data-agent="violet"]`).waitFor();
    assert.equal(await page.locator(`${DOG}[data-second]`).count(), 0);
    assert.ok(!(await page.locator(`${DOG} [data-part="collar"] .dog-second`).isVisible()));
    await writer.write(agent("Bo", "orange"));
    await page.locator(`${DOG}[data-agent="violet"][data-second="orange"]`).waitFor();
    const colors = await page.locator(DOG).evaluate((dog) => [".dog-band-color", ".dog-band-second"].map((name) => getComputedStyle(dog.querySelector(`[data-part="collar"] ${name}`)).stroke));
    assert.equal(new Set(colors).size, 2, `${colors}`);
    await system.kernel.remove(EVENTS);
    assert.deepEqual(problems(), []);
  });

  test("it asks every 500 ms, every second after 10 s, at most 0.2 times a second after 30 s; never hidden, at once on return (B-292)", async () => {
    const { page, asked, pass } = await openWithClock();
    const during = async (ms) => {
      const before = asked.length;
      await pass(ms);
      return asked.length - before;
    };
    const writer = new EventWriter(system.kernel, "e2e-clock");
    await page.evaluate(() => { globalThis.skew = Date.now(); });
    await writer.write({ ...STATES.success, ts: await page.evaluate(() => Date.now()) });
    await pass(5_000);
    assert.equal(await page.getAttribute(DOG, "data-state"), "idle", "the event was played");
    const active = await during(5_000);
    await pass(2_000);
    const calm = await during(15_000);
    await pass(10_000);
    const quiet = await during(MINUTE);
    console.log(`questions: ${active} in 5 s of the first 10 s, ${calm} in 15 s of the next 20 s, ${quiet} in a minute after 30 s`);
    assert.ok(active >= 9 && active <= 11, `${active}`);
    assert.ok(calm >= 13 && calm <= 16, `${calm}`);
    assert.ok(quiet >= 11 && quiet <= 13, `${quiet}`);
    await setHidden(page, true);
    await pass(1_000);
    assert.equal(await during(2 * MINUTE), 0, "hidden");
    assert.deepEqual(await page.evaluate(() => globalThis.liveTimers()), [], "a hidden page has no timer");
    await setHidden(page, false);
    await sleep(100);
    assert.equal(asked.length > 0 && await during(STEP_MS) <= 1, true);
  });

  test("after 3 minutes without an event there is no timer but the poll, and no animation", async () => {
    const { page, pass } = await openWithClock();
    await pass(3 * MINUTE + 25_000);
    assert.deepEqual(await page.getAttribute(DOG, "data-state"), "idle");
    // The page's clock moved 3 minutes in seconds, but animations follow the real one: finished ones are over; a loop would throw.
    await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
    await sleep(100);
    assert.deepEqual(await page.evaluate(() => document.getAnimations().map((one) => one.animationName)), []);
    const timers = await page.evaluate(() => globalThis.liveTimers());
    console.log(`timers after 3 minutes: ${JSON.stringify(timers)} ms`);
    assert.equal(timers.length, 1);
    assert.ok(timers[0] > 1_000 && timers[0] <= 5_000, `${timers}`);
  });

  test("reduced motion and the switch Calm leave no animation at all", async () => {
    const writer = new EventWriter(system.kernel, "e2e-calm");
    for (const calm of [true, false]) {
      await system.kernel.write(SETTINGS, { calm });
      const { page } = await open({ context: calm ? {} : { reducedMotion: "reduce" } });
      for (const state of ["reading", "success", "error", "dangerous"]) {
        await writer.write(STATES[state]);
        await inState(page, state);
        const running = await page.evaluate(() => document.getAnimations().map((one) => one.animationName ?? one.transitionProperty));
        assert.deepEqual(running, [], `${calm ? "calm" : "reduced motion"}: ${state}`);
      }
      await closePages(browser);
    }
    await system.kernel.remove(SETTINGS);
  });

  test("a torn or missing file changes nothing, and the next event is seen (B-293)", async () => {
    const { page, problems } = await open();
    const writer = new EventWriter(system.kernel, "e2e-torn");
    await writer.write(STATES.reading);
    await inState(page, "reading");
    for (const torn of ['{"events":[{"seq":9', "", "[]", '{"events":7}']) {
      await system.kernel.write(EVENTS, torn);
      await sleep(1200);
      assert.equal(await page.getAttribute(DOG, "data-state"), "reading", torn);
    }
    await system.kernel.remove(EVENTS);
    await sleep(1200);
    assert.equal(await page.getAttribute(DOG, "data-state"), "reading", "missing");
    await writer.write(STATES.error);
    await inState(page, "error");
    assert.deepEqual(problems(), []);
  });

  test("the bubble names a place unless it is asked not to, never one at none, never what turns text (B-290)", async () => {
    const books = await system.kernel.notebooks();
    const table = await system.kernel.permissions();
    assert.equal(table[books.Private.id], "none");
    const doc = async (book, path) => (await system.kernel.post("/api/filetree/getIDsByHPath", { notebook: book.id, path }))[0];
    const tomatoes = await doc(books.Garden, "/Plants/Tomatoes");
    const money = await doc(books.Private, "/Money");
    assert.ok(tomatoes && money);
    const writer = new EventWriter(system.kernel, "e2e-bubble");
    const read = { tool: "fs", action: "read", status: "success", duration_ms: 3 };
    const bubble = (page) => page.locator(`${DOG} .pup-bubble:not(.pup-tip)`);
    /** All texts of the bubble until the puppy is idle again. */
    const says = async (page, event) => {
      await page.evaluate((dog) => {
        const said = new Set();
        const bubble = document.querySelector(`${dog} .pup-bubble:not(.pup-tip)`);
        const look = () => bubble.dataset.shown === "true" && said.add(bubble.textContent);
        new MutationObserver(look).observe(bubble, { attributes: true, childList: true, characterData: true, subtree: true });
        globalThis.said = said;
      }, DOG);
      await writer.write(event);
      await inState(page, "success");
      await inState(page, "idle");
      // A text about this event must not be taken for one about the next.
      await page.waitForSelector(`${DOG} .pup-bubble:not(.pup-tip)[data-shown="false"]`, { state: "attached" });
      return page.evaluate(() => [...globalThis.said]);
    };
    const { page, problems } = await open();
    const garden = { ...read, notebook: books.Garden.id, doc: tomatoes };
    for (const [settings, event, expected, never, fullScreen = false] of [
      [{ bubble: "action" }, garden, /^done$/, /Garden|Tomatoes/],
      [{ bubble: "place" }, garden, /^done Garden \/ Tomatoes$/, /quicksilver/],
      [{}, garden, /^done Garden \/ Tomatoes$/, /quicksilver/],
      [{ bubble: "place" }, { ...read, notebook: books.Private.id, doc: money }, /^done$/, /Private|Money/],
      // A document that is in a closed notebook by now, whatever the event says.
      [{ bubble: "place" }, { ...read, notebook: books.Garden.id, doc: money }, /^done$/, /Private|Money|Garden/],
      [{ bubble: "place" }, { ...read, notebook: "20200101000000-unknown" }, /^done$/, /unknown/],
      // A screen that others may see.
      [{ bubble: "place", quiet: true }, garden, /^done$/, /Garden|Tomatoes/],
      [{ bubble: "place" }, garden, /^done$/, /Garden|Tomatoes/, true],
      [{ bubble: "off" }, garden, null, /./],
    ]) {
      await system.kernel.write(SETTINGS, settings);
      await page.evaluate(async (full) => {
        Object.defineProperty(document, "fullscreenElement", { value: full ? document.body : null, configurable: true });
        await window.siyuanApp.plugins[0].onDataChanged();
      }, fullScreen);
      const said = await says(page, event);
      const name = `${JSON.stringify([settings, event, fullScreen])}: ${said}`;
      if (expected) assert.ok(said.some((text) => expected.test(text)), name);
      assert.ok(!said.some((text) => never.test(text)), name);
      assert.equal(await bubble(page).getAttribute("aria-hidden"), "true");
    }
    assert.deepEqual(problems(), []);
    await system.kernel.remove(SETTINGS);
  });

  test("its name changes for a screen reader only while it has the focus; errors are spoken only if asked for (B-301)", async () => {
    const writer = new EventWriter(system.kernel, "e2e-speak");
    for (const speak of [false, true]) {
      await system.kernel.write(SETTINGS, { speak });
      const { page } = await open();
      const name = await page.getAttribute(DOG, "aria-label");
      await writer.write(STATES.error);
      await inState(page, "error");
      assert.equal(await page.getAttribute(DOG, "aria-label"), name, "not while the focus is elsewhere");
      const spoken = await page.locator("body > .pup-hidden[aria-live=polite]").textContent();
      assert.equal(spoken, speak ? "error" : "");
      await page.locator(DOG).focus();
      assert.equal(await page.getAttribute(DOG, "aria-label"), "Puppy, error");
      await closePages(browser);
    }
    await system.kernel.remove(SETTINGS);
  });

  test("under 100 KB are loaded at the start; time from the plugin's start to the painted puppy is printed (B-302)", async () => {
    const { page } = await open({ prepare: (context) => context.addInitScript(timeTheStart) });
    await page.waitForFunction(() => globalThis.puppyTimes.painted);
    const { times, files } = await page.evaluate(() => ({
      times: globalThis.puppyTimes,
      files: performance.getEntriesByType("resource")
        .filter((one) => one.name.includes("/plugins/siyuan-mcp-puppy/"))
        .map((one) => new URL(one.name).pathname.split("/").at(-1)),
    }));
    // Files as SiYuan sends them: with gzip.
    const sizes = files.map((name) => gzipSync(readFileSync(join(PLUGIN_DIR, name))).length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`at the start: ${files.map((name, at) => `${name} ${sizes[at]}`).join(", ")}: ${bytes} bytes with gzip; plugin run -> puppy painted: ${Math.round(times.painted - times.run)} ms`);
    assert.deepEqual([...files].sort(), ["puppy.js", "puppy_bg.wasm"]);
    assert.ok(bytes > 0 && bytes <= 100_000, `${bytes}`);
  });
});

function setHidden(page, hidden) {
  return page.evaluate((is) => {
    Object.defineProperty(document, "hidden", { get: () => is, configurable: true });
    Object.defineProperty(document, "visibilityState", { get: () => (is ? "hidden" : "visible"), configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

/** In the page: the delays of pending timers. */
function countTimers() {
  const live = new Map();
  const { setTimeout: set, clearTimeout: clear } = window;
  window.setTimeout = (what, ms, ...rest) => {
    const id = set(() => {
      live.delete(id);
      what(...rest);
    }, ms);
    live.set(id, ms ?? 0);
    return id;
  };
  window.clearTimeout = (id) => {
    live.delete(id);
    clear(id);
  };
  for (const name of ["setInterval", "requestAnimationFrame"]) {
    const original = window[name];
    window[name] = (...all) => {
      const id = original(...all);
      live.set(`${name} ${id}`, name);
      return id;
    };
  }
  window.liveTimers = () => [...live.values()];
}

/** In the page: the times at which the plugin ran and the puppy was painted. */
function timeTheStart() {
  const times = (globalThis.puppyTimes = {});
  let slot;
  Object.defineProperty(globalThis, "__siyuanMcpPuppy", {
    configurable: true,
    get: () => slot,
    set: (value) => {
      slot = value;
      times.run = performance.now();
    },
  });
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".pup-dog")) return;
    observer.disconnect();
    // It is painted in the frame after the one in which it was added.
    requestAnimationFrame(() => requestAnimationFrame(() => { times.painted = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
}
