// The question for the server's program in a real browser: a yes, a no, progress, every trouble with its way out, a file.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { findings, withAxe } from "../support/axe.mjs";
import { STORAGE } from "../support/config.mjs";
import { freePort, makeLightPackage, packageFolder } from "../support/desktop.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { exists, until } from "../support/process.mjs";
import { openProxy } from "../support/proxy.mjs";
import { openRelease } from "../support/release.mjs";
import { inElectron, inWorkspace } from "../support/stage-suite.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;

describe("the server's program, to be downloaded", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let browser;
  let system;
  let home;
  let host;
  let release;
  let made;
  inElectron((parts) => { ({ browser, system, home, host } = parts); });
  before(async () => { release = await openRelease(); });
  beforeEach(async () => {
    await system.kernel.write(SETTINGS, { port: await freePort(), token: "" });
    Object.assign(release, { mode: "good", status: 404 });
    provide("0.1.0");
  });
  afterEach(() => {
    rmSync(join(home.home, "data"), { recursive: true, force: true });
    return system.kernel.remove(SETTINGS);
  });
  after(() => release?.stop());

  /** A light package, and the release with its program. */
  function provide(version, base = release.base) {
    made = makeLightPackage(packageFolder(system.workspace), base, { version });
    Object.assign(release, { files: { [made.entry.file]: made.packed }, asked: [] });
  }

  async function open({ on = browser, ...options } = {}) {
    const prepare = async (context) => {
      await host.prepare(context);
      await inWorkspace(context, system.workspace);
    };
    const stage = await openStage(on, system.kernel.url, { frontend: "desktop", prepare, ...options });
    const dialog = stage.page.locator('dialog[open] [aria-labelledby="pup-program-title"]');
    const press = (name) => dialog.locator(`button[data-do="${name}"]`).click();
    // The browser, and the plugin, report a failed download in the console.
    const problems = () => stage.problems().filter((it) => !/net::ERR_|status of 404|the server does not run: program/.test(it));
    return { ...stage, dialog, press, problems };
  }

  const running = () => host.children.filter(({ child }) => exists(child.pid));
  const starts = () => until(() => running().length === 1, { what: "the server" });
  async function connection(page) {
    const panel = await openPanel(page, "connection");
    const state = panel.locator('[data-name="state"]');
    await state.waitFor();
    const becomes = (wanted) => until(async () => (await state.getAttribute("data-state")) === wanted, { deadline: 20_000, what: `the state ${wanted}` });
    return { panel, state, becomes };
  }

  test("the first start asks, with address, size and hash; nothing is requested before the yes, and no key is one", async () => {
    const { page, dialog, press, problems } = await open();
    await dialog.waitFor();
    const { url, sha256, size } = made.entry.download;
    const text = await dialog.innerText();
    for (const fact of [url, sha256, `(${size} bytes)`, "siyuan-puppy"]) assert.ok(text.includes(fact), `${fact} in ${text}`);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    assert.ok(await dialog.isVisible());
    const links = await dialog.locator("a").evaluateAll((all) => all.map(({ href, target, rel }) => [href, target, rel]));
    const outside = ["_blank", "noopener noreferrer"];
    assert.deepEqual(links, [[url, ...outside], [new URL("package-full.zip", url).href, ...outside]]);
    await withAxe(page);
    assert.deepEqual(await findings(page, "question", "dialog[open]"), []);
    assert.deepEqual([release.asked.length, running().length], [0, 0]);
    await press("download");
    await dialog.waitFor({ state: "detached" });
    await starts();
    await (await connection(page)).becomes("running");
    assert.equal(release.asked.length, 1);
    assert.deepEqual(problems(), []);
  });

  test("a no is a sentence in the panel with ways out, is not asked about again, and Start asks", async () => {
    const { page, dialog, press, problems } = await open();
    await dialog.waitFor();
    await press("later");
    await dialog.waitFor({ state: "detached" });
    const ways = /not on this computer.*Press Start.*download it, choose a file.*package with all programs/;
    const panel = await openPanel(page);
    await panel.getByText(ways).waitFor();
    assert.equal(await panel.locator('[role="tab"][aria-selected="true"]').getAttribute("data-name"), "home");
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.stage === "ready");
    const { panel: again, state, becomes } = await connection(page);
    await becomes("off");
    await state.getByText(ways).waitFor();
    assert.equal(await dialog.count(), 0);
    await again.locator('[data-do="toggle"]').click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await becomes("off");
    await again.locator('[data-do="toggle"]').click();
    await press("download");
    await becomes("running");
    assert.equal(release.asked.length, 1);
    assert.deepEqual(problems(), []);
  });

  for (const [mode, words] of [
    ["status", "HTTP status 404"],
    ["cut", "ended before the file was complete"],
    ["changed", "not the one that the plugin names"],
    ["lowered", "without encryption"],
    ["away", "cannot be reached"],
  ]) {
    test(`a download that fails (${mode}) is a sentence in the dialog and in the panel, and can be tried again`, async () => {
      release.mode = mode;
      if (mode === "away") provide("0.1.0", `http://127.0.0.1:${await freePort()}/`);
      const { page, dialog, press, problems } = await open();
      await dialog.waitFor();
      await press("download");
      await dialog.getByRole("alert").getByText(words).waitFor();
      assert.equal(await dialog.locator('button[data-do="download"]').innerText(), "Try again");
      await withAxe(page);
      assert.deepEqual(await findings(page, "trouble", "dialog[open]"), []);
      assert.ok(await dialog.locator('button[data-do="choose"]').isVisible());
      await press("later");
      const { panel, state, becomes } = await connection(page);
      await becomes("failed");
      await state.getByText(words).waitFor();
      release.mode = "good";
      await panel.locator('[data-do="toggle"]').click();
      await dialog.waitFor();
      if (mode === "away") {
        await dialog.locator('input[type="file"]').setInputFiles({ name: made.entry.file, mimeType: "", buffer: made.packed });
      } else {
        await press("download");
      }
      await becomes("running");
      assert.deepEqual(problems(), []);
    });
  }

  test("progress is shown, in the dialog and in the panel, and cancelling returns to the question", async () => {
    release.mode = "silent";
    const { dialog, press, problems } = await open();
    await press("download");
    await dialog.locator('[data-name="progress"]').getByText(/^Downloading: 0\.0 of 0\.0 MB$/).waitFor();
    const bar = dialog.getByRole("progressbar");
    await until(() => bar.evaluate(({ value, max }) => value > 0 && value < max), { what: "half of it" });
    await press("stop");
    await dialog.locator('button[data-do="download"]').waitFor();
    await until(() => release.open === 0, { what: "the end of the request" });
    assert.deepEqual([await bar.isVisible(), await dialog.getByRole("alert").isVisible()], [false, false]);
    assert.deepEqual(problems(), []);
  });

  test("a chosen file is refused unless it is the one of this version; then nothing is downloaded", async () => {
    const { dialog, problems } = await open();
    await dialog.waitFor();
    const choose = (buffer) => dialog.locator('input[type="file"]').setInputFiles({ name: "any", mimeType: "", buffer });
    for (const wrong of [Buffer.from("a note"), Buffer.alloc(made.packed.length)]) {
      await choose(wrong);
      await dialog.getByRole("alert").getByText(`Choose ${made.entry.file} from the address above`).waitFor();
    }
    assert.equal(running().length, 0);
    await choose(made.program);
    await dialog.waitFor({ state: "detached" });
    await starts();
    assert.deepEqual([release.asked, problems()], [[], []]);
  });

  test("later versions are downloaded without a question where the person allowed that", async () => {
    const { page, dialog, press, problems } = await open();
    await dialog.getByText("Download later versions without asking").click();
    await press("download");
    await starts();
    const { panel, becomes } = await connection(page);
    await becomes("running");
    await panel.locator('[data-do="toggle"]').click();
    await becomes("off");
    provide("0.2.0");
    await page.reload();
    await starts();
    assert.match(readFileSync(join(home.home, "data", "siyuan-mcp-puppy", "bin", "siyuan-puppy"), "utf8"), /# 0\.2\.0/);
    assert.deepEqual([release.asked.length, await dialog.count(), problems()], [1, 0, []]);
  });

  test("the question goes with the plugin", async () => {
    const { page, dialog, problems } = await open();
    await dialog.waitFor();
    await page.evaluate(() => window.siyuanApp.uninstall("siyuan-mcp-puppy"));
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual([release.asked, running(), problems()], [[], [], []]);
  });

  describe("behind a proxy", () => {
    const BASE = "https://github.com/owner/name/releases/download/v0.1.0/";
    const STORE = "release-assets.githubusercontent.com";
    let electron;
    let proxy;
    before(async () => {
      // As SiYuan starts Electron.
      electron = await launch(["--disable-web-security"]);
      proxy = await openProxy((site, request, response) => {
        if (site !== STORE) return response.writeHead(302, { Location: `https://${STORE}${request.url}` }).end();
        release.asked.push({ headers: request.headers });
        return response.end(made.packed);
      });
    });
    beforeEach(() => {
      provide("0.1.0", BASE);
      Object.assign(proxy, { hosts: [], refuses: 0 });
    });
    afterEach(() => Promise.all(electron.contexts().map((context) => context.close())));
    after(async () => {
      await electron?.close();
      await proxy?.stop();
    });
    const behind = () => open({
      on: electron,
      context: { ignoreHTTPSErrors: true, proxy: { server: proxy.url, bypass: "127.0.0.1" } },
    });

    test("the download goes through it to GitHub and to where that leads, without cookies, although neither allows the page", async () => {
      const { dialog, press } = await behind();
      await dialog.waitFor();
      assert.deepEqual(proxy.hosts.filter((it) => it.includes("github")), []);
      await press("download");
      await starts();
      assert.deepEqual([...new Set(proxy.hosts)].filter((it) => it.includes("github")), ["github.com:443", `${STORE}:443`]);
      const [{ headers }] = release.asked;
      for (const name of ["authorization", "cookie", "referer"]) assert.equal(headers[name], undefined, name);
    });

    test("one that lets nothing through is told", async () => {
      proxy.refuses = 407;
      const { dialog, press } = await behind();
      await press("download");
      await dialog.getByRole("alert").getByText("Check the network and the proxy").waitFor();
      assert.equal(running().length, 0);
    });
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the dialog (${lang})`, async () => {
      const { page, dialog, press } = await open({ lang });
      await dialog.waitFor();
      await pictures(page, (theme) => `program-${lang}-${theme}`);
      release.mode = "silent";
      await press("download");
      await dialog.getByRole("progressbar").waitFor();
      await pictures(page, (theme) => `program-progress-${lang}-${theme}`);
      await press("stop");
      release.mode = "status";
      await press("download");
      await dialog.getByRole("alert").waitFor();
      await pictures(page, (theme) => `program-trouble-${lang}-${theme}`);
      await press("later");
      const { state } = await connection(page);
      await state.waitFor();
      await pictures(page, (theme) => `program-panel-${lang}-${theme}`);
      release.mode = "good";
      const narrow = await open({ lang, viewport: { width: 390, height: 844 } });
      await (await connection(narrow.page)).panel.locator('[data-do="toggle"]').click();
      await narrow.dialog.waitFor();
      await pictures(narrow.page, (theme) => `program-narrow-${lang}-${theme}`);
    });
  }
});
