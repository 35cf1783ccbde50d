// The common setup of browser tests: parts and a browser for a block of tests, with pages closed after each.
import { after, afterEach, before } from "node:test";
import { launch } from "./chromium.mjs";
import { closePages } from "./page.mjs";

/**
 * For the surrounding `describe`: `start` returns the parts of the system (with `stop`), `ready` receives
 * `{ system, browser }` before the first test.
 */
export function inBrowser(start, ready) {
  let browser;
  let system;
  before(async () => {
    system = await start();
    browser = await launch();
    await ready({ system, browser });
  });
  afterEach(() => closePages(browser));
  after(async () => {
    await browser?.close();
    await system?.stop();
  });
}
