// Questions about dangerous calls in a real browser, asked by a scripted server: the dialog, the puppy's bubble, the
// first page, and every way in which they end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPanel } from "../support/page.mjs";
import { pictures, pictureTest } from "../support/pictures.mjs";
import { openPeer, question } from "../support/peer.mjs";
import { until } from "../support/process.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const LOUD = '<img src=x onerror="document.title=1"> \u202eevil';

describe("questions", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  const open = async (options) => {
    const stage = await openPuppy(browser, kernel.url, options);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    await stage.page.bringToFront();
    const { page } = stage;
    return {
      ...stage,
      peer,
      dialog: page.locator(".b3-dialog--open .pup-asking"),
      bubble: page.locator(".pup-question"),
      pick: (place, word) => place.locator(`[data-pick="${word}"]`).first(),
    };
  };
  const dog = (page) => page.locator(".pup-dog").getAttribute("data-state");

  test("a dialog shows what was asked, as text, with the focus on the plain no; one answer is sent (B-072)", async () => {
    const { page, peer, dialog, pick, problems } = await open();
    await peer.ask([question("q1", { client: LOUD, details: [{ name: "titles", text: LOUD }] })]);
    await dialog.waitFor();
    const text = await dialog.innerText();
    assert.match(text, /wants to run document\.remove/);
    assert.match(text, /Deletes 2 documents\./);
    assert.match(text, /Waits until \d\d:\d\d\./);
    assert.ok(text.includes("<img src=x"), "markup is text");
    assert.equal(await dialog.locator("img").count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.pick), "deny");
    await until(async () => (await dog(page)) === "question", { what: "the bark" });
    await pick(dialog, "once").click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await peer.said("answer"), [{ question: "q1", choice: "once" }]);
    await until(async () => (await dog(page)) !== "question", { what: "the end of the bark" });
    assert.deepEqual(problems(), []);
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
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await peer.said("answer"), [{ question: "q2", choice: "deny" }]);
  });

  test("ten minutes are offered only where they may stand", async () => {
    const { peer, dialog, pick } = await open();
    await peer.ask([question("q1", { may_stand: false, left_ms: null })]);
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /Waits for you\./);
    assert.equal(await pick(dialog, "ten").count(), 0);
    await peer.ask([question("q2")]);
    await pick(dialog, "ten").click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q2", choice: "ten_minutes" }]);
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

  test("several questions share the dialog; all are denied at once, or one after the other", async () => {
    const { page, peer, dialog, pick } = await open();
    await peer.ask([question("q1", { waited_ms: 3000 }), question("q2", { waited_ms: 2000, action: "tag.remove" }), question("q3", { waited_ms: 1000 })]);
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
    await peer.ask([question("q1"), question("q2", { danger: "Deletes the tag." })]);
    await dialog.locator('[data-pick="later"]').click();
    await bubble.waitFor();
    assert.match(await bubble.innerText(), /1 more question waits\./);
    await pick(bubble, "more").click();
    await dialog.waitFor();
    await dialog.locator('[data-pick="later"]').click();
    await pick(bubble, "once").click();
    await until(async () => /Deletes the tag\./.test(await bubble.innerText()), { what: "the next question" });
    await pick(bubble, "deny").click();
    await bubble.waitFor({ state: "detached" });
    assert.deepEqual((await peer.hears("answer", 2)).map((it) => it.choice), ["once", "deny"]);
    assert.equal(await page.locator(".pup-asking").count(), 0);
    assert.deepEqual(problems(), []);
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

  test("an answer that came too late is told", async () => {
    const { page, peer, dialog, pick } = await open();
    await peer.ask([question("q1")]);
    await pick(dialog, "once").click();
    await peer.hears("answer");
    await peer.tell({ ruled: { question: "q1", ruling: "stale" } });
    await page.getByText("The notes have changed since.").waitFor();
  });

  test("the first page shows questions and standing consents, and takes consents back", async () => {
    const { page, peer, dialog, problems } = await open();
    await peer.ask([question("q1")], [{ id: "c1", action: "block.remove", client: "Agent", notebooks: Object.values(await kernel.notebooks()).slice(0, 1).map((it) => it.id), left_ms: 250000 }]);
    await dialog.locator('[data-pick="later"]').click();
    const panel = await openPanel(page, "home");
    const asked = panel.locator('[data-name="questions"]');
    await asked.locator('[data-pick="ten"]').waitFor();
    await panel.getByText("5 min left").waitFor();
    await pictures(page, (theme) => `questions-home-${theme}`);
    await panel.locator('[data-do="revoke"]').click();
    assert.deepEqual(await peer.hears("revoke"), [{ consent: "c1" }]);
    await panel.locator('[data-name="standing"]').waitFor({ state: "hidden" });
    await asked.locator('[data-pick="deny"]').click();
    await asked.waitFor({ state: "hidden" });
    assert.deepEqual(problems(), []);
  });

  for (const lang of ["en", "zh-CN"]) {
    pictureTest(`pictures of dialog and bubble (${lang})`, async () => {
      const { page, peer, dialog, bubble, problems } = await open({ lang });
      await peer.ask([question("q1", { client: "Claude Desktop" }), question("q2", { may_stand: false, action: "notebook.set_permission", danger: "Lets agents delete in “Garden”." })]);
      await dialog.waitFor();
      await page.waitForTimeout(800);
      await pictures(page, (theme) => `questions-${lang}-${theme}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await pictures(page, (theme) => `questions-narrow-${lang}-${theme}`);
      await page.setViewportSize({ width: 1280, height: 860 });
      await dialog.locator('[data-pick="later"]').click();
      await bubble.waitFor();
      await page.waitForTimeout(800);
      await pictures(page, (theme) => `questions-bubble-${lang}-${theme}`);
      assert.deepEqual(problems(), []);
    });
  }
});
