// The panel on a Chinese page: its texts are loaded when it is first opened, and English stands in for them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { closeDialog, openPanel, openStage } from "../support/page.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const TEXTS = "**/panel.zh.txt*";

describe("texts of the panel", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });

  /** A page, and the number of times it asks for the Chinese texts; `answer` answers instead of the kernel. */
  const open = async (lang, answer = (route) => route.continue()) => {
    const asked = { times: 0, answer };
    const prepare = (context) => context.route(TEXTS, (route) => {
      asked.times += 1;
      return asked.answer(route);
    });
    const stage = await openStage(browser, system.kernel.url, { lang, prepare });
    await stage.page.waitForSelector(".pup-dog", { state: "attached" });
    return { ...stage, asked };
  };
  const title = (panel) => panel.locator("#pup-title").innerText();

  test("an English page never asks for the Chinese ones", async () => {
    const { page, asked, problems } = await open("en");
    assert.equal(await title(await openPanel(page)), "MCP Puppy");
    assert.equal(asked.times, 0);
    assert.deepEqual(problems(), []);
  });

  test("a Chinese page asks once, and not before the panel is opened", async () => {
    const { page, asked, problems } = await open("zh_CN");
    assert.equal(asked.times, 0);
    for (let time = 0; time < 2; time += 1) {
      assert.equal(await title(await openPanel(page)), "MCP 小狗");
      await closeDialog(page);
    }
    assert.equal(asked.times, 1);
    assert.deepEqual(problems(), []);
  });

  for (const [what, answer] of Object.entries({
    "cannot be loaded": (route) => route.abort(),
    "are missing": (route) => route.fulfill({ status: 404, body: "PanelWords\n" }),
    "are those of another version": (route) => route.fulfill({ body: "PanelWords\n小狗\n" }),
  })) {
    test(`English stands in for texts that ${what}`, async () => {
      const { page, asked } = await open("zh_CN", answer);
      const panel = await openPanel(page, "tools");
      await panel.locator("input.b3-switch[data-tool]").first().waitFor();
      assert.equal(await title(panel), "MCP Puppy");
      // The panel asks once, and so does what answers the servers, if it finds none.
      assert.ok([1, 2].includes(asked.times), `${asked.times}`);
    });
  }

  test("texts that could not be loaded are asked for again with the next panel", async () => {
    const { page, asked } = await open("zh_CN", (route) => route.abort());
    assert.equal(await title(await openPanel(page)), "MCP Puppy");
    await closeDialog(page);
    asked.answer = (route) => route.continue();
    assert.equal(await title(await openPanel(page)), "MCP 小狗");
  });
});
