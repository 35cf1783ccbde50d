// The desktop page around a plugin: top bar, docks, document tree, editor card, status bar.
import { icon, sprite } from "./icons.js";
import { Menu } from "./menu.js";
import { hasSettings } from "./plugin.js";
import { openSettings } from "./settings.js";
import { setTheme } from "./theme.js";

const LEFT = [["files", "iconFiles"], ["outline", "iconOutline"], ["inbox", "iconInbox"]];
const RIGHT = [["graph", "iconGraph"], ["backlinks", "iconLink"], ["tags", "iconTag"], ["bookmark", "iconBookmark"]];

/** The page before any plugin runs: the skeleton and an empty status bar. */
export function skeleton() {
  document.body.className = "fn__flex-column body--toolbar-hide";
  const dock = `<div class="dock__items"></div><div class="dock__split"></div><div class="dock__items"></div>
    <div class="fn__flex-1 dock__item--space"></div><div class="dock__items"></div>`;
  document.body.innerHTML = `<div id="toolbar" class="toolbar fn__flex toolbar--browser"></div>
    <div class="fn__flex-1 fn__flex">
      <div id="dockLeft" class="dock">${dock}</div>
      <div id="layouts" class="layout fn__flex-1"></div>
      <div id="dockRight" class="dock">${dock}</div>
    </div>
    <div id="status" class="fn__flex status"></div>
    <div id="commonMenu" class="b3-menu fn__none"><div class="b3-menu__title fn__none">${icon("iconLeft", "b3-menu__icon")}
      <span class="b3-menu__label"></span></div><div class="b3-menu__items"></div></div>
    <div id="message" class="b3-snackbars"><div class="fn__flex-1"></div></div>
    <div id="tooltip" class="tooltip fn__none"></div>`;
  document.body.prepend(sprite());
}

const button = (id, name, label, extra = "") =>
  `<div id="${id}" class="toolbar__item ariaLabel${extra}" aria-label="${label}">${icon(name)}</div>`;

/** Fills bars and docks; from here on plugins can add their own buttons. */
export function fill(app) {
  const words = window.siyuan.languages;
  document.getElementById("toolbar").innerHTML =
    `<div id="barWorkspace" class="ariaLabel toolbar__item" aria-label="${words.menu}"><span class="toolbar__text">${words.workspace}</span>${icon("iconDown", "toolbar__svg")}</div>`
    + button("barSync", "iconCloudOff", words.sync)
    + button("barBack", "iconBack", words.back, " toolbar__item--disabled")
    + button("barForward", "iconForward", words.forward, " toolbar__item--disabled")
    + `<div class="fn__flex-1 fn__ellipsis" id="drag"></div>`
    + button("barPlugins", "iconPlugin", words.plugin)
    + button("barCommand", "iconTerminal", words.commands)
    + button("barSearch", "iconSearch", words.search)
    + button("barMode", "iconLight", words.mode);
  document.getElementById("status").insertAdjacentHTML("afterbegin",
    button("barDock", "iconHideDock", words.dock)
    + `<div class="status__msg"></div><div class="fn__flex-1"></div><div class="status__counter"></div>`
    + button("statusHelp", "iconHelp", words.help));
  docks("dockLeft", LEFT, words);
  docks("dockRight", RIGHT, words);
  document.getElementById("barPlugins").dataset.menu = "true";
  document.getElementById("barPlugins").addEventListener("click", (event) => openPluginMenu(app, event.currentTarget));
  document.getElementById("barWorkspace").addEventListener("click", () => openSettings(app));
  document.getElementById("barMode").addEventListener("click", () => {
    setTheme(document.documentElement.dataset.themeMode === "dark" ? "light" : "dark");
  });
}

function docks(id, list, words) {
  document.querySelector(`#${id} .dock__items`).innerHTML = list.map(([name, picture], index) =>
    `<span data-type="${name}" class="dock__item ariaLabel${index === 0 && id === "dockLeft" ? " dock__item--active" : ""}" aria-label="${words[name]}">${icon(picture)}</span>`).join("");
}

/** The menu of the plugin button: one entry per plugin, with its settings in a submenu. */
export function openPluginMenu(app, anchor) {
  const words = window.siyuan.languages;
  const menu = new Menu("topBarPlugin");
  menu.addItem({ id: "manage", icon: "iconSettings", label: words.manage, click: () => void openSettings(app) });
  menu.addSeparator({ id: "separator_1" });
  for (const plugin of app.plugins) {
    const settings = hasSettings(plugin)
      ? [{ id: "config", icon: "iconSettings", label: words.settings, click: () => void plugin.openSetting() }]
      : [];
    for (const element of plugin.topBarIcons) {
      menu.addItem({
        id: element.id,
        iconHTML: element.querySelector("svg")?.outerHTML.replace("<svg", '<svg class="b3-menu__icon"'),
        label: element.getAttribute("aria-label"),
        click: () => void element.click(),
        submenu: [{ id: "unpin", icon: "iconUnpin", label: words.unpin, click: () => element.classList.add("fn__none") }, ...settings],
      });
    }
    if (!plugin.topBarIcons.length && settings.length) {
      menu.addItem({ ...settings[0], icon: "iconSettings", label: plugin.displayName });
    }
  }
  const box = anchor.getBoundingClientRect();
  menu.open({ x: box.right, y: box.bottom, isLeft: true });
}
