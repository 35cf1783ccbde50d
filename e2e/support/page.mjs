// One page of the stub host in a browser context of its own: opened, watched for errors, with fonts from packages.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PLUGIN } from "./config.mjs";

const require = createRequire(import.meta.url);
const FONTS = "/__fonts/";
/** The time after which a test gives up on a step: generous, for busy machines. */
const STEP_MS = 15_000;
const FONT_SHEETS = [
  "@fontsource/noto-sans-sc/400.css",
  "@fontsource/noto-sans-sc/600.css",
  // Layered colour glyphs (COLR version 0): the packaged Chromium draws nothing for those of version 1.
  "twemoji-colr-font/twemoji.css",
];

/** Console messages that do not fail a test, each with its reason. */
export const ALLOWED = [
  // The browser reports requests that fail: for a fault on purpose, or for a file that does not exist yet.
  { name: "resource", test: /Failed to load resource: the server responded with a status of (401|403|429|500|501)/ },
  // The channel to the servers is tried again and again while the kernel is away.
  { name: "channel", test: /WebSocket connection to '[^']*\/ws\/broadcast[^']*' failed/ },
  // The host's own helper says this while its page starts.
  { name: "page start", test: /fetch post failed .*lsNotebooks/ },
];

function fontFile(path) {
  const parts = path.split("/");
  const name = parts.splice(0, path.startsWith("@") ? 2 : 1).join("/");
  return join(dirname(require.resolve(`${name}/package.json`)), ...parts);
}

/** The address of the stub host page. */
export function stageUrl(kernelUrl, options = {}) {
  const query = new URLSearchParams({ live: "0", ...options });
  return `${kernelUrl}/stage/build/desktop/?${query}`;
}

/** The mark of a device on which the puppy has greeted. */
const GREETED = "siyuan-mcp-puppy.greeted";

/**
 * Opens the stub host page; `prepare` may set up its context first. The puppy has greeted on this device unless `greets` is set. `options` go into its query (`theme`, `lang`, `frontend`); `problems()` lists
 * console errors and warnings of the page that are not allowed.
 */
export async function openStage(browser, kernelUrl, { viewport = { width: 1280, height: 860 }, context: more = {}, prepare, greets = false, ...options } = {}) {
  const context = await browser.newContext({ viewport, ...more });
  context.setDefaultTimeout(STEP_MS);
  await context.route(`**${FONTS}**`, (route) => {
    const path = decodeURIComponent(new URL(route.request().url()).pathname.slice(FONTS.length));
    return route.fulfill({ path: fontFile(path) });
  });
  // Pages of another origin have storage of their own, or none.
  if (!greets) await context.addInitScript((key) => { try { localStorage.setItem(key, "true"); } catch {} }, GREETED);
  await prepare?.(context);
  const page = await context.newPage();
  const seen = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => seen.push(`exception: ${error.message}`));
  await page.goto(stageUrl(kernelUrl, options));
  await page.waitForFunction(() => document.documentElement.dataset.stage === "ready"
    // A real SiYuan has no such mark; there the layout and the plugin button are awaited.
    || (!window.siyuanApp && window.siyuan?.layout?.centerLayout && document.getElementById("barPlugins")));
  await addFonts(page);
  return {
    page,
    context,
    problems: () => seen.filter((text) => !ALLOWED.some(({ test }) => test.test(text))),
  };
}

/** Gives a page, or a frame in it, the fonts of our packages. */
export const addFonts = (frame) => Promise.all(FONT_SHEETS.map((sheet) => frame.addStyleTag({ url: FONTS + sheet })));

/** Closes every page of a browser, so that no page of an earlier test calls the kernel. */
export const closePages = (browser) => Promise.all(browser.contexts().map((context) => context.close()));

/** Opens the plugin's settings as a person does: plugin button, own entry, Settings; and there a tab. */
export async function openPanel(page, tab) {
  await page.click("#barPlugins");
  const settings = page.locator('#commonMenu [data-id="config"]').first();
  const own = page.locator(`#commonMenu [data-id^="plugin_${PLUGIN}"]`).first();
  if (await own.count()) await own.hover();
  await settings.click();
  // A locator, not a handle: a handle would keep the panel's elements alive after it was closed.
  const panel = page.locator(".b3-dialog--open .pup-panel");
  await panel.waitFor();
  if (tab) await panel.locator(`[role="tab"][data-name="${tab}"]`).click();
  return panel;
}

/** Closes the topmost dialog and waits until it is gone. */
export async function closeDialog(page) {
  const before = await page.locator(".b3-dialog").count();
  await page.evaluate(() => window.siyuan.dialogs.at(-1).destroy());
  await page.waitForFunction((count) => document.querySelectorAll(".b3-dialog").length < count, before);
}
