// The public MCP Inspector: its strict lint of the tools, and a call, over stdio and HTTP and in each era.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sidecarBinary } from "../support/config.mjs";
import { installed, node22 } from "../support/node22.mjs";
import { run } from "../support/process.mjs";
import { startSystem } from "../support/system.mjs";

const INSPECTOR = installed("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js");
const TOKEN = "inspector-token";

let system;
before(async () => { system = await startSystem({ token: TOKEN }); });
after(() => system?.stop());

/** Runs the Inspector's command line; returns its exit code and output. */
const inspect = (args) => run(node22(), [INSPECTOR, "--cli", ...args]);

const transports = {
  http: () => ["--server-url", system.sidecar.url, "--transport", "http", "--header", `Authorization: Bearer ${TOKEN}`],
  // The Inspector passes only the given variables to a child.
  stdio: () => ["-e", `SIYUAN_API_URL=${system.kernel.url}`, sidecarBinary(), "stdio"],
};

for (const [name, transport] of Object.entries(transports)) {
  for (const era of ["legacy", "auto", "modern"]) {
    test(`${name}, ${era}: the strict lint finds nothing (B-004)`, async () => {
      const { code, output } = await inspect([...transport(), "--protocol-era", era, "--method", "tools/list", "--strict"]);
      assert.equal(code, 0, output);
      assert.match(output, /"notebook"/);
    });
  }
  test(`${name}: a call`, async () => {
    const { code, output } = await inspect([...transport(), "--method", "tools/call", "--tool-name", "notebook",
      "--tool-args-json", '{"action":"list"}']);
    assert.equal(code, 0, output);
    assert.match(output, /Garden/);
    assert.doesNotMatch(output, /Private/);
  });
}
