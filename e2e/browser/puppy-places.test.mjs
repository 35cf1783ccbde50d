// The puppy in difficult places: phones, detached windows, readers, menus and dialogs, forced colours; and its test mode.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { STATS, STORAGE } from "../support/config.mjs";
import { closeDialog, openPanel, openStage } from "../support/page.mjs";
import { sleep, until } from "../support/process.mjs";
import { EventWriter, inState, openPuppy, STATES } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/puppySettings`;
const DOG = "body > .pup-dog";
const MENU = "#commonMenu:not(.fn__none)";
const HOUR = 3_600_000;

describe("the puppy's places", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });
  beforeEach(async () => {
    await system.kernel.remove(SETTINGS);
    await system.kernel.remove(STATS);
  });

  const open = (options) => openPuppy(browser, system.kernel.url, options);

  /** The position of its face. */
  const face = async (page) => {
    const box = await page.locator(DOG).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height * 0.6 };
  };

  /** The puppy's page in the panel, with its picture. */
  async function openPuppyPage(page) {
    const panel = await openPanel(page);
    await panel.locator('[role="tab"][data-name="puppy"]').click();
    await panel.locator(".pup-stage .pup-dog").waitFor();
    return panel;
  }

  test("a finger pets it, carries it, and by staying opens the menu; the host's side menu stays shut", async () => {
    await system.kernel.write(SETTINGS, { phones: true });
    const { page, context, problems } = await open({
      frontend: "browser-mobile", viewport: { width: 390, height: 700 }, context: { hasTouch: true },
    });
    const session = await context.newCDPSession(page);
    const touch = (type, x, y) => session.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y }] });
    const { x, y } = await face(page);
    await touch("touchStart", x, y);
    await touch("touchEnd");
    await inState(page, "petting");
    await inState(page, "idle");

    await touch("touchStart", x, y);
    await page.waitForSelector(MENU);
    await touch("touchEnd");
    await sleep(200);
    assert.ok(await page.locator(MENU).isVisible(), "lifting the finger leaves it open");
    assert.equal(await page.locator(`${MENU} [data-id="settings"]`).count(), 1);
    assert.equal(await page.getAttribute(DOG, "data-state"), "idle", "a long press is no petting");
    await page.keyboard.press("Escape");
    await page.locator("#commonMenu").waitFor({ state: "hidden" });

    const before = await page.locator(DOG).boundingBox();
    await touch("touchStart", x, y);
    for (const step of [1, 2, 3, 4]) await touch("touchMove", x - 240 + 60 * step, y - 40 * step);
    await inState(page, "dragging");
    await touch("touchEnd");
    const after = await page.locator(DOG).boundingBox();
    assert.ok(Math.abs(after.y - before.y + 160) <= 1, JSON.stringify({ before, after }));
    assert.equal(await page.locator(".side-panel--open").count(), 0, "the documents stayed shut");
    assert.deepEqual(problems(), []);
  });

  test("a double click opens the panel", async () => {
    const { page, problems } = await open();
    const { x, y } = await face(page);
    await page.mouse.dblclick(x, y);
    const panel = page.locator(".b3-dialog--open .pup-panel");
    await panel.waitFor();
    await panel.locator('[role="tab"][aria-selected="true"]').waitFor();
    assert.deepEqual(problems(), []);
  });

  test("a detached window and a published page have no puppy and load nothing of it", async () => {
    const publish = async (route) => {
      const response = await route.fetch();
      const reply = await response.json();
      await route.fulfill({ response, json: { ...reply, data: { ...reply.data, isPublish: true } } });
    };
    for (const [options, buttons] of [
      [{ frontend: "desktop-window" }, 1],
      [{ prepare: (context) => context.route("**/api/system/getConf", publish) }, 0],
    ]) {
      const { page, problems } = await openStage(browser, system.kernel.url, options);
      await sleep(800);
      await page.evaluate(() => window.siyuanApp.plugins.flatMap((one) => one.commands).find((one) => one.langKey === "showPuppy").callback());
      await sleep(800);
      const found = await page.evaluate(() => ({
        dogs: document.querySelectorAll(".pup-dog").length,
        modules: performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".wasm")).length,
        buttons: document.querySelectorAll('#toolbar [id^="plugin_siyuan-mcp-puppy"]').length,
      }));
      assert.deepEqual(found, { dogs: 0, modules: 0, buttons }, JSON.stringify(Object.keys(options)));
      assert.deepEqual(problems(), []);
    }
  });

  test("wasm that cannot be loaded leaves a box with a second try, and a puppy that comes when it is called", async () => {
    const broken = "**/*_bg.wasm*";
    const { page, context } = await openStage(browser, system.kernel.url, {
      prepare: (it) => it.route(broken, (route) => route.fulfill({ status: 200, contentType: "application/wasm", body: "no wasm" })),
    });
    await page.evaluate(() => window.siyuanApp.plugins[0].openSetting());
    const box = page.locator(".b3-dialog--open .pup-failed[role=alert]");
    await box.waitFor();
    assert.match(await box.innerText(), /The panel could not start\.[^]+Try again/);
    assert.equal(await page.locator(DOG).count(), 0);
    await context.unroute(broken);
    await box.locator("button").click();
    await page.locator(".b3-dialog--open .pup-panel").waitFor();
    await closeDialog(page);
    await page.evaluate(() => window.siyuanApp.plugins[0].commands.find((one) => one.langKey === "showPuppy").callback());
    await page.locator(DOG).waitFor();
  });

  test("menus and dialogs lie over it, wherever it stands", async () => {
    const { page } = await open();
    const isCovered = () => page.evaluate((dog) => {
      const box = document.querySelector(dog).getBoundingClientRect();
      // Its picture takes clicks where it is painted, unless something lies over it.
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * 0.6);
      return !top.closest(".pup-dog");
    }, DOG);
    assert.equal(await isCovered(), false, "alone it can be clicked");
    const { x, y } = await face(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(640, 430, { steps: 3 });
    await page.mouse.up();
    await page.mouse.click(640, 430, { button: "right" });
    await page.waitForSelector(MENU);
    const menu = await page.locator(MENU).boundingBox();
    await page.keyboard.press("Escape");
    // First the place of its own menu, then a place behind a dialog of the host.
    await page.mouse.move(640, 430);
    await page.mouse.down();
    await page.mouse.move(menu.x + 60, menu.y + 60, { steps: 3 });
    await page.mouse.up();
    await page.evaluate(([left, top]) => {
      const [menu] = [document.getElementById("commonMenu")];
      menu.classList.remove("fn__none");
      Object.assign(menu.style, { left: `${left}px`, top: `${top}px`, zIndex: ++window.siyuan.zIndex });
    }, [menu.x, menu.y]);
    assert.equal(await isCovered(), true, "behind a menu");
    await page.evaluate(() => document.getElementById("commonMenu").classList.add("fn__none"));
    await openPanel(page);
    assert.equal(await isCovered(), true, "behind a dialog");
  });

  test("a seed makes what it does by itself the same each time", async () => {
    const minute = async (seed) => {
      const { page } = await open({
        prepare: async (context) => {
          await context.clock.install({ time: new Date("2026-01-01T10:00:00") });
          await context.addInitScript((it) => {
            document.addEventListener("readystatechange", () => { document.body.dataset.seed = it; }, { once: true });
          }, seed);
        },
      });
      await page.evaluate((dog) => {
        const it = document.querySelector(dog);
        globalThis.seen = [];
        const note = (motion) => motion !== "still" && globalThis.seen.at(-1) !== motion && globalThis.seen.push(motion);
        new MutationObserver(() => note(it.dataset.motion)).observe(it, { attributes: true, attributeFilter: ["data-motion"] });
      }, DOG);
      for (let passed = 0; passed < 55_000; passed += 500) await page.clock.runFor(500);
      return page.evaluate(() => globalThis.seen.join(" "));
    };
    const [first, again, other] = [await minute(7), await minute(7), await minute(8)];
    assert.ok(first.split(" ").length >= 3, first);
    assert.equal(again, first);
    assert.notEqual(other, first);
  });

  test("its mood is what the file of coins says, and who is hungry looks at the bowl now and then", async () => {
    const now = new Date("2026-01-01T10:00:00").getTime();
    const openAfter = async (hours, calls) => {
      await system.kernel.write(STATS, {
        balance: 9, total_earned: 90, total_calls: 90, base: { earned: 90, spent: 81, calls: 90 }, updated_at: now,
        last_fed: { item: "bone", at: now - hours * HOUR, calls: 90 - calls },
      });
      const { page } = await open({
        prepare: async (context) => {
          await context.clock.install({ time: new Date(now) });
          await context.addInitScript(() => document.addEventListener("readystatechange", () => { document.body.dataset.seed = "3"; }, { once: true }));
        },
      });
      await page.clock.runFor(1_000);
      return page;
    };
    const part = (page, name) => page.locator(`${DOG} [data-part="${name}"]`);
    const happy = await openAfter(0.2, 3);
    await part(happy, "mouth-open").waitFor({ state: "visible" });
    const hungry = await openAfter(5, 60);
    await part(hungry, "mouth-rest").waitFor({ state: "visible" });
    assert.equal(await part(hungry, "bowl").isVisible(), false, "it does not beg");
    let bowls = 0;
    let other = 0;
    // It lies down after a minute of inactivity, so the test pets it now and then.
    for (let step = 0; step < 200; step += 1) {
      if (step % 50 === 49) await hungry.evaluate((dog) => document.querySelector(dog).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })), DOG);
      await hungry.clock.runFor(1_000);
      if (await hungry.getAttribute(DOG, "data-motion") === "bowl") bowls += await part(hungry, "bowl").isVisible() ? 1 : 1_000;
      else other += 1;
    }
    console.log(`hungry: at its bowl in ${bowls} of ${bowls + other} seconds`);
    assert.ok(bowls >= 1 && bowls * 4 < other, `${bowls} of ${other}`);
  });

  test("test mode: play all shows one scene after the other, slow motion slows every one, without a server (B-300)", async () => {
    const { page, problems } = await open();
    const panel = await openPuppyPage(page);
    const picture = panel.locator(".pup-stage .pup-dog");
    const slow = panel.locator('.pup-slow input[type="range"]');
    await slow.fill("10");
    await panel.locator('[data-play="state success"]').click();
    const rates = () => picture.evaluate((dog) => dog.getAnimations({ subtree: true }).map((one) => one.playbackRate));
    const slowed = await rates();
    assert.ok(slowed.length > 0 && slowed.every((rate) => rate === 0.1), `${slowed}`);
    assert.match(await slow.getAttribute("aria-valuetext"), /10/);
    await slow.fill("1");
    await panel.locator('[data-play="state success"]').click();
    assert.ok((await rates()).every((rate) => rate === 1));
    await page.clock.install();
    const played = () => panel.locator('[data-play][aria-pressed="true"]').getAttribute("data-play");
    const button = panel.locator('[data-do="play-all"]');
    await button.click();
    assert.equal(await button.textContent(), "Stop");
    const seen = [await played()];
    for (let scene = 1; scene < 6; scene += 1) {
      await page.clock.runFor(1_800);
      await until(async () => (await played()) !== seen.at(-1));
      seen.push(await played());
    }
    const order = await panel.locator("[data-play]").evaluateAll((all) => all.map((one) => one.dataset.play));
    assert.deepEqual(seen, order.slice(0, 6));
    assert.equal(await panel.locator(".pup-test").isVisible(), true, "marked as a test");
    await button.click();
    await page.clock.runFor(4_000);
    assert.equal(await played(), seen.at(-1), "stopped");
    assert.deepEqual(problems(), []);
  });

  test("in forced colours the mark is the system's, the drawing keeps its own, and every word can be read", async () => {
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await open({ context: { forcedColors: "active", colorScheme } });
      const writer = new EventWriter(system.kernel, `e2e-forced-${colorScheme}`);
      await writer.write(STATES.error);
      await inState(page, "error");
      const looks = await page.evaluate((dog) => {
        const probe = document.createElement("i");
        document.body.append(probe);
        const system = (name) => {
          probe.style.color = name;
          return getComputedStyle(probe).color;
        };
        const [canvas, text] = ["Canvas", "CanvasText"].map(system);
        const of = (selector) => getComputedStyle(document.querySelector(`${dog} ${selector}`));
        const badge = of('[data-part="mark-error"] circle');
        const bubble = of(".pup-bubble");
        return {
          canvas, text,
          badge: [badge.fill, badge.stroke],
          icon: of('[data-part="mark-error"] path').stroke,
          bubble: [bubble.backgroundColor, bubble.color, bubble.borderTopColor],
          fur: of('[data-part="head"] .dog-fur').fill,
        };
      }, DOG);
      assert.deepEqual(looks.badge, [looks.canvas, looks.text], JSON.stringify(looks));
      assert.equal(looks.icon, looks.text);
      assert.deepEqual(looks.bubble, [looks.canvas, looks.text, looks.text]);
      assert.equal(looks.fur, "rgb(231, 177, 110)");
      const panel = await openPuppyPage(page);
      await panel.locator('[data-play="mood hungry"]').click();
      // The host's own transitions are over by then.
      await until(() => page.evaluate(() => document.getAnimations().every((one) => !one.transitionProperty)));
      const edges = await panel.evaluate((root) => {
        const of = (selector) => getComputedStyle(root.querySelector(selector));
        const chosen = of('[data-play="mood hungry"]').backgroundColor;
        return {
          unmarked: [...root.querySelectorAll('button, select, [role="tab"], .b3-switch')]
            .filter((one) => one.getClientRects().length && getComputedStyle(one).outlineStyle === "none").length,
          // Selected items differ from others, and so do switches that are on.
          chosen: chosen !== of('[data-play="mood happy"]').backgroundColor && chosen === of('[role="tab"][aria-selected="true"]').backgroundColor,
          on: of(".b3-switch:checked").backgroundColor !== of(".b3-switch:not(:checked)").backgroundColor,
        };
      });
      assert.deepEqual(edges, { unmarked: 0, chosen: true, on: true });
    }
  });
});
