// Permissions as an agent sees them: a closed notebook does not exist, a change applies to the next call, removals ask first.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, TRANSPORTS } from "../support/mcp.mjs";
import { until } from "../support/process.mjs";
import { startSystem } from "../support/system.mjs";

const GRANTS = `${STORAGE}/notebookPermissions`;
/** A changed table takes effect within 1 s; the rest is for the calls that detect it. */
const CHANGE_MS = 1500;
const SECRET = /quicksilver|Private|Passwords|To Ana|健康/;

for (const [transport, connect] of TRANSPORTS) {
  describe(transport, () => {
    let system;
    let client;
    let notebooks;
    before(async () => {
      system = await startSystem();
      client = await connect(system);
      notebooks = await system.kernel.notebooks();
    });
    after(async () => {
      await client?.close();
      await system?.stop();
    });

    test("a closed notebook answers like one that does not exist, in as many requests (B-055)", async () => {
      const ask = async (path) => {
        let error;
        const requests = await system.kernel.requestsOf(async () => {
          const answer = await call(client, "fs", "read", { path });
          assert.equal(answer.ok, false);
          error = answer.error;
        });
        return { error, requests: requests.length };
      };
      await call(client, "notebook", "list");
      const closed = await ask("/Private/Money");
      const missing = await ask("/Nowhere/Money");
      assert.equal(closed.error.type, "not_found");
      assert.deepEqual(closed, missing);
    });

    test("nothing of a closed notebook leaves by any read (B-055)", async () => {
      const calls = [
        ["notebook", "list", {}], ["fs", "list", { path: "/" }], ["fs", "tree", { path: "/" }],
        ["search", "text", { query: "quicksilver" }], ["tag", "list", {}], ["system", "get_info", {}],
        ["fs", "list", { path: "/Private" }], ["document", "info", { notebook: notebooks.Private.id, hpath: "/Money" }],
      ];
      for (const [tool, action, args] of calls) {
        const { result } = await call(client, tool, action, args);
        assert.doesNotMatch(JSON.stringify(result), SECRET, `${tool}.${action}`);
      }
      const { data } = await call(client, "search", "text", { query: "quicksilver" });
      assert.equal(data.total ?? 0, 0, "not even a count");
    });

    test("a write in a readable notebook is permission_denied with both levels (B-063)", async () => {
      const { error } = await call(client, "fs", "write", { path: "/Reading/New", markdown: "x" });
      assert.equal(error.type, "permission_denied");
      assert.match(JSON.stringify(error), /Reading/);
      assert.equal(error.level, "r");
      assert.equal(error.required, "rw");
    });

    test("an unlisted notebook can be read and not written (B-051)", async () => {
      const listed = await call(client, "fs", "list", { path: "/Attic" });
      assert.ok(listed.ok);
      const { error } = await call(client, "fs", "write", { path: "/Attic/New", markdown: "x" });
      assert.equal(error.type, "permission_denied");
    });

    test("a removal asks first, removes nothing, and is refused below rwd (B-050, B-071)", async () => {
      const { data } = await call(client, "document", "create", { notebook: "Scratch", title: `Old ${transport}`, markdown: "x" });
      const asked = await call(client, "document", "remove", { ids: [data.id] });
      assert.equal(asked.error.type, "confirmation_required");
      const still = await call(client, "document", "info", { ids: [data.id] });
      assert.equal(still.data.items.length, 1);
      const beds = await call(client, "document", "info", { notebook: "Garden", hpath: "/Beds" });
      const refused = await call(client, "document", "remove", { ids: [beds.data.items[0].id], recursive: true });
      assert.equal(refused.error.type, "permission_denied");
    });

    test("a changed table holds for a running process within a second (B-010, B-061)", async () => {
      const before = await system.kernel.permissions();
      await system.kernel.write(GRANTS, { ...before, [notebooks.Garden.id]: "none" });
      await until(async () => (await call(client, "fs", "read", { path: "/Garden/Beds" })).error?.type === "not_found",
        { deadline: CHANGE_MS, every: 100, what: "the lowered level" });
      await system.kernel.write(GRANTS, before);
      await until(async () => (await call(client, "fs", "read", { path: "/Garden/Beds" })).ok,
        { deadline: CHANGE_MS, every: 100, what: "the raised level" });
    });

    test("a broken table closes every notebook and says so (B-053)", async () => {
      const before = await system.kernel.permissions();
      await system.kernel.write(GRANTS, "{ not json");
      await until(async () => (await call(client, "fs", "read", { path: "/Garden/Beds" })).ok === false,
        { deadline: 2000, every: 100, what: "the closed notebooks" });
      const { result } = await call(client, "notebook", "list");
      assert.doesNotMatch(JSON.stringify(result), /Garden|Reading|Scratch/);
      await system.kernel.write(GRANTS, before);
    });
  });
}
