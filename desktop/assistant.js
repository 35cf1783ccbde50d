// Puts the puppy among the MCP servers of SiYuan's own assistant, and takes it out again.

const NAME = "siyuan-mcp-puppy";

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("../page/ai.js")} */
const { isMasked, post, readAi } = await import(new URL(`../page/ai.js${new URL(import.meta.url).search}`, import.meta.url).href);

/**
 * Looks at the entry (`look`), writes it (`add`) or takes it out (`remove`); `entry` is `{command, args}`. The answer is
 * `absent`, `present`, `differs` where there is another one, or `unknown` where SiYuan has no such list.
 *
 * @typedef {{ command: string, args: string[] }} Entry
 * @param {AssistantRequest} what
 * @param {Entry} entry
 */
export async function assistant(what, entry) {
  const ai = await readAi();
  const servers = ai?.mcp?.servers;
  if (!ai || !Array.isArray(servers)) return "unknown";
  if (what === "look") return stateOf(servers, entry);
  if (isMasked(ai)) throw new Error("the assistant's settings came without their keys");
  const others = servers.filter((server) => server.name !== NAME);
  const own = { ...servers.find((server) => server.name === NAME), ...fresh(entry) };
  const wanted = what === "add" ? [...others, own] : others;
  const asked = { ...ai, mcp: { ...ai.mcp, servers: wanted } };
  /** @type {typeof asked} */
  const saved = (await post("/api/setting/setAI", asked)) ?? asked;
  window.siyuan.config.ai = saved;
  return stateOf(saved.mcp.servers, entry);
}

/** @type {(entry: Entry) => AssistantServer} */
const fresh = ({ command, args }) =>
  ({ name: NAME, enabled: true, type: "stdio", command, args, url: "", headers: {}, timeout: 30 });

/** @type {(servers: AssistantServer[], entry: Entry) => string} */
function stateOf(servers, { command, args }) {
  const own = servers.find((server) => server.name === NAME);
  if (!own) return "absent";
  const isSame = own.enabled && own.type === "stdio" && own.command === command && String(own.args) === String(args);
  return isSame ? "present" : "differs";
}
