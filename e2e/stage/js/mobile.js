// The phone page: one column, a side menu for documents, a menu that holds the plugins' entries.
import { icon, sprite } from "./icons.js";

/** The skeleton of the phone page. */
export function skeleton() {
  document.body.className = "fn__flex-column";
  document.body.innerHTML = `<div class="toolbar toolbar--border">${icon("iconMenu", "toolbar__icon")}
      <input class="toolbar__title" id="toolbarName" readonly>${icon("iconMore", "toolbar__icon")}</div>
    <div id="editor" class="fn__flex-1 fn__flex-column"></div>
    <div id="sidebar" class="side-panel fn__flex-column"></div>
    <div id="menu" class="b3-menu b3-menu--fullscreen"><div class="b3-menu__title">${icon("iconLeft", "b3-menu__icon")}
      <span class="b3-menu__label"></span></div><div class="b3-menu__items"></div></div>
    <div id="model" class="side-panel side-panel--all fn__flex-column"></div>
    <div id="commonMenu" class="b3-menu fn__none"><div class="b3-menu__title fn__none"></div><div class="b3-menu__items"></div></div>
    <div id="message" class="b3-snackbars"><div class="fn__flex-1"></div></div>
    <div id="tooltip" class="tooltip fn__none"></div>
    <div id="status" class="status fn__none"></div>`;
  document.body.prepend(sprite());
}

/** Opens and closes the side panels; a touch drag to the right opens the documents, as in the app. */
export function fill(app, hasSettings) {
  const words = window.siyuan.languages;
  const [documents, more] = document.querySelectorAll(".toolbar > .toolbar__icon");
  const menu = document.getElementById("menu");
  menu.querySelector(".b3-menu__label").textContent = words.back;
  for (const plugin of app.plugins.filter(hasSettings)) {
    const item = document.createElement("div");
    item.className = "b3-menu__item";
    item.dataset.plugin = plugin.name;
    item.innerHTML = `${icon("iconSettings", "b3-menu__icon")}<span class="b3-menu__label">${plugin.displayName}</span>`;
    item.addEventListener("click", () => plugin.openSetting());
    menu.querySelector(".b3-menu__items").append(item);
  }
  documents.addEventListener("click", () => document.getElementById("sidebar").classList.toggle("side-panel--open"));
  more.addEventListener("click", () => menu.classList.add("b3-menu--open"));
  menu.addEventListener("click", () => menu.classList.remove("b3-menu--open"));
  let from;
  document.addEventListener("touchstart", (event) => { from = event.touches[0]?.clientX; });
  document.addEventListener("touchmove", (event) => {
    if (from !== undefined && event.touches[0]?.clientX - from > 60) {
      document.getElementById("sidebar").classList.add("side-panel--open");
    }
  });
}
