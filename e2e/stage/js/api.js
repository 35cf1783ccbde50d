// The object of `require("siyuan")` with the host's keys; keys that our plugins do not need throw when called.
import { Plugin } from "./plugin.js";
import { Dialog, confirm } from "./dialog.js";
import { Menu } from "./menu.js";
import { Setting } from "./setting.js";
import { showMessage, hideMessage } from "./message.js";
import { fetchGet, fetchPost, fetchSyncPost } from "./request.js";
import { adaptHotkey } from "./keys.js";
import { openSettings } from "./settings.js";
import { activeEditor, openDocument, tabs } from "./editor.js";

const MISSING = [
  "exitSiYuan", "expandDocTree", "getModelByDockType", "globalCommand", "lockScreen", "openAttributePanel",
  "openWindow", "saveLayout", "Protyle", "ProtyleMethod", "platformUtils", "Files", "Custom", "Model",
];
const DESKTOP_ONLY = ["getActiveTab", "getAllModels", "getAllTabs"];

const missing = (name) => function unsupported() {
  throw new Error(`the stub host page has no ${name}`);
};

const Constants = {
  TIMEOUT_DBLCLICK: 190,
  TIMEOUT_OPENDIALOG: 50,
  ZWSP: "\u200b",
};

let api;

/** The same object for every plugin of the page. */
export function hostApi() {
  api ??= build();
  return api;
}

function build() {
  const app = window.siyuan.ws?.app ?? window.siyuanApp;
  const keys = {
    Plugin, Dialog, Menu, Setting, confirm, showMessage, hideMessage, fetchGet, fetchPost, fetchSyncPost,
    Constants: { ...Constants, SIYUAN_VERSION: window.siyuan.config.system.kernelVersion }, adaptHotkey,
    getFrontend: () => app.frontend,
    getBackend: () => app.backend,
    openSetting: () => openSettings(app),
    openTab: async (options) => {
      if (!options.doc) throw new Error("the stub host page opens documents only");
      openDocument(options.doc);
    },
    openMobileFileById: (_app, id) => openDocument({ id }),
    getActiveEditor: activeEditor,
    getAllEditor: () => [activeEditor()].filter(Boolean),
    getActiveTab: () => undefined,
    getAllModels: () => ({ editor: [], custom: [] }),
    getAllTabs: tabs,
  };
  for (const name of MISSING) keys[name] ??= missing(name);
  if (window.siyuan.mobile) for (const name of DESKTOP_ONLY) delete keys[name];
  return keys;
}
