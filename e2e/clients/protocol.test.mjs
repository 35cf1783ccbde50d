// The protocol itself, by the official client: initialize, the list of tools, and errors of the protocol.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TRANSPORTS } from "../support/mcp.mjs";
import { startSystem } from "../support/system.mjs";

const ORDER = ["fs", "notebook", "document", "block", "av", "file", "search", "tag", "system", "flashcard", "mascot"];
/** Tools with at least one action today; the others follow. */
const BUILT = ["fs", "notebook", "document", "block", "search", "tag", "system", "mascot"];
const ROOT_KEYWORDS = ["oneOf", "anyOf", "allOf", "not", "$ref"];

let system;
before(async () => { system = await startSystem(); });
after(() => system?.stop());

for (const [transport, connect] of TRANSPORTS) {
  test(`${transport}: initialize names the server, its version and instructions (B-013)`, async () => {
    const client = await connect(system);
    const server = client.getServerVersion();
    assert.match(server.name, /puppy/);
    assert.match(server.version, /^\d+\.\d+\.\d+/);
    assert.ok(client.getServerCapabilities().tools, "the server offers tools");
    const instructions = client.getInstructions() ?? "";
    assert.ok(instructions.length > 0 && Buffer.byteLength(instructions) <= 2000, `${instructions.length} characters`);
    await client.close();
  });

  test(`${transport}: tools/list is in its fixed order and within its budget (B-001, B-004, B-005, B-006)`, async () => {
    const client = await connect(system);
    const { tools } = await client.listTools();
    const names = tools.map((tool) => tool.name);
    assert.deepEqual(names, ORDER.filter((name) => names.includes(name)));
    for (const name of BUILT) assert.ok(names.includes(name), `${name} is listed`);
    for (const tool of tools) {
      assert.match(tool.name, /^[a-zA-Z0-9_]{1,40}$/);
      assert.ok(Buffer.byteLength(tool.description) <= 2048, `description of ${tool.name}`);
      assert.equal(tool.inputSchema.type, "object");
      for (const word of ROOT_KEYWORDS) assert.ok(!(word in tool.inputSchema), `${tool.name} has ${word} at its root`);
      assert.ok(tool.inputSchema.properties.action.enum.length > 0, `${tool.name} has actions`);
      assert.equal(typeof tool.annotations?.readOnlyHint, "boolean", `${tool.name} states its annotations (B-007)`);
    }
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    console.log(`tools/list over ${transport}: ${bytes} bytes`);
    assert.ok(bytes <= 13_500, `${bytes} bytes`);
    await client.close();
  });

  test(`${transport}: an unknown tool is a protocol error that lists the tools (B-025)`, async () => {
    const client = await connect(system);
    await assert.rejects(client.callTool({ name: "notes", arguments: { action: "list" } }), (error) => {
      assert.equal(error.code, -32602);
      assert.match(error.message, /notebook/);
      return true;
    });
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0, "and the connection goes on");
    await client.close();
  });
}
