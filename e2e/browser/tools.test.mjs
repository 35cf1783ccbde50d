// The page of tools in a real browser: boxes over actions, many switches at once, presets, the cost of the list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { sleep, until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const SWITCHES = `${STORAGE}/mcpToolsConfig`;

describe("tools", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  async function open(options = {}) {
    await system.kernel.remove(SWITCHES);
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page, "tools");
    await panel.locator("input[data-tool]").first().waitFor();
    const box = (tool) => panel.locator(`input[data-tool="${tool}"]`);
    const state = (tool) => box(tool).evaluate((it) => (it.indeterminate ? "mixed" : it.checked));
    return {
      ...stage, panel, box, state,
      press: (name) => panel.locator(`[role="tabpanel"] [data-do="${name}"]`).click(),
      is: (what, wanted) => until(async () => JSON.stringify(await what()) === JSON.stringify(wanted), { what: JSON.stringify(wanted) }),
    };
  }

  test("a tool's box stands over its actions: mixed, all, off, and back to what was on", async () => {
    const { panel, page, box, state, press, is, problems } = await open();
    assert.equal(await panel.locator("[data-action]").count(), 0, "actions are made when they are shown");
    assert.equal(await state("notebook"), "mixed", "two of its actions are off by default");
    await panel.locator('[aria-controls="pup-actions-mascot"]').click();
    await panel.locator('[data-action="mascot.buy"]').click();
    await is(() => state("mascot"), "mixed");
    await box("mascot").click();
    await is(() => state("mascot"), true);
    await box("mascot").click();
    await is(() => state("mascot"), false);
    await press("back");
    await press("back");
    await is(() => state("mascot"), "mixed");
    await press("apply");
    await until(async () => (await system.kernel.read(SWITCHES))?.mascot?.actions?.buy === false, { what: "the written switch" });
    await box("mascot").focus();
    await page.keyboard.press("Control+z");
    await is(() => state("mascot"), true);
    await press("discard");
    assert.deepEqual(problems(), []);
  });

  test("many switches at once, by a filter, a selection or a preset", async () => {
    const { panel, press, is, problems } = await open();
    await panel.locator('[data-chip="dangerous"]').click();
    const count = await panel.locator("[data-action]:visible").count();
    assert.ok(count > 10 && count < 60, `${count} are dangerous`);
    assert.equal(await panel.locator('[data-do="many-off"]').getAttribute("aria-label"), `Turn ${count} off`);
    await press("many-off");
    await is(() => panel.locator("[data-action]:visible:checked").count(), 0);
    await press("back");
    await panel.locator('[data-select="block.delete"]').click();
    await panel.locator('[data-select="document.remove"]').click();
    assert.equal(await panel.locator('[data-do="many-off"]').getAttribute("aria-label"), "Turn 2 off");
    await press("many-off");
    await press("show");
    await is(async () => (await panel.locator(".pup-diff li").allInnerTexts()).map((it) => it.match(/\S+\.\S+: \S+/)[0]).sort(), ["block.delete: off", "document.remove: off"]);
    await press("discard");
    await panel.locator('[data-do="preset"]').selectOption("read-only");
    await panel.locator('[data-chip="on"]').click();
    assert.equal(await panel.locator("[data-action='document.remove']:visible, [data-action='fs.write']:visible").count(), 0);
    await panel.locator('[data-do="filter"]').fill("fs.re");
    await is(() => panel.locator("[data-action]:visible").count(), 1);
    await press("discard");
    assert.deepEqual(problems(), []);
  });

  test("a Chinese page finds actions by their Chinese names and sentences, and by the names that agents use", async () => {
    const { panel, is, problems } = await open({ lang: "zh-CN" });
    const filter = panel.locator('[data-do="filter"]');
    const shown = () => panel.locator("[data-action]:visible").evaluateAll((all) => all.map((it) => it.dataset.action));
    for (const text of ["删除文档", "其下的一切", "document.remove"]) {
      await filter.fill(text);
      await is(async () => (await shown()).includes("document.remove") && !(await shown()).includes("document.read"), true);
    }
    await filter.fill("没有这样的操作");
    await is(shown, []);
    assert.deepEqual(problems(), []);
  });

  test("the cost is that of the list that a server sends (B-006)", async () => {
    const { panel, is, problems } = await open();
    const costs = async () => Number((await panel.locator('[data-name="costs"]').innerText()).match(/([\d,]+) of [\d,]+ bytes/)?.[1].replaceAll(",", ""));
    await is(async () => (await costs()) > 1000, true);
    const client = await connectHttp(system.sidecar.url);
    const sent = (await client.listTools()).tools;
    const bytes = Buffer.byteLength(JSON.stringify({ tools: sent }));
    const words = await panel.locator("#pup-costs").innerText();
    console.log(`costs: ${words}; sent: ${sent.length} tools, ${bytes} bytes as the client writes them`);
    assert.ok(Math.abs((await costs()) - bytes) < 400, `${await costs()} and ${bytes}`);
    assert.match(words, new RegExp(`^≈ \\d,\\d{3} tokens: ${sent.length} tools`));
    await client.close();
    assert.deepEqual(problems(), []);
  });

  test("a tool has a name for people, and code in sentences is shown as code", async () => {
    const { panel, problems } = await open();
    const av = panel.locator('[role="row"][data-row="av"]');
    assert.match(await av.innerText(), /^Databases\s*\(av\)/);
    await panel.locator('[data-do="unfold"]').click();
    await panel.locator("[data-action]").first().waitFor();
    assert.ok(await panel.locator('[role="treegrid"] code').count() > 0);
    assert.ok(!(await panel.locator('[role="treegrid"]').innerText()).includes("`"));
    assert.deepEqual(problems(), []);
  });

  test("an action that no notebook allows says so and leads to the levels", async () => {
    const table = await system.kernel.permissions();
    await system.kernel.write(`${STORAGE}/notebookPermissions`, Object.fromEntries(Object.keys(table).map((it) => [it, "r"])));
    const { panel, is, problems } = await open();
    await panel.locator('[data-do="filter"]').fill("document.remove");
    const way = panel.locator('.pup-withheld:visible [data-to="permissions"]');
    await is(() => way.count(), 1);
    await way.click();
    await panel.locator('[role="tabpanel"][data-name="permissions"]').waitFor();
    await system.kernel.write(`${STORAGE}/notebookPermissions`, table);
    assert.deepEqual(problems(), []);
  });

  test("the tree is one stop of Tab; its keys move, open, select and switch", async () => {
    const { panel, page, is, problems } = await open();
    const key = (...keys) => keys.reduce((done, it) => done.then(() => page.keyboard.press(it)), Promise.resolve());
    const at = () => page.evaluate(() => {
      const { activeElement: it } = document;
      return [it.closest('[role="row"]')?.dataset.row, it.dataset.cell];
    });
    const fold = panel.locator('[aria-controls="pup-actions-fs"]');
    const stops = panel.locator('[role="treegrid"] [data-cell][tabindex="0"]');
    await is(() => stops.count(), 1);
    await fold.focus();
    await key("ArrowRight");
    assert.equal(await fold.getAttribute("aria-expanded"), "true");
    assert.equal(await panel.locator('[role="row"][data-row="fs"]').getAttribute("aria-expanded"), "true");
    await key("ArrowDown");
    const [first] = await at();
    assert.ok(await panel.locator(`[data-action="fs.${first}"]`).isVisible(), first);
    await key("ArrowRight");
    const switched = panel.locator(`[data-action="fs.${first}"]`);
    const before = await switched.isChecked();
    await key("Enter");
    await is(() => switched.isChecked(), !before);
    await key("Space");
    await is(() => switched.isChecked(), before);
    await key("ArrowLeft", "Space");
    assert.equal(await panel.locator(`[data-select="fs.${first}"]`).isChecked(), true);
    assert.equal(await panel.locator(`[role="row"][data-row="${first}"]`).first().getAttribute("aria-selected"), "true");
    assert.equal(await stops.count(), 1);
    await key("ArrowDown", "ArrowLeft");
    assert.deepEqual(await at(), ["fs", "0"]);
    await key("ArrowLeft");
    assert.equal(await fold.getAttribute("aria-expanded"), "false");
    await key("End");
    assert.deepEqual(await at(), ["fs", "1"]);
    await key("m");
    assert.deepEqual(await at(), ["mascot", "1"]);
    await key("Control+Home");
    assert.deepEqual(await at(), ["fs", "1"]);
    await key("/");
    await page.keyboard.type("fs.");
    await is(async () => (await at())[0] ?? null, null);
    await stops.focus();
    await key("Control+a");
    const shown = await panel.locator("[data-action]:visible").count();
    assert.equal(await panel.locator("[data-select]:visible:checked").count(), shown);
    // The filter hides the element with the Tab stop; another one takes it over.
    await panel.locator('[data-do="filter"]').fill("mascot.");
    await is(async () => [await stops.count(), await stops.isVisible()], [1, true]);
    assert.deepEqual(problems(), []);
  });

  test("every action is shown without a hitch", async () => {
    const { page, problems } = await open();
    const took = await page.evaluate(async () => {
      const start = performance.now();
      document.querySelector('.pup-panel [data-do="unfold"]').click();
      while (document.querySelectorAll(".pup-panel [data-action]").length < 100) await new Promise((done) => setTimeout(done, 1));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return Math.round(performance.now() - start);
    });
    console.log(`${await page.locator(".pup-panel [data-action]").count()} actions: made and painted ${took} ms after the click`);
    assert.ok(await page.locator('.pup-panel [data-action="document.read"]').isVisible());
    assert.deepEqual(problems(), []);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures, wide and narrow (${lang})`, async () => {
      const { panel, page, press, problems } = await open({ lang });
      await panel.locator('[aria-controls="pup-actions-document"]').click();
      await panel.locator('[data-action="document.remove"]').click();
      await press("show");
      await sleep(400);
      await pictures(page, (theme) => `tools-draft-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await sleep(100);
      await pictures(page, (theme) => `tools-narrow-${lang}-${theme}`);
      await page.setViewportSize({ width: 360, height: 700 });
      const over = await panel.locator('[role="tabpanel"]').evaluate((it) => it.scrollWidth - it.clientWidth);
      assert.ok(over <= 0, `${over} px to the side`);
      await press("discard");
      assert.deepEqual(problems(), []);
    });
  }
});
