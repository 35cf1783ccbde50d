// Pictures for people to look at: panel and puppy, light and dark, English and Chinese, in the build folder.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { openPanel, openStage } from "../support/page.mjs";
import { picture, pictures, pictureSuite, THEMES } from "../support/pictures.mjs";
import { sleep } from "../support/process.mjs";
import { EventWriter, inState, STATES } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const MARGIN = 40;

pictureSuite("pictures", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  for (const lang of ["en", "zh_CN"]) {
    test(`panel, ${lang}`, async () => {
      const stage = await openStage(browser, system.kernel.url, { lang });
      const panel = await openPanel(stage.page, "permissions");
      const name = (page) => (theme) => `panel-${page}-${lang === "en" ? theme : `${theme}-${lang}`}`;
      await panel.locator(".pup-row").first().waitFor();
      await sleep(300);
      const permissions = await pictures(stage.page, name("permissions"));
      await panel.locator('[role="tab"][data-name="tools"]').click();
      await panel.locator("input.b3-switch[data-tool]").first().waitFor();
      const tools = await pictures(stage.page, name("tools"));
      for (const path of [permissions, tools].flatMap(Object.values)) assert.ok(statSync(path).size > 10_000, path);
      assert.deepEqual(stage.problems(), []);
    });
  }

  test("the page, and the puppy in each state", async () => {
    const stage = await openStage(browser, system.kernel.url, { context: { deviceScaleFactor: 2 } });
    const { page } = stage;
    await page.waitForSelector(".pup-dog", { state: "attached" });
    await sleep(500);
    await pictures(page, (theme) => `page-${theme}`);
    const writer = new EventWriter(system.kernel, "e2e-pictures");
    const all = { idle: await dogPictures(page, "idle") };
    // Each state lasts for a while and then gives way to the next one.
    for (const [state, event] of Object.entries(STATES)) {
      await writer.write(event);
      await inState(page, state);
      await sleep(200);
      all[state] = await dogPictures(page, state);
    }
    for (const theme of THEMES) await sheet(browser, theme, all);
    assert.deepEqual(stage.problems(), []);
  });
});

async function dogPictures(page, state) {
  const box = await page.locator(".pup-dog").boundingBox();
  const clip = { x: box.x - MARGIN, y: box.y - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  return pictures(page, (theme) => `puppy-${state}-${theme}`, { screenshot: (options) => page.screenshot({ ...options, clip }) });
}

/** All states of a theme on one picture, with their names. */
async function sheet(browser, theme, all) {
  const page = await browser.newPage({ viewport: { width: 680, height: 620 }, deviceScaleFactor: 2 });
  const cells = Object.entries(all).map(([state, paths]) =>
    `<figure><img src="data:image/png;base64,${readFileSync(paths[theme]).toString("base64")}"><figcaption>${state}</figcaption></figure>`);
  await page.setContent(`<style>body{margin:8px;display:grid;grid-template-columns:repeat(4,1fr);font:14px sans-serif}
    figure{margin:4px;text-align:center}img{width:150px}</style>${cells.join("")}`);
  await picture(page, `puppy-sheet-${theme}`);
  await page.close();
}
