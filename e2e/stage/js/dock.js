// Dock buttons of plugins and their panels next to the editor.
import { icon } from "./icons.js";

/** Adds the button of a dock; `init` runs at its first opening. */
export function addDockButton(dock) {
  const { config, type } = dock;
  const left = String(config.position ?? "RightTop").startsWith("Left");
  const button = document.createElement("span");
  button.className = "dock__item ariaLabel";
  button.dataset.type = type;
  button.dataset.title = config.title;
  button.setAttribute("aria-label", config.title);
  button.innerHTML = icon(config.icon);
  button.addEventListener("click", () => toggle(dock, left));
  document.querySelector(`#${left ? "dockLeft" : "dockRight"} .dock__items:last-of-type`).append(button);
  dock.button = button;
}

function toggle(dock, left) {
  const open = dock.button.classList.toggle("dock__item--active");
  if (!dock.panel) {
    dock.panel = document.createElement("div");
    dock.panel.className = `stage-card sy__${dock.type} dockPanel`;
    dock.panel.style.width = `${dock.config.size?.width || 200}px`;
    dock.element = dock.panel;
    document.getElementById("layouts")[left ? "prepend" : "append"](dock.panel);
    dock.init?.call(dock, dock);
  }
  dock.panel.classList.toggle("fn__none", !open);
}

/** Removes a dock with its button and panel. */
export function removeDock(dock) {
  if (dock.panel) dock.destroy?.call(dock);
  dock.panel?.remove();
  dock.button?.remove();
}
