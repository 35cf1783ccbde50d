// SiYuan's own agent on a real SiYuan 3.7.3: REAL_SIYUAN=<script that starts it> node e2e/real/own-agent.mjs
//
// That version takes tools of plugins only as actions of its page, without schema and effects, and has no way to deny its own
// tools. We offer nothing there. Here `addAgentCapability` is laid over `addAgentAction`, to see calls of the real agent run
// through the real page: a scripted model, SiYuan's chat and its questions, our levels, questions, pause and runs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../support/chromium.mjs";
import { PLUGIN, STORAGE } from "../support/config.mjs";
import { startModel } from "../support/model.mjs";
import { until } from "../support/process.mjs";

const start = process.env.REAL_SIYUAN;
if (!start) throw new Error("REAL_SIYUAN must name a script that starts SiYuan: <script> PORT WORKSPACE");
const root = new URL("../..", import.meta.url).pathname;
const workspace = mkdtempSync(join(tmpdir(), "siyuan-own-"));
const folder = join(workspace, "data", "plugins", PLUGIN);
mkdirSync(folder, { recursive: true });
cpSync(join(root, "build", "plugin"), folder, { recursive: true });

const model = await startModel();
const { url, pid } = JSON.parse(execFileSync(start, [String(20_000 + process.pid % 20_000), workspace], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim().split("\n").at(-1));
let browser;
try {
  const post = async (path, body = {}) => {
    const response = await fetch(url + path, { method: "POST", body: JSON.stringify(body) });
    const { code, msg, data } = await response.json();
    assert.equal(code, 0, `${path}: ${msg}`);
    return data;
  };
  const write = async (path, content) => {
    const form = new FormData();
    for (const [key, value] of Object.entries({ path, isDir: "false", modTime: String(Date.now()) })) form.append(key, value);
    form.append("file", new File([JSON.stringify(content)], "file"));
    await fetch(`${url}/api/file/putFile`, { method: "POST", body: form });
  };
  const { conf } = await post("/api/system/getConf");
  await post("/api/setting/setBazaar", { ...conf.bazaar, trust: true, petalDisabled: false });
  const notebooks = {};
  for (const name of ["Scratch", "Library", "Private"]) {
    const { notebook } = await post("/api/notebook/createNotebook", { name });
    notebooks[name] = notebook.id;
    notebooks[`${name} note`] = await post("/api/filetree/createDocWithMd", { notebook: notebook.id, path: `/${name} note`, markdown: `quicksilver of ${name}` });
  }
  await write(`${STORAGE}/notebookPermissions`, { [notebooks.Scratch]: "rwd", [notebooks.Library]: "r", [notebooks.Private]: "none" });
  await write(`${STORAGE}/mcpHttpSettings`, { own_agent: true });
  const provider = { id: "20250101000000-provide", displayName: "Scripted", enabled: true, apiKey: "sk-canary", baseURL: model.url, protocol: "openai", requestTimeout: 60, models: [{ id: "20250101000000-modelab", displayName: "scripted", enabled: true, name: "scripted" }] };
  await post("/api/setting/setAI", { ...conf.ai, providers: [provider], agent: { ...conf.ai.agent, modelId: provider.models[0].id } });
  await post("/api/petal/setPetalEnabled", { packageName: PLUGIN, enabled: true, frontend: "browser-desktop" });

  browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const problems = [];
  page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(`${url}/stage/build/desktop/`);
  await page.waitForFunction((name) => window.siyuan?.ws?.app?.plugins?.some((it) => it.name === name && it.ready), PLUGIN, { timeout: 90_000 });
  const offered = await page.evaluate(async (name) => {
    const plugin = window.siyuan.ws.app.plugins.find((it) => it.name === name);
    plugin.addAgentCapability = (tool) => plugin.addAgentAction({ name: tool.name, description: tool.description, handler: (args) => tool.handler(args.call) });
    await plugin.own();
    for (let n = 0; n < 300 && plugin.agentActions.length < 11; n += 1) await new Promise((done) => setTimeout(done, 100));
    return plugin.agentActions;
  }, PLUGIN);
  assert.equal(offered.length, 11, "eleven tools");
  console.log("ok: the page offers", offered.length, "tools");

  // The puppy sits in front of the chat.
  await page.addStyleTag({ content: ".pup-dog, .pup-dog * { pointer-events: none !important; }" });
  await page.locator('[data-type="agentChat"]').first().click();
  const chat = page.locator(".agent-chat");
  await chat.first().waitFor();
  let said = 0;
  /** Sends a message after which the model makes a call; SiYuan's question is approved. The text of the result. */
  const turn = async (tool, call, meanwhile = async () => {}) => {
    model.play([{ name: "frontend", arguments: { action: `plugin__${PLUGIN}__${tool}`, call } }]);
    await chat.locator('[contenteditable="true"]').last().click();
    await page.keyboard.insertText(`Call ${said += 1}`);
    const before = model.results().length;
    await chat.locator(".agent-chat__send").click();
    const approve = chat.locator(".agent-chat__msg--confirm:not(.agent-chat__msg--confirmed) .agent-chat__confirm-approve");
    const answered = until(async () => {
      if (await approve.count()) await approve.last().click({ timeout: 1000 }).catch(() => {});
      return model.left() === 0 && model.results().length > before && model.results().at(-1);
    }, { what: `the result of ${tool} ${JSON.stringify(call)}`, deadline: 100_000 });
    await meanwhile();
    const text = await answered;
    await chat.locator(".agent-chat__stop.fn__none").waitFor({ state: "attached" });
    console.log(`ok: ${tool} ${JSON.stringify(call)}: ${text.replace(/\s+/g, " ").slice(0, 150)}`);
    return text;
  };
  const pick = async (word) => {
    const asking = page.locator(".pup-asking");
    await asking.first().waitFor({ timeout: 60_000 });
    // A question that has just come takes no answer for a moment.
    await page.waitForTimeout(900);
    await asking.first().locator(`[data-pick="${word}"]`).first().click();
  };

  const list = await turn("notebook", { action: "list" });
  assert.match(list, /Scratch/);
  assert.doesNotMatch(list, /Private/);
  assert.ok(model.prompt().includes(`plugin__${PLUGIN}__notebook`), "the prompt names the tools");
  assert.match(await turn("fs", { action: "read", path: "/Library/Library note" }), /quicksilver of Library/);
  const [hidden, missing] = [await turn("document", { action: "read", id: notebooks["Private note"] }), await turn("document", { action: "read", id: "20200101000000-missing" })];
  assert.equal(hidden.replaceAll(notebooks["Private note"], "ID"), missing.replaceAll("20200101000000-missing", "ID"), "hidden is missing");
  assert.match(await turn("fs", { action: "write", path: "/Library/No", markdown: "x" }), /permission_denied/);
  await turn("fs", { action: "write", path: "/Scratch/Hello", markdown: "Hello." });
  assert.match(await turn("fs", { action: "read", path: "/Scratch/Hello" }), /Hello\./);
  assert.match(await turn("document", { action: "remove", ids: [notebooks["Scratch note"]] }, () => pick("once")), /removed/);
  const runs = JSON.parse((await turn("system", { action: "list_runs" })).match(/\{.*\}/)[0]);
  assert.equal(runs.items[0].author, "SiYuan's agent");
  await turn("system", { action: "put_back", run: runs.items[0].run }, () => pick("once"));
  assert.match(await turn("fs", { action: "read", path: "/Scratch/Scratch note" }), /quicksilver of Scratch/);
  await write(`${STORAGE}/mcpHttpSettings`, { own_agent: true, paused: true });
  await page.waitForTimeout(2500);
  assert.match(await turn("notebook", { action: "list" }), /paused/);
  await write(`${STORAGE}/mcpHttpSettings`, {});
  await page.waitForTimeout(2500);
  assert.match(await turn("notebook", { action: "list" }), /disabled_error/);
  // That version has no list of its own tools.
  const ours = problems.filter((it) => /puppy/i.test(it) && !it.includes("own tools could not be listed"));
  assert.deepEqual(ours, []);
  console.log("ok: the whole way, without an error of ours in the console");
} finally {
  await browser?.close();
  process.kill(pid);
  await model.stop();
}
