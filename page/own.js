// Offers the tools to SiYuan's own agent and runs its calls in this page. Since SiYuan 3.8.

/** The time in seconds that SiYuan waits for an answer, if its settings name none, and the longest that we let it wait. */
const SIYUAN_WAITS = 120;
const LONGEST = 50;
/** The declaration of a tool that a person has turned off: SiYuan keeps a tool of a plugin until its page is loaded again. */
const OFF = { description: "A person has turned this tool off. Do not call it.", inputSchema: { type: "object", properties: {} }, effects: { localRead: true } };

/**
 * The declarations that SiYuan has of each instance, as text, by name.
 *
 * @type {WeakMap<MCPPuppy, Map<string, string>>}
 */
const known = new WeakMap();

/**
 * The instances that have looked at SiYuan's own tools.
 *
 * @type {WeakSet<MCPPuppy>}
 */
const looked = new WeakSet();

/** The milliseconds after which a call is answered: well before SiYuan takes its result for unknown. */
function patience() {
  const waits = window.siyuan.config.ai?.agent?.confirmTimeout || SIYUAN_WAITS;
  return Math.min(LONGEST, waits / 2) * 1000;
}

/**
 * The object through which the module of the actions reaches this page.
 *
 * @param {MCPPuppy} plugin
 * @returns {OwnHost}
 */
const served = (plugin) => ({
  ...plugin.host(),
  patience: patience(),
  ask: async (question) => (await plugin.attend(), plugin.request(`ask ${question}`)),
  touched: (doc, block, level) => plugin.channel?.touched(doc, block, level),
  screen: async (call, action, args) => (await plugin.attend(), plugin.channel?.act(call, action, args) ?? ""),
});

/**
 * Runs a call. Its module loads with the first one.
 *
 * @type {(plugin: MCPPuppy, tool: string, args: unknown) => Promise<{ result?: string, error?: string }>}
 */
async function run(plugin, tool, args) {
  if (plugin.dead) return { error: "MCP Puppy was turned off or updated. Ask the person to reload SiYuan's window." };
  // The channel shows the call at the puppy and in the document tree.
  plugin.attend();
  const text = await plugin.late((it) => it.agent(served(plugin), JSON.stringify({ tool, arguments: args ?? {} })), () => "");
  return text ? JSON.parse(text) : { error: "MCP Puppy could not load its actions. Nothing was changed. Ask the person to reload SiYuan's window." };
}

/**
 * Declares a tool to SiYuan, in place of its earlier declaration.
 *
 * @type {(plugin: MCPPuppy, tool: OwnTool) => void}
 */
function declare(plugin, tool) {
  const all = plugin.agentCapabilities;
  // SiYuan skips a tool that this list has already, and takes a new declaration of its id otherwise.
  const before = all?.findIndex((it) => decodeURIComponent(it.id.split("/").at(-1) ?? "") === tool.name) ?? -1;
  if (before >= 0) all?.splice(before, 1);
  plugin.addAgentCapability?.({ ...tool, handler: (args) => run(plugin, tool.name, args) });
}

/**
 * Offers the tools, or takes them back.
 *
 * @param {MCPPuppy} plugin
 * @param {boolean} is
 */
export async function offer(plugin, is) {
  const text = is ? await plugin.request("own-tools") : "[]";
  // The module that knows the tools could not be loaded.
  if (!text || plugin.dead) return;
  const declared = known.get(plugin) ?? new Map();
  known.set(plugin, declared);
  plugin.offers = () => plugin.late((it) => it.rest(), () => {});
  /** @type {OwnTool[]} */
  const tools = JSON.parse(text);
  const names = tools.map((it) => it.name);
  const gone = [...declared.keys()].filter((name) => !names.includes(name));
  for (const tool of [...tools, ...gone.map((name) => ({ ...OFF, name, title: name }))]) {
    const now = JSON.stringify(tool);
    if (declared.get(tool.name) === now) continue;
    declare(plugin, tool);
    declared.set(tool.name, now);
  }
  if (is && !looked.has(plugin)) await look(plugin);
}

/**
 * Says once after each start if SiYuan's own tools reach notes again although a person has denied them.
 *
 * @param {MCPPuppy} plugin
 */
async function look(plugin) {
  looked.add(plugin);
  try {
    // Under the same version as this script, and after a failure under the same new address.
    /** @type {typeof import("./native.js")} */
    const { isOpenAgain } = await import(new URL(`native.js${new URL(import.meta.url).search}`, import.meta.url).href);
    if (await isOpenAgain() && !plugin.dead) plugin.host().say(plugin.i18n.nativeTools);
  } catch (error) {
    console.error(`${plugin.name}: SiYuan's own tools could not be listed`, error);
  }
}
