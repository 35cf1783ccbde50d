// Starts the page in the two phases a plugin sees; `?theme= lang= frontend= live=0` choose what it shows. It is the page
// of the kernel's version: on 3.8 plugins are loaded in turn, and there is more for them.
import { agent } from "./agent.js";
import { language, words } from "./words.js";
import { setTheme } from "./theme.js";
import { allLayoutsReady, dataChanged, load, loadAll, reload, setEnabled, unload } from "./loader.js";
import { becomeNewer, hasSettings } from "./plugin.js";
import { connect } from "./socket.js";
import { listen } from "./keys.js";
import * as desktop from "./shell.js";
import * as phone from "./mobile.js";
import * as tree from "./tree.js";
import * as editor from "./editor.js";
import { icon } from "./icons.js";

const LIVE_MS = 3000;
const query = new URLSearchParams(location.search);

async function configuration() {
  const response = await fetch("/api/system/getConf", { method: "POST", body: "{}" });
  const reply = response.status === 200 ? await response.json() : undefined;
  const conf = reply?.data?.conf ?? {};
  conf.system = { kernelVersion: "3.7.3", os: "linux", container: "std", ...conf.system };
  conf.appearance = { mode: 0, ...conf.appearance };
  conf.readonly ??= false;
  conf.lang = language(query.get("lang") ?? conf.lang);
  conf.appearance.lang = conf.lang;
  return { conf, isPublish: reply?.data?.isPublish ?? false };
}

function makeApp(conf) {
  const frontend = query.get("frontend") ?? "browser-desktop";
  const app = {
    appId: crypto.randomUUID(),
    frontend,
    backend: conf.system.container === "docker" ? "docker" : conf.system.os,
    mobile: frontend.endsWith("mobile"),
    plugins: [],
    newer: !conf.system.kernelVersion.startsWith("3.7"),
    turns: new Map(),
    changes: new Map(),
    laidOut: {},
    known: new Set(),
    // The kernel sends texts in its own language; a page asked for another one fetches them itself.
    async translate(petal) {
      if (!query.has("lang")) return petal.i18n;
      const response = await fetch(`/plugins/${petal.name}/i18n/${conf.lang}.json`);
      return response.ok ? response.json() : petal.i18n;
    },
  };
  app.laidOut.promise = new Promise((resolve) => { app.laidOut.resolve = resolve; });
  if (app.newer) app.agent = agent;
  app.reload = (names) => reload(app, names);
  app.load = (petal) => load(app, petal);
  app.dataChanged = (name, reason) => dataChanged(app, name, reason);
  app.unload = (name) => unload(app, name);
  app.uninstall = (name) => unload(app, name, true);
  app.setEnabled = (name, enabled) => setEnabled(app, name, enabled);
  return app;
}

async function content(app) {
  const list = document.createElement("ul");
  list.className = "b3-list b3-list--background stage-tree__list";
  if (app.mobile) {
    document.getElementById("sidebar").append(list);
    document.getElementById("editor").append(editor.editorCard());
  } else {
    const card = document.createElement("div");
    card.className = "stage-card stage-tree";
    card.innerHTML = `<div class="stage-card__head">${icon("iconFiles")}<span class="fn__flex-1">${window.siyuan.languages.files}</span></div>`;
    card.append(list);
    document.getElementById("layouts").append(card, editor.editorCard());
  }
  const documents = tree.unseen(await tree.refresh(list));
  const first = documents.find((one) => !one.folder) ?? documents[0];
  if (first) await editor.openDocument(first);
  if (query.get("live") === "0") return;
  setInterval(() => {
    if (!document.hidden) look(list).catch(() => {});
  }, LIVE_MS);
}

/** The real page hears of changes over its socket; this one polls, and shows what an agent has just made. */
async function look(list) {
  const [made] = tree.unseen(await tree.refresh(list));
  await (made ? editor.openDocument(made) : editor.refresh());
}

async function start() {
  document.getElementById("baseURL").href = location.origin;
  const { conf, isPublish } = await configuration();
  const app = makeApp(conf);
  const page = app.mobile ? phone : desktop;
  window.siyuan = { zIndex: 10, dialogs: [], layout: app.mobile ? undefined : {}, config: conf, isPublish };
  if (app.mobile) window.siyuan.mobile = {};
  window.siyuanApp = app;
  if (app.newer) {
    becomeNewer();
    await connect(app);
  }
  page.skeleton();
  await loadAll(app);

  window.siyuan.storage = {};
  window.siyuan.languages = words(conf.lang);
  window.siyuan.menus = {};
  window.siyuan.layout ??= {};
  Object.assign(document.documentElement.dataset, { frontend: app.frontend, backend: app.backend });
  document.documentElement.lang = conf.lang;
  setTheme(query.get("theme") ?? (conf.appearance.mode === 1 ? "dark" : "light"));
  page.fill(app, hasSettings);
  listen(app);
  allLayoutsReady(app);
  await content(app);
  document.documentElement.dataset.stage = "ready";
}

start().catch((error) => console.error("the stub host page could not start", error));
