// SiYuan's own agent since 3.8, without any server: the tools that the page offers it, its calls under the levels of agents,
// questions, SiYuan's own tools beside ours, and the end of all that.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { EVENTS, PLUGIN, STORAGE } from "../support/config.mjs";
import { openPanel } from "../support/page.mjs";
import { until } from "../support/process.mjs";
import { inState, openPuppy, watch } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;
const SECRET = /quicksilver|Private|Passwords|To Ana|健康/;
const NAME = "SiYuan's agent";
/** SiYuan's own tools as its kernel lists them: two that reach notes, one that is only for its agent, and one that reaches none. */
const NATIVE = JSON.parse(readFileSync(new URL("../support/native-tools.json", import.meta.url), "utf8"));
/** Settings of SiYuan's AI, with a key and a field of tomorrow. */
const AI = () => ({
  providers: [{ id: "20250101000000-provide", apiKey: "sk-canary", models: [{ id: "m" }] }],
  agent: { modelId: "m", confirmTimeout: 120, capabilityPolicy: { default: "allow", overrides: { "native/backend/http_request": "deny" } } },
  mcp: { servers: [], exposurePolicy: { default: "allow", overrides: {} } },
  tomorrow: { a: [1, { b: null }] },
});

describe("SiYuan's own agent", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true, siyuan: "3.8" }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  /** A page whose kernel has these settings of AI and these tools of its own; `saved` are the settings that were written. */
  const open = async ({ on = true, ai = AI(), native = NATIVE, confirmTimeout, ...options } = {}) => {
    await kernel.write(SETTINGS, on ? { own_agent: true } : {});
    const { Garden } = await kernel.notebooks();
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [Garden.id]: "rwd" });
    if (confirmTimeout) ai.agent.confirmTimeout = confirmTimeout;
    const state = { ai, native, saved: [], asked: [] };
    const prepare = async (context) => {
      await context.route("**/api/ai/lsCapabilities", (route) => {
        state.asked.push("lsCapabilities");
        return route.fulfill({ json: { code: 0, msg: "", data: state.native } });
      });
      await context.route("**/api/system/getConf", async (route) => {
        // A page that was closed meanwhile needs no answer.
        const reply = await route.fetch().then((it) => it.json()).catch(() => undefined);
        if (!reply) return;
        reply.data.conf.ai = state.ai;
        await route.fulfill({ json: reply }).catch(() => {});
      });
      await context.route("**/api/setting/setAI", (route) => {
        state.saved.push(route.request().postDataJSON());
        state.ai = state.changes?.(structuredClone(state.saved.at(-1))) ?? state.saved.at(-1);
        return route.fulfill({ json: { code: 0, msg: "", data: state.ai } });
      });
    };
    const stage = await openPuppy(browser, kernel.url, { prepare, ...options });
    const { page } = stage;
    const declarations = () => page.evaluate(() => window.siyuanApp.agent.declarations());
    const call = (tool, action, args = {}) => page.evaluate(([tool, args]) => window.siyuanApp.agent.call(tool, args), [tool, { action, ...args }]);
    if (on) await until(async () => (await declarations()).length, { what: "the tools" });
    /** The data of an answer. */
    const data = (answer) => {
      assert.equal(answer.isError, false, answer.result);
      return JSON.parse(answer.result.split("\n")[0]);
    };
    const error = (answer) => {
      assert.equal(answer.isError, true, answer.result);
      return JSON.parse(answer.result).error;
    };
    const loaded = (name) => page.evaluate((it) => performance.getEntriesByType("resource").some((one) => one.name.includes(it)), name);
    const dialog = page.locator(".b3-dialog--open .pup-asking");
    const pick = (word) => dialog.locator(`[data-pick="${word}"]`).first().click();
    return { ...stage, state, declarations, call, data, error, loaded, dialog, pick };
  };

  test("off, nothing is offered and nothing is loaded", async () => {
    const { page, declarations, loaded, state, problems } = await open({ on: false });
    await page.waitForTimeout(800);
    assert.deepEqual(await declarations(), []);
    assert.deepEqual([await loaded("page/own.js"), await loaded("panel_bg"), await loaded("actions"), state.asked.length], [false, false, false, 0]);
    assert.deepEqual(problems(), []);
  });

  test("the switch offers eleven short tools with true effects, and loads no action", async () => {
    const { page, declarations, loaded, problems } = await open({ on: false });
    const panel = await openPanel(page, "permissions");
    await panel.locator('[data-setting="own_agent"]').click();
    const all = await until(async () => {
      const now = await declarations();
      return now.length > 0 && now;
    }, { what: "the tools" });
    assert.deepEqual(all.map((it) => it.id.split("/").at(-1)).sort(), ["av", "block", "document", "file", "flashcard", "fs", "mascot", "notebook", "search", "system", "tag"]);
    const tokens = JSON.stringify(all.map(({ modelName: name, description, inputSchema: parameters }) => ({ type: "function", function: { name, description, parameters } }))).length / 3.3;
    assert.ok(tokens <= 2500, `${tokens} tokens`);
    assert.ok(all.every((it) => it.modelName.length <= 64 && it.ownerId === PLUGIN));
    const { actionEffects } = all.find((it) => it.id.endsWith("/document"));
    assert.deepEqual([actionEffects.read, actionEffects.remove, actionEffects.help], [{ localRead: true }, { localRead: true, localWrite: true }, { localRead: true }]);
    assert.equal(await loaded("actions_bg"), false);
    assert.equal((await kernel.read(SETTINGS)).own_agent, true);
    assert.deepEqual(problems(), []);
  });

  test("its calls run in the page, move the puppy, and count as those of one agent", async () => {
    const { page, call, data, loaded, problems } = await open();
    await watch(page);
    const notebooks = data(await call("notebook", "list"));
    assert.ok(JSON.stringify(notebooks).includes("Garden"));
    assert.doesNotMatch(JSON.stringify(notebooks), SECRET);
    await inState(page, "success");
    assert.equal(await loaded("actions_bg"), true);
    const path = `/Garden/Own ${Date.now()}`;
    data(await call("fs", "write", { path, markdown: "Mint likes shade." }));
    const read = await call("fs", "read", { path });
    assert.match(read.result, /Mint likes shade\./);
    const { events } = await until(async () => {
      const file = await kernel.read(EVENTS);
      return file?.events.some((it) => it.action === "read" && it.status === "success") && file;
    }, { what: "the events" });
    assert.ok(events.every((it) => it.agent?.name === NAME && it.agent.is_proved && !it.client), JSON.stringify(events));
    const runs = data(await call("system", "list_runs"));
    assert.equal(runs.items[0].author, NAME);
    assert.equal(runs.items[0].n_calls, 1);
    // The way back is a question, as for every agent.
    const back = call("system", "put_back", { run: runs.items[0].run });
    const dialog = page.locator(".b3-dialog--open .pup-asking");
    await dialog.waitFor();
    assert.ok((await dialog.innerText()).includes(`“${NAME}” wants to remove`), await dialog.innerText());
    await dialog.locator('[data-pick="once"]').first().click();
    data(await back);
    assert.equal((await call("fs", "read", { path })).isError, true, "it is gone");
    assert.deepEqual(problems(), []);
  });

  test("what is hidden answers like what is missing", async () => {
    const { call, error, data, problems } = await open();
    const { Private } = await kernel.notebooks();
    const [hidden] = await kernel.post("/api/query/sql", { stmt: `SELECT id FROM blocks WHERE box = '${Private.id}' AND type = 'd' LIMIT 1` });
    const [block] = await kernel.post("/api/query/sql", { stmt: `SELECT id FROM blocks WHERE box = '${Private.id}' AND type = 'p' LIMIT 1` });
    const missing = "20200101000000-missing";
    const probes = [
      ["document", "read", "id"], ["document", "info", "id"], ["document", "outline", "id"], ["block", "get", "id"], ["block", "info", "id"],
      ["block", "list", "id"], ["document", "list", "id"], ["document", "rename", "id", { title: "x" }], ["document", "remove", "ids"], ["block", "append", "parent", { markdown: "x" }],
    ];
    for (const [tool, action, key, more = {}] of probes) {
      for (const { id } of [hidden, block]) {
        const of = (it) => ({ ...more, [key]: key === "ids" ? [it] : it });
        const [one, other] = [error(await call(tool, action, of(id))), error(await call(tool, action, of(missing)))];
        assert.deepEqual(JSON.parse(JSON.stringify(one).replaceAll(id, "ID")), JSON.parse(JSON.stringify(other).replaceAll(missing, "ID")), `${tool}.${action}`);
      }
    }
    for (const [tool, action, args] of [
      ["search", "text", { query: "quicksilver" }], ["fs", "tree", { path: "/" }], ["tag", "list", {}], ["system", "get_info", {}],
      ["fs", "read", { path: "/Private/Money" }], ["search", "sql", { query: "SELECT content FROM blocks WHERE content LIKE '%quick%'" }],
    ]) {
      assert.doesNotMatch((await call(tool, action, args)).result.replaceAll("/Private", "/X"), SECRET, `${tool}.${action}`);
    }
    assert.equal(data(await call("search", "text", { query: "quicksilver" })).total ?? 0, 0);
    assert.deepEqual(problems(), []);
  });

  test("a dangerous call asks here, is answered before SiYuan gives up, and a later approval counts once", async () => {
    const { page, call, data, error, dialog, pick, problems } = await open({ confirmTimeout: 4 });
    const { Garden } = await kernel.notebooks();
    const make = (title) => kernel.post("/api/filetree/createDocWithMd", { notebook: Garden.id, path: `/${title} ${Date.now()}`, markdown: "text" });
    const id = await make("Kept");
    const args = { ids: [id] };
    const waits = error(await call("document", "remove", args));
    assert.deepEqual([waits.type, waits.waiting], ["confirmation_required", true]);
    assert.match(waits.message, /send the same call again/);
    await dialog.waitFor();
    assert.equal(error(await call("document", "remove", args)).waiting, true, "it waits on");
    assert.equal(await dialog.count(), 1, "for the same question");
    assert.equal(error(await call("document", "remove", args)).waiting, true);
    await pick("once");
    await dialog.waitFor({ state: "detached" });
    await until(async () => (await kernel.post("/api/query/sql", { stmt: `SELECT id FROM blocks WHERE id = '${id}'` })).length === 0, { what: "the removal" });
    assert.equal(data(await call("document", "remove", args)).removed[0].id, id);
    assert.equal(error(await call("document", "remove", args)).type, "not_found", "the answer is given once");
    const other = await make("Denied");
    const denied = call("document", "remove", { ids: [other] });
    await dialog.waitFor();
    await pick("deny");
    assert.equal(error(await denied).type, "denied");
    const file = await kernel.read(EVENTS);
    assert.ok(file.events.some((it) => it.status === "dangerous" && it.agent.name === NAME));
    assert.equal(await page.locator(".pup-question").count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("32 questions wait at most, and all are denied with one press", async () => {
    const { page, call, error, dialog, problems } = await open();
    const { Garden } = await kernel.notebooks();
    const make = (n) => kernel.post("/api/filetree/createDocWithMd", { notebook: Garden.id, path: `/Many ${n} ${Date.now()}`, markdown: "text" });
    const ids = [];
    for (let n = 0; n < 33; n += 1) ids.push(await make(n));
    const answers = ids.map((id) => call("document", "remove", { ids: [id] }));
    // The only call that is answered while the others wait for the person.
    const full = error(await Promise.race(answers));
    assert.match(full.message, /Too many questions are waiting/);
    assert.deepEqual([full.type, full.waiting], ["confirmation_required", undefined]);
    await dialog.waitFor();
    await until(async () => (await dialog.locator("[data-question]").count()) === 32, { what: "32 questions" });
    await page.waitForTimeout(800);
    await dialog.locator('[data-pick="deny-all"]').click();
    await dialog.waitFor({ state: "detached" });
    const types = (await Promise.all(answers)).map((it) => error(it).type);
    assert.deepEqual([types.filter((it) => it === "denied").length, types.filter((it) => it === full.type).length], [32, 1]);
    const left = await kernel.post("/api/query/sql", { stmt: `SELECT id FROM blocks WHERE id IN (${ids.map((id) => `'${id}'`).join()}) AND type = 'd'` });
    assert.equal(left.length, 33);
    assert.deepEqual(problems(), []);
  });

  test("levels, switches and the pause apply to the next call", async () => {
    const { call, error, data, problems } = await open();
    data(await call("notebook", "list"));
    await kernel.write(SETTINGS, { own_agent: true, paused: true });
    await until(async () => JSON.parse((await call("notebook", "list")).result).error?.type === "paused", { what: "the pause" });
    await kernel.write(SETTINGS, { own_agent: true });
    await until(async () => !(await call("notebook", "list")).isError, { what: "the end of the pause" });
    const grants = await kernel.permissions();
    const { Garden } = await kernel.notebooks();
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...grants, [Garden.id]: "r" });
    await until(async () => JSON.parse((await call("fs", "write", { path: `/Garden/No ${Date.now()}`, markdown: "x" })).result).error?.type === "permission_denied", { what: "the level" });
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...grants, [Garden.id]: "none" });
    await until(async () => !JSON.stringify(await call("notebook", "list")).includes("Garden"), { what: "the hidden notebook" });
    assert.equal(error(await call("fs", "read", { path: "/Garden" })).type, "not_found");
    await kernel.write(`${STORAGE}/notebookPermissions`, grants);
    assert.deepEqual(problems(), []);
  });

  test("turned off, it is refused and SiYuan's list says so until its window is loaded again; unloaded, nothing is left", async () => {
    const { page, declarations, call, data, problems } = await open();
    data(await call("notebook", "list"));
    const panel = await openPanel(page, "permissions");
    const before = (await declarations())[0];
    await panel.locator('[data-setting="own_agent"]').click();
    await panel.locator('[data-name="own-said"]').getByText("Turned off.").waitFor();
    await until(async () => (await declarations()).every((it) => it.description.includes("turned this tool off")), { what: "the withdrawn tools" });
    const answer = await call("notebook", "list");
    assert.equal(JSON.parse(answer.result).error.type, "disabled_error");
    const old = await page.evaluate(([id, generation]) => window.siyuanApp.agent.call(id, { action: "list" }, generation), [before.id.split("/").at(-1), before.generation]);
    assert.match(old.result, /no longer available/);
    await panel.locator('[data-setting="own_agent"]').click();
    await until(async () => (await declarations()).every((it) => it.actionEffects), { what: "the tools again" });
    await page.evaluate((name) => window.siyuanApp.unload(name), PLUGIN);
    assert.deepEqual(await declarations(), []);
    assert.deepEqual(problems(), []);
  });

  test("SiYuan's own tools are shown and denied, and nothing else of its AI settings changes", async () => {
    const { page, state, problems } = await open();
    const panel = await openPanel(page, "home");
    await panel.getByText("4 of SiYuan's own tools let its agent reach all notes").waitFor();
    await panel.getByText("No server is needed for SiYuan's own agent.").waitFor();
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    const native = panel.locator('[data-name="native"]');
    await native.getByText("Blocks · sql · Memory · Open document").waitFor();
    await panel.getByText("offers 2 of them").waitFor();
    const before = AI();
    await panel.locator('[data-do="deny-native"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await panel.getByText("Denied.").waitFor();
    const denied = Object.fromEntries(["block", "sql", "memory"].map((name) => [`native/backend/${name}`, "deny"]));
    const policy = { default: "allow", overrides: { ...before.agent.capabilityPolicy.overrides, ...denied, "native/frontend/open_document": "deny" } };
    assert.deepEqual(state.saved, [{ ...before, agent: { ...before.agent, capabilityPolicy: policy } }]);
    await panel.locator('[data-name="native"][data-n="0"]').waitFor();
    await panel.locator('[data-do="deny-all-native"]').click();
    await page.locator("#confirmDialogConfirmBtn").click();
    await panel.locator('[data-name="exposed"]').waitFor({ state: "hidden" });
    const exposure = { default: "allow", overrides: { "native/backend/block": "deny", "native/backend/sql": "deny" } };
    assert.deepEqual(state.saved[1], { ...state.saved[0], mcp: { ...before.mcp, exposurePolicy: exposure } });
    assert.deepEqual(await page.evaluate(() => window.siyuan.config.ai), state.saved[1], "SiYuan's page goes on from there");
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /sk-canary/);
    // A tool of a newer SiYuan counts as one that reaches notes.
    state.native = [...NATIVE, { ...NATIVE[0], id: "native/backend/tomorrow", name: "tomorrow", title: "Tomorrow" }];
    await panel.locator('[role="tab"][data-name="home"]').click();
    await panel.getByText("1 of SiYuan's own tools").waitFor();
    assert.deepEqual(problems(), []);
  });

  test("settings that SiYuan saves in another way, or sends without their keys, are reported", async () => {
    const { page, state, problems } = await open();
    const panel = await openPanel(page, "permissions");
    const deny = async () => {
      await panel.locator('[data-do="deny-native"]').click();
      await page.locator("#confirmDialogConfirmBtn").click();
    };
    state.changes = (ai) => ({ ...ai, tomorrow: null });
    await deny();
    await panel.getByText("SiYuan may not have denied the tools.").waitFor();
    assert.match(problems().join(), /ai\.tomorrow/);
    assert.doesNotMatch(problems().join(), /sk-canary/);
    state.changes = undefined;
    const writes = state.saved.length;
    state.ai = { ...AI(), providers: [{ id: "20250101000000-provide", apiKey: "" }] };
    await page.evaluate((ai) => { window.siyuan.config.ai = ai; }, AI());
    await panel.locator('[role="tab"][data-name="home"]').click();
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    await deny();
    await panel.getByText("SiYuan may not have denied the tools.").waitFor();
    assert.equal(state.saved.length, writes, "nothing was written");
  });

  test("a tool that is on again is reported at the start, once others were denied", async () => {
    const ai = AI();
    ai.agent.capabilityPolicy.overrides = { "native/backend/block": "deny", "native/backend/memory": "deny" };
    const { page, state } = await open({ ai });
    await page.getByText("SiYuan's own tools can reach all notes again").waitFor();
    assert.deepEqual(state.asked, ["lsCapabilities"], "one request");
    const never = await open();
    await never.page.waitForTimeout(500);
    assert.equal(await never.page.getByText("can reach all notes again").count(), 0);
  });

  test("a phone needs no server either", async () => {
    const { call, data, problems } = await (async () => {
      await kernel.write(`${STORAGE}/puppySettings`, { phones: true });
      return open({ frontend: "browser-mobile", viewport: { width: 390, height: 844 } });
    })();
    assert.ok(JSON.stringify(data(await call("notebook", "list"))).includes("Garden"));
    await kernel.remove(`${STORAGE}/puppySettings`);
    assert.deepEqual(problems(), []);
  });
});

describe("SiYuan 3.7", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  test("takes no tools of plugins: the switch says what it needs, and nothing is loaded for it", async () => {
    await kernel.write(SETTINGS, { own_agent: true });
    const { page, problems } = await openPuppy(browser, kernel.url);
    const panel = await openPanel(page, "permissions");
    await panel.locator('[data-name="too-old"]').getByText("Needs SiYuan 3.8 or newer.").waitFor();
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").some((it) => it.name.includes("page/own.js"))), false);
    assert.deepEqual(problems(), []);
  });
});
