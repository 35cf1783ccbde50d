// The playground's servers in a page: opened with servers kept for it, looked at, and called.
import { STORAGE } from "./config.mjs";
import { freePort } from "./desktop.mjs";
import { openPanel, openStage } from "./page.mjs";

const SETTINGS = `${STORAGE}/mcpHttpSettings`;
export const KEPT = `${STORAGE}/mcpConnections`;
/** The browser's own words for a request that failed. */
const EXPECTED = /Failed to load resource|blocked by CORS policy|net::ERR/;

/** Opens the connections with these servers kept; the own server is `own`, or none. */
export async function openServers(browser, kernel, kept = {}, { own, prepare: more, ...options } = {}) {
  await kernel.write(SETTINGS, own ?? { port: await freePort() });
  await kernel.write(KEPT, kept);
  const prepare = async (context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await more?.(context);
  };
  const stage = await openStage(browser, kernel.url, { ...options, prepare });
  const panel = await openPanel(stage.page, "playground");
  await part(panel, "connections");
  return { panel, page: stage.page, problems: () => stage.problems().filter((it) => !EXPECTED.test(it)) };
}

export const part = (panel, name) => panel.locator(`[data-part="${name}"]`).click();
export const row = (panel, name) => panel.locator(`[data-server="${name}"]`);
export const status = (panel, name) => row(panel, name).locator('[data-name="status"]').innerText();
export const becomes = (panel, name, state) => row(panel, name).and(panel.locator(`[data-state="${state}"]`)).waitFor();

/** Calls a tool through a connection and returns the group with its form. */
export async function callTool(panel, tool, entries = {}) {
  await part(panel, "calls");
  const group = panel.locator('[data-name="call"]');
  await group.locator('[data-pick="server-tool"]').selectOption(tool);
  for (const [name, value] of Object.entries(entries)) await group.locator(`[data-field="${name}"]`).fill(value);
  await group.locator('[data-do="run"]').click();
  return group;
}

/** Waits for the outcome of a call, and returns what is shown of it. */
export async function outcome(panel, wanted = "Done") {
  await panel.locator(".pup-outcome:visible").filter({ hasText: wanted }).waitFor();
  return panel.locator(".pup-answer:visible");
}

export const answer = (panel) => panel.locator(".pup-answer:visible pre").first().innerText();
