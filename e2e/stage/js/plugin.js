// The Plugin base class: elements in the host's bars, storage through the kernel, commands, settings.
import { addAgentCapability } from "./agent.js";
import { EventBus } from "./event-bus.js";
import { icon } from "./icons.js";
import { fetchPost } from "./request.js";
import { showMessage } from "./message.js";
import { addDockButton } from "./dock.js";

const storagePath = (plugin, file) => `/data/storage/petal/${plugin.name}/${file}`;

export class Plugin {
  constructor({ app, displayName, name, i18n }) {
    Object.assign(this, { app, displayName, name, i18n });
    this.eventBus = new EventBus();
    this.data = {};
    this.commands = [];
    this.docks = {};
    this.models = {};
    this.topBarIcons = [];
    this.statusBarIcons = [];
    this.protyleSlash = [];
    if (this.addAgentCapability) this.agentCapabilities = [];
  }

  onload() {}

  onunload() {}

  uninstall() {}

  onLayoutReady() {}

  /** The host's reaction to changed synced data, unless the plugin overrides it: reload the plugin. */
  onDataChanged() {
    this.app.reload([this.name]);
  }

  openSetting() {
    this.setting?.open(this.displayName || this.name);
  }

  addCommand(command) {
    this.commands.push({ ...command, customHotkey: command.hotkey ?? "" });
  }

  addIcons(symbols) {
    document.getElementById("iconsLitheness").insertAdjacentHTML("afterend",
      `<svg data-name="${this.name}" style="position:absolute;width:0;height:0;overflow:hidden"><defs>${symbols}</defs></svg>`);
  }

  addTopBar({ id, icon: name, title, position = "right", callback }) {
    const mobile = window.siyuan.mobile !== undefined;
    const element = document.createElement("div");
    element.dataset.menu = "true";
    element.id = `plugin_${this.name}_${this.topBarIcons.length}`;
    if (this.removeTopBar && id) Object.assign(element, { id: `plugin_${this.name}:${id}` }).dataset.id = id;
    const picture = name.startsWith("icon") ? icon(name, mobile ? "b3-menu__icon" : "") : name;
    if (mobile) {
      element.className = "b3-menu__item";
      element.innerHTML = `${picture}<span class="b3-menu__label">${title}</span>`;
      document.querySelector("#menu .b3-menu__items")?.append(element);
    } else {
      element.className = "toolbar__item ariaLabel";
      element.setAttribute("aria-label", title);
      element.dataset.location = position;
      element.innerHTML = picture;
      document.getElementById(position === "left" ? "drag" : "barPlugins")?.before(element);
    }
    element.addEventListener("click", (event) => callback?.(event));
    if (this.removeTopBar && id) this.removeTopBar(id, element);
    this.topBarIcons.push(element);
    return element;
  }

  addStatusBar({ element, position = "right" }) {
    if (window.siyuan.mobile !== undefined) return undefined;
    element.dataset.location = position;
    const bar = document.getElementById("status");
    if (position === "left") bar.prepend(element);
    else bar.append(element);
    this.statusBarIcons.push(element);
    return element;
  }

  addDock({ config, data, type, init, destroy, resize, update }) {
    const dock = { config, data, type: this.name + type, init, destroy, resize, update };
    this.docks[dock.type] = dock;
    if (document.getElementById("dockRight")) addDockButton(dock);
    return dock;
  }

  loadData(file) {
    this.data[file] ??= "";
    return new Promise((resolve) => {
      fetch("/api/file/getFile", { method: "POST", body: JSON.stringify({ path: storagePath(this, file) }) })
        .then(async (response) => {
          const json = response.headers.get("content-type")?.includes("application/json");
          const value = json ? await response.json() : await response.text();
          if (json && typeof value?.code === "number" && value.code < 0 && typeof value.msg === "string") {
            // The host takes such a file for its own failure envelope: a message, and no answer ever.
            showMessage(value.msg, 0, "error");
            return;
          }
          if (response.status !== 202) this.data[file] = value;
          resolve(this.data[file]);
        })
        .catch(() => resolve(this.data[file]));
    });
  }

  saveData(file, data) {
    if (window.siyuan.config.readonly || window.siyuan.isPublish) {
      return Promise.reject({ code: 403, msg: "The workspace is read-only.", data: null });
    }
    const text = typeof data === "object" ? JSON.stringify(data) : data;
    const form = new FormData();
    form.append("path", storagePath(this, file));
    form.append("isDir", "false");
    form.append("modTime", String(Date.now()));
    form.append("file", new File([text], file, typeof data === "object" ? { type: "application/json" } : {}));
    return new Promise((resolve) => {
      fetchPost("/api/file/putFile", form, (reply) => {
        this.data[file] = data;
        resolve(reply);
      });
    });
  }

  removeData(file) {
    return new Promise((resolve) => {
      fetchPost("/api/file/removeFile", { path: storagePath(this, file) }, (reply) => {
        delete this.data[file];
        resolve(reply);
      });
    });
  }
}

/** Gives plugins what they have since SiYuan 3.8; before, `addTopBar` ignores an id and there is no `removeTopBar`. */
export function becomeNewer() {
  Plugin.prototype.removeTopBar = function removeTopBar(id, successor) {
    this.topBarIcons = this.topBarIcons.filter((element) => {
      if (element === successor || element.dataset.id !== id) return true;
      element.remove();
      return false;
    });
  };
  Plugin.prototype.addAgentCapability = function offer(options) {
    return addAgentCapability(this, options);
  };
}

/** Whether the host offers settings for this plugin: its own class must have the method. */
export const hasSettings = (plugin) =>
  Boolean(plugin.setting) || Object.hasOwn(Object.getPrototypeOf(plugin), "openSetting");
