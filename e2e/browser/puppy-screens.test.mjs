// Pictures of the puppy's menu, cards, bubble and page for people to look at; both themes, both languages.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { EVENTS, PURSES, STATS, STORAGE } from "../support/config.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureSuite } from "../support/pictures.mjs";
import { sleep } from "../support/process.mjs";
import { EventWriter, inState } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const DOG = "body > .pup-dog";
const CARD = "body > .pup-card:not([hidden])";
const CORNER = { x: 800, y: 340, width: 480, height: 520 };

pictureSuite("pictures of the puppy's company", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  for (const lang of ["en", "zh_CN"]) {
    test(lang, async () => {
      const name = (what) => (theme) => `touch-${what}-${theme}-${lang}`;
      await system.kernel.write(`${STORAGE}/puppySettings`, { bubble: "place" });
      await system.kernel.remove(PURSES);
      await system.kernel.write(STATS, {
        balance: 17, total_earned: 40, total_calls: 40, base: { earned: 40, spent: 23, calls: 40 }, updated_at: Date.now(),
        fed: { bone: 1 }, last_fed: { item: "bone", at: Date.now() - 60_000, calls: 39 },
      });
      await system.kernel.write(EVENTS, { events: [], balance: 17, total_calls: 40 });
      const stage = await openStage(browser, system.kernel.url, { lang, context: { deviceScaleFactor: 2 } });
      const { page } = stage;
      await page.waitForSelector(DOG, { state: "attached" });
      const shots = [];
      const shoot = async (what, target = { screenshot: (options) => page.screenshot({ ...options, clip: CORNER }) }) => {
        await sleep(250);
        shots.push(...Object.values(await pictures(page, name(what), target)));
      };
      const menu = async () => {
        await page.locator(DOG).focus();
        await page.keyboard.press("ContextMenu");
        await page.waitForSelector("#commonMenu:not(.fn__none)");
      };
      const pick = (id) => page.locator(`#commonMenu [data-id="${id}"]`).click();

      const writer = new EventWriter(system.kernel, `e2e-${lang}`);
      const garden = (await system.kernel.notebooks()).Garden.id;
      const [doc] = await system.kernel.post("/api/filetree/getIDsByHPath", { notebook: garden, path: "/Plants/Tomatoes" });
      await writer.write({ tool: "fs", action: "read", status: "running", notebook: garden, doc });
      await inState(page, "reading");
      await page.waitForFunction((dog) => document.querySelector(`${dog} .pup-bubble`).textContent.includes("Tomatoes"), DOG);
      await shoot("bubble");
      await writer.write({ tool: "fs", action: "read", status: "success", duration_ms: 3 });
      await inState(page, "idle");
      const box = await page.locator(DOG).boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6);
      await page.waitForSelector(`${DOG} .pup-tip[data-shown=true]`, { state: "attached" });
      await shoot("hover");
      await page.mouse.move(20, 20);
      await menu();
      await page.locator('#commonMenu [data-id="food"]').hover();
      await shoot("menu");
      await pick("wage");
      await page.waitForSelector(CARD);
      await shoot("wage");
      await page.locator(`${CARD} [data-pick="shop"]`).click();
      await page.waitForSelector(`${CARD} .pup-ware`);
      await shoot("shop");
      await page.locator(`${CARD} [data-pick="buy fish"]`).click();
      await inState(page, "eating");
      await shoot("eating");
      await page.keyboard.press("Escape");

      const panel = await openPanel(page);
      await panel.locator('[role="tab"][data-name="puppy"]').click();
      await panel.locator(".pup-stage .pup-dog").waitFor();
      await sleep(150);
      await shoot("page", page);
      await panel.locator('[data-name="test"]').scrollIntoViewIfNeeded();
      await panel.locator('[data-play="tool search"]').click();
      await shoot("test", page);
      for (const path of shots) assert.ok(statSync(path).size > 5_000, path);
      assert.deepEqual(stage.problems(), []);
    });
  }
});
