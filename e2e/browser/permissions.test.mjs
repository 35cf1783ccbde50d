// The matrix in a real browser: many rows at once, steps back, the list of changes, other windows, keys, a thousand notebooks.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PLUGIN, STORAGE } from "../support/config.mjs";
import { closeDialog, openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { sleep, until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const TABLE = `${STORAGE}/notebookPermissions`;
const PRESETS = `${STORAGE}/panelPresets`;
const ACCESS = `${STORAGE}/accessSettings`;
const HOSTILE = '<img src=x onerror="globalThis.broken = true">';

/** A list of notebooks instead of the kernel's. */
const notebooks = (list) => (context) => context.route("**/api/notebook/lsNotebooks", (route) =>
  route.fulfill({ json: { code: 0, msg: "", data: { notebooks: list } } }));
/** The kernel's notebooks and these, so that there are enough to be filtered. */
const withMore = (list) => (context) => context.route("**/api/notebook/lsNotebooks", async (route) => {
  const reply = await (await route.fetch()).json();
  reply.data.notebooks.push(...list);
  await route.fulfill({ json: reply });
});
const id = (n) => `20210808180117-${String(n).padStart(7, "0")}`;
const many = (count) => Array.from({ length: count }, (_, n) => ({ id: id(n), name: n === 7 ? HOSTILE : `Notebook ${n}${n % 10 ? "" : " Émile"}`, icon: "", closed: n % 50 === 3 }));

describe("permissions", () => {
  let browser;
  let system;
  let books;
  let before;
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    ({ system, browser } = parts);
    books = await system.kernel.notebooks();
    before = await system.kernel.permissions();
  });

  /** The page with the matrix, on the table of the fixture. */
  async function open(options = {}) {
    await system.kernel.write(TABLE, before);
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page, "permissions");
    await panel.locator(".pup-row").first().waitFor();
    const row = (name) => panel.locator(`.pup-row[data-notebook="${books[name].id}"]`);
    return {
      ...stage,
      panel,
      row,
      chosen: (name) => row(name).locator('button[aria-checked="true"]').getAttribute("data-level"),
      levels: () => panel.locator('.pup-row:not(.fn__none) button[aria-checked="true"]').evaluateAll((all) => all.map((it) => it.dataset.level)),
      press: (name) => panel.locator(`[role="tabpanel"] [data-do="${name}"]`).click(),
      says: (text) => until(async () => text.test(await panel.locator(".pup-bar").innerText()), { what: `${text} in the bar` }),
      /** Waits until a condition holds in the page. */
      becomes: (what, wanted) => until(async () => JSON.stringify(await what()) === JSON.stringify(wanted), { what: `${JSON.stringify(wanted)}` }),
    };
  }

  test("few notebooks have the table first and no filter; the lines for many come when there are many", async () => {
    const { panel, page, becomes, problems } = await open();
    const top = (selector) => panel.locator(selector).first().evaluate((it) => it.getBoundingClientRect().top);
    assert.equal(await panel.locator('[data-do="filter"], [data-chip]').count(), 0);
    assert.equal(await panel.locator('[data-many="r"]').isVisible(), false, "nothing is selected");
    await panel.locator("[data-col='0']").first().click();
    assert.ok(await top(".pup-grid") < await top('[data-many="r"]'));
    await panel.locator('[data-do="select-none"]').click();
    assert.ok(await top('[data-name="effective"]') < await top('[data-setting="new_notebook_level"]'));
    const keys = panel.locator(".pup-keys");
    assert.equal(await keys.evaluate((it) => it.open), false);
    await keys.locator("summary").focus();
    await page.keyboard.press("Enter");
    await becomes(() => keys.evaluate((it) => it.open && it.innerText.includes("Arrows move")), true);
    assert.equal(await panel.locator('[data-do="replace"]').isVisible(), false, "nothing to overwrite");
    assert.deepEqual(problems(), []);
    const one = await openStage(browser, system.kernel.url, { prepare: notebooks(many(1)) });
    const alone = await openPanel(one.page, "permissions");
    await alone.locator(".pup-row").waitFor();
    assert.equal(await alone.locator('[data-many="r"]').isVisible(), false);
    await alone.locator("[data-col='0']").click();
    await alone.locator('[data-many="r"]').waitFor();
    const some = await openStage(browser, system.kernel.url, { prepare: withMore(many(3)) });
    const filtered = await openPanel(some.page, "permissions");
    await filtered.locator('[data-do="filter"]').waitFor();
    await filtered.locator('[data-chip="hidden"]').filter({ hasText: /^No access 1$/ }).click();
    await becomes(() => filtered.locator(".pup-row:not(.fn__none) .pup-title").allInnerTexts(), ["Private"]);
  });

  test("many rows change at once, by a filter or a selection, and step by step they come back", async () => {
    const { panel, page, row, chosen, press, says, becomes, problems } = await open({ prepare: withMore(many(3)) });
    const start = await chosen("Garden");
    await panel.locator('[data-do="filter"]').fill("GÁRD");
    await becomes(() => panel.locator(".pup-row:not(.fn__none)").count(), 1);
    assert.equal(await panel.locator('[data-many="r"]').isVisible(), false, "nothing is selected");
    const place = await row("Garden").boundingBox();
    await row("Garden").locator("[data-col='0']").click();
    assert.deepEqual(await row("Garden").boundingBox(), place, "the rows stay where they are");
    assert.match(await panel.locator('[data-many="r"]').getAttribute("aria-label"), /^Set 1 to Read$/);
    await panel.locator('[data-many="none"]').click();
    await becomes(() => chosen("Garden"), "none");
    await says(/1 change not applied\s*▼ 1 with less access/);
    await panel.locator('[data-do="filter"]').press("Escape");
    await panel.locator('[data-do="select-none"]').click();
    await becomes(() => panel.locator(".pup-row:not(.fn__none)").count(), 8);
    await row("Reading").locator("[data-col='0']").click();
    await row("Attic").locator("[data-col='0']").click({ modifiers: ["Shift"] });
    const selected = await panel.locator('.pup-row[aria-selected="true"]').count();
    assert.ok(selected >= 2, "a range");
    assert.ok(await panel.locator('[data-do="select-all"]').evaluate((it) => it.indeterminate), "some are selected");
    await panel.locator('[data-many="rw"]').click();
    await becomes(() => chosen("Attic"), "rw");
    assert.equal(await chosen("Garden"), "none", "it was not selected");
    await press("back");
    await becomes(() => chosen("Attic"), "r");
    await page.keyboard.press("Control+z");
    await becomes(() => chosen("Garden"), start);
    await says(/No changes/);
    assert.match(await panel.locator('[data-do="forward"]').getAttribute("title"), /^Redo: Set 1 to No access$/);
    await page.keyboard.press("Control+Shift+z");
    await becomes(() => chosen("Garden"), "none");
    await press("apply");
    await until(async () => (await system.kernel.permissions())[books.Garden.id] === "none", { what: "the written table" });
    await press("back");
    await becomes(() => chosen("Garden"), start);
    await says(/1 change|Applied/);
    assert.equal((await system.kernel.permissions())[books.Garden.id], "none", "a step back is a new draft");
    assert.deepEqual(problems(), []);
  });

  test("what is not applied is listed, wider first, and each line can be taken back", async () => {
    const { panel, page, row, chosen, becomes, problems } = await open();
    await row("Scratch").locator('[data-level="none"]').click();
    await row("Private").locator('[data-level="r"]').click();
    await page.keyboard.press("Control+Enter");
    const lines = () => panel.locator(".pup-diff li").allInnerTexts().then((all) => all.map((it) => it.replace(/\s+/g, " ").trim()));
    await becomes(lines, ["▲ more access Private: No access → Read ↺", "▼ less access Scratch: Delete → No access ↺"]);
    await panel.locator(".pup-diff li .pup-undo").first().click();
    await becomes(() => chosen("Private"), "none");
    await becomes(lines, ["▼ less access Scratch: Delete → No access ↺"]);
    assert.deepEqual(problems(), []);
  });

  test("presets fill the draft and open nothing by themselves", async () => {
    const { panel, levels, row, becomes } = await open();
    const preset = panel.locator('[data-do="preset"]');
    assert.equal(await preset.inputValue(), "", "custom");
    await preset.selectOption("read-only");
    await becomes(async () => (await levels()).filter((it) => it === "none").length, 1);
    assert.ok((await levels()).every((it) => ["none", "r"].includes(it)));
    await row("Attic").locator("[data-col='0']").click();
    await preset.selectOption("everyday");
    await becomes(async () => (await levels()).filter((it) => it === "rw").length, 3, "the chosen one and those that were wider");
    await preset.selectOption("everything");
    await becomes(async () => new Set(await levels()).size, 1);
    assert.deepEqual(await system.kernel.permissions(), before, "nothing holds before Apply");
  });

  test("a preset is saved under a name, recognized, picked and deleted", async () => {
    const { panel, page, levels, row, press, says, becomes, problems } = await open();
    const preset = panel.locator('[data-do="preset"]');
    const saved = async () => (await system.kernel.read(PRESETS).catch(() => ({}))).levels;
    await row("Garden").locator('[data-level="none"]').click();
    const wanted = await levels();
    await press("save-preset");
    await panel.locator('[data-do="preset-name"]').fill(HOSTILE);
    await page.keyboard.press("Enter");
    await panel.getByText(`“${HOSTILE}” is saved.`).waitFor();
    await becomes(() => preset.inputValue(), `own ${HOSTILE}`);
    await press("save-preset");
    await panel.locator('[data-do="preset-name"]').fill("The same again");
    await page.keyboard.press("Enter");
    await panel.getByText("“The same again” is saved.").waitFor();
    await becomes(() => preset.inputValue(), `own ${HOSTILE}`);
    assert.equal((await saved())[HOSTILE][books.Garden.id], "none");
    assert.equal(await panel.locator("img").count(), 0);
    await press("discard");
    await becomes(() => preset.inputValue(), "");
    await closeDialog(page);
    await openPanel(page, "permissions");
    await panel.locator('[data-do="preset"] optgroup option').first().waitFor({ state: "attached" });
    await preset.selectOption(`own ${HOSTILE}`);
    await becomes(levels, wanted);
    await says(/1 change not applied/);
    await press("forget-preset");
    await becomes(() => preset.inputValue(), "own The same again");
    await press("forget-preset");
    await becomes(saved, {});
    await becomes(() => panel.locator('[data-do="preset"] optgroup option').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "preset", "the focus stays in the page");
    await press("discard");
    assert.deepEqual(await system.kernel.permissions(), before, "nothing holds before Apply");
    assert.deepEqual(problems(), []);
  });

  test("the level of notebooks that agents create is saved at once, and what cannot be read allows nothing", async () => {
    const { panel, page, becomes, problems } = await open();
    const made = panel.locator('[data-setting="new_notebook_level"]');
    await becomes(() => made.inputValue(), "rw");
    await made.selectOption("r");
    await becomes(() => system.kernel.read(ACCESS), { new_notebook_level: "r" });
    await system.kernel.write(ACCESS, { new_notebook_level: "r", prompt_tag: 1 });
    await closeDialog(page);
    await openPanel(page, "permissions");
    await becomes(() => made.inputValue(), "none");
    await panel.getByText("the file is damaged").waitFor();
    await system.kernel.remove(ACCESS);
    assert.deepEqual(problems(), []);
  });

  test("Delete in every notebook takes typing the word", async () => {
    const { panel, page, press, becomes, problems } = await open();
    await panel.locator('[data-do="preset"]').selectOption("everything");
    await press("apply");
    const yes = page.locator("#confirmDialogConfirmBtn");
    const word = page.locator(".pup-ask-word");
    assert.match(await page.locator(".pup-ask").innerText(), /delete in every notebook\. Type “Delete” to continue\./);
    assert.equal(await yes.isDisabled(), true);
    await word.fill("delet");
    assert.equal(await yes.isDisabled(), true);
    await page.keyboard.press("Enter");
    assert.deepEqual(await system.kernel.permissions(), before);
    await word.fill("Delete");
    await yes.click();
    await becomes(async () => new Set(Object.values(await system.kernel.permissions())).size, 1);
    assert.deepEqual(problems(), []);
  });

  test("the view of an agent follows the draft, and a level without actions says so", async () => {
    await system.kernel.write(`${STORAGE}/mcpToolsConfig`, { document: { enabled: true } });
    const { panel, row, becomes, problems } = await open();
    const view = panel.locator('[data-name="effective"]');
    await becomes(async () => /^4 of 5 notebooks, \d+ of \d+ actions in \d+ tools\./.test(await view.innerText()), true);
    await view.locator("summary").click();
    await row("Private").locator('[data-level="rwd"]').click();
    await becomes(async () => /Delete, 2: .*Private/.test(await view.locator('[data-level="rwd"]').innerText()), true);
    assert.match(await view.innerText(), /5 of 5 notebooks/);
    assert.match(await view.locator('[data-level="rw"]').innerText(), /can overwrite, or remove tags and cards; large changes ask first/);
    await system.kernel.remove(`${STORAGE}/mcpToolsConfig`);
    assert.deepEqual(problems(), []);
  });

  test("a draft survives a closed dialog, and other windows are merged into it (B-235)", async () => {
    const { panel, page, row, chosen, press, says, becomes, problems } = await open();
    await row("Reading").locator('[data-level="rwd"]').click();
    await row("Garden").locator('[data-level="r"]').click();
    await closeDialog(page);
    await system.kernel.write(TABLE, { ...before, [books.Reading.id]: "none", [books.Attic.id]: "rw" });
    await openPanel(page, "permissions");
    await panel.getByText("2 changes from your last visit were not applied.").waitFor();
    await becomes(() => chosen("Attic"), "rw");
    await becomes(async () => /changed in another window/.test(await row("Reading").innerText()), true);
    await press("continue");
    await becomes(() => panel.getByText("2 changes from your last visit").isVisible(), false);
    await press("apply");
    await page.locator("#confirmDialogConfirmBtn").click();
    await until(async () => (await system.kernel.permissions())[books.Garden.id] === "r", { what: "the written table" });
    const table = await system.kernel.permissions();
    assert.deepEqual([table[books.Reading.id], table[books.Attic.id]], ["none", "rw"], "the narrower one, and theirs");
    await row("Garden").locator('[data-level="none"]').click();
    await closeDialog(page);
    await openPanel(page, "permissions");
    await panel.getByText("1 change from your last visit was not applied.").waitFor();
    await press("forget");
    await says(/No changes/);
    assert.equal(await chosen("Garden"), "r");
    assert.deepEqual(problems(), []);
  });

  test("everything works with the keyboard alone (B-064)", async () => {
    const { panel, page, becomes, levels, problems } = await open({ prepare: withMore(many(3)) });
    const at = () => page.evaluate(() => [document.activeElement.closest("[data-at]")?.dataset.at, document.activeElement.dataset.col]);
    await panel.locator('.pup-row button[tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    assert.deepEqual(await at(), ["1", "0"]);
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await becomes(() => panel.locator('.pup-row[aria-selected="true"]').count(), 2);
    const start = await levels();
    await page.keyboard.press("1");
    await becomes(levels, start.map((it, n) => (n === 1 || n === 2 ? "none" : it)));
    await page.keyboard.press("Control+a");
    await becomes(() => panel.locator('.pup-row[aria-selected="true"]').count(), 8);
    await page.keyboard.press("Escape");
    await becomes(() => panel.locator('.pup-row[aria-selected="true"]').count(), 0);
    assert.equal(await panel.count(), 1, "Escape has cleared the selection and closed nothing");
    await page.keyboard.press("Control+End");
    assert.deepEqual(await at(), ["7", "0"]);
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "filter");
    assert.deepEqual(problems(), []);
  });

  test("a thousand notebooks open at once and are filtered while typing", async () => {
    const list = many(1000);
    const { page, problems } = await openStage(browser, system.kernel.url, { prepare: notebooks(list) });
    const opened = () => page.evaluate(async (name) => {
      const start = performance.now();
      window.siyuanApp.plugins.find((it) => it.name === name).openPanel("permissions");
      while (!document.querySelector(".pup-panel .pup-row")) await new Promise((done) => setTimeout(done, 1));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const painted = performance.now() - start;
      while (document.querySelectorAll(".pup-panel .pup-row").length < 1000) await new Promise((done) => setTimeout(done, 1));
      return { painted: Math.round(painted), all: Math.round(performance.now() - start) };
    }, PLUGIN);
    const first = await opened();
    await closeDialog(page);
    const times = [];
    for (let n = 0; n < 3; n += 1) {
      times.push(await opened());
      if (n < 2) await closeDialog(page);
    }
    const panel = page.locator(".pup-panel");
    const typed = await panel.locator('[data-do="filter"]').evaluate(async (field) => {
      const took = [];
      for (const text of ["e", "em", "emi", "", "99", "999"]) {
        const start = performance.now();
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        took.push(Math.round(performance.now() - start));
      }
      return took;
    });
    console.log(`1,000 notebooks: painted ${first.painted} ms after the first click (with the module), then ${times.map((it) => it.painted).join(", ")} ms; all rows made after ${times.map((it) => it.all).join(", ")} ms; a keystroke in the filter ${typed.join(", ")} ms`);
    assert.deepEqual(await panel.locator(".pup-row:not(.fn__none) .pup-title").allInnerTexts(), ["Notebook 999"]);
    await panel.locator('[data-do="filter"]').fill("emile");
    await until(async () => (await panel.locator(".pup-row:not(.fn__none)").count()) === 100, { what: "a search without accents" });
    await panel.locator('[data-do="select-all"]').click();
    await panel.locator('[data-many="none"]').click();
    await until(async () => /100 changes not applied/.test(await panel.locator(".pup-bar").innerText()), { what: "a hundred changes" });
    await panel.locator('[data-chip="changed"]').click();
    assert.match(await panel.locator('[data-chip="changed"]').innerText(), /Changed 100/);
    await panel.locator('[data-do="filter"]').fill("onerror");
    await panel.locator('[data-chip="all"]').click();
    await until(async () => (await panel.locator(".pup-row:not(.fn__none)").count()) === 1, { what: "the hostile name" });
    assert.equal(await panel.locator(".pup-row:not(.fn__none) .pup-title").innerText(), HOSTILE);
    await panel.locator(".pup-row:not(.fn__none) [data-level='rw']").click();
    await panel.locator('[data-do="show"]').click();
    assert.ok((await panel.locator(".pup-diff").innerText()).includes(HOSTILE));
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
    assert.deepEqual(problems(), []);
  });

  test("the menu of a notebook in the document tree leads to its row", async () => {
    await system.kernel.write(TABLE, before);
    for (const name of ["Garden", "Scratch"]) {
      const { page, context, problems } = await openStage(browser, system.kernel.url);
      await page.locator(`.stage-tree [data-node-id="${books[name].id}"]`).click({ button: "right" });
      await page.locator('#commonMenu [data-id="plugin"]').hover();
      await page.locator('#commonMenu [data-id="puppyPermissions"]').click();
      await until(() => page.evaluate((wanted) => document.activeElement.closest(".pup-row")?.dataset.notebook === wanted, books[name].id), { what: "the focus in its row" });
      assert.equal(await page.locator(".pup-row.pup-found .pup-title").innerText(), name);
      assert.deepEqual(problems(), []);
      await context.close();
    }
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures, wide and narrow (${lang})`, async () => {
      const { panel, page, row, press, problems } = await open({ lang });
      await row("Private").locator('[data-level="rw"]').click();
      await row("Scratch").locator('[data-level="r"]').click();
      await row("Garden").locator("[data-col='0']").click();
      await press("show");
      await panel.locator('[data-name="effective"] summary').click();
      await sleep(300);
      await pictures(page, (theme) => `permissions-draft-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await sleep(100);
      await pictures(page, (theme) => `permissions-narrow-${lang}-${theme}`);
      await page.setViewportSize({ width: 360, height: 700 });
      const over = await panel.locator('[role="tabpanel"]').evaluate((it) => it.scrollWidth - it.clientWidth);
      assert.ok(over <= 0, `${over} px to the side`);
      await press("discard");
      assert.deepEqual(problems(), []);
    });
  }
});
