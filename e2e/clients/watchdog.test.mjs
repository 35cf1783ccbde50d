// The sidecar ends with the process that it watches (B-145).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { sidecarBinary } from "../support/config.mjs";
import { exists, start, until } from "../support/process.mjs";
import { sidecarEnv, startKernel } from "../support/system.mjs";

let system;
before(async () => { system = await startKernel(); });
after(() => system?.stop());

/** A process that does nothing until it is killed. */
function parent() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  return { pid: child.pid, kill: () => child.kill("SIGKILL"), ended: new Promise((done) => child.once("exit", done)) };
}

for (const way of ["environment", "flag"]) {
  test(`killed parent (pid by ${way}): gone within 2 s (B-145)`, async () => {
    const watched = parent();
    const args = ["http", "--port", "0"];
    const env = sidecarEnv(system.kernel);
    delete env.SIYUAN_MCP_PARENT_PID;
    if (way === "flag") args.push("--parent-pid", String(watched.pid));
    else env.SIYUAN_MCP_PARENT_PID = String(watched.pid);
    const sidecar = await start(sidecarBinary(), args, { env, ready: /listening on (\S+)/ });
    assert.ok(exists(sidecar.pid));
    watched.kill();
    await watched.ended;
    const from = Date.now();
    await until(() => !exists(sidecar.pid), { deadline: 2000, every: 20, what: "the end of the sidecar" });
    console.log(`ended ${Date.now() - from} ms after its parent`);
    await sidecar.ended;
  });
}

test("stdio ends with its stdin", async () => {
  const child = spawn(sidecarBinary(), ["stdio"], {
    env: { ...process.env, ...sidecarEnv(system.kernel) }, stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  const code = await ended;
  clearTimeout(timer);
  assert.equal(code, 0);
});
