// A long day in a minute: thousands of calls, 300 sessions, 64 calls at once; memory stays bounded, no answer is lost.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { call, connectStdio } from "../support/mcp.mjs";
import { exists, until } from "../support/process.mjs";
import { sidecarEnv, startSystem } from "../support/system.mjs";

/** The calls of one round. */
const CALLS = 5_000;
/** The most rounds: an allocator needs a few until it has all that concurrent calls need at once. */
const ROUNDS = 6;
const AT_ONCE = 64;
const SESSIONS = 300;
/** The number of sessions kept at a time (B-134). */
const KEPT = 256;
/** The growth of memory in a round that counts as none; a leak in every call exceeds it in each round. */
const GROWTH = 1.05;
/** The budget of B-147 in kB, and an allowance for a machine's allocator; the bench measures more precisely. */
const PER_SESSION = 80;
const SLACK = 1.5;

let system;
before(async () => { system = await startSystem(); });
after(() => system?.stop());

/** Resident memory of a process in kB, from this machine's `ps`. */
const memory = (pid) => Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));

const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** One raw request: the client libraries keep data about every call, which must not be measured. */
async function post(message, more = {}) {
  const answer = await fetch(system.sidecar.url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(message) });
  const text = await answer.text();
  const line = text.split("\n").findLast((it) => it.startsWith("data: {"));
  return { answer, message: line ? JSON.parse(line.slice(6)) : undefined };
}

/** Starts a session; returns the headers of its requests. */
async function greet() {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "soak", version: "1" } };
  const { answer } = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  const session = { "Mcp-Session-Id": answer.headers.get("mcp-session-id"), "MCP-Protocol-Version": "2025-11-25" };
  await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session);
  return session;
}

/** Makes calls, many at once, and counts the correct answers. */
async function work(calls, ask) {
  let begun = 0;
  let right = 0;
  const worker = async () => {
    while (begun < calls) {
      begun += 1;
      if (await ask(begun)) right += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return right;
}

/** Makes calls in rounds until one of them leaves memory as it was. */
async function soak(name, pid, ask) {
  const sizes = [memory(pid)];
  for (let round = 0; round < ROUNDS; round += 1) {
    assert.equal(await work(CALLS, (n) => ask(round * CALLS + n)), CALLS);
    sizes.push(memory(pid));
    // The first round makes the connections.
    if (round > 0 && sizes.at(-1) < sizes.at(-2) * GROWTH) break;
  }
  console.log(`${name}: ${sizes.join(", ")} kB, before and after each ${CALLS} calls of ${AT_ONCE} at once`);
  assert.ok(sizes.at(-1) < sizes.at(-2) * GROWTH, `memory grows in every round: ${sizes}`);
}

test(`thousands of calls over HTTP, ${AT_ONCE} at once: every one is answered, memory stays bounded (B-147)`, async () => {
  const session = await greet();
  const params = { name: "notebook", arguments: { action: "list" } };
  await soak("sidecar over HTTP", system.sidecar.pid, async (id) => {
    const { message } = await post({ jsonrpc: "2.0", id, method: "tools/call", params }, session);
    return message?.id === id && JSON.parse(message.result.content[0].text).total === 4;
  });
});

test(`${SESSIONS} sessions: the oldest make room, the others go on, memory stays bounded (B-134, B-147)`, async () => {
  const before = memory(system.sidecar.pid);
  const ids = [];
  for (let n = 0; n < SESSIONS; n += 1) ids.push(await greet());
  const status = async (session) => (await post({ jsonrpc: "2.0", id: 2, method: "ping" }, session)).answer.status;
  assert.equal(await status(ids[0]), 404, "the oldest made room");
  assert.equal(await status(ids.at(-1)), 200);
  assert.equal(await status(ids[SESSIONS - KEPT + 1]), 200, "256 are kept");
  const each = (memory(system.sidecar.pid) - before) / KEPT;
  console.log(`sidecar: ${each.toFixed(0)} kB for each of ${KEPT} sessions`);
  assert.ok(each < PER_SESSION * SLACK, `${each} kB a session`);
});

test(`thousands of calls over stdio, ${AT_ONCE} at once; then no process is left behind`, async () => {
  const { client, transport } = await connectStdio(sidecarEnv(system.kernel));
  const { pid } = transport;
  await soak("sidecar over stdio", pid, async () => (await call(client, "notebook", "list")).data.total === 4);
  await client.close();
  await until(() => !exists(pid), { what: "the sidecar ends with its client" });
});
