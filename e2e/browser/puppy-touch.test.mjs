// A person's input to the puppy: petting, dragging, menu, keys, feeding, shop, settings, hiding; every state without a server.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { EVENTS, PURSES, STATS, STORAGE } from "../support/config.mjs";
import { closeDialog, openPanel, openStage } from "../support/page.mjs";
import { sleep } from "../support/process.mjs";
import { EventWriter, inState, openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/puppySettings`;
const DOG = "body > .pup-dog";
const CARD = "body > .pup-card:not([hidden])";
const MENU = "#commonMenu:not(.fn__none)";

describe("touching the puppy", () => {
  let browser;
  let system;
  // No sidecar runs: the page works alone.
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });
  beforeEach(async () => {
    await system.kernel.remove(SETTINGS);
    await earn(0);
  });

  const open = (options) => openPuppy(browser, system.kernel.url, options);

  /** A puppy whose earlier processes earned this many coins. */
  const earn = async (coins) => {
    await system.kernel.remove(PURSES);
    await system.kernel.write(STATS, {
      balance: coins, total_earned: coins, total_calls: coins, base: { earned: coins, spent: 0, calls: coins }, updated_at: Date.now(),
    });
  };
  const stats = () => system.kernel.read(STATS);
  const place = (page) => page.locator(DOG).boundingBox();
  const middle = async (page) => {
    const box = await place(page);
    return { x: box.x + box.width / 2, y: box.y + box.height * 0.6 };
  };
  const press = async (page, key) => {
    await page.locator(DOG).focus();
    await page.keyboard.press(key);
  };
  const pick = (page, id) => page.locator(`${MENU} [data-id="${id}"]`).click();

  test("a click pets it, Enter and Space too, and hearts rise each time (B-298)", async () => {
    const { page } = await open();
    const { x, y } = await middle(page);
    const hearts = () => page.waitForFunction((dog) => {
      const heart = document.querySelector(`${dog} .pup-heart`);
      return heart.checkVisibility() && getComputedStyle(heart).opacity > 0.3;
    }, DOG);
    await page.mouse.click(x, y);
    await inState(page, "petting");
    await hearts();
    await inState(page, "idle");
    for (const key of ["Enter", " "]) {
      await press(page, key);
      await inState(page, "petting");
      await hearts();
      await inState(page, "idle");
    }
  });

  test("a drag carries it, Esc puts it back, and the place is remembered and inside whatever the window does (B-298)", async () => {
    const { page, problems } = await open();
    const before = await place(page);
    const from = await middle(page);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 4, from.y + 3);
    assert.notEqual(await page.getAttribute(DOG, "data-state"), "dragging", "6 px are a click");
    await page.mouse.move(from.x - 300, from.y - 200, { steps: 4 });
    await inState(page, "dragging");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    assert.deepEqual(await place(page), before, "Esc");
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 300, from.y - 200, { steps: 4 });
    await page.mouse.up();
    const moved = await place(page);
    assert.ok(Math.abs(moved.x - before.x + 300) <= 1 && Math.abs(moved.y - before.y + 200) <= 1, JSON.stringify(moved));
    await page.reload();
    await page.waitForSelector(DOG, { state: "attached" });
    const again = await place(page);
    assert.ok(Math.abs(again.x - moved.x) <= 1 && Math.abs(again.y - moved.y) <= 1, JSON.stringify(again));
    for (const [width, height] of [[400, 300], [90, 90], [1280, 860]]) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height]);
      await sleep(100);
      const box = await place(page);
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${width}x${height}: ${JSON.stringify(box)}`);
    }
    assert.deepEqual(problems(), []);
  });

  test("arrows move it 8 px, Shift 32, Home to its corner; never out of the window", async () => {
    const { page } = await open();
    const first = await place(page);
    await press(page, "ArrowLeft");
    await press(page, "Shift+ArrowUp");
    const moved = await place(page);
    assert.ok(Math.abs(moved.x - first.x + 8) <= 1 && Math.abs(moved.y - first.y + 32) <= 1, JSON.stringify(moved));
    for (let i = 0; i < 8; i += 1) await press(page, "Shift+ArrowRight");
    const edge = await place(page);
    assert.equal(edge.x + edge.width, 1280);
    await press(page, "Home");
    assert.deepEqual(await place(page), first);
  });

  test("the menu opens by right click, Shift+F10 and the Menu key, and hides for an hour or for good", async () => {
    const { page, problems } = await open();
    const { x, y } = await middle(page);
    await page.mouse.click(x, y, { button: "right" });
    await page.waitForSelector(MENU);
    const lines = await page.locator(`${MENU} > .b3-menu__items > .b3-menu__item > .b3-menu__label`).allTextContents();
    assert.equal(lines.length, 8, `${lines}`);
    assert.match(lines[0], /^Puppy · .* · 0\u00a0coins$/);
    await page.keyboard.press("Escape");
    for (const key of ["Shift+F10", "ContextMenu"]) {
      await page.waitForSelector("#commonMenu", { state: "hidden" });
      await press(page, key);
      await page.waitForSelector(MENU);
      await page.keyboard.press("Escape");
    }
    await press(page, "ContextMenu");
    await pick(page, "hide-hour");
    await page.waitForSelector(DOG, { state: "hidden" });
    await page.reload();
    await page.waitForSelector(DOG, { state: "attached" });
    assert.ok(await page.locator(DOG).isHidden(), "for this hour on this device");
    const panel = await openPanel(page);
    await panel.locator('[role="tab"][data-name="puppy"]').click();
    const shown = panel.locator('input[data-setting="show"]');
    await shown.uncheck();
    await shown.check();
    await closeDialog(page);
    await page.waitForSelector(DOG, { state: "visible" });
    await press(page, "ContextMenu");
    await pick(page, "hide-hour");
    await page.waitForSelector(DOG, { state: "hidden" });
    const show = () => page.evaluate(() => window.siyuanApp.plugins.flatMap((one) => one.commands).find((one) => one.langKey === "showPuppy").callback());
    await show();
    await page.waitForSelector(DOG, { state: "visible" });
    await press(page, "ContextMenu");
    await pick(page, "hide");
    await page.waitForSelector(DOG, { state: "hidden" });
    await until(async () => (await system.kernel.read(SETTINGS))?.show === false);
    await show();
    await until(async () => (await system.kernel.read(SETTINGS))?.show === true);
    assert.ok(await page.locator(DOG).isVisible());
    assert.deepEqual(problems(), []);
  });

  test("it is fed from the menu and the shop, without a sidecar, and every coin is counted once (B-299)", async () => {
    await earn(20);
    const event = { seq: 1, instance: "e2e-rich", tool: "fs", action: "read", status: "success", ts: 1 };
    await system.kernel.write(EVENTS, { events: [event], balance: 20, total_calls: 20 });
    const { page, problems } = await open();
    await press(page, "ContextMenu");
    assert.match(await page.locator(`${MENU} [data-id="wage"]`).innerText(), /20\scoins/);
    await page.locator(`${MENU} [data-id="food"]`).hover();
    await pick(page, "buy drumstick");
    await inState(page, "eating");
    await until(async () => (await stats()).balance === 13);
    assert.equal((await stats()).fed.drumstick, 1);
    await sleep(1200);
    await page.locator(DOG).hover({ force: true });
    await page.waitForSelector(`${DOG} .pup-tip[data-shown=true]`, { state: "attached" });
    assert.match(await page.locator(`${DOG} .pup-tip`).innerText(), /13\scoins/, "the file of events knows an old balance");
    await press(page, "ContextMenu");
    await pick(page, "shop");
    await page.waitForSelector(CARD);
    assert.equal(await page.locator(`${CARD} .pup-ware`).count(), 9);
    assert.equal(await page.locator(`${CARD} .pup-ware[aria-disabled=true]`).count(), 2, "bow and cake");
    await page.locator(`${CARD} [data-pick="buy ball"]`).click();
    await inState(page, "playing");
    await until(async () => (await stats()).balance === 5);
    await page.locator(`${CARD} [data-pick="buy cake"]`).click({ force: true });
    await sleep(300);
    assert.equal((await stats()).balance, 5, "what is off is not bought");
    await page.keyboard.press("Escape");
    await page.waitForSelector(CARD, { state: "detached" });
    assert.ok(await page.evaluate((dog) => document.activeElement === document.querySelector(dog), DOG), "focus is back");
    assert.equal((await stats()).total_earned, 20);
    assert.deepEqual(problems(), []);
  });

  test("a keyboard alone feeds it: wage card, food, buy", async () => {
    await earn(4);
    const { page } = await open();
    await press(page, "ContextMenu");
    await pick(page, "wage");
    await page.waitForSelector(CARD);
    const inCard = () => page.evaluate((card) => document.querySelector(card).contains(document.activeElement), CARD);
    assert.ok(await inCard(), "focus in the card");
    await page.locator(`${CARD} [data-pick="food"]`).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${CARD} [data-pick="buy bone"]`);
    await page.locator(`${CARD} [data-pick="buy bone"]`).focus();
    await page.keyboard.press("Enter");
    await inState(page, "eating");
    await until(async () => (await stats()).balance === 1);
    await page.keyboard.press("Escape");
    await page.waitForSelector(CARD, { state: "detached" });
  });

  test("a click on the tag of its collar opens the wage card, and one elsewhere closes it", async () => {
    await earn(6);
    const { page } = await open();
    const { x, y, width, height } = await page.locator(`${DOG} [data-part="collar"] .dog-tag`).boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForSelector(CARD);
    assert.match(await page.locator(CARD).innerText(), /6\scoins[^]*content[^]*Feed[^]*Shop/);
    assert.equal(await page.getAttribute(DOG, "data-state"), "idle", "no petting");
    await page.mouse.click(640, 300);
    await page.waitForSelector(CARD, { state: "detached" });
  });

  test("mascot.status shows the wage for a while, and an agent's present is eaten", async () => {
    await earn(9);
    const { page } = await open();
    const writer = new EventWriter(system.kernel, "e2e-mascot");
    await writer.write({ tool: "mascot", action: "status", status: "success", duration_ms: 2 });
    await page.waitForSelector(CARD);
    assert.match(await page.locator(CARD).innerText(), /9\scoins/);
    await page.waitForSelector(CARD, { state: "detached" });
    await writer.write({ tool: "mascot", action: "buy", status: "success", duration_ms: 2, item: "fish" });
    await inState(page, "eating");
  });

  test("a bow that was bought stays on, and a pause of all calls shows, from the start of the page", async (t) => {
    const pause = `${STORAGE}/mcpHttpSettings`;
    t.after(() => system.kernel.remove(pause));
    await earn(0);
    await system.kernel.write(STATS, { ...(await stats()), wears: "bow" });
    const ribbon = '.pup-dog [data-part="ribbon"]';
    const dressed = await open();
    await dressed.page.locator(ribbon).waitFor({ state: "visible" });
    await inState(dressed.page, "idle");
    await press(dressed.page, "ContextMenu");
    await pick(dressed.page, "shop");
    const bow = dressed.page.locator(`${CARD} [data-pick="buy bow"]`);
    assert.match(await bow.innerText(), /Bow\s*wearing it/);
    assert.equal(await bow.getAttribute("aria-disabled"), "true", "it is not sold twice");
    await system.kernel.write(pause, { paused: true });
    await earn(0);
    const { page } = await open();
    await inState(page, "paused");
    assert.equal(await page.locator(ribbon).isVisible(), false, "no bow was bought");
  });

  test("a later pause shows too: from the panel at once, from another device with its sync", async (t) => {
    const pause = `${STORAGE}/mcpHttpSettings`;
    t.after(() => system.kernel.remove(pause));
    const { page, problems } = await open();
    await inState(page, "idle");
    // A pause through the panel.
    for (const paused of [true, false]) {
      await page.evaluate((is) => window.siyuanApp.plugins[0].host().tellPuppy(`paused\n${is}`), paused);
      await inState(page, paused ? "paused" : "idle");
    }
    // A pause through sync. Whatever the sidecar takes for a pause is one here, a torn file too.
    const files = [
      [{ paused: true }, "paused"], [{ paused: false }, "idle"], [{ paused: "yes" }, "paused"], [{}, "idle"],
      ['{"paused":f', "paused"], [{}, "idle"], ["[]", "paused"], [{ paused: false }, "idle"],
    ];
    for (const [file, state] of files) {
      await system.kernel.write(pause, file);
      await page.evaluate(() => window.siyuanApp.plugins[0].onDataChanged());
      await inState(page, state);
    }
    // A file that was read before the panel's message arrived is outdated.
    await page.evaluate(async () => {
      const [plugin] = window.siyuanApp.plugins;
      const reading = plugin.onDataChanged();
      plugin.tellPuppy("paused\ntrue");
      await reading;
    });
    assert.equal(await page.getAttribute(DOG, "data-state"), "paused");
    assert.deepEqual(problems(), []);
  });

  test("the line after 600 ms of hovering, and pupils that follow a near pointer only", async () => {
    const { page } = await open();
    const { x, y } = await middle(page);
    await page.mouse.move(x - 120, y);
    await page.waitForFunction((dog) => document.querySelector(dog).dataset.look === "true", DOG);
    assert.ok(Number(await page.evaluate((dog) => document.querySelector(dog).style.getPropertyValue("--pup-look-x"), DOG)) < 0);
    await page.mouse.move(x, y);
    await page.waitForSelector(`${DOG} .pup-tip[data-shown=true]`, { state: "attached" });
    assert.match(await page.locator(`${DOG} .pup-tip`).innerText(), /Puppy · .* · .* · .*/);
    await sleep(250);
    await page.mouse.move(20, 20);
    await page.waitForFunction((dog) => document.querySelector(dog).dataset.look === "false", DOG);
    assert.equal(await page.getAttribute(`${DOG} .pup-tip`, "data-shown"), "false");
  });

  test("settings are saved at once and hold at once; test mode plays everything without a server (B-300, B-301)", async () => {
    const { page, problems } = await open();
    const panel = await openPanel(page);
    await panel.locator('[role="tab"][data-name="puppy"]').click();
    await panel.locator('select[data-setting="size"]').selectOption("96");
    await page.waitForFunction((dog) => document.querySelector(dog).offsetWidth === 96, DOG);
    await panel.locator('select[data-setting="coat"]').selectOption("merle");
    await panel.locator('input[data-setting="calm"]').check();
    await until(async () => {
      const file = await system.kernel.read(SETTINGS);
      return file?.size === "96" && file.coat === "merle" && file.calm === true;
    });
    assert.equal(await page.getAttribute(DOG, "data-coat"), "merle");
    await panel.locator('input[data-setting="calm"]').uncheck();
    assert.ok(await page.locator(DOG).evaluate((dog) => dog.inert), "inert behind the dialog");
    const picture = panel.locator(".pup-stage .pup-dog");
    await picture.waitFor();
    const buttons = await panel.locator("[data-play]").evaluateAll((all) => all.map((one) => one.dataset.play));
    assert.equal(buttons.length, 17 + 11 + 4 + 13 + 9);
    const looks = new Set();
    for (const scene of buttons) {
      await panel.locator(`[data-play="${scene}"]`).evaluate((button) => button.click());
      looks.add(await picture.evaluate((dog) => dog.dataset.state + dog.dataset.tool + dog.dataset.motion + dog.dataset.mark
        + [...dog.querySelectorAll("[data-part]")].map((part) => part.getAttribute("style")).join()));
    }
    // A few scenes are the same picture: eating and the bone, playing and the ball, sitting and idle.
    assert.ok(looks.size >= buttons.length - 6, `${looks.size} different pictures of ${buttons.length}`);
    assert.equal(await panel.locator(".pup-test").isVisible(), true);
    await closeDialog(page);
    assert.equal(await page.locator(DOG).evaluate((dog) => dog.inert), false);
    assert.deepEqual(problems(), []);
  });

  test("a phone loads nothing of the puppy unless it is asked for", async () => {
    const options = { frontend: "browser-mobile", viewport: { width: 390, height: 844 } };
    const loaded = async () => {
      const stage = await openStage(browser, system.kernel.url, options);
      await sleep(800);
      const modules = await stage.page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.includes("puppy_bg.wasm")).length);
      return [modules, await stage.page.locator(DOG).count()];
    };
    assert.deepEqual(await loaded(), [0, 0]);
    await system.kernel.write(SETTINGS, { phones: true });
    assert.deepEqual(await loaded(), [1, 1]);
  });

  test("a caret under it makes it fade, and lets it come back", async () => {
    const { page } = await open();
    await page.evaluate((dog) => {
      const box = document.querySelector(dog).getBoundingClientRect();
      const note = document.createElement("div");
      note.contentEditable = "true";
      note.textContent = "words";
      note.id = "note";
      note.style.cssText = `position:fixed;left:${box.left + 10}px;top:${box.top + 20}px;width:60px`;
      document.body.append(note);
      getSelection().setPosition(note.firstChild, 1);
    }, DOG);
    await page.waitForSelector(`${DOG}[data-faded=true]`, { state: "attached" });
    await page.evaluate(() => getSelection().removeAllRanges());
    await page.waitForSelector(`${DOG}:not([data-faded])`, { state: "attached" });
  });
});

/** Waits until something holds. */
async function until(holds, deadline = 10_000) {
  for (const end = Date.now() + deadline; !(await holds()); await sleep(50)) {
    assert.ok(Date.now() < end, `never came true: ${holds}`);
  }
}
