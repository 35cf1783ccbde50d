// Pictures for people to look at: panel and puppy, light and dark, English and Chinese, in the build folder.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { describe, test } from "node:test";
import { openPanel, openStage, picture } from "../support/page.mjs";
import { sleep } from "../support/process.mjs";
import { EventWriter, inState, STATES } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const LOOKS = [["light", "en"], ["dark", "en"], ["light", "zh_CN"], ["dark", "zh_CN"]];
const MARGIN = 40;

describe("pictures", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  for (const [theme, lang] of LOOKS) {
    const suffix = lang === "en" ? theme : `${theme}-${lang}`;
    test(`panel, ${suffix}`, async () => {
      const stage = await openStage(browser, system.kernel.url, { theme, lang });
      const panel = await openPanel(stage.page);
      await panel.locator(".pup-row").first().waitFor();
      await sleep(300);
      const permissions = await picture(stage.page, `panel-permissions-${suffix}`);
      await panel.locator('[role="tab"][data-name="tools"]').click();
      await panel.locator("input.b3-switch[data-tool]").first().waitFor();
      const tools = await picture(stage.page, `panel-tools-${suffix}`);
      for (const path of [permissions, tools]) assert.ok(statSync(path).size > 10_000, path);
      assert.deepEqual(stage.problems(), []);
    });
  }

  for (const theme of ["light", "dark"]) {
    test(`puppy in each state, ${theme}`, async () => {
      const stage = await openStage(browser, system.kernel.url, { theme, context: { deviceScaleFactor: 2 } });
      const { page } = stage;
      await page.waitForSelector(".pup-dog", { state: "attached" });
      await sleep(500);
      await picture(page, `page-${theme}`);
      const writer = new EventWriter(system.kernel, `e2e-pictures-${theme}`);
      const pictures = { idle: await dogPicture(page, `puppy-idle-${theme}`) };
      for (const [state, event] of Object.entries(STATES)) {
        await writer.write(event);
        await inState(page, state);
        await sleep(300);
        pictures[state] = await dogPicture(page, `puppy-${state}-${theme}`);
        if (event.status === "running") await writer.write({ ...STATES.success, tool: event.tool, action: event.action });
        await inState(page, "idle");
      }
      await sheet(browser, theme, pictures);
      assert.deepEqual(stage.problems(), []);
    });
  }
});

async function dogPicture(page, name) {
  const box = await page.locator(".pup-dog").boundingBox();
  const clip = { x: box.x - MARGIN, y: box.y - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  return picture(page, name, { screenshot: (options) => page.screenshot({ ...options, clip }) });
}

/** All states on one picture, with their names. */
async function sheet(browser, theme, pictures) {
  const page = await browser.newPage({ viewport: { width: 680, height: 620 }, deviceScaleFactor: 2 });
  const cells = Object.entries(pictures).map(([state, path]) =>
    `<figure><img src="data:image/png;base64,${readFileSync(path).toString("base64")}"><figcaption>${state}</figcaption></figure>`);
  await page.setContent(`<style>body{margin:8px;display:grid;grid-template-columns:repeat(4,1fr);font:14px sans-serif}
    figure{margin:4px;text-align:center}img{width:150px}</style>${cells.join("")}`);
  await picture(page, `puppy-sheet-${theme}`);
  await page.close();
}
