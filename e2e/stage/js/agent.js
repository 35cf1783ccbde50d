// The page's part of SiYuan's own agent since 3.8: the tools of plugins, the declarations that go with each message of a
// chat, and the calls that the kernel sends back. It takes only what the kernel's contract has.

/** The fields of a declaration, and those of a call. */
const DECLARATION = ["id", "title", "description", "inputSchema", "outputSchema", "source", "ownerId", "ownerName", "effects", "actionEffects", "generation"];
const EFFECTS = ["localRead", "localWrite", "dataEgress", "externalCost"];
const CALL = ["callID", "name", "capabilityID", "generation", "arguments"];
/** The longest name that a model gets, and the most characters of an answer. */
const NAME = 64;
const ANSWER = 40_000;

const registry = new Map();
let generation = 0;
let calls = 0;

/** Notes a tool; a later one of the same id takes its place. */
function register(capability) {
  generation += 1;
  registry.set(capability.id, { ...capability, generation });
  return generation;
}

/** Forgets the tools of a plugin; a tool that was declared again by another instance stays. */
export function forgetCapabilities(plugin) {
  for (const { id, generation: of } of plugin.agentCapabilities ?? []) {
    if (registry.get(id)?.generation === of) registry.delete(id);
  }
}

/** Takes a tool that a plugin offers. */
export function addAgentCapability(plugin, options) {
  const name = options.name.trim();
  if (!name || !options.description.trim()) throw new Error("a tool needs a name and a description");
  const id = `plugin/frontend/${encodeURIComponent(plugin.name)}/${encodeURIComponent(name)}`;
  if (plugin.agentCapabilities.some((it) => it.id === id)) return id;
  const { title, description, inputSchema, outputSchema, effects, actionEffects, handler } = options;
  const of = register({ id, title, description, inputSchema, outputSchema, effects, actionEffects, source: "plugin", ownerId: plugin.name, ownerName: plugin.displayName, handler });
  plugin.agentCapabilities.push({ id, generation: of });
  return id;
}

/** The name by which a model calls a tool. */
async function modelName(id) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id)));
  const suffix = `__${[...hash.slice(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  return `frontend__${id.replaceAll(/[^\w-]/g, "_")}`.slice(0, NAME - suffix.length) + suffix;
}

const foreign = (object, known) => Object.keys(object ?? {}).filter((key) => !known.includes(key));

/** The faults of a declaration by the kernel's contract. */
function faultsOf(declaration) {
  const effects = [declaration.effects, ...Object.values(declaration.actionEffects ?? {})];
  return [
    ...foreign(declaration, DECLARATION),
    ...effects.flatMap((it) => foreign(it, EFFECTS)),
    ...effects.flatMap((it) => Object.values(it ?? {}).filter((value) => typeof value !== "boolean").map(String)),
    ...(declaration.inputSchema?.type === "object" ? [] : ["inputSchema"]),
  ];
}

/** The faults of arguments, as far as a plain schema goes. */
function faultsIn(args, schema) {
  const fits = (value, { type, enum: words }) => (!words || words.includes(value))
    && (!type || type === (Array.isArray(value) ? "array" : Number.isInteger(value) && type === "integer" ? "integer" : typeof value));
  const missing = (schema.required ?? []).filter((key) => !(key in args));
  const wrong = Object.entries(args).filter(([key, value]) => schema.properties?.[key] && !fits(value, schema.properties[key]));
  return [...missing, ...wrong.map(([key]) => key)];
}

/** SiYuan's own agent as a test plays it. */
export const agent = {
  /** The declarations that go with a message, as JSON carries them. */
  async declarations() {
    const all = [...registry.values()].map(({ handler, ...declaration }) => JSON.parse(JSON.stringify(declaration)));
    const faults = all.flatMap(faultsOf);
    if (faults.length) throw new Error(`not in the contract: ${faults.join(", ")}`);
    return Promise.all(all.map(async (declaration) => ({ ...declaration, modelName: await modelName(declaration.id) })));
  },
  /** A call of the model: the kernel checks it, the page runs it, and this is what the page sends back. */
  async call(tool, args = {}, of = undefined) {
    const declared = (await agent.declarations()).find((it) => it.id.endsWith(`/${tool}`));
    if (!declared) return { isError: true, result: "no such capability" };
    const faults = faultsIn(args, declared.inputSchema);
    if (faults.length) return { isError: true, result: `invalid capability arguments: ${faults.join(", ")}` };
    calls += 1;
    const event = { callID: `call-${calls}`, name: declared.modelName, capabilityID: declared.id, generation: of ?? declared.generation, arguments: args };
    if (foreign(event, CALL).length) throw new Error("a call has other fields");
    const known = registry.get(event.capabilityID);
    if (!known || known.generation !== event.generation) return { callID: event.callID, isError: true, result: "the capability is no longer available" };
    const limit = (window.siyuan.config.ai?.agent?.confirmTimeout || 120) * 1000;
    const late = new Promise((resolve) => { setTimeout(() => resolve({ late: true }), limit); });
    const answer = await Promise.race([known.handler(structuredClone(event.arguments), window.siyuanApp), late]);
    if (answer.late) return { callID: event.callID, isError: true, result: "result unknown" };
    const unknown = foreign(answer, ["result", "structuredContent", "error"]);
    if (unknown.length) throw new Error(`an answer has other fields: ${unknown.join(", ")}`);
    return { callID: event.callID, result: String(answer.error ?? answer.result ?? "").slice(0, ANSWER), structuredContentSet: "structuredContent" in answer, isError: "error" in answer };
  },
};
