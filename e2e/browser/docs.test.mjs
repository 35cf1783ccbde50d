// The pictures of README and docs: each page of the panel with a running server. DOCS_PICTURES=1 makes those in docs/pictures anew.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ROOT, STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { DOCS_WANTED, WANTED, picture } from "../support/pictures.mjs";
import { sleep, until } from "../support/process.mjs";
import { inElectron, inWorkspace } from "../support/stage-suite.mjs";

const FOLDER = join(ROOT, "docs", "pictures");
/** Small enough for a page of text on a slow connection. */
const MOST = 150_000;
const TOKEN = `${"a".repeat(39)}7Kq2`;
/** The pages in both READMEs, and what is there when each is complete. */
const PAGES = {
  home: '[data-name="version"]',
  connection: '[data-name="state"][data-state="running"]',
  permissions: ".pup-row",
  tools: "input.b3-switch[data-tool]",
  puppy: ".pup-stage .pup-dog",
};
/** The pages that the English docs alone show. */
const MORE = {
  activity: '[data-name="recent"] .pup-line:not(.pup-line-head)',
  playground: '[data-place="server"][aria-pressed="true"]',
  advanced: '[data-setting="confirm"]',
  help: '[role="tabpanel"][data-name="help"] .config-title',
};
/** The call that each server gets, as Home names it. */
const LISTED = { en: "Notebooks", "zh-CN": "笔记本" };
const README = { en: "README.md", "zh-CN": "README.zh-CN.md" };
const nameOf = (page, lang) => (lang === "en" ? page : `${page}.${lang}`);

describe("pictures of README and docs", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let browser;
  let system;
  let host;
  inElectron((parts) => { ({ browser, system, host } = parts); });

  // Without pictures one language shows that each page is still found: nobody else runs this until a release.
  for (const lang of WANTED ? Object.keys(README) : ["en"]) {
    test(`pages of the panel, ${lang}`, async () => {
      // The port that people see; one that is free where nobody looks at the pictures.
      const port = DOCS_WANTED ? 36_806 : await freePort();
      await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { port, token: TOKEN });
      const prepare = async (context) => {
        await host.prepare(context);
        await inWorkspace(context, system.workspace);
      };
      const { page, problems } = await openStage(browser, system.kernel.url, { frontend: "desktop", lang, prepare, viewport: { width: 1000, height: 800 } });
      const panel = await openPanel(page, "connection");
      // The page starts the server only now, perhaps on a busy machine.
      await panel.locator(PAGES.connection).waitFor({ timeout: 60_000 });
      const client = await connectHttp(`http://127.0.0.1:${port}/mcp`, TOKEN);
      assert.ok((await call(client, "notebook", "list", {})).ok);
      await client.close();
      for (const [name, whole] of Object.entries({ ...PAGES, ...(lang === "en" && MORE) })) {
        await panel.locator(`[role="tab"][data-name="${name}"]`).click();
        await panel.locator(whole).first().waitFor();
        if (name === "home") await until(async () => (await panel.locator('[data-name="last"]').innerText()).includes(LISTED[lang]), { what: "the last call" });
        if (!WANTED) continue;
        // Switches and the puppy come to rest.
        await sleep(500);
        const path = await picture(page, `docs-${nameOf(name, lang)}`, page.locator(".b3-dialog--open .b3-dialog__container"));
        const { size } = statSync(path);
        assert.ok(size > 10_000 && size < MOST, `${path} has ${size} bytes`);
        if (!DOCS_WANTED) continue;
        mkdirSync(FOLDER, { recursive: true });
        copyFileSync(path, join(FOLDER, `${nameOf(name, lang)}.png`));
      }
      assert.deepEqual(problems(), []);
    });
  }
});

describe("README and docs", () => {
  test("the docs show every other page of the panel", () => {
    const text = ["panel", "playground"].map((name) => readFileSync(join(ROOT, "docs", `${name}.md`), "utf8")).join("");
    for (const name of Object.keys(MORE)) {
      assert.ok(text.includes(`](pictures/${name}.png)`), name);
      assert.ok(statSync(join(FOLDER, `${name}.png`)).size < MOST, name);
    }
  });

  test("both READMEs show the moving picture, which moves and is small", () => {
    for (const file of Object.values(README)) {
      assert.ok(readFileSync(join(ROOT, file), "utf8").includes("](docs/pictures/film.webp)"), file);
    }
    const film = readFileSync(join(FOLDER, "film.webp"));
    assert.equal(film.toString("latin1", 8, 12), "WEBP");
    assert.ok(film.toString("latin1").split("ANMF").length > 20, "many frames");
    assert.ok(film.length < 2_000_000, `${film.length} bytes`);
  });

  for (const [lang, file] of Object.entries(README)) {
    test(`${file} shows every page of the panel`, () => {
      const text = readFileSync(join(ROOT, file), "utf8");
      for (const name of Object.keys(PAGES)) {
        const path = `docs/pictures/${nameOf(name, lang)}.png`;
        assert.ok(text.includes(`](${path})`), `${file} lacks ${path}`);
        assert.ok(existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).size < MOST, `${path}: DOCS_PICTURES=1 makes it`);
      }
    });
  }
});
