// Questions about dangerous calls in a real browser, asked by a scripted server: the dialog, the puppy's bubble, the
// first page, and every way in which they end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { closeDialog, openPanel } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { ERRAND, ask, errand, openAsking, question } from "../support/peer.mjs";
import { until } from "../support/process.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const LOUD = '<img src=x onerror="document.title=1"> \u202eevil';

const garden = { name: "Garden", icon: "1f33b" };
const documents = (n, place = "") => Array.from({ length: n }, (_, at) => ({ title: `Document ${at}`, place, notebook: garden, id: `20250101000000-doc00${String(at).padStart(2, "0")}` }));

/** Short, long and hostile questions, for the pictures. */
const SHEET = [
  question("s0", { client: "Claude Desktop", ask: ask("Plants", {
    things: { n: 1, first: [{ title: "Plants", notebook: garden, id: "20250101000000-plants0" }] },
    effects: [
      { below: { n: 9, first: documents(7, "/Plants") } },
      { breaks: { refs: 9, documents: { n: 2, first: [{ title: "Pond edge", place: "/Beds", notebook: garden, id: "20250101000000-pond000" }, { title: "Calendar", notebook: garden, id: "20250101000000-calenda" }] } } },
    ],
  }) }),
  question("s1", { may_stand: false, ask: { verb: "allow", back: "reverse", about: { kind: "notebook", things: { n: 1, first: [{ title: "Garden" }] }, effects: [{ level: { from: "r", to: "rwd" } }] } } }),
  question("s2", { client: LOUD, ask: ask(`${LOUD} ${"Very long ".repeat(6)}…`, { effects: [{ below: { n: 3, first: documents(3) } }] }) }),
  question("s3", { client: "Claude", ask: { verb: "delete", back: "data_history", about: { kind: "document", things: { n: 300, first: documents(10, "/Archive/Older things/And older ones") }, effects: [{ breaks: { refs: 1200, documents: { n: 0, first: documents(10) } } }] } } }),
  question("s4", { client: "Cursor", ask: { verb: "replace", back: "document_history", about: { kind: "text", things: { n: 1, first: [{ title: "spring" }] }, other: { title: "autumn" }, effects: [{ across: { blocks: 12, documents: 3 } }, { changes: { texts: [["Mint grows in spring.", "Mint grows in autumn."], ["小白菜 spring 播种", "小白菜 autumn 播种"]], n: 12 } }] } } }),
  question("s6", { may_stand: false, agent: { name: "Ada", color: "violet", is_proved: true }, ask: ERRAND }),
  question("s5", { client: "קלוד", ask: ask("גינה 12", { effects: [{ rows: { n: 2, first: [{ title: "Mint" }, { title: "Basil" }] } }, "learning"] }) }),
];

