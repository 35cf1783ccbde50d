// The connection page in a real browser, with Electron's Node behind it: the server started, changed, found again; clients.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { exists, until } from "../support/process.mjs";
import { inElectron, inWorkspace } from "../support/stage-suite.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;

describe("connection page", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let browser;
  let system;
  let home;
  let host;
  inElectron((parts) => { ({ browser, system, home, host } = parts); });
  afterEach(() => system.kernel.remove(SETTINGS));

  /** Settings of a person; one without a token has taken it away, unless the test says so. */
  const configure = (settings) => system.kernel.write(SETTINGS, { token: "", ...settings });

  /** The page in Electron, or with `plain` in a browser. */
  async function open({ plain = false, refused, ...options } = {}) {
    const prepare = async (context) => {
      if (!plain) await host.prepare(context);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await inWorkspace(context, system.workspace);
      await context.route("**/api/file/getFile", async (route) => {
        if (route.request().postDataJSON()?.path !== refused) return route.fallback();
        return route.fulfill({ status: 202, json: { code: 403, msg: "refused", data: null } });
      });
    };
    return openStage(browser, system.kernel.url, { frontend: plain ? "browser-desktop" : "desktop", prepare, ...options });
  }

  async function openConnection(page) {
    const panel = await openPanel(page, "connection");
    await panel.locator('[data-name="state"]').waitFor();
    return panel;
  }

  const state = (panel) => panel.locator('[data-name="state"]').getAttribute("data-state");
  const becomes = (panel, wanted) => until(async () => (await state(panel)) === wanted, { deadline: 20_000, what: `the state ${wanted}` });
  const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
  const pids = () => host.children.filter(({ child }) => exists(child.pid)).map(({ child }) => child.pid);

  test("the server starts with the page, is found after a reload, and obeys the buttons (B-148)", async () => {
    const port = await freePort();
    await configure({ port });
    const stage = await open();
    let panel = await openConnection(stage.page);
    await becomes(panel, "running");
    const [pid] = pids();
    const client = await connectHttp(`http://127.0.0.1:${port}/mcp`);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await client.close();

    await stage.page.reload();
    await stage.page.waitForFunction(() => document.documentElement.dataset.stage === "ready");
    panel = await openConnection(stage.page);
    await becomes(panel, "running");
    assert.deepEqual(pids(), [pid], "the same one");

    await panel.locator('[data-do="toggle"]').click();
    await becomes(panel, "off");
    assert.deepEqual(pids(), []);
    await panel.locator('[data-do="toggle"]').click();
    await becomes(panel, "running");
    await panel.locator('[data-do="restart"]').click();
    await until(() => pids().length === 1 && host.children.length === 3, { what: "a new server" });
    await becomes(panel, "running");
    assert.match((await panel.locator('[data-name="state"]').innerText()), new RegExp(`127\\.0\\.0\\.1:${port}/mcp`));
    assert.deepEqual(stage.problems(), []);
  });

  test("enabled it answers, loaded again it is the same one, disabled it is gone; its first start makes a token (B-148)", async () => {
    const port = await freePort();
    await system.kernel.write(SETTINGS, { port });
    const stage = await open();
    const health = () => fetch(`http://127.0.0.1:${port}/health`).then(({ status }) => status, () => 0);
    await until(async () => (await health()) === 200, { deadline: 30_000, what: "the healthy server" });
    await becomes(await openConnection(stage.page), "running");
    const [pid] = pids();
    const { token } = await system.kernel.read(SETTINGS);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST" })).status, 401);
    await stage.page.reload();
    await stage.page.waitForFunction(() => document.documentElement.dataset.stage === "ready");
    await becomes(await openConnection(stage.page), "running");
    assert.deepEqual([pids(), await health()], [[pid], 200]);
    await stage.page.evaluate(() => window.siyuanApp.unload("siyuan-mcp-puppy"));
    await until(async () => (await health()) === 0 && pids().length === 0, { what: "the end of the server" });
    assert.deepEqual(stage.problems(), []);
  });

  test("settings that the kernel does not give start nothing, and that is told", async () => {
    await configure({ port: await freePort() });
    const stage = await open({ refused: SETTINGS });
    await stage.page.locator("#message").getByText("the server is not running").waitFor();
    assert.equal(host.children.length, 0);
    const panel = await openConnection(stage.page);
    await becomes(panel, "failed");
    await panel.getByText("The settings cannot be read").waitFor();
  });

  test("two windows of a workspace start one server; without the plugin it ends", async () => {
    await configure({ port: await freePort() });
    const stage = await open();
    const other = await stage.context.newPage();
    await other.goto(stage.page.url());
    await other.waitForFunction(() => document.documentElement.dataset.stage === "ready");
    const panels = await Promise.all([openConnection(stage.page), openConnection(other)]);
    for (const panel of panels) await becomes(panel, "running");
    assert.equal(host.children.length, 1);
    await stage.page.evaluate(() => window.siyuanApp.unload("siyuan-mcp-puppy"));
    await until(() => pids().length === 0, { what: "the end of the server" });
    await becomes(panels[1], "off");
  });

  test("uninstalled, it ends at once and leaves nothing on this computer but settings (B-239)", async () => {
    await configure({ port: await freePort() });
    const stage = await open();
    await becomes(await openConnection(stage.page), "running");
    const place = join(home.home, "data", "siyuan-mcp-puppy");
    assert.ok(existsSync(join(place, "bin", "siyuan-puppy")));
    await stage.page.evaluate(() => window.siyuanApp.uninstall("siyuan-mcp-puppy"));
    await until(() => pids().length === 0 && !existsSync(place), { what: "the empty place" });
    assert.notEqual(await system.kernel.read(SETTINGS), undefined);
    assert.deepEqual(stage.problems(), []);
  });

  test("a changed port waits for a restart, and nonsense is refused in words", async () => {
    await configure({ port: await freePort(), of_tomorrow: 1 });
    const stage = await open();
    const panel = await openConnection(stage.page);
    await becomes(panel, "running");
    const field = panel.locator('[data-setting="port"]');
    await field.fill("70000");
    await field.blur();
    await until(async () => (await field.getAttribute("aria-invalid")) === "true", { what: "the refusal" });
    const port = await freePort();
    await field.fill(String(port));
    await field.blur();
    await until(async () => (await system.kernel.read(SETTINGS))?.port === port, { what: "the written port" });
    assert.equal((await system.kernel.read(SETTINGS)).of_tomorrow, 1);
    await panel.getByText("They apply after a restart.").waitFor();
    await panel.locator('[data-do="restart"]').click();
    await panel.getByText(`127.0.0.1:${port}/mcp`).first().waitFor();
    assert.deepEqual(stage.problems(), []);
  });

  test("a token is made, shown once, copied, asked of callers, and replaced after a question", async () => {
    const port = await freePort();
    await configure({ port });
    const stage = await open();
    const { page } = stage;
    const panel = await openConnection(page);
    await becomes(panel, "running");
    await panel.locator('[data-do="make-token"]').click();
    const token = await until(() => panel.locator(".pup-token").innerText(), { what: "the token" });
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal((await system.kernel.read(SETTINGS)).token, token);
    await until(async () => (await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST" })).status === 401, { what: "the refusal" });

    await panel.locator('[data-client="cursor"]').click();
    await panel.locator('[data-way="http"]').click();
    const snippet = panel.locator('[data-name="snippet"] pre');
    await until(async () => (await snippet.innerText()).includes("•••"), { what: "dots" });
    assert.ok(!(await snippet.innerText()).includes(token));
    await panel.locator('[data-copy="snippet"]').click();
    // A hint on the page says "copied" too.
    await panel.locator('[data-copy="snippet"]').filter({ hasText: /^Copied$/ }).waitFor();
    const copied = JSON.parse(await clipboard(page));
    assert.deepEqual(copied.mcpServers.siyuan, { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` } });

    await panel.locator('[role="tab"][data-name="puppy"]').click();
    await panel.locator('[role="tab"][data-name="connection"]').click();
    await becomes(panel, "running");
    assert.equal(await panel.locator(".pup-token").innerText(), "", "shown once");
    await panel.locator('[data-copy="token"]').click();
    await until(async () => (await clipboard(page)) === token, { what: "the copied token" });
    await panel.locator('[data-do="make-token"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await until(async () => ![token, undefined].includes((await system.kernel.read(SETTINGS)).token), { what: "another token" });
    await panel.locator('[data-do="remove-token"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await until(async () => (await system.kernel.read(SETTINGS)).token === "", { what: "no token" });
  });

  test("every client gets what it needs, and a tick when a call came (B-216)", async () => {
    const port = await freePort();
    await configure({ port, token: "secret-of-clients" });
    const stage = await open();
    const { page } = stage;
    const panel = await openConnection(page);
    await becomes(panel, "running");
    for (const client of await panel.locator("[data-client]").all()) {
      await client.click();
      for (const way of await panel.locator("[data-way]:visible").all()) {
        await way.click();
        await panel.locator('[data-copy="snippet"]').click();
        const shown = await panel.locator('[data-name="snippet"] pre').innerText();
        assert.match(shown, new RegExp(`siyuan-puppy|127.0.0.1:${port}/mcp`), await client.innerText());
        assert.ok(!shown.includes("secret-of-clients"));
      }
    }
    await panel.locator('[data-client="codex"]').click();
    const arrival = panel.locator('[data-name="arrival"]');
    assert.equal(await arrival.getAttribute("data-arrived"), "false");
    await page.waitForTimeout(2500);
    const client = await connectHttp(`http://127.0.0.1:${port}/mcp`, "secret-of-clients");
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await client.close();
    await until(async () => (await arrival.getAttribute("data-arrived")) === "true", { what: "the tick" });
    assert.ok(await panel.locator('[data-client="codex"] .pup-tick').isVisible());
    assert.ok(!(await panel.locator('[data-client="cursor"] .pup-tick').isVisible()));
    assert.deepEqual(stage.problems(), []);
  });

  test("a client opens by a link, or is installed by a command; no link contains the token (B-137, B-216)", async () => {
    const port = await freePort();
    await configure({ port, token: "secret-of-clients" });
    const stage = await open();
    const { page } = stage;
    const panel = await openConnection(page);
    await becomes(panel, "running");
    const link = panel.getByRole("link", { name: "Add to" });
    const config = async () => JSON.parse(Buffer.from(new URL(await link.getAttribute("href")).searchParams.get("config"), "base64"));
    const snippet = async () => JSON.parse(await panel.locator('[data-name="snippet"] pre').innerText()).mcpServers.siyuan;
    await panel.locator('[data-client="cursor"]').click();
    await link.filter({ hasText: /^Add to Cursor$/ }).waitFor();
    assert.match(await link.getAttribute("href"), /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=siyuan&config=/);
    assert.match(await link.getAttribute("rel"), /noopener/);
    assert.deepEqual(await config(), await snippet());
    const command = panel.locator('[data-name="install"] pre');
    assert.match(await command.innerText(), new RegExp(`/siyuan-puppy install cursor --connect http://127\\.0\\.0\\.1:${port}/mcp --mcp-token-file `));
    await panel.locator('[data-copy="install"]').click();
    await until(async () => (await clipboard(page)) === (await command.innerText()), { what: "the copied command" });
    await panel.locator('[data-way="http"]').click();
    await link.waitFor({ state: "hidden" });
    assert.equal(await command.isVisible(), false, "the command is for stdio");
    await panel.locator('[data-client="vs-code"]').click();
    await panel.locator('[data-way="starts"]').click();
    assert.match(decodeURIComponent(await link.getAttribute("href")), /^vscode:mcp\/install\?\{"name":"siyuan",.*"type":"stdio",.*\}$/);
    await configure({ port });
    await panel.locator('[data-client="lm-studio"]').click();
    await panel.locator('[data-way="http"]').click();
    await until(async () => (await link.isVisible()) && JSON.stringify(await config()) === JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }), { what: "a link without a token" });
    await panel.locator('[data-client="zed"]').click();
    await link.waitFor({ state: "hidden" });
    await panel.locator('[data-client="claude-code"]').click();
    await panel.locator('[data-way="http"]').click();
    assert.match(await command.innerText(), new RegExp(`^claude mcp add --transport http --scope project siyuan http://127\\.0\\.0\\.1:${port}/mcp`));
    assert.deepEqual(stage.problems(), []);
  });

  test("SiYuan's own assistant gets an entry, and loses it again; nothing else of its settings changes", async () => {
    const other = { id: "1", name: "mine", enabled: true, type: "http", url: "http://127.0.0.1:9" };
    const set = { providers: [{ id: "p", apiKey: "key" }], mcp: { servers: [other] }, agent: { modelId: "m" } };
    const before = await system.kernel.post("/api/setting/setAI", set);
    const now = async () => (await system.kernel.post("/api/system/getConf")).conf.ai;
    const entries = async (count) => (await now()).mcp.servers.length === count;
    await configure({ port: await freePort() });
    const stage = await open();
    const panel = await openConnection(stage.page);
    await becomes(panel, "running");
    const toggle = panel.locator('[data-setting="assistant"]');
    await toggle.click();
    await until(() => entries(2), { what: "the entry" });
    const [, entry] = (await now()).mcp.servers;
    assert.deepEqual([entry.name, entry.type, entry.enabled, entry.args.slice(0, 2)], ["siyuan-mcp-puppy", "stdio", true, ["stdio", "--connect"]]);
    assert.ok(exists(pids()[0]) && entry.command.endsWith("siyuan-puppy"));
    await until(() => toggle.isChecked(), { what: "the switch" });
    await toggle.click();
    await until(() => entries(1), { what: "the list without it" });
    assert.deepEqual(await now(), before);
    await system.kernel.post("/api/setting/setAI", {});
  });

  test("a taken port is told with its holder, and another one is offered", async () => {
    const holder = createServer();
    // One whose neighbour is free.
    const port = await until(async () => {
      const near = await freePort();
      const isFree = (other) => new Promise((done) => {
        const probe = createServer().once("error", () => done(false));
        probe.listen(other, "127.0.0.1", () => probe.close(() => done(true)));
      });
      return near < 49_000 && (await isFree(near + 1)) && near;
    }, { every: 1, what: "a port with a free neighbour" });
    await new Promise((done) => holder.listen(port, "127.0.0.1", done));
    try {
      await configure({ port });
      const stage = await open();
      await stage.page.locator("#message").getByText("another program uses the server").waitFor();
      assert.ok(stage.problems().some((text) => text.includes("the server does not run: taken")));
      const panel = await openConnection(stage.page);
      await becomes(panel, "failed");
      assert.match(await panel.locator('[data-name="state"]').innerText(), /taken by .*another port/s);
      await panel.locator('[data-do="other-port"]').click();
      await becomes(panel, "running");
      assert.equal((await system.kernel.read(SETTINGS)).port, port + 1);
      assert.equal((await fetch(`http://127.0.0.1:${port + 1}/health`)).status, 200);
      assert.equal(await panel.locator('[data-do="other-port"]').isVisible(), false);
    } finally {
      await new Promise((done) => holder.close(done));
    }
  });

  test("a browser is told what to run", async () => {
    const port = await freePort();
    await configure({ port });
    const plain = await open({ plain: true });
    const page = await openConnection(plain.page);
    await becomes(page, "none");
    assert.equal(await page.locator('[data-do="toggle"]').isVisible(), false);
    assert.equal(await page.locator('[data-name="state"] pre').innerText(), `/path/to/siyuan-puppy http --port ${port} --url ${new URL(plain.page.url()).origin}`);
    const order = await page.locator('[data-name="state"]').locator("a, pre").evaluateAll((all) => all.map((it) => it.tagName));
    assert.deepEqual(order, ["A", "PRE"], "the download stands before the command");
    assert.equal(await page.locator('[data-setting="port"]').isVisible(), false, "the settings of a server that SiYuan starts are folded");
    await page.locator('[data-name="server-settings"] summary').click();
    assert.equal(await page.locator('[data-setting="port"]').isVisible(), true);
    await page.locator('[data-client="other"]').click();
    assert.match(await page.locator(".pup-where").innerText(), /Add this as an MCP server in the client/);
    await page.locator('[data-client="claude-desktop"]').click();
    assert.equal(await page.locator("[data-way]:visible").count(), 0, "one way is no choice");
    // A link would start nothing while the place of the program is not known.
    await page.locator('[data-client="cursor"]').click();
    assert.match(await page.locator('[data-name="install"] pre').innerText(), /^\/path\/to\/siyuan-puppy install cursor --url /);
    const link = page.getByRole("link", { name: "Add to" });
    assert.equal(await link.count(), 0);
    const download = page.locator('[data-name="clients"] a[target="_blank"]');
    assert.match(await download.getAttribute("href"), /^https:\/\/github\.com\/[^/]+\/[^/]+\/releases\/latest$/);
    assert.match(await download.getAttribute("rel"), /noopener/);
    await page.locator('[data-way="http"]').click();
    await link.waitFor();
    assert.equal(await download.count(), 0, "HTTP needs no program there");
    assert.deepEqual(plain.problems(), []);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the page (${lang})`, async () => {
      await configure({ port: 36_806 + (await freePort()) % 1000 });
      const stage = await open({ lang });
      const panel = await openConnection(stage.page);
      await becomes(panel, "running");
      await pictures(stage.page, (theme) => `connection-${lang}-${theme}`);
      await panel.locator('[data-name="clients"]').scrollIntoViewIfNeeded();
      await panel.locator('[data-client="cursor"]').click();
      await panel.locator('[data-name="log"]').scrollIntoViewIfNeeded();
      await pictures(stage.page, (theme) => `connection-clients-${lang}-${theme}`);
      const narrow = await open({ lang, plain: true, viewport: { width: 390, height: 844 } });
      const page = await openConnection(narrow.page);
      // The server of the other page is connected.
      await becomes(page, "running");
      await pictures(narrow.page, (theme) => `connection-narrow-${lang}-${theme}`);
    });
  }
});
