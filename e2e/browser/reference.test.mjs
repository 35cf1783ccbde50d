// The playground against servers made with the public SDKs, in both eras of the protocol, and nothing left behind.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findings, withAxe } from "../support/axe.mjs";
import { closeDialog } from "../support/page.mjs";
import { pictures } from "../support/pictures.mjs";
import { becomes, callTool, openServers, outcome, part, row } from "../support/playground.mjs";
import { until } from "../support/process.mjs";
import { startSdkServer } from "../support/sdk-server.mjs";
import { inBrowser } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

const SMALL = { width: 360, height: 740 };
const REVISIONS = { older: /MCP 2025-/, newer: /MCP 2026-07-28/ };

describe("playground: servers of the public SDKs", () => {
  let browser;
  let system;
  inBrowser(() => startKernel({ plugin: true }), (parts) => { ({ system, browser } = parts); });
  const open = (kept) => openServers(browser, system.kernel, kept);

  for (const era of ["older", "newer"]) {
    test(`lists to the last page, contents of every kind, progress, news, prompts; and 0 sessions after leaving (${era} era: B-203 to B-206, B-210, B-211, B-214)`, async (t) => {
      const server = await startSdkServer(era);
      t.after(() => server.stop());
      const { panel, page, problems } = await open({ ref: { url: server.url } });
      await becomes(panel, "ref", "success");
      const facts = await row(panel, "ref").innerText();
      assert.match(facts, REVISIONS[era]);
      assert.match(facts, /reference 3.*7 tools, 4 prompts, 5 resources/s);

      await callTool(panel, "kinds");
      const shown = await outcome(panel);
      assert.equal(await shown.locator("pre").first().evaluate((it) => it.textContent), " exactly\tthis \n");
      await until(() => shown.locator("img").evaluate((it) => it.naturalWidth === 1), { what: "the picture" });
      assert.match(await shown.innerText(), /ref:\/\/note\s+embedded/);
      assert.equal(await shown.locator("a[download]").getAttribute("download"), "data.bin");
      assert.equal(await shown.locator('a[href="https://example.com/x"]').getAttribute("rel"), "noopener noreferrer");
      assert.match(await shown.locator("pre").last().innerText(), /"type": "audio"/);

      const group = await callTool(panel, "slow");
      await group.locator('[data-name="said"]').filter({ hasText: "1 / 2 half" }).waitFor();
      assert.match(await (await outcome(panel)).innerText(), /slow done/);

      // The resource that was read is marked as changed, and the list of tools is rebuilt.
      await part(panel, "resources");
      const resources = panel.locator('[data-name="resources"]');
      await resources.locator('[data-do="read"]').click();
      await resources.locator("pre").filter({ hasText: "ref://1, reading 1" }).waitFor();
      await callTool(panel, "grow");
      await outcome(panel);
      await panel.locator('[data-pick="server-tool"] option[value="grown"]').waitFor({ state: "attached" });
      await part(panel, "resources");
      await resources.getByText("Changed on the server").waitFor();
      await resources.locator('[data-do="read"]').click();
      await resources.locator("pre").filter({ hasText: "ref://1, reading 2" }).waitFor();

      await part(panel, "prompts");
      const prompts = panel.locator('[data-name="prompts"]');
      assert.equal(await prompts.locator('[data-pick="prompt"] option').count(), 4);
      await prompts.locator('[data-field="who"]').fill("you");
      await until(async () => (await prompts.locator("datalist option").getAttribute("value").catch(() => "")) === "you!", { what: "a proposal" });
      await prompts.locator('[data-do="fill"]').click();
      await prompts.locator("pre").filter({ hasText: "a for you" }).waitFor();

      await closeDialog(page);
      await until(() => server.sessions() === 0, { what: "nothing is left on the server" });
      assert.deepEqual(problems(), []);
    });
  }

  test("tools of one name have the name of their server before them, and calls go to the right one (B-205)", async (t) => {
    const servers = await Promise.all(["older", "newer"].map((era) => startSdkServer(era)));
    t.after(() => Promise.all(servers.map((it) => it.stop())));
    const { panel, problems } = await open({ one: { url: servers[0].url }, two: { url: servers[1].url } });
    for (const name of ["one", "two"]) await becomes(panel, name, "success");
    const before = servers.map((it) => it.seen.length);
    await callTool(panel, "two__echo", { text: "to the second" });
    assert.match(await (await outcome(panel)).innerText(), /to the second/);
    assert.equal(servers[0].seen.length, before[0]);
    assert.ok(servers[1].seen.length > before[1]);
    assert.equal(await panel.locator('[data-pick="server-tool"] option[value="echo"]').count(), 0);
    assert.deepEqual(problems(), []);
  });

  for (const [lang, viewport] of [["en", undefined], ["zh_CN", undefined], ["en", SMALL], ["zh_CN", SMALL]]) {
    test(`axe finds nothing in any part of the playground, ${lang}, ${viewport?.width ?? 1280} px`, async (t) => {
      const server = await startSdkServer("older");
      t.after(() => server.stop());
      const kept = { ref: { url: server.url }, away: { url: "http://127.0.0.1:9/mcp", headers: { "X-Key": "a-secret-of-many-letters" } } };
      const { panel, page } = await openServers(browser, system.kernel, kept, { lang, viewport });
      await withAxe(page);
      await becomes(panel, "ref", "success");
      await becomes(panel, "away", "error");
      const found = [];
      const look = async (name) => {
        found.push(...await findings(page, name));
        await pictures(page, (theme) => `playground-${name}-${theme}-${lang}-${viewport?.width ?? 1280}`);
      };
      await row(panel, "ref").locator("summary").click();
      await look("connections");
      await callTool(panel, "kinds");
      await panel.locator(".pup-outcome:visible").waitFor();
      await look("calls");
      await part(panel, "resources");
      await panel.locator('[data-do="attach"]').click();
      await panel.locator('[data-name="attachments"] pre').filter({ hasText: "ref://1" }).waitFor();
      await look("resources");
      await part(panel, "prompts");
      await panel.locator('[data-name="prompts"] [data-do="fill"]').click();
      await look("prompts");
      await part(panel, "actions");
      await panel.locator('[data-place="page"][aria-pressed="true"]').waitFor();
      await panel.locator('[data-pick="tool"]').selectOption("document");
      await panel.locator('[data-pick="action"]').selectOption("remove");
      await panel.locator('[data-do="example"]').click();
      await panel.locator('[data-do="run"]:visible').click();
      await panel.locator(".pup-outcome:visible").waitFor();
      await look("actions");
      assert.deepEqual(found, []);
    });
  }
});
