// The actions through an independent client, over both transports: lists, reads, writes, searches, and their effects.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, TRANSPORTS } from "../support/mcp.mjs";
import { startSystem } from "../support/system.mjs";

const ID = /^\d{14}-[0-9a-z]{7}$/;

/** A call that must succeed. */
async function done(client, tool, action, args) {
  const answer = await call(client, tool, action, args);
  assert.ok(answer.ok, `${tool}.${action}: ${JSON.stringify(answer.error)}`);
  return answer;
}

for (const [transport, connect] of TRANSPORTS) {
  describe(transport, () => {
    let system;
    let client;
    before(async () => {
      system = await startSystem();
      client = await connect(system);
    });
    after(async () => {
      await client?.close();
      await system?.stop();
    });

    test("notebook.list names the notebooks that are not hidden from agents (B-055)", async () => {
      const { data } = await done(client, "notebook", "list");
      const levels = Object.fromEntries(data.items.map((item) => [item.name, item.level]));
      assert.deepEqual(levels, { Garden: "rw", Reading: "r", Scratch: "rwd", Attic: "r" });
      assert.equal(data.total, 4);
    });

    test("fs.list, fs.tree and fs.read walk from the root to a text", async () => {
      const root = await done(client, "fs", "list", { path: "/" });
      assert.ok(root.data.items.some((item) => item.path === "/Garden"));
      const garden = await done(client, "fs", "list", { path: "/Garden" });
      assert.ok(garden.data.items.some((item) => item.title === "Plants" && ID.test(item.id)));
      const tree = await done(client, "fs", "tree", { path: "/Garden", depth: 2 });
      assert.match(tree.body, /Tomatoes/);
      const read = await done(client, "fs", "read", { path: "/Garden/Plants/Tomatoes" });
      assert.match(read.body, /Gardener's Delight/);
      assert.equal(read.data.title, "Tomatoes");
    });

    test("fs.write creates, fs.edit changes, fs.read shows it", async () => {
      const path = `/Garden/Written over ${transport}`;
      const written = await done(client, "fs", "write", { path, markdown: "First line.\n\nSecond line 你好 🌱." });
      assert.equal(written.data.created, true);
      assert.match(written.data.id, ID);
      await done(client, "fs", "edit", { path, edits: [{ old: "First", new: "Changed" }] });
      const { body } = await done(client, "fs", "read", { path });
      assert.match(body, /Changed line\./);
      assert.match(body, /Second line 你好 🌱\./);
      const again = await call(client, "fs", "write", { path, markdown: "x" });
      assert.equal(again.error?.type, "conflict", "create never overwrites");
    });

    test("document.create, info and move", async () => {
      const title = `Made over ${transport}`;
      const { data } = await done(client, "document", "create", { notebook: "Garden", title, markdown: "A body." });
      const info = await done(client, "document", "info", { ids: [data.id] });
      assert.equal(info.data.items[0].title, title);
      const parent = await done(client, "document", "info", { notebook: "Garden", hpath: "/Plants" });
      const moved = await done(client, "document", "move", { ids: [data.id], parent: parent.data.items[0].id });
      assert.equal(moved.data.items[0].hpath, `/Plants/${title}`);
    });

    test("block.append, get, update and delete", async () => {
      const made = await done(client, "document", "create", { notebook: "Scratch", title: `Blocks ${transport}`, markdown: "One." });
      const appended = await done(client, "block", "append", { id: made.data.id, markdown: "Two." });
      const [block] = appended.data.ids;
      assert.match(block, ID);
      const got = await done(client, "block", "get", { ids: [block] });
      assert.match(got.body, /Two\./);
      await done(client, "block", "update", { id: block, markdown: "Two, changed." });
      const changed = await done(client, "block", "get", { ids: [block] });
      assert.match(changed.body, /Two, changed\./);
      const asked = await call(client, "block", "delete", { ids: [block] });
      assert.equal(asked.error?.type, "confirmation_required");
      const kept = await done(client, "block", "get", { ids: [block] });
      assert.match(kept.body, /Two, changed\./, "nothing is gone before a yes (B-071)");
    });

    test("search.text finds words, also inside a Chinese run", async () => {
      const found = await done(client, "search", "text", { query: "Gardener" });
      assert.ok(found.data.items.length > 0);
      const chinese = await done(client, "search", "text", { query: "白菜" });
      assert.ok(chinese.data.items.length > 0, JSON.stringify(chinese.data));
    });

    test("tag.list, system.get_info and mascot.status answer", async () => {
      const tags = await done(client, "tag", "list");
      assert.ok(Array.isArray(tags.data.items));
      const info = await done(client, "system", "get_info");
      assert.equal(info.data.siyuan, "3.7.3");
      const puppy = await done(client, "mascot", "status");
      assert.equal(typeof puppy.data.balance, "number");
    });

    test("help answers for every tool without a kernel request (B-022)", async () => {
      const { tools } = await client.listTools();
      const asked = await system.kernel.requestsOf(async () => {
        for (const tool of tools) {
          const { ok, body, data } = await call(client, tool.name, "help");
          assert.ok(ok && (body ?? JSON.stringify(data)).includes(tool.name), tool.name);
        }
      });
      assert.deepEqual(asked, [], "help reads no note");
    });
  });
}
