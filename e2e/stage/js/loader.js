// The plugin loader: evaluates what the kernel delivers, and runs the two phases of a plugin's life.
import { forgetCapabilities } from "./agent.js";
import { Plugin } from "./plugin.js";
import { hostApi } from "./api.js";
import { fetchSyncPost } from "./request.js";
import { removeDock } from "./dock.js";

const indirectEval = eval;
/** The time for which a newer host waits for `onunload` and `uninstall` together. */
const UNLOAD_MS = 5000;

/** Since SiYuan 3.8.2 what happens to one plugin happens in turn. */
function inTurn(app, name, task) {
  if (!app.newer) return task();
  const turn = (app.turns.get(name) ?? Promise.resolve()).then(task);
  app.turns.set(name, turn.catch(() => {}));
  return turn;
}

function evaluate(petal) {
  const body = `(function anonymous(require, module, exports){${petal.js}\n})\n//# sourceURL=plugin:${encodeURIComponent(petal.name)}\n`;
  const module = { exports: {} };
  const require = (key) => (key === "siyuan" ? hostApi() : window.require?.(key));
  indirectEval(body)(require, module, module.exports);
  const Class = module.exports?.default ?? module.exports;
  if (typeof Class !== "function" || !(Class.prototype instanceof Plugin)) {
    throw new Error(`plugin ${petal.name} does not export a class that extends Plugin`);
  }
  return Class;
}

function addStyle(petal, replaces = false) {
  if (replaces) document.getElementById(`pluginsStyle${petal.name}`)?.remove();
  if (!petal.css) return;
  const style = document.createElement("style");
  style.id = `pluginsStyle${petal.name}`;
  style.textContent = petal.css;
  document.getElementById("pluginsStyle").after(style);
}

async function start(app, petal) {
  let plugin;
  try {
    const Class = evaluate(petal);
    if (!app.newer) addStyle(petal);
    const i18n = await app.translate(petal);
    plugin = new Class({ app, displayName: petal.displayName, name: petal.name, i18n });
    if (app.newer) addStyle(petal, true);
    if (app.newer && app.plugins.some(({ name }) => name === petal.name)) throw new Error("it is loaded already");
  } catch (error) {
    console.error(`plugin ${petal.name} could not be loaded`, error);
    return undefined;
  }
  app.plugins.push(plugin);
  try {
    await plugin.onload();
  } catch (error) {
    console.error(`plugin ${petal.name} onload failed`, error);
  }
  return plugin;
}

async function layoutReady(plugin) {
  try {
    await plugin.onLayoutReady();
  } catch (error) {
    console.error(`plugin ${plugin.name} onLayoutReady failed`, error);
  }
}

const petals = async (app) =>
  (await fetchSyncPost("/api/petal/loadPetals", { frontend: app.frontend })).data ?? [];

/** Phase one: every enabled plugin is created and its `onload` awaited. */
export async function loadAll(app) {
  for (const petal of await petals(app)) await start(app, petal);
}

/** Phase two, once the layout is ready; a newer host keeps data changes back until then. */
export function allLayoutsReady(app) {
  app.laidOut.resolve(Promise.all(app.plugins.map(layoutReady)));
}

/** Loads one plugin into a page that is already running. */
export function load(app, petal) {
  return inTurn(app, petal.name, () => loadNow(app, petal));
}

async function loadNow(app, petal) {
  const plugin = await start(app, petal);
  const ready = plugin && layoutReady(plugin);
  if (app.newer) await ready;
}

/** Removes the first instance of that name, and everything that the host made for it. */
export function unload(app, name, forGood = false) {
  return inTurn(app, name, () => {
    const plugin = app.plugins.find((one) => one.name === name);
    if (!plugin) return undefined;
    const steps = forGood ? ["onunload", "uninstall"] : ["onunload"];
    if (app.newer) return endInTurn(app, plugin, steps);
    steps.forEach((step) => call(plugin, step));
    return forget(app, plugin);
  });
}

/** Calls what a plugin has; resolves once that is done, well or not. */
function call(plugin, step) {
  const failed = (error) => console.error(`plugin ${plugin.name} ${step} failed`, error);
  try {
    return Promise.resolve(plugin[step]()).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

/** The end of a plugin in a newer host: one step after the other, as long as the time for all of them lasts. */
async function endInTurn(app, plugin, steps) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, UNLOAD_MS); });
  for (const step of steps) await Promise.race([call(plugin, step), late]);
  clearTimeout(timer);
  plugin.eventBus.clear();
  forget(app, plugin);
}

/** Removes what the host made for a plugin. */
function forget(app, plugin) {
  const { name } = plugin;
  forgetCapabilities(plugin);
  plugin.topBarIcons.forEach((element) => element.remove());
  plugin.statusBarIcons.forEach((element) => element.remove());
  Object.values(plugin.docks).forEach(removeDock);
  plugin.commands.length = 0;
  document.getElementById(`pluginsStyle${name}`)?.remove();
  document.querySelector(`svg[data-name="${name}"]`)?.remove();
  app.plugins.splice(app.plugins.indexOf(plugin), 1);
}

/** Unloads, then loads again; before 3.8.2 nothing orders two of these. */
export async function reload(app, names) {
  if (app.newer) {
    await Promise.all(names.map((name) => inTurn(app, name, () => reloadNow(app, name))));
    return;
  }
  names.forEach((name) => unload(app, name));
  for (const petal of await petals(app)) {
    if (names.includes(petal.name)) await load(app, petal);
  }
}

async function reloadNow(app, name) {
  const plugin = app.plugins.find((one) => one.name === name);
  if (plugin) await endInTurn(app, plugin, ["onunload"]);
  const petal = (await petals(app)).find((one) => one.name === name);
  if (petal) await loadNow(app, petal);
}

/**
 * Tells a plugin that its data changed. A newer host does so once the layout is ready, several changes as one, says why,
 * and reloads plugins without an own `onDataChanged`.
 */
export function dataChanged(app, name, reason) {
  const find = () => app.plugins.find((one) => one.name === name);
  if (!app.newer) return find()?.onDataChanged();
  const waiting = app.changes.get(name);
  if (waiting) {
    waiting.reason = reason;
    return waiting.done;
  }
  const change = { reason };
  app.changes.set(name, change);
  change.done = app.laidOut.promise.then(() => inTurn(app, name, () => {
    app.changes.delete(name);
    const plugin = find();
    return plugin?.onDataChanged === Plugin.prototype.onDataChanged ? reloadNow(app, name) : plugin?.onDataChanged(change.reason);
  }));
  return change.done;
}

/** The switch of the marketplace: tells the kernel, then follows its answer. */
export async function setEnabled(app, name, enabled) {
  const reply = await fetchSyncPost("/api/petal/setPetalEnabled", { packageName: name, enabled, frontend: app.frontend });
  if (reply.code !== 0) return;
  if (!enabled) {
    await unload(app, name);
    return;
  }
  const petal = reply.data?.js ? reply.data : (await petals(app)).find((one) => one.name === name);
  if (petal) await load(app, petal);
}
