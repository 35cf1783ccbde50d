// The advanced page in a real browser: what it writes is what servers read, imports are drafts, and removal leaves nothing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { PLUGIN, STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { sleep, until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startSystem } from "../support/system.mjs";

const HTTP = `${STORAGE}/mcpHttpSettings`;
const ACCESS = `${STORAGE}/accessSettings`;
const REPORT = `${STORAGE}/telemetryConfig`;
const CONNECTIONS = `${STORAGE}/mcpConnections`;
const OLDER = "/data/storage/petal/siyuan-plugins-mcp-sisyphus";

describe("advanced page", () => {
  let browser;
  let system;
  inBrowser(() => startSystem({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  const open = async (options = {}) => {
    const stage = await openStage(browser, system.kernel.url, options);
    const panel = await openPanel(stage.page, "advanced");
    await panel.locator('[data-setting="confirm"]').waitFor();
    return { ...stage, panel };
  };
  const written = (path, expected) => until(async () => {
    const content = await system.kernel.read(path);
    try {
      assert.deepEqual(content, expected);
      return true;
    } catch {
      return false;
    }
  }, { what: `${path} as ${JSON.stringify(expected)}` });
  const answer = (page, yes) => page.locator(yes ? "#confirmDialogConfirmBtn" : "#cancelDialogConfirmBtn").click();

  test("the way to ask is written as calls read it, and taken back (B-071)", async () => {
    await system.kernel.write(HTTP, { of_tomorrow: 1 });
    const scratch = (await system.kernel.notebooks()).Scratch.id;
    const doc = await system.kernel.post("/api/filetree/createDocWithMd", { notebook: scratch, path: "/Asked", markdown: "text" });
    const heard = [];
    const prepare = (context) => context.on("page", (page) => page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload)))));
    const { panel, page, problems } = await open({ prepare });
    const client = await connectHttp(system.sidecar.url);
    await until(async () => (await call(client, "system", "get_ui_state")).ok, { what: "the page's channel to the server" });
    const confirm = panel.locator('[data-setting="confirm"]');
    heard.length = 0;
    await confirm.selectOption("block");
    await written(HTTP, { of_tomorrow: 1, confirm: ["block"] });
    await until(() => heard.some((it) => it.includes('"held"')), { what: "the server to hold it" });
    const refused = await call(client, "document", "remove", { ids: [doc] });
    assert.equal(refused.error.type, "confirmation_required");
    assert.match(refused.error.message, /cannot be approved here/);
    assert.equal(await page.locator(".pup-asking").count(), 0);
    assert.equal((await (await system.kernel.raw("/api/filetree/getPathByID", { id: doc })).json()).code, 0);
    const next = panel.locator('[data-setting="confirm_2"]');
    await next.waitFor({ state: "hidden" });
    await confirm.selectOption("ask");
    await written(HTTP, { of_tomorrow: 1, confirm: ["ask", "block"] });
    await next.selectOption("approve");
    await written(HTTP, { of_tomorrow: 1, confirm: ["ask", "approve", "block"] });
    await panel.locator('[data-setting="confirm_3"]').selectOption("token");
    await written(HTTP, { of_tomorrow: 1, confirm: ["ask", "approve", "token"] });
    await confirm.selectOption("approve");
    await written(HTTP, { of_tomorrow: 1 });
    await system.kernel.write(HTTP, { confirm: ["token", "block"] });
    await panel.locator('[role="tab"][data-name="home"]').click();
    await panel.locator('[role="tab"][data-name="advanced"]').click();
    await until(async () => (await confirm.inputValue()) === "token", { what: "the way of the file" });
    await system.kernel.remove(HTTP);
    await client.close();
    assert.deepEqual(problems(), []);
  });

  test("the time that a question waits is typed, and an odd one is refused (B-072)", async () => {
    const { panel, page, problems } = await open();
    const minutes = panel.locator('[data-setting="question_minutes"]');
    await until(async () => (await minutes.inputValue()) === "10", { what: "the usual time" });
    await minutes.fill("an hour");
    await page.keyboard.press("Tab");
    await panel.getByText("Enter whole minutes").waitFor();
    assert.equal(await system.kernel.read(HTTP), undefined);
    await minutes.fill("0");
    await page.keyboard.press("Tab");
    await written(HTTP, { question_minutes: 0 });
    await system.kernel.remove(HTTP);
    assert.deepEqual(problems(), []);
  });

  test("the bounds of errands can be lowered and not raised", async () => {
    const { panel, page, problems } = await open();
    const field = (key) => panel.locator(`[data-setting="${key}"]`);
    for (const [key, most, lower] of [["errand_changes", "200", 40], ["errand_deletes", "20", 0], ["errand_minutes", "60", 15]]) {
      await until(async () => (await field(key).inputValue()) === most, { what: `the built-in ${key}` });
      await field(key).fill(String(Number(most) + 1));
      await page.keyboard.press("Tab");
      assert.equal(await field(key).getAttribute("aria-invalid"), "true", key);
      await field(key).fill(String(lower));
      await page.keyboard.press("Tab");
      await until(async () => (await system.kernel.read(HTTP))?.[key] === lower, { what: `the saved ${key}` });
    }
    await system.kernel.remove(HTTP);
    assert.deepEqual(problems(), []);
  });

  test("changes that are made while others are saved are kept, and none is shown as it was before", async () => {
    const slow = async (context) => {
      await context.route("**/api/file/getFile", async (route) => {
        const isSlow = route.request().postDataJSON()?.path === HTTP;
        if (isSlow) await sleep(300);
        await route.continue();
      });
    };
    const { panel, page, problems } = await open({ prepare: slow });
    const way = (at) => panel.locator(`[data-setting="${at}"]`);
    await until(async () => (await panel.locator('[data-setting="question_minutes"]').inputValue()) === "10", { what: "the settings" });
    await way("confirm").selectOption("ask");
    await way("confirm_3").selectOption("block");
    for (const [key, most] of [["errand_changes", 50], ["errand_deletes", 3]]) {
      await panel.locator(`[data-setting="${key}"]`).fill(String(most));
      await page.keyboard.press("Tab");
    }
    await written(HTTP, { confirm: ["ask", "approve", "block"], errand_changes: 50, errand_deletes: 3 });
    await way("confirm").selectOption("approve");
    await way("confirm_3").selectOption("token");
    await written(HTTP, { errand_changes: 50, errand_deletes: 3 });
    await sleep(900);
    assert.equal(await way("confirm").inputValue(), "approve");
    await system.kernel.remove(HTTP);
    assert.deepEqual(problems(), []);
  });

  test("folder and tag are saved when they make sense, the rest of the file stays", async () => {
    await system.kernel.write(ACCESS, { new_notebook_level: "r", of_tomorrow: [1] });
    const { panel, page, problems } = await open();
    const folder = panel.locator('[data-setting="transfer_folder"]');
    await until(async () => (await panel.locator('[data-setting="prompt_tag"]').inputValue()) === "prompt", { what: "the tag" });
    await folder.fill("exchange");
    await page.keyboard.press("Tab");
    await panel.getByText("Enter a full path").waitFor();
    assert.equal(await folder.getAttribute("aria-invalid"), "true");
    assert.deepEqual(await system.kernel.read(ACCESS), { new_notebook_level: "r", of_tomorrow: [1] });
    await folder.fill(" /home/me/exchange ");
    await page.keyboard.press("Tab");
    await written(ACCESS, { new_notebook_level: "r", of_tomorrow: [1], transfer_folder: "/home/me/exchange" });
    await panel.locator('[data-setting="prompt_tag"]').fill("");
    await page.keyboard.press("Tab");
    await written(ACCESS, { new_notebook_level: "r", of_tomorrow: [1], transfer_folder: "/home/me/exchange", prompt_tag: "" });
    await system.kernel.remove(ACCESS);
    assert.deepEqual(problems(), []);
  });

  test("a torn file is said, kept, and replaced after a question", async () => {
    await system.kernel.write(ACCESS, '{"transfer_folder":7}');
    const { panel, page, problems } = await open();
    await panel.getByText("A settings file cannot be read").waitFor();
    await panel.locator('[data-setting="transfer_folder"]').fill("/x");
    await page.keyboard.press("Tab");
    await panel.locator('[data-do="anew"]').click();
    await answer(page, false);
    assert.deepEqual(await system.kernel.read(ACCESS), { transfer_folder: 7 });
    await page.route("**/api/file/putFile", (route) => route.fulfill({ json: { code: -1, msg: "the disk is full", data: null } }));
    await panel.locator('[data-do="anew"]').click();
    await answer(page, true);
    await panel.getByText("Not saved: SiYuan could not write the file").waitFor();
    assert.deepEqual(await system.kernel.read(ACCESS), { transfer_folder: 7 });
    await page.unroute("**/api/file/putFile");
    await panel.locator('[data-do="anew"]').click();
    await answer(page, true);
    await written(ACCESS, {});
    await panel.locator(".pup-trouble").first().waitFor({ state: "hidden" });
    await system.kernel.remove(ACCESS);
    assert.deepEqual(problems(), []);
  });

  test("settings of the older plugin become a draft; its files stay as they are (B-238)", async () => {
    const { panel, problems } = await open();
    const said = panel.locator('[data-name="said"]');
    await panel.locator('[data-do="import"]').click();
    await said.getByText("has no settings of the older plugin").waitFor();
    const notebooks = await system.kernel.notebooks();
    const table = { [notebooks.Garden.id]: "none", [notebooks.Reading.id]: "write", "20010101000000-goneaaa": "rwd" };
    const switches = { tag: { enabled: true, actions: { list: false } }, timeline: { enabled: true, actions: {} } };
    await system.kernel.write(`${OLDER}/notebookPermissions`, table);
    await system.kernel.write(`${OLDER}/mcpToolsConfig`, switches);
    const before = await system.kernel.permissions();
    await panel.locator('[data-do="import"]').click();
    await said.getByText("Added to the drafts: 2 levels and 1 switches.").waitFor();
    assert.deepEqual(await system.kernel.permissions(), before);
    assert.deepEqual(await system.kernel.read(`${OLDER}/notebookPermissions`), table);
    assert.deepEqual(await system.kernel.read(`${OLDER}/mcpToolsConfig`), switches);
    await panel.locator('[data-do="import"]').click();
    await said.getByText("No differences").waitFor();
    await panel.locator('[data-do="review"][data-to="permissions"]').click();
    const back = panel.locator('[role="tabpanel"][data-name="permissions"] [data-do="back"]');
    await back.waitFor();
    assert.equal(await back.getAttribute("title"), "Undo: Settings of the older plugin");
    await back.click();
    await panel.getByText("No changes").waitFor();
    await panel.locator('[role="tab"][data-name="advanced"]').click();
    await system.kernel.write(`${OLDER}/mcpToolsConfig`, "{torn");
    await panel.locator('[data-do="import"]').click();
    await said.getByText("file mcpToolsConfig cannot be read").waitFor();
    await system.kernel.remove(OLDER);
    assert.deepEqual(problems(), []);
  });

  test("a reset is a draft too", async () => {
    const { panel } = await open();
    const before = await system.kernel.permissions();
    await panel.locator('[data-do="reset"]').click();
    const said = panel.locator('[data-name="said"]');
    await said.getByText("Added to the drafts: ").waitFor();
    assert.match(await said.innerText(), /^Added to the drafts: 3 levels and 0 switches\./);
    assert.deepEqual(await system.kernel.permissions(), before);
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    const drafted = panel.locator('[data-notebook] [role="radio"][aria-checked="true"]');
    assert.deepEqual(await drafted.evaluateAll((all) => all.map((it) => it.dataset.level)), ["r", "r", "r", "r", "r"]);
    for (const name of ["permissions", "tools"]) {
      await panel.locator(`[role="tab"][data-name="${name}"]`).click();
      const discard = panel.locator('[data-do="discard"]');
      if ((await discard.getAttribute("aria-disabled")) === "false") await discard.click();
    }
  });

  test("settings are handed out in one file, without the token and the connections", async () => {
    await system.kernel.write(HTTP, { token: "canary", port: 4000 });
    await system.kernel.write(REPORT, { enabled: false, hours: 48 });
    await system.kernel.write(CONNECTIONS, { servers: [{ name: "a", headers: { Authorization: "canary" } }] });
    const { panel, page } = await open();
    const [file] = await Promise.all([page.waitForEvent("download"), panel.locator('[data-do="export"]').click()]);
    assert.equal(file.suggestedFilename(), "siyuan-mcp-puppy-settings.json");
    const text = readFileSync(await file.path(), "utf8");
    assert.equal(text.includes("canary"), false);
    const settings = JSON.parse(text);
    assert.deepEqual(settings.mcpHttpSettings, { port: 4000 });
    assert.deepEqual(settings.telemetryConfig, { enabled: false, hours: 48 });
    assert.deepEqual(settings.notebookPermissions, await system.kernel.permissions());
    for (const file of [HTTP, REPORT, CONNECTIONS]) await system.kernel.remove(file);
  });

  test("a usage report goes nowhere until its exact text was seen, then to the given address, once per interval (B-270, B-271, B-272)", async () => {
    const got = [];
    const receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (part) => { text += part; });
      request.on("end", () => {
        got.push(text);
        response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const url = `http://127.0.0.1:${receiver.address().port}/in`;
    const { panel, page, context, problems } = await open();
    const send = panel.locator('[data-setting="report"]');
    const address = panel.locator('[data-setting="report_address"]');
    await address.fill("http://a.example");
    await page.keyboard.press("Tab");
    await panel.getByText("Enter an https:// address").waitFor();
    await address.fill(url);
    await page.keyboard.press("Tab");
    await written(REPORT, { enabled: false, seen: "", address: url });
    assert.equal(await send.isVisible(), false);
    await panel.locator('[data-do="show-report"]').click();
    const shown = panel.locator('[data-name="report"]');
    await until(async () => (await shown.innerText()).length > 0, { what: "the text" });
    const text = await shown.innerText();
    const fields = ["total_calls", "success_rate", "avg_duration_ms", "top_actions", "transport_distribution", "error_rate"];
    assert.deepEqual(Object.keys(JSON.parse(text)), fields);
    await send.click();
    await written(REPORT, { enabled: true, seen: fields.join(" "), address: url });
    assert.deepEqual(got, []);
    await context.close();

    const again = async () => {
      const stage = await openStage(browser, system.kernel.url);
      await stage.page.waitForSelector(".pup-dog", { state: "attached" });
      return stage;
    };
    await again();
    await until(() => got.length === 1, { what: "the report" });
    assert.deepEqual(got, [text]);
    const { sent, ...settings } = await system.kernel.read(REPORT);
    assert.ok(sent > 0);
    await again();
    await sleep(500);
    assert.equal(got.length, 1);
    await system.kernel.write(REPORT, { ...settings, sent: sent - 25 * 3_600_000 });
    await again();
    await until(() => got.length === 2, { what: "the next report" });
    await system.kernel.remove(REPORT);
    receiver.close();
    assert.deepEqual(problems(), []);
  });

  /** Starts a receiver that gives `answer` to each report; `got` are the requests to it. */
  const receive = async (answer) => {
    const got = [];
    const receiver = createServer((request, response) => {
      request.resume().on("end", () => {
        got.push({ method: request.method, headers: request.headers });
        response.writeHead(answer.status, { "Access-Control-Allow-Origin": "*", ...answer.headers }).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    return { got, url: `http://127.0.0.1:${receiver.address().port}/in`, stop: () => receiver.close() };
  };
  const SEEN = "total_calls success_rate avg_duration_ms top_actions transport_distribution error_rate";

  test("a usage report carries nothing of the page, and no receiver leads it elsewhere (B-271)", async () => {
    const second = await receive({ status: 200 });
    const first = await receive({ status: 307, headers: { Location: second.url } });
    await system.kernel.write(REPORT, { enabled: true, seen: SEEN, address: first.url });
    const prepare = (context) => context.addCookies([{ name: "session", value: "canary", domain: "127.0.0.1", path: "/" }]);
    const { page } = await openStage(browser, system.kernel.url, { prepare });
    await until(() => first.got.length === 1, { what: "the report" });
    await page.waitForTimeout(500);
    assert.deepEqual(second.got, []);
    const [{ method, headers }] = first.got;
    assert.deepEqual([method, headers.cookie, headers.referer], ["POST", undefined, undefined]);
    await system.kernel.remove(REPORT);
    for (const receiver of [first, second]) receiver.stop();
  });

  test("a usage report that is switched off while the record is read stays off, and is not sent (B-270)", async () => {
    const receiver = await receive({ status: 200 });
    const on = { enabled: true, seen: SEEN, address: receiver.url };
    const off = { ...on, enabled: false, seen: "" };
    await system.kernel.write(REPORT, on);
    let looks = 0;
    const prepare = async (context) => {
      await context.route("**/api/file/readDir", async (route) => {
        if (route.request().postDataJSON().path.includes("/analytics")) await system.kernel.write(REPORT, off);
        await route.continue();
      });
      context.on("response", (response) => {
        const request = response.request();
        const isLook = request.url().endsWith("/getFile") && request.postDataJSON()?.path === REPORT;
        const isWrite = request.url().endsWith("/putFile") && request.postData()?.includes(REPORT);
        if (isLook || isWrite) looks += 1;
      });
    };
    const { page } = await openStage(browser, system.kernel.url, { prepare });
    // At the page's start, before the record, and after it.
    await until(() => looks >= 3, { what: "the last look" });
    await page.waitForTimeout(300);
    assert.deepEqual([await system.kernel.read(REPORT), receiver.got], [off, []]);
    await system.kernel.remove(REPORT);
    receiver.stop();
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of the page (${lang})`, async () => {
      const { panel, page, problems } = await open({ lang });
      await pictures(page, (theme) => `advanced-${lang}-${theme}`);
      await panel.locator('[data-do="remove"]').scrollIntoViewIfNeeded();
      await pictures(page, (theme) => `advanced-below-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `advanced-narrow-${lang}-${theme}`);
      assert.deepEqual(problems(), []);
    });
  }

  test("removal asks, and then leaves nothing in the workspace, on the device and in the page (B-239)", async () => {
    const { panel, page, problems } = await open();
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    await panel.locator('.pup-row [data-level="rwd"][aria-checked="false"]').first().click();
    await panel.locator(".pup-bar").getByText("1 change not applied").first().waitFor();
    await page.evaluate(() => localStorage.setItem("siyuan-mcp-puppy-called-cursor", "yes"));
    await panel.locator('[role="tab"][data-name="home"]').click();
    await panel.locator('[role="tab"][data-name="advanced"]').click();
    await panel.getByText("siyuan-puppy uninstall cursor").waitFor();
    await panel.locator('[data-do="remove"]').click();
    await answer(page, false);
    assert.ok(await system.kernel.permissions());
    await system.sidecar.stop();
    const other = { id: "1", name: "mine", enabled: true, type: "http", url: "http://127.0.0.1:9" };
    const servers = async () => (await system.kernel.post("/api/system/getConf")).conf.ai.mcp.servers;
    await system.kernel.post("/api/setting/setAI", { mcp: { servers: [other, { ...other, id: "2", name: PLUGIN }] } });
    // Here no page may start a server; what its keeper is asked for is heard at the plugin.
    await page.evaluate((name) => {
      const plugin = window.siyuanApp.plugins.find((it) => it.name === name);
      const server = plugin.server.bind(plugin);
      plugin.server = (what) => {
        (globalThis.askedServer ??= []).push(what);
        return server(what);
      };
    }, PLUGIN);
    await panel.locator('[data-do="remove"]').click();
    await answer(page, true);
    await page.getByText("All data was removed.").waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.askedServer.filter((it) => it !== "status")), ["purge"]);
    assert.deepEqual(await servers(), [other]);
    await system.kernel.post("/api/setting/setAI", {});
    for (const folder of [STORAGE, `/temp/${PLUGIN}`]) {
      const reply = await (await system.kernel.raw("/api/file/readDir", { path: folder })).json();
      assert.equal(reply.code, 404, folder);
    }
    assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("siyuan-mcp-puppy-called"))), []);
    await panel.locator('[role="tab"][data-name="permissions"]').click();
    await panel.getByText("No changes").waitFor();
    const levels = () => panel.locator('.pup-row button[aria-checked="true"]').evaluateAll((all) => [...new Set(all.map((it) => it.dataset.level))]);
    await until(async () => (await levels()).join() === "r", { what: "the default level in every row" });
    assert.deepEqual(problems(), []);
  });
});
