// Nothing but JSON-RPC on stdout in stdio mode, whatever comes in (B-146).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { sidecarBinary } from "../support/config.mjs";
import { startKernel, sidecarEnv } from "../support/system.mjs";

const DEADLINE = 20_000;

let system;
before(async () => { system = await startKernel(); });
after(() => system?.stop());

/** Writes lines to the binary and reads until the answer with the last id arrives. */
async function converse(lines, lastId) {
  const child = spawn(sidecarBinary(), ["stdio"], {
    env: { ...process.env, ...sidecarEnv(system.kernel), RUST_LOG: "trace" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const got = [];
  const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE);
  for (const line of lines) child.stdin.write(line + "\n");
  for await (const line of createInterface({ input: child.stdout })) {
    got.push(line);
    if (JSON.parse(line).id === lastId) child.stdin.end();
  }
  clearTimeout(timer);
  return got;
}

const initialize = {
  jsonrpc: "2.0", id: 1, method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const callOf = (id, name, args) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });

test("every line on stdout parses as JSON-RPC, and the process ends with its stdin (B-146)", async () => {
  const lines = await converse([
    initialize, initialized,
    callOf(2, "notebook", { action: "list" }),
    callOf(3, "fs", { action: "read", path: "/Garden/Plants/Tomatoes" }),
    callOf(4, "fs", { action: "read", path: 7 }),
    callOf(5, "nothing", {}),
    { jsonrpc: "2.0", id: 6, method: "no/such/method" },
    { jsonrpc: "2.0", id: 7, method: "tools/list" },
  ].map((message) => JSON.stringify(message)), 7);
  const messages = lines.map((line) => JSON.parse(line));
  for (const message of messages) assert.equal(message.jsonrpc, "2.0", JSON.stringify(message));
  const answered = messages.map((message) => message.id).filter((id) => id !== undefined);
  assert.deepEqual([...new Set(answered)].sort(), [1, 2, 3, 4, 5, 6, 7]);
  assert.ok(messages.find((message) => message.id === 6).error, "an unknown method is an error");
});

test("a line that is not JSON does not end the process (B-146)", async () => {
  const lines = await converse([
    JSON.stringify(initialize), JSON.stringify(initialized),
    "this is not JSON", "{\"jsonrpc\":", "[]",
    JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list" }),
  ], 9);
  const last = JSON.parse(lines.at(-1));
  assert.equal(last.id, 9);
  assert.ok(last.result.tools.length > 0);
});
