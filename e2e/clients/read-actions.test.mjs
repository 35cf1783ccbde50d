// Every reading action through three official clients, over stdio and HTTP and in both eras: the same answers (B-021).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pythonClient, sidecarBinary } from "../support/config.mjs";
import { connectHttp, connectModernStdio, TRANSPORTS } from "../support/mcp.mjs";
import { run } from "../support/process.mjs";
import { TEMPLATE, readActions } from "../support/read-actions.mjs";
import { sidecarEnv, startSystem } from "../support/system.mjs";

const CONNECTIONS = [...TRANSPORTS, ["stdio, 2026-07-28", (it) => connectModernStdio(sidecarEnv(it.kernel))]];

let system;
let calls;
let expected;
before(async () => {
  system = await startSystem();
  await system.kernel.post("/api/repo/initRepoKey", {});
  await system.kernel.write(`/data/templates/${TEMPLATE}`, "# Week\n");
  const client = await connectHttp(system.sidecar.url);
  calls = await readActions(client);
  expected = await replay(client);
});
after(() => system?.stop());

async function replay(client) {
  const results = [];
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args });
    results.push({ failed: Boolean(result.isError), texts: result.content.map((item) => item.text ?? null) });
  }
  return results;
}

const names = () => calls.map(([tool, { action }]) => `${tool}.${action}`);

/** Times and counts of calls change between two calls; everything else must not. A kernel that has
 * just started still writes titles into references, so its notebooks may change once more. */
const moves = (name) => name.startsWith("mascot.") || name === "system.get_info";
const settled = (results) => results.map(({ failed, texts }, n) => {
  const name = names()[n];
  const moving = moves(name) ? /\d+|true|false/g : /(?<="updated":")[^"]+/g;
  return { name, failed, texts: texts.map((text) => text?.replace(moving, "0")) };
});

test("the help of the tools gives a call for every action that reads", () => {
  console.log(`${calls.length} actions read: ${names().join(" ")}`);
  for (const due of ["fs.read", "notebook.list", "document.info", "block.get", "search.text", "tag.list"]) {
    assert.ok(names().includes(due), `${due} is missing`);
  }
  const failed = settled(expected).filter((it) => it.failed);
  // No window of SiYuan is open here.
  assert.deepEqual(failed.map((it) => it.name), ["system.ask_user", "system.get_ui_state"]);
  for (const { texts } of failed) assert.match(texts[0], /"no_frontend"/);
});

for (const [name, connect] of CONNECTIONS) {
  test(`${name}: every action that reads answers the same`, async (t) => {
    const client = await connect(system);
    t.after(() => client.close());
    assert.deepEqual(settled(await replay(client)), settled(expected));
  });
}

test("the official Python client, stdio and HTTP, both eras: the same answers", async () => {
  const { interpreter, script, env } = pythonClient();
  const input = JSON.stringify({ url: system.sidecar.url, command: sidecarBinary(), env: sidecarEnv(system.kernel), calls });
  const { code, stdout, output } = await run(interpreter, [script], { env, input });
  assert.equal(code, 0, output);
  const results = JSON.parse(stdout);
  assert.equal(Object.keys(results).length, 4);
  for (const [name, result] of Object.entries(results)) {
    assert.deepEqual(settled(result), settled(expected), name);
    console.log(`${name}: ${result.length} actions, the same answers`);
  }
});
