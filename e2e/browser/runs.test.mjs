// The runs of agents in a real browser: their lines, differences word by word, the way back, who wrote a block, and the
// mound beside the puppy. The actions are answered by the test; versions and documents are files of the kernel.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { openPanel } from "../support/page.mjs";
import { openPeer } from "../support/peer.mjs";
import { picture, pictures, pictureTest } from "../support/pictures.mjs";
import { EventWriter, openPuppy } from "../support/puppy.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel, startSystem } from "../support/system.mjs";

const RUN = "20261127142011-abcdefg";
const OLDER = "20261126090000-hijklmn";

/** A module of actions that returns what the test answers. */
const ACTIONS = `export default async () => {};
export const run = async (host, number, call) => JSON.stringify(await globalThis.answered(JSON.parse(call)));
export const stop = () => {};`;

const answer = (data) => ({ message: { content: [], isError: false }, data, took_ms: 1 });
const failure = (message) => ({ message: { content: [], isError: true }, data: { error: { type: "conflict", message } }, took_ms: 1 });

describe("runs", () => {
  let browser;
  let kernel;
  let doc;
  inBrowser(() => startKernel({ plugin: true }), async (parts) => {
    browser = parts.browser;
    ({ kernel } = parts.system);
    const { Garden } = await kernel.notebooks();
    const text = "Mint likes shade and a lot of water.\n\nSage wants sun.\n\n薄荷喜欢阴凉的地方。";
    const id = await kernel.post("/api/filetree/createDocWithMd", { notebook: Garden.id, path: "/Beds", markdown: text });
    const { path } = await kernel.post("/api/filetree/getPathByID", { id });
    const version = `2026-11-27-142011-update/${Garden.id}${path.replace(/\.sy$/, "")}`;
    await kernel.write(`/history/${version}.sy`, await kernel.read(`/data/${Garden.id}${path}`));
    const [mint, sage, chinese] = await kernel.post("/api/block/getChildBlocks", { id });
    await kernel.post("/api/block/updateBlock", { id: mint.id, dataType: "markdown", data: "Mint likes sun and a lot of water." });
    await kernel.post("/api/block/deleteBlock", { id: sage.id });
    await kernel.post("/api/block/updateBlock", { id: chinese.id, dataType: "markdown", data: "薄荷喜欢向阳的地方。" });
    doc = { id, version, mint: mint.id };
  });

  const runs = () => [
    {
      run: RUN, author: "Claude", started: "2026-11-27T14:10:00+00:00", latest: "2026-11-27T14:20:11+00:00", n_documents: 2, blocks: 3, rows: 4,
      documents: [{ id: doc.id, title: "Beds", was: "changed", version: doc.version }, { id: "20261127141900-created", title: "New", was: "created" }],
      n_calls: 2, calls: [
        { call: 0, at: "2026-11-27T14:10:00+00:00", action: "block.update", documents: [doc.id] },
        { call: 1, at: "2026-11-27T14:20:11+00:00", action: "fs.write", documents: ["20261127141900-created"] },
      ],
    },
    { run: OLDER, author: "you", started: "2026-11-26T09:00:00+00:00", latest: "2026-11-26T09:00:00+00:00", n_documents: 1, documents: [{ id: "20261126090000-missing", was: "removed" }], puts_back: "20261125090000-another" },
  ];
  const plan = () => ({
    would: "put back",
    documents: [{ id: doc.id, title: "Beds", does: "gets its text of before" }],
    left: [{ id: doc.id, title: "Beds", blocks: [doc.mint] }, { id: "20261127141900-created", title: "New", why: "somebody moved it since" }],
    never: 4,
  });

  /** A page whose calls get these answers, by the name of the action; `calls` are those that it made. */
  const open = async (answers = {}, options = {}) => {
    const calls = [];
    const all = { list_runs: () => answer({ items: runs() }), ...answers };
    const prepare = async (context) => {
      await context.exposeFunction("answered", (call) => {
        calls.push(call);
        return all[call.arguments.action]?.(call) ?? failure("unexpected");
      });
      await context.route("**/actions.js*", (route) => route.fulfill({ contentType: "text/javascript", body: ACTIONS }));
    };
    const stage = await openPuppy(browser, kernel.url, { prepare, ...options });
    return { ...stage, calls };
  };
  const openRuns = async (answers, options) => {
    const stage = await open(answers, options);
    const panel = await openPanel(stage.page, "activity");
    const run = (id) => panel.locator(`[data-run="${id}"]`);
    return { ...stage, panel, run };
  };
  const summary = (place) => place.locator(":scope > summary");
  const text = async (place) => (await place.innerText()).replaceAll(/\s+/g, " ").trim();

  test("a run is a line with its maker, its time and what it did; without one it says so", async () => {
    const { run, problems } = await openRuns();
    await run(RUN).waitFor();
    assert.match(await text(summary(run(RUN))), /^Claude (2026-11-27 )?14:20 2 documents, 2 changes: 1 changed, 1 created, 4 database rows$/);
    assert.match(await text(summary(run(OLDER))), /^You (2026-11-26 )?09:00 put a run back 1 document: 1 removed$/);
    const empty = await openRuns({ list_runs: () => answer({ items: [] }) });
    await empty.panel.getByText("No agent has changed anything yet.").waitFor();
    assert.deepEqual([...problems(), ...empty.problems()], []);
  });

  test("a list that cannot be read says why, and is read again", async () => {
    let isAway = true;
    const { panel, run, problems } = await openRuns({ list_runs: () => (isAway ? failure("SiYuan is away.") : answer({ items: runs() })) });
    await panel.getByText("The runs could not be read. SiYuan is away.").waitFor();
    isAway = false;
    await panel.locator('[data-name="runs"] [data-do="retry"]').click();
    await run(RUN).waitFor();
    assert.deepEqual(problems(), []);
  });

  test("older runs come when they are asked for", async () => {
    const [newest, older] = runs();
    const { panel, run, calls } = await openRuns({ list_runs: ({ arguments: { cursor } }) => answer(cursor ? { items: [older] } : { items: [newest], next: RUN }) });
    await run(RUN).waitFor();
    assert.equal(await run(OLDER).count(), 0);
    await panel.locator('[data-do="more"]').click();
    await run(OLDER).waitFor();
    assert.equal(await panel.locator('[data-do="more"]:visible').count(), 0);
    assert.equal(calls.at(-1).arguments.cursor, RUN);
  });

  test("opened with keys, a document shows the words that changed", async () => {
    const { page, run, problems } = await openRuns();
    await summary(run(RUN)).focus();
    await page.keyboard.press("Enter");
    const paper = run(RUN).locator(`[data-document="${doc.id}"]`);
    await paper.locator("summary").focus();
    await page.keyboard.press("Enter");
    const words = paper.locator(".pup-words");
    await words.waitFor();
    assert.deepEqual(await words.locator("p").evaluateAll((all) => all.map((it) => it.innerHTML.replaceAll(/<\/?span>|<!--.*?-->/g, ""))), [
      "Mint likes <del>shade</del><ins>sun</ins> and a lot of water.",
      "<del>Sage wants sun.</del>",
      "薄荷喜欢<del>阴凉</del><ins>向阳</ins>的地方。",
    ]);
    await summary(run(OLDER)).click();
    await run(OLDER).locator(".pup-paper summary").click();
    await run(OLDER).getByText("There is no version from before the run.").waitFor();
    assert.deepEqual(problems(), []);
  });

  test("putting back shows what goes, what stays and what never comes back, and does it once a person agrees", async () => {
    const { run, calls, problems } = await openRuns({
      put_back: ({ arguments: { preview } }) => answer(preview ? { ...plan(), preview: true, effect: "deletes", danger: "Puts 1 documents back." } : { put_back: [{ id: doc.id }], run: RUN, left: plan().left }),
    });
    await summary(run(RUN)).click();
    const back = run(RUN).locator(".pup-run-in > .pup-back");
    await back.locator('[data-do="put-back"]').click();
    const preview = back.locator('[data-name="preview"]');
    assert.equal(await text(preview), "Goes back: Beds: gets its earlier text Stays as it is: Beds, 1 block: changed since New: moved since 4 changes to something else, such as databases or files, cannot be put back. Put back Cancel");
    assert.equal(calls.filter((it) => it.arguments.action === "put_back").length, 1);
    await preview.locator('[data-do="cancel-back"]').click();
    assert.equal(await preview.count(), 0);
    assert.equal(await back.locator('[data-do="put-back"]').evaluate((it) => it === document.activeElement), true);
    await back.locator('[data-do="put-back"]').click();
    await preview.locator('[data-do="confirm-back"]').click();
    await back.locator('[data-name="result"]').waitFor();
    assert.match(await text(back), /1 document was put back\. This is a run of its own/);
    const made = calls.filter((it) => it.arguments.action === "put_back").at(-1);
    // A person agrees to the plan that they have seen, and to nothing else.
    assert.deepEqual(made, { tool: "system", arguments: { action: "put_back", run: RUN }, agreed: plan() });
    await until(() => calls.at(-1).arguments.action === "list_runs", { what: "the list is read again" });
    assert.deepEqual(problems(), []);
  });

  test("where something changed since the preview, the new one is shown before anything goes back", async () => {
    let left = plan().left;
    const { run, calls, problems } = await openRuns({
      put_back: ({ arguments: { preview } }) => answer(preview ? { ...plan(), left, preview: true } : { put_back: [{ id: doc.id }], run: RUN, left }),
    });
    await summary(run(RUN)).click();
    const back = run(RUN).locator(".pup-run-in > .pup-back");
    await back.locator('[data-do="put-back"]').click();
    await back.locator('[data-name="preview"]').waitFor();
    left = [];
    await back.locator('[data-do="confirm-back"]').click();
    await back.getByText("Something has changed in the meantime. Please look again.").waitFor();
    assert.doesNotMatch(await text(back), /Stays as it is/);
    assert.ok(calls.every((it) => it.arguments.action !== "put_back" || it.arguments.preview), "nothing went back");
    await back.locator('[data-do="confirm-back"]').click();
    await back.locator('[data-name="result"]').waitFor();
    assert.deepEqual(calls.findLast((it) => it.arguments.action === "put_back").agreed, { ...plan(), left: [] });
    assert.deepEqual(problems(), []);
  });

  test("Esc takes a preview away, and only then the panel", async () => {
    const { page, panel, run } = await openRuns({ put_back: () => answer({ ...plan(), preview: true }) });
    await summary(run(RUN)).click();
    const back = run(RUN).locator(".pup-run-in > .pup-back");
    await back.locator('[data-do="put-back"]').click();
    await back.locator('[data-name="preview"]').waitFor();
    await page.keyboard.press("Escape");
    await back.locator('[data-name="preview"]').waitFor({ state: "detached" });
    assert.ok(await panel.isVisible());
    assert.equal(await back.locator('[data-do="put-back"]').evaluate((it) => it === document.activeElement), true);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  });

  test("the button stays where it is while its preview comes", async () => {
    const { run } = await openRuns({ put_back: () => answer({ ...plan(), preview: true }) });
    await summary(run(RUN)).click();
    const paper = run(RUN).locator(`[data-document="${doc.id}"]`);
    const button = paper.locator('[data-do="put-back"]');
    const before = await button.boundingBox();
    await button.click();
    await paper.locator('[data-name="preview"]').waitFor();
    assert.deepEqual(await button.boundingBox(), before);
  });

  test("a document is opened from its line, and one that is gone has no such button", async () => {
    const peer = await openPeer(browser, kernel);
    const { panel, run, problems } = await openRuns();
    await peer.greeted();
    await summary(run(RUN)).click();
    await summary(run(OLDER)).click();
    await run(OLDER).locator(".pup-paper").waitFor();
    assert.equal(await run(OLDER).locator("[data-look]").count(), 0);
    await run(RUN).getByRole("button", { name: "Open Beds", exact: true }).click();
    await panel.waitFor({ state: "detached" });
    await until(async () => (await peer.call("get_ui_state", {})).done.active.doc === doc.id, { what: "the open document" });
    assert.deepEqual(problems(), []);
    await peer.die();
  });

  test("a run that comes while the page is open appears, but not under a preview", async () => {
    const { run, calls } = await openRuns({ put_back: () => answer({ ...plan(), preview: true }) });
    await summary(run(RUN)).click();
    const read = () => calls.filter((it) => it.arguments.action === "list_runs").length;
    let n = 0;
    const another = () => kernel.write(`/temp/siyuan-mcp-puppy/runs/${n++}.json`, {});
    await another();
    await until(async () => (await another(), read() > 1), { what: "the list is read again" });
    const back = run(RUN).locator(".pup-run-in > .pup-back");
    await back.locator('[data-do="put-back"]').click();
    await back.locator('[data-name="preview"]').waitFor();
    const before = read();
    await another();
    await back.page().waitForTimeout(6_000);
    assert.equal(read(), before);
    await back.locator('[data-do="cancel-back"]').click();
    await until(() => read() > before, { what: "the list is read once the preview is left" });
  });

  test("a document and a single change go back alone; what cannot is said", async () => {
    const { run, calls, problems } = await openRuns({ put_back: ({ arguments: { call } }) => (call === undefined ? answer({ documents: [], left: [], preview: true }) : failure("Not now.")) });
    await summary(run(RUN)).click();
    await run(RUN).locator(`[data-document="${doc.id}"] [data-do="put-back"]`).click();
    await run(RUN).getByText("Nothing can be put back.").waitFor();
    assert.deepEqual(calls.at(-1).arguments, { action: "put_back", run: RUN, document: doc.id, preview: true });
    await run(RUN).locator(".pup-run-calls > summary").click();
    assert.match(await text(run(RUN).locator('[data-call="1"]')), /14:20 Notes by path › write New Put back…$/);
    await run(RUN).locator('[data-call="1"] [data-do="put-back"]').click();
    await run(RUN).getByText("That did not work. Not now.").waitFor();
    assert.deepEqual(calls.at(-1).arguments, { action: "put_back", run: RUN, call: 1, preview: true });
    assert.deepEqual(problems(), []);
  });

  test("everything fits into a narrow window", async () => {
    const { page, panel, run } = await openRuns({ put_back: () => answer({ ...plan(), preview: true }) }, { viewport: { width: 360, height: 800 } });
    await summary(run(RUN)).click();
    await run(RUN).locator(`[data-document="${doc.id}"] summary`).click();
    await run(RUN).locator(".pup-words").waitFor();
    await run(RUN).locator(`[data-document="${doc.id}"] [data-do="put-back"]`).click();
    await run(RUN).locator('[data-name="preview"]').waitFor();
    const wide = await panel.locator('[data-name="runs"]').evaluate((it) => [it, ...it.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline" && one.clientWidth > 0).map((one) => one.className || one.tagName));
    assert.deepEqual(wide, []);
    await picture(page, "runs-360");
  });

  test("the plan that a person has seen needs no second question, and any other does", async () => {
    const { page } = await openPuppy(browser, kernel.url);
    const { Garden } = await kernel.notebooks();
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [Garden.id]: "rwd" });
    const create = (path) => kernel.post("/api/filetree/createDocWithMd", { notebook: Garden.id, path, markdown: "text" });
    const [one, other] = [await create("/Seen"), await create("/Unseen")];
    const act = (number, id, more) => page.evaluate(async ([number, call]) => {
      const plugin = window.siyuanApp.plugins.find((it) => it.name === "siyuan-mcp-puppy");
      return JSON.parse(await plugin.host().act(number, JSON.stringify(call)));
    }, [number, { tool: "document", arguments: { action: "remove", ids: [id], ...more.arguments }, agreed: more.agreed }]);
    const { preview, effect, danger, ...agreed } = (await act(1, one, { arguments: { preview: true } })).data;
    assert.deepEqual([preview, effect], [true, "deletes"]);
    assert.ok(danger);
    // The plan of another document is not that of this one.
    const asked = act(2, other, { agreed });
    await page.locator(".pup-top").getByText("Deny").click();
    assert.equal((await asked).data.error.type, "confirmation_required");
    const done = await act(3, one, { agreed });
    assert.equal(done.message.isError, false, JSON.stringify(done));
    assert.equal(await page.locator(".pup-top").count(), 0);
  });

  test("the menu of a block says who wrote it, and leads to the run", async () => {
    const writer = { by: "Claude", at: "2026-11-27T14:20:11+00:00", run: RUN, action: "block.update" };
    const answers = [{ id: doc.mint, writer }, { id: doc.mint }];
    const { page, calls, problems } = await open({ info: () => answer(answers.shift()) });
    const ask = () => page.evaluate((id) => {
      const block = document.createElement("div");
      block.dataset.nodeId = id;
      const lines = [];
      for (const plugin of window.siyuanApp.plugins) plugin.eventBus.emit("click-blockicon", { menu: { addItem: (it) => lines.push(it) }, blockElements: [block] });
      lines.find((it) => it.label === "Who wrote this").click();
    }, doc.mint);
    const dialog = page.locator(".pup-top");
    await ask();
    await until(async () => /Who wrote this Claude, (2026-11-27 )?14:20: Blocks › update Cancel Open the run/.test(await text(dialog)), { what: "the writer" });
    assert.deepEqual(calls[0].arguments, { action: "info", id: doc.mint, writer: true });
    await dialog.getByText("Open the run").click();
    const opened = page.locator(`[data-run="${RUN}"][open]`);
    await opened.locator(".pup-run-in [data-do]").first().waitFor();
    await until(() => summary(opened).evaluate((it) => it === document.activeElement), { what: "the focus is on the run" });
    assert.equal(await page.locator(`[data-run="${OLDER}"][open]`).count(), 0);
    await page.evaluate(() => window.siyuan.dialogs.at(-1).destroy());
    await ask();
    await page.locator("#message").getByText("No run of an agent has changed this block.").waitFor();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.locator(".pup-panel").count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("a call that changed notes leaves a mound beside the puppy, which opens the newest run", async () => {
    const { page, problems } = await open();
    const writer = new EventWriter(kernel, "mound");
    const mound = page.locator(".pup-mound");
    await writer.write({ tool: "fs", action: "read", status: "success", duration_ms: 3, notebook: "20250101000000-garden0" });
    await page.waitForTimeout(1_500);
    assert.equal(await mound.isVisible(), false);
    await writer.write({ tool: "block", action: "update", status: "success", duration_ms: 3, notebook: "20250101000000-garden0" });
    await mound.waitFor();
    assert.equal(await mound.locator("title").textContent(), "An agent changed notes");
    await page.locator(".pup-dog").focus();
    await until(async () => /, An agent changed notes$/.test(await page.locator(".pup-dog").getAttribute("aria-label")), { what: "the name of the puppy" });
    await page.keyboard.press("Shift+F10");
    await page.locator("#commonMenu").getByText("What the agent changed").waitFor();
    await page.keyboard.press("Escape");
    await mound.click();
    await page.locator(`[data-run="${RUN}"][open]`).waitFor();
    assert.equal(await mound.isVisible(), false);
    assert.deepEqual(problems(), []);
  });

  for (const lang of ["en", "zh_CN"]) {
    pictureTest(`pictures in ${lang}`, async () => {
      const { page, panel, run } = await openRuns({ put_back: () => answer({ ...plan(), preview: true }) }, { lang });
      await summary(run(RUN)).click();
      await run(RUN).locator(`[data-document="${doc.id}"] summary`).click();
      await run(RUN).locator(".pup-words").waitFor();
      await run(RUN).locator(".pup-run-in > .pup-back [data-do]").click();
      await run(RUN).locator('[data-name="preview"]').waitFor();
      await pictures(page, (theme) => `runs-${lang}-${theme}`, panel);
    });
  }

  pictureTest("pictures of the mound", async () => {
    const { page } = await open();
    await new EventWriter(kernel, "picture").write({ tool: "block", action: "update", status: "success", duration_ms: 3, notebook: "20250101000000-garden0" });
    await page.locator(".pup-mound").waitFor();
    await page.waitForTimeout(2_500);
    const box = await page.locator(".pup-dog").boundingBox();
    await pictures(page, (theme) => `mound-${theme}`, { screenshot: (options) => page.screenshot({ ...options, clip: { x: box.x - 60, y: box.y - 60, width: box.width + 120, height: box.height + 90 } }) });
  });
});

describe("runs of a real agent", () => {
  let browser;
  let system;
  let client;
  inBrowser(() => startSystem({ plugin: true }), async (parts) => {
    ({ system, browser } = parts);
    client = await connectHttp(system.sidecar.url);
  });

  test("what an agent changed is listed, compared and put back, but for the person's own words", async () => {
    const { kernel } = system;
    const { Garden } = await kernel.notebooks();
    await kernel.write(`${STORAGE}/notebookPermissions`, { ...(await kernel.permissions()), [Garden.id]: "rwd" });
    const id = await kernel.post("/api/filetree/createDocWithMd", { notebook: Garden.id, path: "/Herbs", markdown: "Mint likes shade.\n\nSage wants sun." });
    const blocks = () => kernel.post("/api/block/getChildBlocks", { id });
    const [mint, sage] = await blocks();
    const changed = async (block, markdown) => {
      const reply = await call(client, "block", "update", { id: block.id, markdown });
      assert.ok(reply.ok, JSON.stringify(reply));
    };
    await changed(mint, "Mint likes sun.");
    await changed(sage, "Sage wants rain.");
    const { page, problems } = await openPuppy(browser, kernel.url);
    const panel = await openPanel(page, "activity");
    // By its id: putting back adds a run before it.
    const own = await panel.locator("[data-run]").first().getAttribute("data-run");
    const run = panel.locator(`[data-run="${own}"]`);
    await run.locator(":scope > summary").click();
    const paper = run.locator(`[data-document="${id}"]`);
    await paper.locator("summary").click();
    await paper.locator(".pup-words p").first().waitFor();
    assert.deepEqual(await paper.locator(".pup-words p").allInnerTexts(), ["Mint likes shadesun.", "Sage wants sunrain."]);
    // The person goes on in one of the blocks.
    await kernel.post("/api/block/updateBlock", { id: sage.id, dataType: "markdown", data: "Sage wants rain, says a person." });
    const back = run.locator(".pup-run-in > .pup-back");
    await back.locator('[data-do="put-back"]').click();
    await back.getByText("Herbs, 1 block: changed since").waitFor();
    await back.locator('[data-do="confirm-back"]').click();
    await back.locator('[data-name="result"]').waitFor();
    const text = async () => (await blocks()).map((it) => it.content ?? it.markdown);
    assert.deepEqual(await text(), ["Mint likes shade.", "Sage wants rain, says a person."]);
    // Putting back is a run of its own.
    await until(async () => (await panel.locator("[data-run]").count()) === 2, { what: "the run of putting back" });
    assert.match(await panel.locator("[data-run]").first().innerText(), /^You/);
    assert.deepEqual(problems(), []);
  });
});