describe("questions", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  const open = (options) => openAsking(browser, kernel, options);
  const dog = (page) => page.locator(".pup-dog").getAttribute("data-state");

  test("a dialog shows what was asked, as text, with the focus on the plain no; one answer is sent (B-072)", async () => {
    const { page, peer, dialog, pick, problems } = await open();
    await peer.ask([question("q1", { client: LOUD, ask: ask(LOUD, { effects: [{ breaks: { refs: 3, documents: { n: 1, first: [{ title: LOUD }] } } }] }) })]);
    await dialog.waitFor();
    const text = await dialog.innerText();
    assert.match(text, /wants to delete “/);
    assert.match(text, /3 references in 1 document will break\./);
    assert.match(text, /You can restore it from Data History\./);
    const label = await dialog.locator(".pup-asked").evaluate((it) => document.getElementById(it.getAttribute("aria-labelledby")).textContent);
    assert.match(label, /wants to delete “/);
    assert.match(text, /Waits until \d\d:\d\d\./);
    assert.ok(text.includes("<img src=x"), "markup is text");
    assert.equal(await dialog.locator("img").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.pick), "deny");
    await until(async () => (await dog(page)) === "question", { what: "the bark" });
    await pick(dialog, "once").click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await peer.hears("answer"), [{ question: "q1", choice: "once" }]);
    await until(async () => (await dog(page)) !== "question", { what: "the end of the bark" });
    assert.deepEqual(problems(), []);
  });

  test("a title opens its document, and the question waits on in the bubble", async () => {
    const { peer, dialog, bubble } = await open();
    const id = await kernel.post("/api/filetree/createDocWithMd", { notebook: Object.values(await kernel.notebooks())[0].id, path: `/Asked ${Date.now()}`, markdown: "Text." });
    await peer.ask([question("q1", { ask: ask("Asked", { things: { n: 1, first: [{ title: "Asked", notebook: { name: "Garden" }, id }] } }) })]);
    await dialog.waitFor();
    assert.ok(!(await dialog.innerText()).includes(id), "no id is shown");
    await peer.page.waitForTimeout(800);
    await dialog.locator("[data-open]").first().click();
    await bubble.waitFor();
    await until(async () => (await peer.call("get_ui_state", {})).done.active.doc === id, { what: "the open document" });
    assert.deepEqual(await peer.said("answer"), []);
  });

  test("a title under a fresh pointer opens nothing", async () => {
    const { page, peer, dialog, bubble } = await open();
    const id = await kernel.post("/api/filetree/createDocWithMd", { notebook: Object.values(await kernel.notebooks())[0].id, path: `/Asked ${Date.now()}`, markdown: "Text." });
    await peer.ask([question("q1", { ask: ask("Asked", { things: { n: 1, first: [{ title: "Asked", id }] } }) })]);
    await dialog.waitFor();
    const press = () => dialog.locator("[data-open]").first().evaluate((it) => it.click());
    await press();
    await page.waitForTimeout(2000);
    assert.deepEqual([await dialog.count(), await bubble.count()], [1, 0]);
    await press();
    await bubble.waitFor();
  });

  test("a document that cannot be opened leaves the question in its dialog", async () => {
    const { page, peer, dialog, bubble } = await open();
    await page.route("**/page/screen.js*", (route) => route.abort());
    await peer.ask([question("q1", { ask: ask("Asked", { things: { n: 1, first: [{ title: "Asked", id: "20250101000000-asked00" }] } }) })]);
    await dialog.waitFor();
    await page.waitForTimeout(800);
    await dialog.locator("[data-open]").first().click();
    await page.getByText("The document could not be opened.").waitFor();
    assert.deepEqual([await dialog.count(), await bubble.count()], [1, 0]);
  });

  test("a title on the first page closes the panel, which would cover the document", async () => {
    const { page, peer, dialog } = await open();
    const id = await kernel.post("/api/filetree/createDocWithMd", { notebook: Object.values(await kernel.notebooks())[0].id, path: `/Asked ${Date.now()}`, markdown: "Text." });
    await peer.ask([question("q1", { ask: ask("Asked", { things: { n: 1, first: [{ title: "Asked", id }] } }) })]);
    await dialog.locator('[data-pick="later"]').click();
    const panel = await openPanel(page, "home");
    await page.waitForTimeout(800);
    await panel.locator("[data-open]").first().click();
    await panel.waitFor({ state: "detached" });
    assert.equal((await peer.call("get_ui_state", {})).done.active.doc, id);
  });

  test("the bubble offers approval only where it shows what a person decides about", async () => {
    const { peer, dialog, bubble, pick } = await open();
    for (const [one, allows] of [[question("q1"), 1], [SHEET[0], 0], [SHEET[3], 0], [SHEET[4], 0]]) {
      await peer.ask([one]);
      await dialog.locator('[data-pick="later"]').click();
      await bubble.locator(".pup-asked-back").waitFor();
      assert.deepEqual([await pick(bubble, "deny").count(), await pick(bubble, "more").count()], [1, 1]);
      assert.equal(await bubble.locator('[data-pick="once"]').count(), allows, one.id);
      await peer.ask([]);
      await bubble.waitFor({ state: "detached" });
    }
  });

  test("a question that opens while another closes keeps the focus", async () => {
    const { page, peer, dialog, pick } = await open();
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement("input"));
      field.id = "note";
      field.focus();
    });
    await peer.ask([question("q1")]);
    await dialog.waitFor();
    await pick(dialog, "deny").click();
    await peer.tellOne({ call: { call_id: "c1", action: "ask_user", args: { question: "Which bed?", options: ["North"], allow_text: true, seconds: 60 }, deadline_ms: 60000 } });
    await page.locator(".pup-user input").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.waitForTimeout(400);
    assert.equal(await page.evaluate(() => document.activeElement.closest(".pup-user")?.tagName), "DIV");
  });

  test("a question that has just come under the pointer takes no answer for 0.6 s (S5)", async () => {
    const { page, peer, dialog } = await open();
    await peer.ask([question("q1")]);
    await dialog.waitFor();
    await page.waitForTimeout(800);
    const denied = await page.evaluate(() => {
      // The moment of the change, without the time that a message of the test takes.
      const list = document.querySelector(".pup-asking .pup-asked-list");
      globalThis.pressed = new Promise((done) => {
        new MutationObserver((_, watch) => {
          const buttons = [...list.querySelectorAll('[data-question="q2"] [data-pick]')];
          if (buttons.length === 0) return;
          watch.disconnect();
          const press = () => buttons.forEach((it) => it.click());
          press();
          setTimeout(() => {
            const grey = buttons.length > 0 && buttons.every((it) => it.ariaDisabled === "true");
            press();
            done(grey);
          }, 300);
        }).observe(list, { childList: true, subtree: true });
      });
      return list.querySelectorAll('[data-question="q1"] [data-pick="deny"]').length;
    });
    assert.equal(denied, 1);
    await peer.ask([question("q2")]);
    assert.equal(await page.evaluate(() => globalThis.pressed), true, "the buttons look as if they could not be pressed");
    assert.deepEqual(await peer.said("answer"), [], "no press in that time counts");
    await dialog.locator('[data-pick="deny"]').first().click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q2", choice: "deny" }]);
    await dialog.waitFor({ state: "detached" });
  });

  test("ten minutes are offered only where they may stand", async () => {
    const { peer, dialog, pick } = await open();
    await peer.ask([question("q1", { may_stand: false, left_ms: null })]);
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /Waits for you\./);
    assert.equal(await pick(dialog, "errand").count(), 0);
    await peer.ask([question("q2")]);
    await pick(dialog, "errand").click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q2", choice: "errand" }]);
  });

  test("Esc is a no, and Enter where the focus lands allows nothing", async () => {
    const { page, peer, dialog } = await open();
    await peer.ask([question("q1")]);
    await dialog.waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    assert.deepEqual((await peer.hears("answer"))[0], { question: "q1", choice: "deny" });
    await dialog.waitFor({ state: "detached" });
    assert.equal((await peer.said("answer")).length, 1);
  });

  test("a long list pushes neither the deed nor the answers out of sight", async () => {
    const { page, peer, dialog } = await open();
    await page.setViewportSize({ width: 900, height: 600 });
    await peer.ask([SHEET[3]]);
    await dialog.waitFor();
    const isSeen = (selector) => dialog.locator(selector).first().evaluate((it) => {
      const { left, top, width, height } = it.getBoundingClientRect();
      return it.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    const due = [".pup-asked-who", ".pup-asked-loss", ".pup-asked-back", '[data-pick="deny"]', '[data-pick="once"]'];
    assert.deepEqual(await Promise.all(due.map(isSeen)), due.map(() => true));
  });

  test("several questions share the dialog; all are denied at once, or one after the other", async () => {
    const { page, peer, dialog, pick } = await open();
    await peer.ask([question("q1", { waited_ms: 3000 }), question("q2", { waited_ms: 2000 }), question("q3", { waited_ms: 1000 })]);
    await dialog.waitFor();
    assert.equal(await dialog.locator(".pup-asked").count(), 3);
    await pick(dialog, "deny").click();
    await until(async () => (await dialog.locator(".pup-asked").count()) === 2, { what: "two questions" });
    assert.deepEqual(await page.evaluate(() => [document.activeElement.dataset.pick, document.activeElement.closest("[data-question]")?.dataset.question]), ["deny", "q2"]);
    await dialog.locator('[data-pick="deny-all"]').click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual((await peer.hears("answer", 3)).map((it) => `${it.question} ${it.choice}`), ["q1 deny", "q2 deny", "q3 deny"]);
  });

  test("Later leaves it to the puppy's bubble, which answers too and leads back", async () => {
    const { page, peer, dialog, bubble, pick, problems } = await open();
    await peer.ask([question("q1"), question("q2", { ask: ask("Older plan") })]);
    await dialog.locator('[data-pick="later"]').click();
    await bubble.waitFor();
    assert.match(await bubble.innerText(), /1 more question is waiting\./);
    await pick(bubble, "more").click();
    await dialog.waitFor();
    await dialog.locator('[data-pick="later"]').click();
    await pick(bubble, "once").click();
    await until(async () => /Older plan/.test(await bubble.innerText()), { what: "the next question" });
    await pick(bubble, "deny").click();
    await bubble.waitFor({ state: "detached" });
    assert.deepEqual((await peer.hears("answer", 2)).map((it) => it.choice), ["once", "deny"]);
    assert.equal(await page.locator(".pup-asking").count(), 0);
    assert.deepEqual(problems(), []);
  });

  test("a bubble that has just moved or come back takes no answer for 0.6 s", async () => {
    const { page, peer, dialog, bubble, pick } = await open();
    await peer.ask([question("q1")]);
    await dialog.locator('[data-pick="later"]').click();
    const isReady = async () => (await pick(bubble, "deny").getAttribute("aria-disabled")) === "false";
    await until(isReady, { what: "the bubble has settled" });
    /** Does something in the page and presses Allow a few frames later; returns whether that button looks unpressable, or "late". */
    const pressAfter = (what) => page.evaluate(async (word) => {
      const dog = document.querySelector(".pup-dog");
      if (word === "move") dog.style.translate = dog.style.translate ? "" : "-120px 0px";
      else document.querySelector(".b3-dialog--open .b3-dialog__close").dispatchEvent(new MouseEvent("click", { bubbles: true }));
      const began = performance.now();
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      const once = document.querySelector('.pup-question [data-pick="once"]');
      // On a busy machine three frames may take longer than the time in which no press counts.
      if (performance.now() - began > 400) return "late";
      once.click();
      return once.ariaDisabled;
    }, what);
    /** Repeats a step until its press came in time. */
    const pressed = async (what, before = () => {}) => {
      let seen;
      await until(async () => {
        await before();
        seen = await pressAfter(what);
        await until(isReady, { what: `the bubble has settled after ${what}` });
        return seen !== "late";
      }, { what: "a press in time" });
      return seen;
    };
    assert.equal(await pressed("move"), "true");
    assert.equal(await pressed("return", async () => {
      await openPanel(page, "connection");
      await bubble.waitFor({ state: "hidden" });
    }), "true");
    assert.deepEqual(await peer.said("answer"), []);
    await pick(bubble, "deny").click();
    assert.deepEqual((await peer.hears("answer", 1)).map((it) => it.choice), ["deny"]);
  });

  test("the bubble hides while the panel is open, and names the client that asks", async () => {
    const { page, peer, dialog, bubble } = await open();
    await peer.ask([question("q1", { client: "Claude Code" })]);
    await dialog.locator('[data-pick="later"]').click();
    await bubble.waitFor();
    const says = () => page.locator(".pup-dog > .pup-bubble:not(.pup-tip)").textContent();
    await until(async () => (await says()) === "Claude Code: needs you", { what: "the asker's name" });
    const panel = await openPanel(page, "connection");
    assert.equal(await bubble.isVisible(), false);
    await peer.ask([question("q2")]);
    await dialog.locator('[data-pick="later"]').click();
    await page.waitForTimeout(800);
    assert.equal(await bubble.isVisible(), false, "nor does a new one lie over it");
    await closeDialog(page);
    await panel.waitFor({ state: "detached" });
    await bubble.waitFor();
    await bubble.locator('[data-pick="deny"]').click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q2", choice: "deny" }]);
  });

  test("a list shows as much as the dialog has room for", async () => {
    const { page, peer, dialog } = await open();
    await page.setViewportSize({ width: 1280, height: 860 });
    await peer.ask([question("q1", { ask: { verb: "delete", back: "data_history", about: { kind: "document", things: { n: 6, first: documents(6, "/Plants") } } } })]);
    await dialog.waitFor();
    const hidden = await dialog.locator(".pup-asked-below ul").first().evaluate((it) => it.scrollHeight - it.clientHeight);
    assert.equal(hidden, 0);
  });

  test("the bubble stands beside the puppy, inside the window, wherever that is", async () => {
    const { page, peer, dialog, bubble } = await open();
    await peer.ask([question("q1")]);
    await dialog.locator('[data-pick="later"]').click();
    await bubble.waitFor();
    const inside = () => page.evaluate(() => {
      const { left, top, right, bottom } = document.querySelector(".pup-question").getBoundingClientRect();
      const puppy = document.querySelector(".pup-dog").getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && (bottom <= puppy.top || top >= puppy.bottom);
    });
    await until(inside, { what: "a place beside the puppy" });
    await page.setViewportSize({ width: 390, height: 700 });
    await until(inside, { what: "a place in a narrow window" });
  });

  test("what was asked elsewhere is answered once, and a server that ends takes its questions with it", async () => {
    const { page, peer, dialog } = await open();
    await peer.ask([question("q1")]);
    await dialog.waitFor();
    await peer.ask([]);
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await peer.said("answer"), [], "withdrawn is not denied");
    await peer.ask([question("q2")]);
    await dialog.waitFor();
    await peer.die();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.locator(".pup-question").count(), 0);
  });

  test("a deed that was allowed is reported when it is done, as text", async () => {
    const { page, peer, dialog, pick } = await open();
    await peer.ask([question("q1", { ask: ask("<b>Old</b> plan") })]);
    await page.waitForTimeout(800);
    await pick(dialog, "once").click();
    await peer.hears("answer");
    await peer.tell({ ruled: { question: "q1", ruling: "done" } });
    await page.getByText("Done: delete “<b>Old</b> plan”").waitFor();
  });

  test("an answer that came too late is told", async () => {
    const { page, peer, dialog, pick } = await open();
    await peer.ask([question("q1")]);
    await pick(dialog, "once").click();
    await peer.hears("answer");
    await peer.tell({ ruled: { question: "q1", ruling: "stale" } });
    await page.getByText("The notes have changed since the question.").waitFor();
  });

  test("the first page shows questions and standing errands, and stops errands", async () => {
    const { page, peer, dialog, problems } = await open();
    const { Garden } = await kernel.notebooks();
    const offered = errand("e1", { deed: ["delete", "block"], changes: { used: 3, most: 20 }, deletes: { used: 0, most: 0 }, notebooks: [Garden.id] });
    const agent = { name: "Ada", color: "violet", is_proved: true };
    const announced = errand("e2", { agent, purpose: "tidy <b>tags</b>", documents: ["20210808180117-aaaaaaa"], notebooks: [] });
    await peer.ask([question("q1", { agent })], [offered, announced]);
    await dialog.locator('.pup-asked-who .pup-collar[data-color="violet"]').waitFor();
    assert.match(await dialog.locator(".pup-asked-who").innerText(), /^Ada wants to/);
    assert.equal(await dialog.locator('[data-pick="errand"]').innerText(), "Allow up to 20 for 10 minutes");
    await dialog.locator('[data-pick="later"]').click();
    const panel = await openPanel(page, "home");
    const asked = panel.locator('[data-name="questions"]');
    await asked.locator('[data-pick="answer"]').waitFor();
    assert.deepEqual(await asked.locator("[data-pick]").evaluateAll((all) => all.map((it) => it.dataset.pick)), ["deny", "answer"], "a yes is given in the dialog");
    await panel.getByText("Garden · 3 of 20 changes · 5 min left").waitFor();
    await panel.getByText("Agent may delete blocks").waitFor();
    await panel.getByText("Ada is on an errand: “tidy <b>tags</b>”").waitFor();
    await panel.getByText("1 document and those below it · 12 of 40 changes · 1 of 5 deletions of documents · 5 min left").waitFor();
    await pictures(page, (theme) => `questions-home-${theme}`);
    await panel.locator('[data-standing="e1"] [data-do="stop"]').click();
    assert.deepEqual(await peer.hears("revoke"), [{ errand: "e1" }]);
    await panel.locator('[data-standing="e1"]').waitFor({ state: "detached" });
    await panel.locator('[data-standing="e2"] [data-do="stop"]').click();
    await panel.locator('[data-name="standing"]').waitFor({ state: "hidden" });
    await asked.locator('[data-pick="deny"]').click();
    await asked.waitFor({ state: "hidden" });
    assert.deepEqual(problems(), []);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of dialog and bubble (${lang})`, async () => {
      const { page, peer, dialog, bubble, problems } = await open({ lang });
      await peer.ask(SHEET.slice(0, 2));
      await dialog.waitFor();
      await page.waitForTimeout(800);
      await pictures(page, (theme) => `questions-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `questions-narrow-${lang}-${theme}`);
      await page.setViewportSize({ width: 1280, height: 860 });
      for (const [at, one] of SHEET.slice(2).entries()) {
        await peer.ask([one]);
        await page.waitForTimeout(800);
        await pictures(page, (theme) => `questions-sheet-${at}-${lang}-${theme}`);
      }
      await peer.ask(SHEET.slice(0, 2));
      await dialog.locator('[data-pick="later"]').click();
      await bubble.waitFor();
      await page.waitForTimeout(800);
      await pictures(page, (theme) => `questions-bubble-${lang}-${theme}`);
      assert.deepEqual(problems(), []);
    });
  }
});
