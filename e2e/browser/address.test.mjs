// The address of a server that a person started on another port: the connection page names it, and the playground calls it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { openPeer } from "../support/peer.mjs";
import { answer, becomes as rowBecomes, outcome, part, row } from "../support/playground.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;
/** The browser's own words for a server that does not answer. */
const NOBODY = /net::ERR_/;

describe("the address of a connected server", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  /** Opens the panel at a page; the settings name a port at which nothing listens. */
  async function open(at, options = {}) {
    const settings = `http://127.0.0.1:${await freePort()}/mcp`;
    await kernel.write(SETTINGS, { port: Number(new URL(settings).port) });
    const stage = await openStage(browser, kernel.url, options);
    const panel = await openPanel(stage.page, at);
    return { panel, page: stage.page, settings, problems: () => stage.problems().filter((it) => !NOBODY.test(it)) };
  }

  const snippet = async (panel) => JSON.parse(await panel.locator('[data-name="snippet"] pre').innerText()).mcpServers.siyuan;
  const says = (panel, text) => panel.locator('[data-name="state"]').filter({ hasText: text }).waitFor();

  /** Chooses HTTP for Cursor, which has a link and an entry, and waits until both have this address. */
  async function names(panel, url) {
    await panel.locator('[data-client="cursor"]').click();
    await panel.locator('[data-way="http"]').click();
    await until(async () => (await snippet(panel)).url === url, { what: `the snippet with ${url}` });
    const link = new URL(await panel.getByRole("link", { name: "Add to Cursor" }).getAttribute("href"));
    assert.deepEqual(JSON.parse(Buffer.from(link.searchParams.get("config"), "base64")), { url });
  }

  test("the connection page names it within a second, and the port of the settings without it", async (t) => {
    const { panel, settings, problems } = await open("connection");
    await names(panel, settings);
    const sidecar = await startSidecar(kernel);
    t.after(() => sidecar.stop());
    assert.notEqual(sidecar.url, settings);
    await panel.getByText(`1 server is connected at ${sidecar.url}.`).waitFor({ timeout: 1000 });
    await names(panel, sidecar.url);
    assert.equal(await panel.getByText("The server must be running.").count(), 0);
    await panel.locator('[data-client="claude-code"]').click();
    await panel.locator('[data-way="http"]').click();
    assert.match(await panel.locator('[data-name="install"] pre').innerText(), new RegExp(`siyuan ${sidecar.url}$`));
    await sidecar.stop();
    await names(panel, settings);
    assert.deepEqual(problems(), []);
  });

  test("the playground calls it, and follows it to another port", async (t) => {
    const first = await startSidecar(kernel);
    t.after(() => first.stop());
    const { panel, problems } = await open("playground");
    await part(panel, "connections");
    await rowBecomes(panel, "siyuan", "success");
    await row(panel, "siyuan").filter({ hasText: first.url }).waitFor();
    await part(panel, "calls");
    const group = panel.locator('[data-name="call"]');
    await group.locator('[data-pick="server-tool"]').selectOption("notebook");
    await group.locator('[data-field="action"]').selectOption("list");
    await group.locator('[data-do="run"]').click();
    await outcome(panel);
    assert.match(await answer(panel), /Garden/);
    await first.stop();
    const second = await startSidecar(kernel);
    t.after(() => second.stop());
    await part(panel, "connections");
    await row(panel, "siyuan").filter({ hasText: second.url }).waitFor();
    await rowBecomes(panel, "siyuan", "success");
    assert.deepEqual(problems(), []);
  });

  test("of several, the one that SiYuan started is used, else the newest; the page says which", async (t) => {
    const older = await startSidecar(kernel);
    const newest = await startSidecar(kernel);
    t.after(() => Promise.all([older, newest].map((it) => it.stop())));
    const { panel, problems } = await open("connection");
    await says(panel, `2 servers are connected. This panel uses the HTTP server at ${newest.url}.`);
    await names(panel, newest.url);
    const kept = await startSidecar(kernel, { args: ["--watch-stdin"] });
    const manual = await startSidecar(kernel);
    t.after(() => Promise.all([kept, manual].map((it) => it.stop())));
    await says(panel, `4 servers are connected. This panel uses the one that SiYuan started, at ${kept.url}.`);
    await names(panel, kept.url);
    assert.deepEqual(problems(), []);
  });

  test("a server without HTTP leaves the way to connect as it is", async () => {
    const { panel, settings } = await open("connection");
    await panel.locator('[data-client="windsurf"]').click();
    const local = panel.locator('[data-way="starts"][aria-pressed="true"]');
    await local.waitFor();
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    await says(panel, "1 server is connected. It was started outside this page.");
    assert.equal(await local.count(), 1);
    await panel.locator('[data-way="http"]').click();
    assert.equal((await snippet(panel)).serverUrl, settings);
    await panel.getByText("The server must be running.").waitFor();
  });

  test("a page calls this computer and its own host alone, whatever a server announces", async () => {
    const asked = [];
    const prepare = (context) => context.route(/evil\.example/, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    const far = "http://evil.example:8080/mcp";
    const odd = "http://127.0.0.1:1@evil.example/mcp";
    const peer = await openPeer(browser, kernel, { http: { urls: [odd, far], is_kept: true, age_ms: 5 } });
    const { panel, page, settings, problems } = await open("connection", { prepare });
    await peer.greeted(1);
    await names(panel, far);
    await openTab(panel, "playground");
    await part(panel, "connections");
    await row(panel, "siyuan").filter({ hasText: settings }).waitFor();
    await rowBecomes(panel, "siyuan", "error");
    await page.waitForTimeout(300);
    assert.deepEqual(asked, []);
    // A request there would have been seen.
    await page.evaluate((url) => fetch(url, { mode: "no-cors" }).catch(() => {}), far);
    assert.deepEqual(asked, [far]);
    assert.deepEqual(problems(), []);
  });

  const openTab = (panel, name) => panel.locator(`[role="tab"][data-name="${name}"]`).click();
});
