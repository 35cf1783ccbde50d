// SiYuan's own tools, which reach notes whatever their level: which of them its agent and its MCP server may use, and how
// they are denied. Since SiYuan 3.8.

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("./ai.js")} */
const { isMasked, post, readAi } = await import(new URL(`ai.js${new URL(import.meta.url).search}`, import.meta.url).href);

/** The tools that reach no note by themselves. Every other one counts as reaching notes, also one that is new. */
const HARMLESS = ["web_search", "web_fetch", "question", "todo", "skill"].map((name) => `native/backend/${name}`);
/** The page's own tools are in no list. This one shows a document, and its title then goes to the model. */
const IN_PAGE = { id: "native/frontend/open_document", title: "Open document" };

/** @typedef {{ id: string, title?: string, name?: string, source?: string, agentOnly?: boolean }} Capability */

/** @returns {Promise<Capability[]>} */
async function listed() {
  /** @type {Capability[]} */
  const all = (await post("/api/ai/lsCapabilities", {})) ?? [];
  return all.filter(({ id, source }) => (source || "native") === "native" && !HARMLESS.includes(id));
}

/** @type {(policy: CapabilityPolicy | undefined, id: string) => boolean} */
const isAllowed = (policy, id) => ((policy?.overrides?.[id] || policy?.default) ?? "allow") === "allow";

/**
 * The tools that reach notes and that may be used, by the settings of SiYuan's AI.
 *
 * @param {AssistantSettings | undefined} ai
 * @param {Capability[]} all
 */
function bypassing(ai, all) {
  /** @param {Capability} it */
  const shown = ({ id, title, name }) => ({ id, title: title || name || "" });
  return {
    agent: [...all, IN_PAGE].filter(({ id }) => isAllowed(ai?.agent?.capabilityPolicy, id)).map(shown),
    mcp: all.filter(({ id, agentOnly }) => !agentOnly && isAllowed(ai?.mcp?.exposurePolicy, id)).map(shown),
  };
}

/**
 * A policy that denies these tools, and is otherwise as it was.
 *
 * @type {(policy: CapabilityPolicy | undefined, tools: { id: string }[]) => CapabilityPolicy}
 */
function denying(policy, tools) {
  const wanted = { ...policy, default: policy?.default || "allow", overrides: { ...policy?.overrides } };
  for (const { id } of tools) {
    if (wanted.default === "deny") delete wanted.overrides[id];
    else wanted.overrides[id] = "deny";
  }
  return wanted;
}

/**
 * The keys below which two settings differ; never their values.
 *
 * @type {(one: any, other: any, path?: string) => string[]}
 */
function differences(one, other, path = "ai") {
  if (Object(one) !== one || Object(other) !== other) return one === other ? [] : [path];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) => differences(one[key], other[key], `${path}.${key}`));
}

/** @param {boolean} isAll */
async function deny(isAll) {
  const [before, all] = await Promise.all([readAi(), listed()]);
  if (!before?.agent || !before.mcp) throw new Error("SiYuan has no such settings");
  if (isMasked(before)) throw new Error("SiYuan's AI settings came without their keys");
  const { agent, mcp } = bypassing(before, all);
  const wanted = { ...before, agent: { ...before.agent, capabilityPolicy: denying(before.agent.capabilityPolicy, agent) } };
  if (isAll) wanted.mcp = { ...before.mcp, exposurePolicy: denying(before.mcp.exposurePolicy, mcp) };
  await post("/api/setting/setAI", wanted);
  const after = await readAi();
  // SiYuan's own page changes its settings on top of this copy.
  window.siyuan.config.ai = after;
  const differing = differences(wanted, after);
  if (differing.length) throw new Error(`SiYuan's AI settings are not those that were saved: ${differing.slice(0, 5).join(", ")}`);
}

/**
 * Looks at SiYuan's own tools (`look`), denies them to its agent (`deny`) and also to its MCP server (`deny-all`), or leads
 * to SiYuan's settings (`open`). The answer is JSON, in which `agent` and `mcp` list the tools that bypass levels.
 *
 * @param {{ siyuan: SiYuan, plugin: MCPPuppy }} parts
 * @param {NativeRequest} what
 */
export async function native({ siyuan, plugin }, what) {
  const supported = Boolean(plugin.addAgentCapability);
  if (!supported) return JSON.stringify({ supported });
  if (what === "open") {
    plugin.dialog?.destroy();
    const dialog = siyuan.openSetting(plugin.app, "ai");
    setTimeout(() => /** @type {HTMLElement | null} */ ((dialog?.element ?? document).querySelector("#aiAgentCapabilities"))?.click(), 300);
  } else if (what !== "look") await deny(what === "deny-all");
  const [ai, all] = await Promise.all([readAi(), listed()]);
  return JSON.stringify({ supported, ...bypassing(ai, all) });
}

/**
 * Whether a tool is on again, or new, after a person denied others: one request, with the settings of the page's start.
 */
export async function isOpenAgain() {
  const all = await listed();
  const { ai } = window.siyuan.config;
  const { agent } = bypassing(ai, all);
  return agent.length > 0 && agent.length <= all.length;
}
