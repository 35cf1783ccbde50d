// Every page of the panel as axe judges it: both languages and themes, wide and at 360 px.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findings, withAxe } from "../support/axe.mjs";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

/** The controls that make a draft, so that the buttons below it appear. */
const CHANGES = { permissions: '.pup-row [data-level][aria-checked="false"]', tools: "input.b3-switch[data-action]" };
/** The controls that show the rest of a page. */
const OPENERS = { permissions: '[data-name="effective"] summary', tools: '[data-do="unfold"]' };
const VIEWPORTS = [{ width: 1280, height: 860 }, { width: 360, height: 740 }];

describe("axe", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    ({ system, browser } = parts);
    // The playground looks for a server where none is.
    await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort() });
  });

  for (const lang of ["en", "zh_CN"]) {
    for (const viewport of VIEWPORTS) {
      test(`finds nothing in the panel, ${lang}, ${viewport.width} px`, async () => {
        const { page } = await openStage(browser, system.kernel.url, { lang, viewport });
        const panel = await openPanel(page);
        await withAxe(page);
        const names = await panel.locator('[role="tab"]').evaluateAll((tabs) => tabs.map((tab) => tab.dataset.name));
        assert.ok(names.length > 4, names.join());
        const found = [];
        for (const name of names) {
          await panel.locator(`[role="tab"][data-name="${name}"]`).click();
          await panel.locator(`[role="tabpanel"][data-name="${name}"]`).waitFor();
          await until(async () => (await panel.locator(".pup-loading:visible").count()) === 0, { what: `what ${name} loads` });
          if (OPENERS[name]) await panel.locator(OPENERS[name]).click();
          if (CHANGES[name]) await panel.locator(CHANGES[name]).first().click();
          found.push(...await findings(page, name));
        }
        assert.deepEqual(found, []);
      });
    }
  }
});
