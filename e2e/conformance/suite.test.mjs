// The public conformance suite: both revisions against its fixtures on the sidecar's own HTTP stack, token included; the
// extension for skills against the sidecar itself, because that needs no fixtures.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { conformanceBinary } from "../support/config.mjs";
import { installed, node22 } from "../support/node22.mjs";
import { run, start } from "../support/process.mjs";
import { startSystem } from "../support/system.mjs";
import { startTokenProxy } from "./token-proxy.mjs";

const TOKEN = "conformance-token";
const SUITE = installed("@modelcontextprotocol", "conformance", "dist", "index.js");

/** The pages that people read first, with the words that name a result there. */
const pages = await Promise.all([
  ["README.md", (revision, checks) => `${revision} (${checks} checks)`],
  ["README.zh-CN.md", (revision, checks) => `${revision}（${checks} 项）`],
].map(async ([name, words]) => ({ name, words, text: await readFile(new URL(`../../${name}`, import.meta.url), "utf8") })));

let sidecar;
let proxy;
before(async () => {
  sidecar = await start(conformanceBinary(), [], {
    env: { SIYUAN_MCP_TOKEN: TOKEN, SIYUAN_MCP_PARENT_PID: String(process.pid) },
    ready: /conformance-server listening on (http:\/\/\S+)/,
  });
  proxy = await startTokenProxy(sidecar.match[1], TOKEN);
});
after(async () => {
  await proxy?.stop();
  await sidecar?.stop();
});

test("without the token nothing of the suite would pass (B-136)", async () => {
  const answer = await fetch(sidecar.match[1], { method: "POST", body: "{}" });
  assert.equal(answer.status, 401);
});

/** The results in the suite's summary: every scenario, and those that the revision does not score. */
function read(output) {
  const summary = output.slice(output.indexOf("=== SUMMARY ==="));
  const scenarios = [...summary.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)].map(([, , name, good, bad]) => (
    { name, good: Number(good), bad: Number(bad) }));
  const unscored = new Map([...summary.matchAll(/^ {2}[✓✗] (\S+) \((\S+)\)/gm)].map(([, name, why]) => [name, why]));
  // Extensions are optional; the sidecar does not offer tasks.
  const due = scenarios.filter(({ name }) => unscored.get(name) !== "extension");
  return { due, left: scenarios.length - due.length };
}

for (const [revision, atLeast] of [["2025-11-25", 33], ["2026-07-28", 40]]) {
  test(`conformance with ${revision} (B-131)`, async () => {
    const { code, output } = await run(node22(), [SUITE, "server", "--url", proxy.url, "--requirements", revision]);
    const { due, left } = read(output);
    const checks = due.reduce((sum, it) => sum + it.good + it.bad, 0);
    const failed = due.filter((it) => it.bad > 0);
    const good = checks - failed.reduce((sum, it) => sum + it.bad, 0);
    console.log(`conformance ${revision}: ${good} of ${checks} checks passed, ${due.length} scenarios, ${left} of extensions not offered`);
    assert.deepEqual(failed.map((it) => it.name), [], output.slice(-4000));
    assert.ok(due.length >= atLeast, `only ${due.length} scenarios were run:\n${output.slice(-2000)}`);
    assert.equal(code, 0);
    for (const { name, words, text } of pages) {
      assert.ok(text.includes(words(revision, checks)), `${name} does not name ${checks} checks of ${revision}`);
    }
  });
}

// Reading a skill's folder as a directory is optional, and the sidecar does not declare it: each skill is one file.
test("the extension for skills: enumeration and manifest of SEP-2640 (B-018)", async () => {
  const system = await startSystem();
  try {
    for (const [scenario, atLeast] of [["enumeration", 32], ["manifest", 6]]) {
      const name = `sep-2640-skills-${scenario}`;
      // The scenarios of extensions are of no revision, so the suite runs them only when forced.
      const asked = ["server", "--url", system.sidecar.url, "--scenario", name, "--force"];
      const { code, output } = await run(node22(), [SUITE, ...asked]);
      const result = output.match(/^Passed: (\d+)\/(\d+), 0 failed, 0 warnings$/m);
      assert.ok(result, output.slice(-4000));
      console.log(`conformance ${name}: ${result[1]} of ${result[2]} checks passed`);
      assert.equal(result[1], result[2]);
      assert.ok(Number(result[2]) >= atLeast, `only ${result[2]} checks were made`);
      assert.equal(code, 0);
    }
  } finally {
    await system.stop();
  }
});
