// Levels in the host's document tree in a real browser: what badges and menus show is what servers obey.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openStage } from "../support/page.mjs";
import { pictures } from "../support/pictures.mjs";
import { sleep, until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const TABLE = `${STORAGE}/notebookPermissions`;
const PLUGIN = "siyuan-mcp-puppy";
const NAMES = { none: "No access", r: "Read", rw: "Write", rwd: "Delete" };

describe("levels in the document tree", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  const open = async (options = {}) => {
    const stage = await openStage(browser, system.kernel.url, options);
    const { notebooks } = await system.kernel.post("/api/notebook/lsNotebooks");
    const id = (name) => notebooks.find((it) => it.name === name).id;
    const root = (name) => stage.page.locator(`ul[data-url="${id(name)}"] > [data-type="navigation-root"]`);
    const badge = (name) => root(name).locator(".pup-level");
    await badge("Garden").waitFor();
    const shows = (name, level) => until(async () => (await badge(name).getAttribute("data-level")) === level, { what: `${name}: ${level}` });
    const holds = (name, level) => until(async () => (await system.kernel.read(TABLE))[id(name)] === level, { what: `${name}: ${level} in the table` });
    const choose = async (name, level) => {
      await badge(name).click();
      await stage.page.locator(`#commonMenu [data-id="puppyLevel-${level}"]`).click();
    };
    return { ...stage, notebooks, id, root, badge, choose, shows, holds };
  };

  test("a badge opens a menu of the levels; one click changes nothing, and a message takes a choice back", async () => {
    const table = await system.kernel.read(TABLE);
    // Attic has no entry of a person; an agent made it.
    const { notebooks: all } = await system.kernel.post("/api/notebook/lsNotebooks");
    const attic = all.find((it) => it.name === "Attic").id;
    assert.equal(table[attic], undefined);
    await system.kernel.write(`${STORAGE}/agentNotebooks`, { [attic]: "rw" });
    const { page, badge, choose, shows, holds, id, notebooks, problems } = await open();
    const level = (it) => table[it.id] ?? (it.id === attic ? "rw" : "r");
    for (const it of notebooks) {
      const own = page.locator(`ul[data-url="${it.id}"] .pup-level`);
      assert.equal(await own.count(), it.encrypted ? 0 : 1, it.name);
      if (!it.encrypted) assert.deepEqual([await own.getAttribute("data-level"), await own.innerText()], [level(it), NAMES[level(it)]], it.name);
    }
    const before = level({ id: id("Garden") });
    const after = before === "r" ? "rw" : "r";
    await badge("Garden").click();
    const lines = page.locator('#commonMenu [data-id^="puppyLevel-"]');
    assert.deepEqual(await lines.allInnerTexts(), Object.values(NAMES));
    await badge("Garden").click();
    await lines.first().waitFor({ state: "detached" });
    assert.deepEqual(await system.kernel.read(TABLE), table, "clicks on the badge change nothing");
    await choose("Garden", after);
    await shows("Garden", after);
    await holds("Garden", after);
    assert.deepEqual(await system.kernel.read(TABLE), { ...table, [id("Garden")]: after });
    assert.equal(await page.locator(".pup-row").count(), 0, "the panel stays closed");
    await page.locator("#message").getByText(/Garden: agents now have (Read|Write)\./).first().waitFor();
    await page.locator("#message [data-undo]").click();
    await holds("Garden", before);
    await shows("Garden", before);
    await system.kernel.remove(`${STORAGE}/agentNotebooks`);
    assert.deepEqual(problems(), []);
  });

  test("the menu of a notebook has its four levels, and one holds for the next call of an agent", async () => {
    const { page, root, holds, shows, problems } = await open();
    const client = await connectHttp(system.sidecar.url);
    const edit = () => call(client, "fs", "write", { path: "/Scratch/Tried", markdown: "x" });
    assert.ok((await edit()).ok);
    const menu = async (name) => {
      await root(name).click({ button: "right" });
      await page.locator('#commonMenu [data-id="plugin"]').hover();
      await page.locator('#commonMenu [data-id="puppyLevels"]').hover();
      return page.locator('#commonMenu [data-id^="puppyLevel-"]');
    };
    const lines = await menu("Scratch");
    assert.deepEqual(await lines.allInnerTexts(), Object.values(NAMES));
    assert.deepEqual(await lines.evaluateAll((all) => all.map((it) => Boolean(it.querySelector(".b3-menu__checked")))), [false, false, false, true]);
    await page.locator('#commonMenu [data-id="puppyLevel-r"]').click();
    await holds("Scratch", "r");
    await until(async () => (await edit()).error?.type === "permission_denied", { what: "a refusal", deadline: 5000 });
    await shows("Scratch", "r");
    await menu("Scratch");
    await page.locator('#commonMenu [data-id="puppyLevel-rwd"]').click();
    await holds("Scratch", "rwd");
    await menu("Scratch");
    await page.locator('#commonMenu [data-id="puppyPermissions"]').click();
    assert.equal(await page.locator(".pup-row.pup-found .pup-title").innerText(), "Scratch");
    await client.close();
    assert.deepEqual(problems(), []);
  });

  test("a change in another window is shown, a torn table is left alone, and without the plugin nothing stays", async () => {
    const table = await system.kernel.read(TABLE);
    const one = await open();
    const other = await open();
    const next = (await one.badge("Garden").getAttribute("data-level")) === "r" ? "rw" : "r";
    await other.choose("Garden", next);
    await one.shows("Garden", next);
    await system.kernel.write(TABLE, "{torn");
    await one.choose("Garden", "none");
    await one.page.getByText("The level was not saved").waitFor();
    assert.equal(await (await system.kernel.raw("/api/file/getFile", { path: TABLE })).text(), "{torn");
    await system.kernel.write(TABLE, table);
    await one.page.evaluate((name) => window.siyuanApp.unload(name), PLUGIN);
    await until(async () => (await one.page.locator(".pup-level").count()) === 0, { what: "no badge" });
    assert.deepEqual(other.problems(), []);
  });

  test("pictures", async () => {
    const { page } = await open();
    await sleep(300);
    await pictures(page, (theme) => `tree-${theme}`);
  });
});
