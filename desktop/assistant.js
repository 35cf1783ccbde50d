// Puts the puppy among the MCP servers of SiYuan's own assistant, and takes it out again.

const NAME = "siyuan-mcp-puppy";

/** @type {(path: string, body: unknown) => Promise<any>} */
async function post(path, body) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(5000) });
  const reply = response.status === 200 ? await response.json() : { code: response.status };
  if (reply.code !== 0) throw new Error(`${path}: ${reply.msg ?? reply.code}`);
  return reply.data;
}

/**
 * Looks at the entry (`look`), writes it (`add`) or takes it out (`remove`); `entry` is `{command, args}`. The answer is
 * `absent`, `present`, `differs` where there is another one, or `unknown` where SiYuan has no such list.
 *
 * @typedef {{ command: string, args: string[] }} Entry
 * @param {AssistantRequest} what
 * @param {Entry} entry
 */
export async function assistant(what, entry) {
  // As the kernel has them now: the whole of the assistant's settings is written, and the page's copy may be old.
  /** @type {{ conf: { ai?: AssistantSettings } }} */
  const { conf: { ai } } = await post("/api/system/getConf", {});
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

/**
 * Whether the kernel left out keys that the page knows: writing that back would lose them.
 *
 * @param {AssistantSettings} ai
 */
function isMasked(ai) {
  /** @param {AssistantSettings | undefined} all */
  const keys = (all) => (all?.providers ?? []).filter((it) => it?.apiKey).map((it) => it.id);
  const present = new Set(keys(ai));
  return keys(window.siyuan.config.ai).some((id) => !present.has(id) && ai.providers?.some((it) => it?.id === id));
}
