// The page of agents in a real browser: names, ceilings and tokens, which hold in a running server.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { picture, pictures, pictureTest } from "../support/pictures.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const FILE = `${STORAGE}/agents`;
const GONE = "The token of Claude Code has ended.";

describe("page of agents", () => {
  let browser;
  let kernel;
  let workspace;
  let sidecar;
  let garden;
  const folder = mkdtempSync(join(tmpdir(), "puppy-agents-"));
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    browser = parts.browser;
    ({ kernel, workspace } = parts.system);
    garden = (await kernel.notebooks()).Garden;
    // The hashes of tokens are kept in the folder of a user.
    sidecar = await startSidecar(kernel, { env: { XDG_DATA_HOME: folder, HOME: folder, APPDATA: folder } });
  });
  afterEach(() => kernel.remove(FILE));
  after(async () => {
    await sidecar?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (options = {}) => {
    const prepare = (context) => context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const stage = await openStage(browser, kernel.url, { prepare, ...options });
    const panel = await openPanel(stage.page, "agents");
    await panel.locator('.pup-agents, [data-do="retry"]').waitFor();
    const agent = (name) => panel.locator(".pup-agent", { hasText: name });
    return { ...stage, panel, agent };
  };
  const stored = () => kernel.read(FILE);
  const saved = (what, is) => until(async () => is((await stored()) ?? {}), { what });
  const only = (file) => Object.values(file.agents ?? {})[0] ?? {};
  const said = (panel) => panel.locator('[data-name="said"]');
  const text = async (place) => (await place.innerText()).replaceAll(/\s+/g, " ").trim();
  const add = async ({ panel, page }, name) => {
    await panel.locator(".pup-agent-new input").fill(name);
    await page.keyboard.press("Enter");
    await panel.locator(".pup-agent", { hasText: name }).waitFor();
  };
  const yes = (page) => page.locator("#confirmDialogConfirmBtn").click();
  /** Whether the token opens anything at this server. */
  const opens = async (token) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
    return (await fetch(sidecar.url, { method: "POST", headers, body })).status !== 401;
  };

  test("an agent gets a name, a ceiling, notebooks, a colour and a last day, each saved at once", async () => {
    const stage = await open();
    const { panel, agent, page, problems } = stage;
    await panel.getByText("No agents are named yet.").waitFor();
    await add(stage, "Claude Code");
    await saved("the agent", (it) => only(it).name === "Claude Code");
    const one = agent("Claude Code");
    assert.equal(await text(one.locator("summary")), "Claude Code Delete, all notebooks");
    await one.locator('[data-setting="level"]').selectOption("r");
    await one.locator('[data-setting="notebooks"]').selectOption("chosen");
    await one.locator(`[data-notebook="${garden.id}"] input`).check();
    await one.locator('[data-setting="until"]').fill("2099-12-31");
    await one.locator('[data-color="violet"]').first().click();
    await saved("the settings", (it) => {
      const { level, notebooks, until: day, color } = only(it);
      return level === "r" && notebooks?.join() === garden.id && day === "2099-12-31" && color === "violet";
    });
    assert.equal(await text(one.locator("summary")), "Claude Code Read, 1 notebook, until 2099-12-31");
    await one.locator('[data-setting="name"]').fill("Kitchen helper");
    await page.keyboard.press("Tab");
    await saved("the name", (it) => only(it).name === "Kitchen helper");
    await panel.locator('[role="tab"][data-name="home"]').click();
    await panel.locator('[role="tab"][data-name="agents"]').click();
    await until(async () => (await text(agent("Kitchen helper").locator("summary"))) === "Kitchen helper Read, 1 notebook, until 2099-12-31", { what: "the agent after leaving the page" });
    assert.equal(await page.locator('.pup-agents [data-color="violet"]').count(), 1, "its settings are closed");
    await agent("Kitchen helper").locator("summary").click();
    await agent("Kitchen helper").locator('[data-do="remove"]').click();
    await yes(page);
    await saved("the removal", (it) => Object.keys(it.agents).length === 0);
    await panel.getByText("No agents are named yet.").waitFor();
    assert.deepEqual(problems(), []);
  });

  test("what a name cannot be is said, and nothing is saved", async () => {
    const stage = await open();
    const { panel, agent, problems } = stage;
    await add(stage, "Claude Code");
    for (const [name, why] of [["…", "A name needs a letter or a digit."], ["claude-code", "Another agent has this name"], ["x".repeat(41), "A name has at most 40 characters"]]) {
      await panel.locator(".pup-agent-new input").fill(name);
      await panel.locator('[data-do="add"]').click();
      await until(async () => (await text(said(panel))).startsWith(why), { what: why });
    }
    await agent("Claude Code").locator('[data-setting="name"]').fill("");
    await panel.locator(".pup-agent-new input").focus();
    await until(async () => (await text(said(panel))) === "A name needs a letter or a digit.", { what: "the empty name" });
    await saved("one agent", (it) => Object.keys(it.agents).length === 1 && only(it).name === "Claude Code");
    assert.deepEqual(problems(), []);
  });

  test("a token is shown once with the configuration of a client, opens what the agent may, and ends at once", async () => {
    const stage = await open();
    const { panel, agent, page, problems } = stage;
    await add(stage, "Claude Code");
    const one = agent("Claude Code");
    await one.locator('[data-setting="notebooks"]').selectOption("chosen");
    await one.locator(`[data-notebook="${garden.id}"] input`).check();
    await saved("the notebook", (it) => only(it).notebooks?.join() === garden.id);
    await one.locator('[data-do="new-token"]').click();
    const shown = one.locator('[data-name="token"] pre');
    await shown.waitFor();
    const token = await shown.innerText();
    assert.match(token, /^puppy_[a-z2-9]{8}_[0-9a-f]{64}$/);
    await one.locator('[data-copy="token"]').click();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === token, { what: "the copied token" });
    assert.ok((await one.locator('[data-name="configuration"] pre').innerText()).startsWith(`claude mcp add --transport http siyuan ${sidecar.url}`));
    await one.locator('[data-setting="client"]').selectOption("codex");
    await one.getByText("reads the token from the environment variable").waitFor();
    await one.locator('[data-setting="client"]').selectOption("cursor");
    await until(async () => (await one.locator('[data-name="configuration"] pre').innerText()).includes(token), { what: "the configuration with the token" });
    assert.ok((await one.locator('[data-name="configuration"] pre').innerText()).includes(sidecar.url));
    assert.ok(!JSON.stringify(await stored()).includes(token.slice(-64)), "the synced file has no token");

    const client = await connectHttp(sidecar.url, token, { name: "anything", version: "1" });
    const listed = await call(client, "notebook", "list", {});
    assert.deepEqual(listed.data.items.map((it) => it.name), ["Garden"]);
    await client.close();

    await one.locator('[data-do="hide"]').click();
    assert.equal(await shown.count(), 0);
    await one.locator('[data-do="new-token"]').click();
    await shown.waitFor();
    const second = await shown.innerText();
    assert.deepEqual([await opens(token), await opens(second)], [false, true], "a new token ends the one before");
    await one.locator('[data-do="end-token"]').click();
    await yes(page);
    await until(async () => (await text(said(panel))) === GONE, { what: "the end" });
    assert.equal(await opens(second), false);
    assert.equal(await panel.locator('[data-name="token"]').count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("everybody else has a ceiling too", async () => {
    const { panel, problems } = await open();
    const anyone = panel.locator('[data-agent="anyone"]');
    await anyone.locator("summary").click();
    await anyone.locator('[data-setting="level"]').selectOption("none");
    await saved("the ceiling", (it) => it.anyone?.level === "none");
    assert.equal(await text(anyone.locator("summary")), "Anyone else No access, all notebooks");
    const client = await connectHttp(sidecar.url, "", { name: "stranger", version: "1" });
    const listed = await call(client, "notebook", "list", {});
    assert.equal(listed.error.type, "permission_denied");
    assert.doesNotMatch(JSON.stringify(listed), /Garden/);
    await client.close();
    assert.deepEqual(problems(), []);
  });

  test("a file that cannot be read says so, and nobody writes over it", async () => {
    await kernel.write(FILE, "[torn");
    const { panel } = await open();
    await panel.getByText("The file of agents cannot be read").waitFor();
    assert.equal(await panel.locator('[data-do="add"]').count(), 0);
    assert.equal(readFileSync(join(workspace, FILE), "utf8"), "[torn");
  });

  test("the page fits narrow windows, and says everything in Chinese", async () => {
    const stage = await open({ viewport: { width: 360, height: 780 }, lang: "zh_CN" });
    await add(stage, "Claude Code");
    await stage.agent("Claude Code").locator('[data-setting="notebooks"]').selectOption("chosen");
    const wide = await stage.panel.locator('[data-name="agents"]').last().evaluate((it) => [...it.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline" && one.clientWidth > 0 && getComputedStyle(one).overflowX === "visible").map((one) => one.className || one.tagName));
    assert.deepEqual(wide, []);
    await stage.panel.getByText("为每个使用你笔记的程序起名并设置上限").waitFor();
    const english = (await stage.panel.locator('[role="tabpanel"]').innerText()).match(/[A-Za-z]{4,}/g);
    const names = ["Claude", "Code", "HTTP", "SIYUAN", "AGENT", ...Object.keys(await kernel.notebooks())].join(" ");
    assert.deepEqual(english.filter((it) => !names.includes(it)), []);
    assert.deepEqual(stage.problems(), []);
  });

  pictureTest("pictures", async () => {
    const stage = await open({ viewport: { width: 1280, height: 1000 } });
    await add(stage, "Claude Code");
    await add(stage, "Kitchen helper");
    await stage.agent("Kitchen helper").locator('[data-setting="notebooks"]').selectOption("chosen");
    await stage.agent("Kitchen helper").locator('[data-do="new-token"]').click();
    await stage.agent("Kitchen helper").locator('[data-name="token"]').waitFor();
    await pictures(stage.page, (theme) => `agents-${theme}`);
    const narrow = await open({ viewport: { width: 390, height: 844 } });
    await narrow.agent("Claude Code").locator("summary").click();
    await picture(narrow.page, "agents-narrow");
  });
});
