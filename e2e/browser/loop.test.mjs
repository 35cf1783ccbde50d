// A person in the loop: two pages in a real browser and two real servers, each of which asks; every way in which a
// question ends changes nothing or exactly once. The times of a page action and of Apply are printed.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { freePort } from "../support/desktop.mjs";
import { call, connectStdio } from "../support/mcp.mjs";
import { openPanel } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { median, openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { sidecarEnv, startKernel } from "../support/system.mjs";

describe("two pages and two servers", () => {
  let browser;
  let kernel;
  let garden;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });
  before(async () => {
    garden = (await kernel.notebooks()).Garden.id;
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [garden]: "rwd" });
    // The playground looks for a server where none is.
    await kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort() });
    await kernel.write(`${STORAGE}/mcpToolsConfig`, { notebook: { enabled: true, actions: { set_permission: true } } });
  });

  let made = 0;
  const makeDoc = () => kernel.post("/api/filetree/createDocWithMd", { notebook: garden, path: `/Loop ${++made}`, markdown: "text" });
  const exists = async (id) => (await (await kernel.raw("/api/filetree/getPathByID", { id })).json()).code === 0;
  const removals = async () => (await kernel.log()).filter((it) => it.path.endsWith("removeDocByID")).length;
  const remove = (server, id) => call(server.client, "document", "remove", { ids: [id] });

  /** A server that sees so many pages; each page tells what is open only to servers that it knows. */
  const startServer = async () => {
    const server = await connectStdio(sidecarEnv(kernel));
    await until(async () => (await call(server.client, "system", "get_ui_state")).ok, { what: "a page" });
    return server;
  };
  const openPage = async () => {
    const stage = await openPuppy(browser, kernel.url);
    const { page } = stage;
    const article = (doc) => page.locator(".pup-asking .pup-asked").filter({ hasText: doc });
    return { ...stage, article, pick: (text, word) => article(text).locator(`[data-pick="${word}"]`).click() };
  };
  const together = async () => {
    const pages = [await openPage(), await openPage()];
    const servers = [await startServer(), await startServer()];
    await kernel.clearLog();
    return { pages, servers };
  };
  const close = (servers) => Promise.all(servers.map((it) => it.client.close().catch(() => {})));

  test("each server's question is shown in both pages and answered in either, once (B-072, B-185)", async () => {
    const { pages: [one, two], servers } = await together();
    const docs = [await makeDoc(), await makeDoc()];
    const names = [`Loop ${made - 1}`, `Loop ${made}`];
    const calls = docs.map((id, at) => remove(servers[at], id));
    for (const page of [one, two]) for (const name of names) await page.article(name).waitFor();
    assert.equal(await removals(), 0);
    await two.pick(names[0], "once");
    await one.article(names[0]).waitFor({ state: "detached" });
    await one.pick(names[1], "deny");
    const [yes, no] = await Promise.all(calls);
    assert.ok(yes.ok, JSON.stringify(yes.error));
    assert.equal(no.error.type, "denied");
    assert.deepEqual([await exists(docs[0]), await exists(docs[1]), await removals()], [false, true, 1]);
    for (const { page } of [one, two]) await page.locator(".pup-asking").waitFor({ state: "detached" });
    assert.deepEqual([...one.problems(), ...two.problems()], []);
    await close(servers);
  });

  test("a question outlives the page that showed it, and a restart of SiYuan", async () => {
    const { pages: [one, two], servers } = await together();
    const doc = await makeDoc();
    const name = `Loop ${made}`;
    const asked = remove(servers[0], doc);
    await one.article(name).waitFor();
    await one.page.close();
    await two.article(name).waitFor();
    await kernel.faults([{ path: "/api/system/currentTime", fault: "restart", ms: 400, times: 1 }]);
    await kernel.raw("/api/system/currentTime").catch(() => {});
    await two.article(name).waitFor({ state: "detached" });
    await two.article(name).waitFor();
    assert.ok(await exists(doc));
    await kernel.clearLog();
    await two.pick(name, "once");
    assert.ok((await asked).ok);
    assert.deepEqual([await exists(doc), await removals()], [false, 1]);
    await close(servers);
  });

  test("a server that dies takes its question with it; a new one runs nothing of it", async () => {
    const { pages: [one, two], servers } = await together();
    const doc = await makeDoc();
    const name = `Loop ${made}`;
    const asked = remove(servers[0], doc).catch((error) => ({ died: error }));
    await one.article(name).waitFor();
    await two.article(name).waitFor();
    process.kill(servers[0].transport.pid, "SIGKILL");
    assert.ok((await asked).died);
    await one.article(name).waitFor({ state: "detached" });
    await two.article(name).waitFor({ state: "detached" });
    const again = await startServer();
    assert.deepEqual([await exists(doc), await removals()], [true, 0]);
    await close([...servers, again]);
  });

  test("Later leaves it waiting; an errand stands for one server, until it is stopped", async () => {
    const { pages: [one, two], servers } = await together();
    const docs = [await makeDoc(), await makeDoc(), await makeDoc(), await makeDoc()];
    const name = (at) => `Loop ${made - 3 + at}`;
    const first = remove(servers[0], docs[0]);
    await one.article(name(0)).waitFor();
    for (const { page } of [one, two]) await page.locator('[data-pick="later"]').click();
    assert.ok(await exists(docs[0]));
    await one.page.locator('.pup-question [data-pick="more"]').click();
    await one.pick(name(0), "errand");
    assert.ok((await first).ok);
    assert.ok((await remove(servers[0], docs[1])).ok, "it stands");
    const other = remove(servers[1], docs[2]);
    await two.article(name(2)).waitFor();
    await two.pick(name(2), "deny");
    assert.equal((await other).error.type, "denied");
    await two.page.locator(".pup-asking").waitFor({ state: "detached" });
    const panel = await openPanel(two.page, "home");
    await panel.locator('[data-do="stop"]').click();
    await panel.locator('[data-name="standing"]').waitFor({ state: "hidden" });
    const last = remove(servers[0], docs[3]);
    await one.article(name(3)).waitFor();
    await one.pick(name(3), "deny");
    assert.equal((await last).error.type, "denied");
    assert.deepEqual([await Promise.all(docs.map(exists)), await removals()], [[false, false, true, true], 2]);
    await close(servers);
  });

  test("a level changes only after a yes here, and the other server obeys (B-060, B-061)", async () => {
    const { pages: [one, two], servers } = await together();
    const asked = call(servers[0].client, "notebook", "set_permission", { notebook: "Garden", level: "r" });
    await one.article("to Read").waitFor();
    assert.equal(await one.page.locator('.pup-asking [data-pick="errand"]').count(), 0);
    const write = () => call(servers[1].client, "document", "create", { parent: garden, title: "New", preview: true });
    assert.ok((await write()).ok);
    await two.pick("to Read", "once");
    assert.ok((await asked).ok);
    await until(async () => (await write()).error?.type === "permission_denied", { what: "the other server to obey" });
    assert.equal((await kernel.permissions())[garden], "r");
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [garden]: "rwd" });
    await close(servers);
  });

  test("a level that a person changes in the page reaches a server's next call, also after a stopped one (B-061, B-215)", async () => {
    const { pages: [one], servers } = await together();
    const write = () => call(servers[0].client, "document", "create", { parent: garden, title: "New", preview: true });
    const panel = await openPanel(one.page, "playground");
    const form = panel.locator('[data-name="attempt"]');
    const run = form.locator('[data-do="run"]');
    await panel.locator('[data-place="page"]').click();
    await panel.locator('[data-pick="tool"]').selectOption("fs");
    await panel.locator('[data-pick="action"]').selectOption("list");
    await form.locator('[data-field="path"]').fill("/Garden");
    await kernel.faults([{ path: "/api/filetree/listDocsByPath", fault: "delay", ms: 5000, times: 1 }]);
    await run.click();
    await form.locator('[data-name="said"]').filter({ hasText: "Running" }).waitFor();
    await run.click();
    await form.locator('[data-name="said"]').filter({ hasText: "Stopped" }).waitFor();
    await kernel.faults([]);
    assert.ok((await write()).ok);
    await panel.locator('[data-pick="tool"]').selectOption("notebook");
    await panel.locator('[data-pick="action"]').selectOption("set_permission");
    await form.locator('[data-field="notebook"]').fill("Garden");
    await form.locator('[data-field="level"]').selectOption("r");
    await form.locator('[data-do="preview"]').setChecked(false);
    await run.click();
    await one.page.locator("#confirmDialogConfirmBtn").click();
    // Servers that hear of changes look by themselves only every half minute.
    await until(async () => (await write()).error?.type === "permission_denied", { deadline: 5000, what: "the server to obey" });
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [garden]: "rwd" });
    await close(servers);
  });

  test("the times of a page action and of Apply are printed (goals: 20 and 50 ms at the median)", async () => {
    const { pages: [one], servers } = await together();
    const times = { "page action": [], Apply: [] };
    for (let round = 0; round < 20; round++) {
      const began = performance.now();
      assert.ok((await call(servers[0].client, "system", "get_ui_state")).ok);
      times["page action"].push(performance.now() - began);
    }
    const panel = await openPanel(one.page, "permissions");
    const open = panel.locator('[data-notebook]:has([data-level="r"][aria-checked="true"])');
    for (let left = await open.count(); left > 0; left--) {
      await open.first().locator('[data-level="none"]').click();
      // From the click to the sentence that every server obeys, as the page itself sees it.
      times.Apply.push(await one.page.evaluate(() => new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("Apply does not end")), 10000);
        const panel = document.querySelector(".pup-panel");
        const isDone = () => /Applied on 2 servers/.test(panel.textContent);
        let was = isDone();
        const began = performance.now();
        const look = () => {
          const is = isDone();
          if (is && !was) return resolve(performance.now() - began);
          was = is;
          return requestAnimationFrame(look);
        };
        document.querySelector('.pup-panel [data-do="apply"]').click();
        requestAnimationFrame(look);
      })));
    }
    for (const [what, all] of Object.entries(times)) console.log(`${what}: ${median(all).toFixed(1)} ms at the median of ${all.length}`);
    await close(servers);
  });
});
