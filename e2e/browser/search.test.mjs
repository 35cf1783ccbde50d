// The help page, and the search over all pages, in a real browser and with the keyboard.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT } from "../support/config.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

describe("search and help", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  const open = async (options = {}, tab = undefined) => {
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page, tab);
    const field = panel.locator(".pup-search input");
    await field.waitFor();
    return { ...stage, panel, field, hits: panel.locator("#pup-hits [role=option]") };
  };
  const focus = (page, read) => until(() => page.evaluate(read), { what: `${read}` });
  const shown = (panel, name) => panel.locator(`[role="tabpanel"][data-name="${name}"]`).waitFor();

  test("a setting, a tool, an action, a notebook and a page are found, and Enter leads to their control", async () => {
    const { panel, page, field, hits, problems } = await open();
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    await panel.locator("[data-notebook]").first().waitFor();
    for (const [typed, name, at] of [
      ["transfer", "advanced", () => document.activeElement.dataset.setting === "transfer_folder"],
      ["document.remove", "tools", () => document.activeElement.dataset.action === "document.remove"],
      ["flashcard", "tools", () => document.activeElement.dataset.tool === "flashcard"],
      ["garden", "permissions", () => document.activeElement.closest("[data-notebook]")?.textContent.includes("Garden")],
      ["activity", "activity", () => document.activeElement.dataset.name === "activity"],
      ["anyone else", "agents", () => document.activeElement.parentElement.dataset.agent === "anyone"],
      ["coat", "puppy", () => document.activeElement.dataset.setting === "coat"],
    ]) {
      await page.keyboard.press("Control+f");
      await field.fill(typed);
      await hits.first().waitFor();
      await page.keyboard.press("Enter");
      await shown(panel, name);
      await focus(page, at);
      assert.equal(await field.inputValue(), "");
      await panel.locator("[role=tablist]").waitFor();
    }
    assert.deepEqual(problems(), []);
  });

  test("arrows mark a hit, Esc ends the search and not the panel, and a composition is left alone", async () => {
    const { panel, page, field, hits } = await open();
    await field.fill("block");
    await hits.nth(1).waitFor();
    assert.equal(await panel.locator("[role=tablist]").isVisible(), false);
    const look = await hits.first().locator(".pup-hit-name").evaluate((it) => getComputedStyle(it).wordBreak);
    assert.ok(look === "normal" && (await hits.first().boundingBox()).height < 64, "hits are short lines of whole words");
    const marked = () => field.getAttribute("aria-activedescendant");
    assert.equal(await marked(), "pup-hit-0");
    await page.keyboard.press("ArrowDown");
    assert.equal(await marked(), "pup-hit-1");
    assert.equal(await hits.nth(1).getAttribute("aria-selected"), "true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await marked(), "pup-hit-0");
    await field.evaluate((it) => it.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true })));
    await shown(panel, "home");
    assert.equal(await field.inputValue(), "block");
    await page.keyboard.press("Escape");
    assert.equal(await field.inputValue(), "");
    await panel.locator("[role=tablist]").waitFor();
    await field.fill("zzzz");
    await panel.getByText("Nothing found.").first().waitFor();
    await page.keyboard.press("Enter");
    await shown(panel, "home");
  });

  test("a page that is shown stays as it is, unless it hides what was found", async () => {
    const { panel, page, field, hits, problems } = await open({}, "help");
    const help = panel.locator('[role="tabpanel"][data-name="help"]');
    await help.evaluate((it) => { it.dataset.seen = "yes"; });
    await panel.locator('[role="tab"][data-name="help"]').focus();
    for (const key of ["ArrowDown", "End"]) await page.keyboard.press(key);
    await field.fill("does not work");
    await hits.first().waitFor();
    await page.keyboard.press("Enter");
    await focus(page, () => document.activeElement.dataset.name === "help");
    assert.equal(await help.getAttribute("data-seen"), "yes");
    await panel.locator('[role="tab"][data-name="tools"]').click();
    const filter = panel.locator('[role="tabpanel"] [data-do="filter"]');
    await filter.fill("no such action");
    await panel.getByText("No action matches this filter.").waitFor();
    await field.fill("document.remove");
    await hits.first().waitFor();
    await page.keyboard.press("Enter");
    await focus(page, () => document.activeElement.dataset.action === "document.remove");
    assert.deepEqual(problems(), []);
  });

  test("every setting of a page is found by its name, and Enter leads to its control", async () => {
    for (const lang of ["en", "zh-CN"]) {
      const { panel, page, field, hits, problems } = await open({ lang }, "puppy");
      for (const name of ["puppy", "advanced", "connection"]) {
        await panel.locator(`[role="tab"][data-name="${name}"]`).click();
        await shown(panel, name);
        await panel.locator(".pup-page .config-item:has([data-setting])").first().waitFor({ state: "attached" });
        const rows = panel.locator(".pup-page .config-item:has([data-setting]) .config-name");
        const names = await rows.evaluateAll((all) => all.map((it) => [it.textContent, it.checkVisibility()]).filter(([text]) => text));
        assert.ok(names.length > 2, name);
        for (const [setting, isVisible] of names) {
          await field.fill(setting);
          await hits.first().waitFor();
          const at = (await hits.locator(".pup-hit-name").allInnerTexts()).indexOf(setting);
          assert.ok(at >= 0, `${setting} is found`);
          // Some are hidden until there is something to set.
          if (!isVisible) continue;
          for (let down = 0; down < at; down += 1) await page.keyboard.press("ArrowDown");
          await page.keyboard.press("Enter");
          await shown(panel, name);
          const isLed = () => page.evaluate(() => document.activeElement.matches("[data-setting], [data-do], [data-client]"));
          await until(isLed, { what: `${setting} leads to its control` });
          // The control of that name, and not just any.
          const own = await page.evaluate(() => document.activeElement.closest(".config-item")?.querySelector(".config-name")?.innerText ?? "");
          assert.equal(own, setting);
        }
        await field.fill("");
      }
      assert.deepEqual(problems(), []);
      await page.close();
    }
  });

  test("a notebook with markup in its name is found as text", async () => {
    const notebooks = await system.kernel.notebooks();
    const name = "<img src=x onerror=alert(1)>";
    await system.kernel.post("/api/notebook/renameNotebook", { notebook: notebooks.Reading.id, name });
    const { panel, field, hits, problems } = await open({}, "permissions");
    await panel.locator("[data-notebook]").first().waitFor();
    await field.fill("onerror");
    await hits.first().waitFor();
    assert.match(await hits.first().innerText(), /^<img src=x onerror=alert\(1\)>/);
    assert.equal(await panel.locator("img").count(), 0);
    await system.kernel.post("/api/notebook/renameNotebook", { notebook: notebooks.Reading.id, name: "Reading" });
    assert.deepEqual(problems(), []);
  });

  test("help leads to pages, and its links to documents that exist", async () => {
    const { panel, page, problems } = await open({}, "help");
    await shown(panel, "help");
    await panel.locator(".pup-links a").first().waitFor();
    const links = await panel.locator(".pup-links a").evaluateAll((all) => all.map((it) => ({ href: it.href, rel: it.rel, target: it.target })));
    assert.equal(links.length, 7);
    for (const { href, rel, target } of links) {
      assert.deepEqual([rel, target], ["noopener noreferrer", "_blank"]);
      assert.ok(existsSync(join(ROOT, "docs", href.split("/docs/")[1])), href);
    }
    const ways = await panel.locator('[data-do="go"]').count();
    assert.equal(ways, 7);
    await panel.locator('[data-do="go"][data-to="tools"]').focus();
    await page.keyboard.press("Enter");
    await shown(panel, "tools");
    assert.deepEqual(problems(), []);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of help and search (${lang})`, async () => {
      const { panel, page, field, hits, problems } = await open({ lang }, "help");
      await shown(panel, "help");
      await pictures(page, (theme) => `help-${lang}-${theme}`);
      await panel.locator(".pup-links").scrollIntoViewIfNeeded();
      await pictures(page, (theme) => `help-below-${lang}-${theme}`);
      await field.fill(lang === "en" ? "level" : "令牌");
      await hits.first().waitFor();
      await pictures(page, (theme) => `search-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `search-narrow-${lang}-${theme}`);
      assert.deepEqual(problems(), []);
    });
  }
});
