// A stranger's first three minutes, as README.md tells them: from files that are there to the first answer, and the time of it.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { ROOT, sidecarBinary } from "../support/config.mjs";
import { freePort, makeHome } from "../support/desktop.mjs";
import { electronForPages } from "../support/electron-page.mjs";
import { call, connectCommand, connectHttp } from "../support/mcp.mjs";
import { openPanel, openStage } from "../support/page.mjs";
import { run, start, until } from "../support/process.mjs";
import { inWorkspace } from "../support/stage-suite.mjs";
import { startKernel } from "../support/system.mjs";

/** The notebook that a stranger asks for first. */
const NOTEBOOK = "Garden";

/** A kernel that runs already, and folders that are empty; `work` hears the moment at which the stranger begins. */
async function stranger(t, options, work) {
  const system = await startKernel(options);
  const home = makeHome();
  const ends = [];
  try {
    const began = performance.now();
    await work({ ...system, home: home.home, later: (end) => ends.unshift(end) });
    t.diagnostic(`took ${((performance.now() - began) / 1000).toFixed(1)} s: ${t.name}`);
  } finally {
    for (const end of ends) await end();
    await system.stop();
    home.clear();
  }
}

/** The first call answers from the notes. */
async function answers(client) {
  const { ok, data } = await call(client, "notebook", "list");
  assert.ok(ok && data.items.some(({ name }) => name === NOTEBOOK), JSON.stringify(data));
  await client.close();
}

describe("first minutes", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  test("desktop, from the package to a call that Home shows", (t) => stranger(t, { plugin: true }, async ({ kernel, workspace, home, later }) => {
    const host = await electronForPages(home);
    later(() => host.stop());
    later(() => host.children.forEach(({ child }) => child.kill("SIGKILL")));
    const browser = await launch();
    later(() => browser.close());
    const prepare = async (context) => {
      await host.prepare(context);
      await inWorkspace(context, workspace);
    };
    const { page, problems } = await openStage(browser, kernel.url, { frontend: "desktop", prepare });
    await page.locator(".pup-dog").first().waitFor();
    const panel = await openPanel(page, "connection");
    await panel.locator('[data-name="state"][data-state="running"]').waitFor({ timeout: 60_000 });
    await panel.locator('[data-client="cursor"]').click();
    const entry = JSON.parse(await panel.locator('[data-name="snippet"] pre').innerText()).mcpServers.siyuan;
    await answers(await connectCommand(entry.command, entry.args, entry.env));
    await panel.locator('[role="tab"][data-name="home"]').click();
    await until(async () => (await panel.locator('[data-name="last"]').innerText()).includes("Notebooks"), { what: "the call on Home" });
    assert.deepEqual(problems(), []);
  }));

  test("container, as its recipe starts the server, beside a kernel with a token", (t) => stranger(t, { token: "of-siyuan" }, async ({ kernel, home, later }) => {
    const recipe = readFileSync(join(ROOT, "container", "Containerfile"), "utf8");
    const [command, check] = ["CMD", "HEALTHCHECK .* CMD"].map((it) => JSON.parse(new RegExp(`^${it} (\\[.*\\])$`, "m").exec(recipe)[1]));
    assert.equal(/^ENTRYPOINT (.*)$/m.exec(recipe)[1], '["/usr/local/bin/siyuan-puppy"]');
    assert.match(recipe, /^ENV .*SIYUAN_MCP_HOST=0\.0\.0\.0$/m);
    // Nobody else reaches a container's own address; here it would be everybody.
    const env = { HOME: home, SIYUAN_API_URL: kernel.url, SIYUAN_TOKEN: "of-siyuan", SIYUAN_MCP_HOST: "127.0.0.1", SIYUAN_MCP_PORT: String(await freePort()), SIYUAN_MCP_TOKEN: "of-clients" };
    const server = await start(sidecarBinary(), command, { env, ready: /siyuan-puppy listening on (http:\/\/\S+)/ });
    later(() => server.stop());
    assert.equal((await run(sidecarBinary(), check.slice(1), { env })).code, 0);
    const [, url] = server.match;
    await answers(await connectHttp(url, "of-clients"));
    assert.equal((await fetch(url, { method: "POST" })).status, 401);
  }));

  test("npx, from the packages in an empty folder with an empty cache", { skip: !process.env.NPM_PACKAGES && "`cargo verify minutes` makes the packages" }, (t) => stranger(t, {}, async ({ kernel, home }) => {
    const packages = readdirSync(process.env.NPM_PACKAGES).filter((it) => it.endsWith(".tgz")).map((it) => join(process.env.NPM_PACKAGES, it));
    assert.equal(packages.length, 2, String(packages));
    const folder = mkdtempSync(join(tmpdir(), "puppy-npx-"));
    try {
      const env = { npm_config_cache: join(home, "cache"), npm_config_prefix: folder };
      const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
      const { code, output } = await run("npm", ["install", ...quiet, "--prefix", folder, ...packages], { env });
      assert.equal(code, 0, output);
      await answers(await connectCommand("npx", ["--offline", "--no", "--prefix", folder, "--", "siyuan-puppy", "stdio"], { ...env, SIYUAN_API_URL: kernel.url }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }));
});
