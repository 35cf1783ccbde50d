// Puts the puppy among the MCP servers of SiYuan's own assistant, and takes it out again.

const NAME = "siyuan-mcp-puppy";

async function post(path, body) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(5000) });
  const reply = response.status === 200 ? await response.json() : { code: response.status };
  if (reply.code !== 0) throw new Error(`${path}: ${reply.msg ?? reply.code}`);
  return reply.data;
}

/**
 * Looks at the entry (`look`), writes it (`add`) or takes it out (`remove`); `entry` is `{command, args}`. The answer is
 * `absent`, `present`, `differs` where there is another one, or `unknown` where SiYuan has no such list.
 */
export async function assistant(what, entry) {
  // As the kernel has them now: the whole of the assistant's settings is written, and the page's copy may be old.
  const { conf } = await post("/api/system/getConf", {});
  const servers = conf.ai?.mcp?.servers;
  if (!Array.isArray(servers)) return "unknown";
  if (what === "look") return stateOf(servers, entry);
  if (isMasked(conf.ai)) throw new Error("the assistant's settings came without their keys");
  const others = servers.filter((server) => server.name !== NAME);
  const own = { ...servers.find((server) => server.name === NAME), ...fresh(entry) };
  const wanted = what === "add" ? [...others, own] : others;
  const saved = await post("/api/setting/setAI", { ...conf.ai, mcp: { ...conf.ai.mcp, servers: wanted } });
  window.siyuan.config.ai = saved ?? { ...conf.ai, mcp: { ...conf.ai.mcp, servers: wanted } };
  return stateOf(window.siyuan.config.ai.mcp.servers, entry);
}

const fresh = ({ command, args }) =>
  ({ name: NAME, enabled: true, type: "stdio", command, args, url: "", headers: {}, timeout: 30 });

function stateOf(servers, { command, args }) {
  const own = servers.find((server) => server.name === NAME);
  if (!own) return "absent";
  const isSame = own.enabled && own.type === "stdio" && own.command === command && String(own.args) === String(args);
  return isSame ? "present" : "differs";
}

/** Whether the kernel left out keys that the page knows: writing that back would lose them. */
function isMasked(ai) {
  const keys = (all) => (all?.providers ?? []).filter((it) => it?.apiKey).map((it) => it.id);
  const present = new Set(keys(ai));
  return keys(window.siyuan.config.ai).some((id) => !present.has(id) && ai.providers?.some((it) => it?.id === id));
}
