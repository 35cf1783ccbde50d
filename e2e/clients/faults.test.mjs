// Bad input and a bad kernel: each causes its typed error, and the process continues.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, connectHttp, connectStdio } from "../support/mcp.mjs";
import { sidecarEnv, startSidecar, startSystem } from "../support/system.mjs";

/** Faults of the kernel, and the error types that may report them. */
const FAULTS = [
  ["401", ["kernel_auth"]],
  ["403", ["kernel_auth"]],
  ["429", ["api_error", "kernel_unreachable"]],
  ["500", ["api_error", "kernel_unreachable"]],
  ["202", ["api_error"]],
  ["null", ["api_error"]],
  ["empty", ["api_error"]],
  ["drop", ["kernel_unreachable"]],
];

describe("arguments", () => {
  let system;
  let client;
  before(async () => {
    system = await startSystem();
    client = await connectHttp(system.sidecar.url);
  });
  after(async () => {
    await client?.close();
    await system?.stop();
  });

  test("wrong arguments: every bad field at once, with an example (B-081)", async () => {
    const { error } = await call(client, "fs", "read", { path: 7, limit: 100_000, colour: "red" });
    assert.equal(error.type, "validation_error");
    for (const field of ["path", "limit", "colour"]) assert.ok(field in error.fields, `${field} in ${JSON.stringify(error)}`);
    assert.ok(error.hint, "a corrected call");
  });

  test("missing arguments, a wrong id, an unknown action (B-080)", async () => {
    const missing = await call(client, "document", "create", {});
    assert.equal(missing.error.type, "validation_error");
    assert.ok("title" in missing.error.fields);
    const id = await call(client, "block", "get", { ids: ["not-an-id"] });
    assert.equal(id.error.type, "validation_error");
    const action = await call(client, "notebook", "lst");
    assert.equal(action.error.type, "validation_error");
    assert.match(JSON.stringify(action.error), /list/, "the nearest action is named");
    const unknown = await call(client, "fs", "read", { pth: "/Garden" });
    assert.match(JSON.stringify(unknown.error), /path/, "the nearest argument is named (B-024)");
  });

  test("transport keys of hosts are dropped (B-024)", async () => {
    const { ok } = await call(client, "notebook", "list", { _sessionID: "abc", _requestId: 1 });
    assert.ok(ok);
  });

  for (const [fault, types] of FAULTS) {
    test(`the kernel answers ${fault}: a typed error, no secret in it, and the next call works (B-084, B-085, B-087)`, async () => {
      await system.kernel.faults([{ path: "/api/block/getChildBlocks", fault }]);
      const { ok, error, result } = await call(client, "fs", "read", { path: "/Garden/Beds" });
      assert.equal(ok, false, JSON.stringify(result));
      assert.ok(types.includes(error.type), `${fault}: ${JSON.stringify(error)}`);
      assert.doesNotMatch(JSON.stringify(result), /\/home\/|\/root\/|\/tmp\/|at src\//, "no path, no stack");
      await system.kernel.faults([]);
      const next = await call(client, "fs", "read", { path: "/Garden/Beds" });
      assert.ok(next.ok, JSON.stringify(next.error));
    });
  }

  test("a storage that refuses every write does not fail a call (B-037)", async () => {
    await system.kernel.faults([{ path: "/api/file/putFile", fault: "500" }]);
    const { ok } = await call(client, "notebook", "list");
    await system.kernel.faults([]);
    assert.ok(ok);
  });
});

describe("no kernel", () => {
  const nowhere = { url: "http://127.0.0.1:9", token: "" };

  test("stdio starts, lists its tools, and calls say kernel_unreachable (B-012, B-084)", async () => {
    const { client } = await connectStdio(sidecarEnv(nowhere));
    assert.ok((await client.listTools()).tools.length > 0);
    const { error } = await call(client, "notebook", "list");
    assert.equal(error.type, "kernel_unreachable");
    assert.match(error.message + (error.hint ?? ""), /SiYuan/, "it says how to start it");
    assert.ok((await client.listTools()).tools.length > 0, "the process goes on");
    await client.close();
  });

  test("a kernel that ends is unreachable, and one call later the process still answers (B-084)", async (t) => {
    const system = await startSystem();
    t.after(() => system.sidecar.stop());
    const client = await connectHttp(system.sidecar.url);
    assert.ok((await call(client, "notebook", "list")).ok);
    await system.stopKernel();
    const { error } = await call(client, "fs", "read", { path: "/Garden/Beds" });
    assert.equal(error.type, "kernel_unreachable");
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
  });

  test("the kernel's token is wanted and given, and never shown (B-087)", async (t) => {
    const token = "kernel-token-of-the-test";
    const system = await startSystem({ kernelToken: token });
    t.after(() => system.stop());
    const client = await connectHttp(system.sidecar.url);
    const right = await call(client, "notebook", "list");
    assert.ok(right.ok, JSON.stringify(right.error));
    await client.close();
    const wrong = await startSidecar({ url: system.kernel.url, token: "wrong-token" });
    t.after(() => wrong.stop());
    const other = await connectHttp(wrong.url);
    const { error, result } = await call(other, "notebook", "list");
    assert.equal(error.type, "kernel_auth");
    assert.doesNotMatch(JSON.stringify(result) + wrong.output(), /wrong-token|kernel-token/);
    await other.close();
  });
});

