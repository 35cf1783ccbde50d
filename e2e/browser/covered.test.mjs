// Notes that try to cover a question: the question is drawn above them, unchanged, and takes the clicks (S5). The
// elements stand in the page as SiYuan draws text that was written before it was judged.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPanel } from "../support/page.mjs";
import { pictures } from "../support/pictures.mjs";
import { openPeer, question } from "../support/peer.mjs";
import { until } from "../support/process.mjs";
import { openPuppy } from "../support/puppy.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

/** Covers the page with every kind of element that a note can hold. */
function cover(clicks) {
  const style = `position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; opacity: .99; transform: translateZ(0); background: repeating-linear-gradient(45deg, #fc0, #c0f 20px) !important; pointer-events: ${clicks};`;
  const place = document.querySelector(".stage-doc") ?? document.body;
  const add = (html) => {
    place.insertAdjacentHTML("beforeend", html);
    return place.lastElementChild;
  };
  add(`<div data-node-id="x" data-type="NodeParagraph" class="p" style="${style}">paint</div>`);
  add(`<p><span data-type="text" style="${style}">paint</span></p>`);
  add(`<iframe srcdoc="<body style='background:#0cf'>paint" style="${style}"></iframe>`);
  add(`<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" style="${style}">`);
  add(`<div class="b3-dialog b3-dialog--open protyle-util" style="${style}">paint</div>`);
  add(`<dialog open style="${style}">paint</dialog>`);
  const block = add("<protyle-html></protyle-html>");
  block.attachShadow({ mode: "open" }).innerHTML = `<style>:host, div { ${style} }</style><div>paint</div>`;
  const popover = add(`<div popover="manual" style="${style} width: 100vw; height: 100vh">paint</div>`);
  document.body.insertAdjacentHTML("beforeend", `<div style="${style}">paint</div>`);
  popover.showPopover();
}

/** The class of a question's frame at points of its text and its buttons, or what lies there instead. */
const atPoints = (locator, frame) => locator.evaluate((root, frame) => {
  const all = [...root.querySelectorAll("button, p, h2, dd, .pup-asked-below, .pup-asked-who, .pup-asked-loss, .pup-asked-back, .pup-ask, input")].filter((it) => it.checkVisibility());
  return all.map((it) => {
    const { left, top, width, height } = it.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found?.closest(frame) ? frame : found?.outerHTML.slice(0, 80) ?? "nothing";
  });
}, frame);

/** The number of pixels in which two pictures differ visibly: a browser may draw an edge a shade darker. */
const differing = (page, pictures) => page.evaluate(async (all) => {
  const [one, other] = await Promise.all(all.map(async (bytes) => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  }));
  return one.reduce((sum, value, at) => sum + (Math.abs(value - other[at]) > 32), 0);
}, pictures.map((it) => it.toString("base64")));

