// Keyboard of the page: Esc, the answers of confirm, one host hotkey and the hotkeys of plugins.
import { Dialog } from "./dialog.js";
import { commonMenu } from "./menu.js";

const SIGNS = { "⌘": "Ctrl", "⌃": "Ctrl", "⇧": "Shift", "⌥": "Alt" };

/** A hotkey in the host's notation as it reads on this machine: "⌥⌘P" becomes "Ctrl+Alt+P". */
export function adaptHotkey(hotkey) {
  const names = new Set([...hotkey].filter((sign) => sign in SIGNS).map((sign) => SIGNS[sign]));
  const key = [...hotkey].filter((sign) => !(sign in SIGNS)).join("");
  return [...["Ctrl", "Shift", "Alt"].filter((name) => names.has(name)), key].join("+");
}

function matches(event, hotkey) {
  if (!hotkey) return false;
  const parts = adaptHotkey(hotkey).split("+");
  const key = parts.pop();
  return event.ctrlKey === parts.includes("Ctrl") && event.shiftKey === parts.includes("Shift")
    && event.altKey === parts.includes("Alt") && event.key.toUpperCase() === key.toUpperCase();
}

/** Listens on the window, in the bubble phase, so that a dialog can stop a key before it arrives here. */
export function listen(app) {
  window.addEventListener("keydown", (event) => {
    // A confirm of the host hears its keys as clicks with a text; whoever bears its name without listening gets none.
    const confirm = document.querySelector('.b3-dialog--open[data-key="dialog-confirm"]');
    if (confirm && ["Enter", "Escape"].includes(event.key)) {
      confirm.dispatchEvent(new CustomEvent("click", { detail: event.key }));
      event.preventDefault();
      return;
    }
    if (event.key === "Escape" && !event.isComposing) {
      if (commonMenu.isOpen) commonMenu.remove();
      else window.siyuan.dialogs.at(-1)?.destroy();
      return;
    }
    if (matches(event, "⌘P")) {
      event.preventDefault();
      openSearch();
      return;
    }
    const command = app.plugins.flatMap((plugin) => plugin.commands).find((one) => matches(event, one.customHotkey));
    if (command) {
      event.preventDefault();
      command.callback?.();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#commonMenu, [data-menu]")) commonMenu.remove();
  });
}

function openSearch() {
  const dialog = new Dialog({
    width: "600px",
    height: "240px",
    content: `<div class="b3-dialog__content"><input class="b3-text-field fn__block" placeholder="${window.siyuan.languages.search}"></div>`,
  });
  dialog.element.dataset.key = "dialog-globalsearch";
  dialog.element.querySelector("input").focus();
}
