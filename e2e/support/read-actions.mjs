// One call for every action that only reads, made from the server's own descriptions: its enums and its help.
import assert from "node:assert/strict";
import { call } from "./mcp.mjs";

/** A template that the tests store, because the fixture has none. */
export const TEMPLATE = "week.md";

/** Names in the examples of the help pages, with their counterparts in the fixture. */
const STAND_INS = [
  [/^\d{14}-[0-9a-z]{7}$/, (seen) => seen.id],
  [/^\//, () => "/Garden/Plants/Tomatoes"],
  [/^assets\//, (seen) => seen.asset],
  [/\.md$/, () => TEMPLATE],
];

/** The deck that every workspace has. */
const BUILT_IN_DECK = "20230218211946-2kw8jgx";

/** The arguments in `tool(action="a", n=1, list=["x"])`. */
function parse(example) {
  const inner = example.slice(example.indexOf("(") + 1, example.lastIndexOf(")"));
  return JSON.parse(`{${inner.replace(/(^|, )([a-z_]+)=/g, '$1"$2": ')}}`);
}

function standIn(value, name, seen) {
  if (Array.isArray(value)) return value.map((item) => standIn(item, name, seen));
  if (typeof value !== "string" || name === "action") return value;
  if (name === "notebook") return "Garden";
  if (name === "deck") return BUILT_IN_DECK;
  const known = STAND_INS.find(([pattern]) => pattern.test(value));
  return known ? known[1](seen) : value;
}

/** `[[tool, arguments], ...]`, at least one for every action whose help says that it reads. */
export async function readActions(client) {
  const { tools } = await client.listTools();
  const found = await call(client, "fs", "read", { path: "/Garden/Plants/Tomatoes" });
  assert.ok(found.ok, JSON.stringify(found.error));
  const list = await call(client, "fs", "read", { path: "/Garden/Plants/Plant list" });
  const database = /data-av-id="([^"]+)"/.exec(list.body)?.[1];
  assert.ok(database, JSON.stringify(list));
  const beds = await call(client, "fs", "read", { path: "/Garden/Beds" });
  const asset = /assets\/[^\s)"]+/.exec(beds.body)?.[0];
  assert.ok(asset, JSON.stringify(beds));
  const calls = [];
  for (const tool of tools) {
    for (const action of tool.inputSchema.properties.action.enum.filter((name) => name !== "help")) {
      const page = (await call(client, tool.name, "help", { topic: action })).body;
      if (!/^- Effect: reads$/m.test(page)) continue;
      const example = /^`(\w+\(action=.*\))`$/m.exec(page)?.[1];
      assert.ok(example, `the help of ${tool.name}.${action} has no example:\n${page}`);
      const named = Object.entries(parse(example));
      const id = tool.name === "av" ? database : found.data.id;
      calls.push([tool.name, Object.fromEntries(named.map(([name, value]) => [name, standIn(value, name, { id, asset })]))]);
    }
  }
  return calls;
}
