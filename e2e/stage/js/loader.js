// The plugin loader: evaluates what the kernel delivers, and runs the two phases of a plugin's life.
import { Plugin } from "./plugin.js";
import { hostApi } from "./api.js";
import { fetchSyncPost } from "./request.js";
import { removeDock } from "./dock.js";

const indirectEval = eval;

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

function addStyle(petal) {
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
    addStyle(petal);
    const i18n = await app.translate(petal);
    plugin = new Class({ app, displayName: petal.displayName, name: petal.name, i18n });
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

function layoutReady(plugin) {
  try {
    Promise.resolve(plugin.onLayoutReady()).catch((error) => console.error(`plugin ${plugin.name}`, error));
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

/** Phase two, once the layout is ready. */
export function allLayoutsReady(app) {
  app.plugins.forEach(layoutReady);
}

/** Loads one plugin into a page that is already running. */
export async function load(app, petal) {
  const plugin = await start(app, petal);
  if (plugin) layoutReady(plugin);
}

/** Removes the first instance of that name, and everything that the host made for it. */
export function unload(app, name, forGood = false) {
  const index = app.plugins.findIndex((plugin) => plugin.name === name);
  if (index < 0) return;
  const plugin = app.plugins[index];
  for (const step of forGood ? ["onunload", "uninstall"] : ["onunload"]) {
    try {
      plugin[step]();
    } catch (error) {
      console.error(`plugin ${name} ${step} failed`, error);
    }
  }
  plugin.topBarIcons.forEach((element) => element.remove());
  plugin.statusBarIcons.forEach((element) => element.remove());
  Object.values(plugin.docks).forEach(removeDock);
  plugin.commands.length = 0;
  document.getElementById(`pluginsStyle${name}`)?.remove();
  document.querySelector(`svg[data-name="${name}"]`)?.remove();
  app.plugins.splice(app.plugins.indexOf(plugin), 1);
}

/** Unloads, then loads again; nothing orders two of these, as in the host before 3.8.2. */
export async function reload(app, names) {
  names.forEach((name) => unload(app, name));
  for (const petal of await petals(app)) {
    if (names.includes(petal.name)) await load(app, petal);
  }
}

/** The switch of the marketplace: tells the kernel, then follows its answer. */
export async function setEnabled(app, name, enabled) {
  const reply = await fetchSyncPost("/api/petal/setPetalEnabled", { packageName: name, enabled, frontend: app.frontend });
  if (reply.code !== 0) return;
  if (!enabled) {
    unload(app, name);
    return;
  }
  const petal = reply.data?.js ? reply.data : (await petals(app)).find((one) => one.name === name);
  if (petal) await load(app, petal);
}