describe("questions that a note covers", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  const open = async () => {
    const stage = await openPuppy(browser, kernel.url);
    const peer = await openPeer(browser, kernel);
    await peer.greeted(1);
    await stage.page.bringToFront();
    return { ...stage, peer };
  };

  /** Shows a question, covers the page, and looks at what is drawn and what takes a click, before and after. */
  async function stays(page, locator, frame, name) {
    await page.waitForTimeout(900);
    // Without the rounded corners, behind which the page shows.
    const { x, y, width, height } = await locator.boundingBox();
    const look = () => page.screenshot({ clip: { x: x + 16, y: y + 16, width: width - 32, height: height - 32 } });
    const before = await look();
    for (const clicks of ["auto", "none"]) {
      await page.evaluate(cover, clicks);
      const found = await atPoints(locator, frame);
      assert.ok(found.length > 1 && found.every((it) => it === frame), `${name}, ${clicks}: ${found}`);
    }
    await until(async () => (await differing(page, [before, await look()])) === 0, { what: `${name} without paint` });
    await pictures(page, (theme) => `covered-${name}-${theme}`);
  }

  test("the dialog", async () => {
    const { page, peer } = await open();
    await page.evaluate(cover, "auto");
    await peer.ask([question("q1")]);
    const dialog = page.locator(".pup-asking");
    await dialog.waitFor();
    await stays(page, dialog, "dialog.pup-top", "dialog");
    await dialog.locator('[data-pick="once"]').click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q1", choice: "once" }]);
  });

  test("the bubble beside the puppy", async () => {
    const { page, peer } = await open();
    await peer.ask([question("q1")]);
    await page.locator('.pup-asking [data-pick="later"]').click();
    const bubble = page.locator(".pup-question");
    await bubble.waitFor();
    await stays(page, bubble, ".pup-question", "bubble");
    await bubble.locator('[data-pick="deny"]').click();
    assert.deepEqual(await peer.hears("answer"), [{ question: "q1", choice: "deny" }]);
  });

  test("a yes or no, and a question of ask_user above it", async () => {
    const { page, peer } = await open();
    await page.evaluate(() => { globalThis.said = globalThis.__siyuanMcpPuppy.current.confirm("Delete?", "The whole plan.", true); });
    const box = page.locator("dialog.pup-top").first();
    await box.locator(".pup-ask").waitFor();
    await stays(page, box, "dialog.pup-top", "confirm");
    const answer = peer.call("ask_user", { question: "Which bed?", options: ["North"], allow_text: true, seconds: 60 });
    const user = page.locator(".pup-user");
    await user.waitFor();
    await stays(page, user, "dialog.pup-top", "user");
    await page.keyboard.press("Escape");
    assert.deepEqual(await answer, { done: { dismissed: true } });
    assert.equal(await box.isVisible(), true, "Esc ends the topmost question only");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => globalThis.said), false);
    assert.equal(await page.locator("dialog.pup-top").count(), 0);
  });

  test("a yes on the first page is given in the dialog", async () => {
    const { page, peer } = await open();
    await peer.ask([question("q1")]);
    await page.locator('.pup-asking [data-pick="later"]').click();
    const panel = await openPanel(page, "home");
    await page.waitForTimeout(800);
    await panel.locator('[data-name="questions"] [data-pick="answer"]').click();
    const dialog = page.locator("dialog.pup-top .pup-asking");
    await dialog.waitFor();
    assert.deepEqual(await peer.said("answer"), []);
    await stays(page, dialog, "dialog.pup-top", "home");
    await page.keyboard.press("Escape");
    assert.deepEqual(await peer.hears("answer"), [{ question: "q1", choice: "deny" }]);
    assert.equal(await panel.isVisible(), true, "the panel does not hear the Esc of the question");
  });

  test("keys of a question do not reach SiYuan, and the focus returns", async () => {
    const { page } = await open();
    await page.evaluate(() => {
      const field = document.body.appendChild(document.createElement("input"));
      field.id = "note";
      field.focus();
      globalThis.keys = [];
      window.addEventListener("keydown", ({ key }) => globalThis.keys.push(key));
      globalThis.said = globalThis.__siyuanMcpPuppy.current.confirm("Delete?", "The whole plan.", true);
    });
    await page.locator("dialog.pup-top .pup-ask").waitFor();
    const focused = () => page.evaluate(() => document.activeElement.id);
    assert.equal(await focused(), "cancelDialogConfirmBtn");
    for (const expected of ["confirmDialogConfirmBtn", "cancelDialogConfirmBtn"]) {
      await page.keyboard.press("Tab");
      assert.equal(await focused(), expected);
    }
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focused(), "confirmDialogConfirmBtn");
    // A click beside the buttons takes the focus from them.
    await page.mouse.click(5, 5);
    await page.keyboard.press("a");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => globalThis.said), false);
    assert.deepEqual(await page.evaluate(() => globalThis.keys), []);
    assert.equal(await focused(), "note");
  });
});
