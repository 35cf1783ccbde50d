// The common setup of browser tests: parts and a browser for a block of tests, with pages closed after each.
import { after, afterEach, before } from "node:test";
import { launch } from "./chromium.mjs";
import { makeHome, makeSmallPackage, packageFolder } from "./desktop.mjs";
import { electronForPages } from "./electron-page.mjs";
import { closePages } from "./page.mjs";
import { startKernel } from "./system.mjs";

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

/**
 * Like `inBrowser`, with the plugin's server in its package and Electron's Node behind the page: `ready` receives `home`
 * and `host` too; `options` are those of the kernel. What a test started ends with it.
 */
export function inElectron(ready, options = {}) {
  let home;
  let host;
  const start = async () => {
    const system = await startKernel({ plugin: true, ...options });
    makeSmallPackage(packageFolder(system.workspace));
    home = makeHome();
    host = await electronForPages(home.home);
    return system;
  };
  inBrowser(start, (parts) => ready({ ...parts, home, host }));
  afterEach(() => {
    for (const { child } of host.children.splice(0)) child.kill("SIGKILL");
  });
  after(async () => {
    await host?.stop();
    home?.clear();
  });
}

/** Tells a page that its kernel works in this folder of the machine. */
export const inWorkspace = (context, workspace) => context.route("**/api/system/getConf", async (route) => {
  try {
    const reply = await (await route.fetch()).json();
    reply.data.conf.system.workspaceDir = workspace;
    await route.fulfill({ json: reply });
  } catch {
    // The page was closed meanwhile.
  }
});
