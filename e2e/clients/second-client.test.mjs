// The newer official client, in both eras of the protocol: with `initialize`, and stateless as of 2026-07-28 (B-131).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sidecarBinary } from "../support/config.mjs";
import { call } from "../support/mcp.mjs";
import { sidecarEnv, startSystem } from "../support/system.mjs";

const ERAS = [["legacy", "legacy"], ["modern", { pin: "2026-07-28" }]];

let system;
before(async () => { system = await startSystem(); });
after(() => system?.stop());

const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(system.sidecar.url)),
  stdio: () => new StdioClientTransport({
    command: sidecarBinary(), args: ["stdio"], env: { ...process.env, ...sidecarEnv(system.kernel) }, stderr: "ignore",
  }),
};

for (const [name, transport] of Object.entries(transports)) {
  for (const [era, mode] of ERAS) {
    test(`${name}, ${era} era: list, read, refuse (B-131)`, async (t) => {
      const client = new Client({ name: "puppy-e2e", version: "1.0.0" }, { versionNegotiation: { mode } });
      t.after(() => client.close());
      await client.connect(transport());
      assert.equal(client.getProtocolEra(), era);
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === "notebook"));
      const listed = await call(client, "notebook", "list");
      assert.equal(listed.data.total, 4);
      const read = await call(client, "fs", "read", { path: "/Garden/Plants/Tomatoes" });
      assert.match(read.body, /Gardener's Delight/);
      const closed = await call(client, "fs", "read", { path: "/Private/Money" });
      assert.equal(closed.error.type, "not_found");
    });
  }
}
