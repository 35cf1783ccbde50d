// Errands in a real browser, announced by a scripted server: their question, and the puppy's bag with its way to stop.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ERRAND, errand, openAsking, question } from "../support/peer.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const ASKED = question("q1", {
  may_stand: false,
  agent: { name: "Ada", color: "violet", is_proved: true },
  ask: ERRAND,
});

describe("errands", () => {
  let browser;
  let kernel;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { browser = parts.browser; ({ kernel } = parts.system); });

  const open = (options) => openAsking(browser, kernel, options);

  for (const [lang, title, once, bounds, claimed] of [
    ["en", /^Ada wants to work in “Recipes”: “tidy the tags”$/, "Allow the errand", "At most 40 changes and 5 deletions of documents, for 20 minutes, without asking each time.", "Known by a name that any program can claim."],
    ["zh-CN", /^Ada.*“Recipes”.*“tidy the tags”$/, "允许此委托", "最多 40 处更改和 5 次文档删除，时限 20 分钟，期间不再逐次询问。", "仅以名称识别，任何程序都可以冒用。"],
  ]) {
    test(`the question about an errand has its bounds and a button of its own (${lang})`, async () => {
      const { peer, dialog, pick, problems } = await open({ lang });
      await peer.ask([{ ...ASKED, agent: { ...ASKED.agent, is_proved: false } }]);
      await dialog.getByText(bounds, { exact: true }).waitFor();
      assert.match(await dialog.locator(".pup-asked-who").innerText(), title);
      await dialog.getByText(claimed, { exact: true }).waitFor();
      assert.equal(await pick(dialog, "errand").count(), 0);
      assert.equal(await pick(dialog, "once").innerText(), once);
      await peer.ask([ASKED]);
      await dialog.getByText(claimed, { exact: true }).waitFor({ state: "detached" });
      // A caller that is none of the agents that the person has named.
      await peer.ask([{ ...ASKED, agent: undefined, is_stranger: true }]);
      await dialog.getByText(claimed, { exact: true }).waitFor();
      assert.deepEqual(problems(), []);
    });
  }

  test("the puppy carries a bag while an errand stands, and its menu stops it", async () => {
    const { page, peer, problems } = await open();
    await peer.ask([], [errand("e1", { purpose: "tidy" }), errand("e2")]);
    await page.locator('body > .pup-dog[data-bag="true"]').waitFor();
    await page.locator("body > .pup-dog").focus();
    await page.keyboard.press("Shift+F10");
    await page.locator('#commonMenu [data-id="end-errands"]').click();
    assert.deepEqual((await peer.hears("revoke", 2)).map((it) => it.errand).sort(), ["e1", "e2"]);
    await page.locator('body > .pup-dog[data-bag="false"]').waitFor();
    assert.deepEqual(problems(), []);
  });
});
