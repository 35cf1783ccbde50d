// A place for questions in the browser's top layer: nothing that a note, a theme or SiYuan draws lies above it, and the
// page behind it takes no click.

/**
 * The questions that are open, the topmost last.
 *
 * @type {Element[]}
 */
const open = [];

/** @type {("keydown" | "keyup" | "keypress")[]} */
const KEYS = ["keydown", "keyup", "keypress"];

/** The elements that Tab stops at. */
const STOPS = ":is(button, input, select, textarea, [tabindex]):not(:disabled, [tabindex='-1'])";

/**
 * Opens a modal dialog with the looks of SiYuan's own. `content` is HTML of ours; `ended` hears once whether the person
 * closed it by Esc or a gesture of the system. What is returned has `element` (its container) and `close`.
 *
 * @param {{ content: string, width: string, ended: (dismissed: boolean) => void }} options
 */
export function raise({ content, width, ended }) {
  const dialog = document.createElement("dialog");
  // A note that names these classes cannot reach the top layer.
  dialog.className = "pup-top b3-dialog--open";
  dialog.style.cssText = "position: fixed; inset: 0; margin: auto; padding: 0; border: 0; max-width: 92vw; max-height: 92vh; overflow: visible; background: none; color: var(--b3-theme-on-background); font-size: var(--b3-font-size);";
  const element = document.createElement("div");
  element.className = "b3-dialog__container b3-dialog__container--theme";
  element.style.cssText = `width: ${width}; max-width: 92vw; max-height: 92vh; opacity: 1; transform: none; transition: none;`;
  element.innerHTML = content;
  dialog.append(element);
  const isTop = () => open.at(-1) === dialog;

  const close = (dismissed = false) => {
    const at = open.indexOf(dialog);
    if (at < 0) return;
    open.splice(at, 1);
    for (const kind of KEYS) window.removeEventListener(kind, guard, true);
    document.removeEventListener("toggle", entered, true);
    document.removeEventListener("fullscreenchange", rise);
    // The browser gives the focus back, unless another question has it.
    dialog.close();
    dialog.remove();
    ended(dismissed);
  };

  // SiYuan hears keys on the window: those of a question are not for it.
  /** @param {KeyboardEvent} event */
  const guard = (event) => {
    if (!isTop()) return;
    if (event.key === "Escape" && !event.isComposing) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type === "keydown") close(true);
    } else if (!(event.target instanceof Node && dialog.contains(event.target))) {
      event.stopImmediatePropagation();
    }
  };

  /** @param {KeyboardEvent} event */
  const keep = (event) => {
    event.stopPropagation();
    if (event.type !== "keydown" || event.key !== "Tab") return;
    event.preventDefault();
    /** @type {NodeListOf<HTMLElement>} */
    const all = dialog.querySelectorAll(STOPS);
    const stops = [...all].filter((it) => it.checkVisibility());
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = event.shiftKey ? (at < 0 ? 0 : at) + stops.length - 1 : at + 1;
    stops[next % stops.length]?.focus();
  };

  dialog.addEventListener("cancel", (event) => {
    if (event.target !== dialog) return;
    event.preventDefault();
    close(true);
  });
  // Another script may close it; it must not stay open for us.
  dialog.addEventListener("close", (event) => { if (event.target === dialog && !dialog.open) close(true); });

  // An element that enters the top layer later would cover this one.
  const rise = () => {
    if (!isTop()) return;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.close();
    dialog.showModal();
    if (focused && dialog.contains(focused)) focused.focus();
  };
  /** @param {ToggleEvent} event */
  const entered = ({ target, newState }) => {
    if (newState === "open" && target instanceof Element && !open.includes(target) && !dialog.contains(target)) rise();
  };
  document.addEventListener("toggle", entered, true);
  document.addEventListener("fullscreenchange", rise);
  for (const kind of KEYS) {
    window.addEventListener(kind, guard, true);
    dialog.addEventListener(kind, keep);
  }
  document.body.append(dialog);
  dialog.showModal();
  open.push(dialog);
  return { element, close: () => close() };
}

/**
 * Lifts an element into the top layer, and again when something else enters it. Returns what lets it down.
 *
 * @param {HTMLElement} element
 */
export function lift(element) {
  element.popover = "manual";
  const up = () => {
    if (!element.isConnected) return;
    if (element.matches(":popover-open")) element.hidePopover();
    element.showPopover();
  };
  /** @param {ToggleEvent} event */
  const entered = ({ target, newState }) => {
    if (target !== element && newState === "open" && target instanceof Element && !open.includes(target)) up();
  };
  document.addEventListener("toggle", entered, true);
  document.addEventListener("fullscreenchange", up);
  up();
  return () => {
    document.removeEventListener("toggle", entered, true);
    document.removeEventListener("fullscreenchange", up);
  };
}
