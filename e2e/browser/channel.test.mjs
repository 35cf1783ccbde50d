// The page's end of the channel in a real browser, against a scripted server: greetings, changes, the pause, and what
// happens when the other end is silent, forged or gone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { CHANNEL_KEY, openPeer } from "../support/peer.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { sleep, until } from "../support/process.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;

describe("the channel to the servers", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  test("a page opens one socket and loads nothing more until somebody speaks; then it says what it can do (B-180, B-181)", async () => {
    const sockets = [];
    const asked = [];
    const prepare = (context) => context.on("page", (page) => {
      page.on("websocket", (socket) => sockets.push(new URL(socket.url())));
      page.on("request", (request) => asked.push(request.url()));
    });
    const { page, problems } = await openPuppy(browser, kernel.url, { prepare });
    await until(() => sockets.length, { what: "a socket" });
    const other = await openPuppy(browser, kernel.url);
    await page.waitForTimeout(300);
    await other.page.close();
    assert.deepEqual(asked.filter((url) => /panel_bg|subscribe/.test(url)), []);
    const peer = await openPeer(browser, kernel);
    const [hello] = await peer.hears("hello");
    assert.deepEqual(hello, {
      role: "page", version: hello.version, abilities: ["approve", "get_ui_state", "open_document", "scroll_to_block", "ask_user"], focus: hello.focus,
    });
    const channels = sockets.filter((url) => url.pathname === "/ws/broadcast").map((url) => url.search);
    assert.deepEqual(channels, ["?channel=siyuan-mcp-puppy"]);
    assert.deepEqual(problems(), []);
  });

  test("a server that runs already knows a page as soon as it opens (B-181)", async () => {
    const sidecar = await startSidecar(kernel);
    const client = await connectHttp(sidecar.url);
    assert.equal((await call(client, "system", "get_ui_state")).error.type, "no_frontend");
    // Its first greeting to everybody is over, and the next one comes after 16 s.
    await sleep(3000);
    await openPuppy(browser, kernel.url);
    await until(async () => (await call(client, "system", "get_ui_state")).ok, { what: "the page", deadline: 8000 });
    await client.close();
    await sidecar.stop();
  });

  test("a page makes the key where there is none, and takes over another one", async () => {
    await kernel.remove(CHANNEL_KEY);
    const { page } = await openPuppy(browser, kernel.url);
    const peer = await openPeer(browser, kernel, { key: false });
    const made = await until(() => kernel.read(CHANNEL_KEY), { what: "a key" });
    assert.match(made.key, /^[0-9a-f]{64}$/);
    await until(async () => (await peer.received()).some((it) => it.forged), { what: "a message with another key" });
    await peer.die();
    // The next one writes its own key; the page reads it again when it hears what it cannot verify.
    await page.waitForTimeout(5100);
    await (await openPeer(browser, kernel)).greeted(1);
  });

  test("Apply ends when every server holds the change, and says in how many (B-010)", async () => {
    const { page, problems } = await openStage(browser, kernel.url);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    const panel = await openPanel(page, "permissions");
    const row = (level) => panel.locator(`[data-notebook]:has([data-level="${level}"][aria-checked="true"])`).first();
    await row("r").locator('[data-level="none"]').click();
    await panel.locator('[data-do="apply"]').click();
    await panel.getByText("Applied on 1 server.").waitFor();
    const [{ files, ticket }] = await peer.hears("changed");
    assert.ok(files.includes("notebookPermissions") && ticket, JSON.stringify({ files, ticket }));
    await peer.set({ isMute: true });
    await row("none").locator('[data-level="r"]').click();
    await panel.locator('[data-do="apply"]').click();
    const confirm = page.locator("#confirmDialogConfirmBtn");
    await confirm.click();
    await panel.getByText("Some servers have not responded").waitFor();
    assert.deepEqual(problems(), []);
  });

  test("the pause is one switch on the first page, in the puppy's menu and as a command, and servers hear of it at once", async () => {
    await kernel.remove(SETTINGS);
    const first = await openPuppy(browser, kernel.url);
    const second = await openPuppy(browser, kernel.url);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(2);
    const state = (stage, name) => stage.page.waitForSelector(`.pup-dog[data-state="${name}"]`, { state: "attached" });
    await first.page.locator(".pup-dog").focus();
    await first.page.keyboard.press("Shift+F10");
    await first.page.locator("#commonMenu").getByText("Pause all agents").click();
    await state(first, "paused");
    await state(second, "paused");
    assert.deepEqual(await kernel.read(SETTINGS), { paused: true });
    assert.deepEqual((await peer.hears("changed"))[0].files, ["mcpHttpSettings"]);
    await second.page.evaluate(() => window.siyuanApp.plugins.find((it) => it.name === "siyuan-mcp-puppy").commands.find((it) => it.langKey === "pauseAll").callback());
    await state(second, "idle");
    await state(first, "idle");
    assert.deepEqual(await kernel.read(SETTINGS), { paused: false });
    assert.deepEqual([...first.problems(), ...second.problems()], []);
  });

  test("news of an event make the puppy look at once", async () => {
    const { page } = await openPuppy(browser, kernel.url);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    const polls = [];
    page.on("request", (request) => { if (request.postData()?.includes("puppyEvents.json")) polls.push(Date.now()); });
    for (let count = 0; count < 20; count++) await peer.tell("stirred");
    await until(() => polls.length >= 5, { what: "polls that nobody had to wait for", deadline: 2000 });
  });

  test("a page listens to nothing forged, goes on with those it knows, and says goodbye (B-190)", async () => {
    const { page } = await openPuppy(browser, kernel.url);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    const before = (await peer.said("hello")).length;
    await peer.raw("no message at all");
    await peer.raw(`${"0".repeat(64)}{"v":1,"from":"x","n":1,"to":[],"said":"stirred"}`);
    await peer.tell({ waiting: { questions: [], errands: [] } });
    assert.equal(await page.locator(".pup-asking").count(), 0);
    await until(async () => (await peer.said("hello")).length > before, { what: "the next beat" });
    await page.goto("about:blank");
    await peer.hears("bye");
  });
});
