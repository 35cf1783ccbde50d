// The one popup menu of the page and the Menu class that plugins use on it.
import { icon } from "./icons.js";

const EDGE = 8;

/** The menu in #commonMenu; opening it again replaces what it showed. */
class CommonMenu {
  get element() {
    return document.getElementById("commonMenu");
  }

  get isOpen() {
    return !this.element.classList.contains("fn__none");
  }

  clear(name) {
    this.remove();
    this.element.dataset.name = name ?? "";
    this.element.lastElementChild.replaceChildren();
  }

  append(item) {
    this.element.lastElementChild.append(item);
  }

  popup({ x, y, isLeft }) {
    const menu = this.element;
    menu.classList.remove("fn__none");
    menu.style.zIndex = String(++window.siyuan.zIndex);
    const { width, height } = menu.getBoundingClientRect();
    const left = isLeft ? x - width : x;
    menu.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
    menu.style.top = `${Math.max(EDGE, Math.min(y, innerHeight - height - EDGE))}px`;
  }

  remove() {
    if (!this.element || !this.isOpen) return;
    this.element.classList.add("fn__none");
    const closed = this.closed;
    this.closed = undefined;
    closed?.();
  }
}

export const commonMenu = new CommonMenu();

/** A menu line from its description; `submenu` opens next to it. */
export function menuItem(option) {
  if (option.type === "separator") {
    const line = document.createElement("button");
    line.className = "b3-menu__separator";
    if (option.id) line.dataset.id = option.id;
    return line;
  }
  const item = document.createElement("button");
  item.className = "b3-menu__item" + (option.current ? " b3-menu__item--selected" : "");
  item.disabled = Boolean(option.disabled);
  if (option.id) item.dataset.id = option.id;
  item.innerHTML = (option.iconHTML ?? (option.icon ? icon(option.icon, "b3-menu__icon") : ""))
    + `<span class="b3-menu__label">${option.label ?? ""}</span>`
    + (option.accelerator ? `<span class="b3-menu__accelerator">${option.accelerator}</span>` : "")
    + (option.checked ? icon("iconSelect", "b3-menu__checked") : "");
  if (option.submenu?.length) {
    item.insertAdjacentHTML("beforeend",
      icon("iconRight", "b3-menu__icon b3-menu__icon--small")
      + `<div class="b3-menu__submenu"><div class="b3-menu__items"></div></div>`);
    item.querySelector(".b3-menu__items").append(...option.submenu.map(menuItem));
    const submenu = item.querySelector(".b3-menu__submenu");
    item.addEventListener("mouseenter", () => {
      item.classList.add("b3-menu__item--show");
      submenu.removeAttribute("style");
      const { bottom, left } = submenu.getBoundingClientRect();
      const beyond = bottom - (innerHeight - EDGE);
      if (beyond > 0) submenu.style.translate = `0 ${-beyond}px`;
      // Without room on the left, it opens on the right.
      if (left < EDGE) Object.assign(submenu.style, { right: "auto", left: "100%" });
    });
    item.addEventListener("mouseleave", () => item.classList.remove("b3-menu__item--show"));
  }
  if (option.click) {
    item.addEventListener("click", (event) => {
      event.stopPropagation();
      event.preventDefault();
      if (option.click(item, event) !== true) commonMenu.remove();
    });
  }
  option.bind?.(item);
  return item;
}

export class Menu {
  constructor(id, closeCallback) {
    // Opening a menu of the same name again closes it: a second click on the same button.
    this.isOpen = Boolean(id) && commonMenu.isOpen && commonMenu.element.dataset.name === id;
    commonMenu.clear(id);
    this.element = commonMenu.element;
    if (!this.isOpen) commonMenu.closed = closeCallback;
  }

  addItem(option) {
    if (option.ignore || this.isOpen) return undefined;
    const item = menuItem(option);
    commonMenu.append(item);
    return item;
  }

  addSeparator(option) {
    const id = typeof option === "object" ? option.id : undefined;
    return this.addItem({ type: "separator", id });
  }

  showSubMenu(item) {
    item.parentElement?.classList.add("b3-menu__item--show");
  }

  open(place) {
    if (!this.isOpen) commonMenu.popup(place);
  }

  fullscreen() {
    if (!this.isOpen) commonMenu.popup({ x: 0, y: 0 });
  }

  close() {
    commonMenu.remove();
  }
}
