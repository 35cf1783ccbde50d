// Levels in the host's document tree: a badge behind each notebook with a menu of the levels, and lines for the
// notebook's own menu. It shows what the panel's module reads, and asks that module to write.

/** The time between two readings of the levels that others ask for. */
const SETTLES = 1000;
/** The time in which a message offers to take a change back. */
const UNDO = 8000;
const ROOTS = 'ul[data-url] > li[data-type="navigation-root"]';

/**
 * The levels of a page. `plugin` runs requests and has the texts of `i18n`; `siyuan` is SiYuan's API.
 *
 * @param {{ siyuan: SiYuan, plugin: MCPPuppy }} parts
 */
export function tree({ siyuan, plugin }) {
  /**
   * The level of each notebook, as it is shown, and the name of each level, from the lowest.
   *
   * @type {Map<string, string>}
   */
  const levels = new Map();
  /** @type {Map<string, string>} */
  const names = new Map();
  /**
   * Notebooks whose level is being written.
   *
   * @type {Set<string>}
   */
  const writing = new Set();
  /**
   * Notebooks that were asked about because of the tree; an encrypted one has no level.
   *
   * @type {Set<string>}
   */
  const asked = new Set();
  /** @type {Promise<void> | undefined} */
  let reading;
  let isDead = false;

  /** @param {Element} root */
  const idOf = (root) => root.parentElement?.dataset.url ?? "";
  /** @param {string} id */
  const nameOf = (id) => document.querySelector(`ul[data-url="${id}"] > li[data-type="navigation-root"] .b3-list-item__text`)?.textContent ?? "";
  /** @type {(text: string, level: string) => string} */
  const said = (text, level) => text.replace("{level}", names.get(level) ?? level);

  /** Reads the levels, unless that is under way; a notebook that a person changes now keeps what they see. */
  function read() {
    reading ??= plugin.request("levels").then((text) => {
      reading = undefined;
      if (isDead || !text) return;
      const lines = text.split("\n").map((line) => line.split("\t"));
      for (const id of levels.keys()) if (!lines.some(([it]) => it === id)) levels.delete(id);
      for (const [id, level, name] of lines) {
        if (!id) names.set(level, name);
        else if (!writing.has(id)) levels.set(id, level);
      }
      draw();
    });
    return reading;
  }

  function draw() {
    watch();
    for (const root of document.querySelectorAll(ROOTS)) {
      const level = levels.get(idOf(root));
      /** @type {HTMLElement | null} */
      const badge = root.querySelector(":scope > .pup-level");
      if (!level) badge?.remove();
      else if (badge?.dataset.level !== level) show(badge ?? made(root), level);
    }
  }

  /** @param {Element} root */
  function made(root) {
    const badge = document.createElement("span");
    badge.className = "pup-level";
    badge.addEventListener("click", (event) => {
      event.stopPropagation();
      event.preventDefault();
      open(badge, idOf(root));
    });
    root.querySelector(".b3-list-item__text")?.after(badge);
    return badge;
  }

  /** @type {(badge: HTMLElement, level: string) => void} */
  function show(badge, level) {
    badge.dataset.level = level;
    badge.textContent = names.get(level) ?? level;
    badge.setAttribute("aria-label", said(plugin.i18n.levelHere, level));
    badge.classList.add("ariaLabel");
  }

  /**
   * Opens the menu of the levels at a badge, so that no single click gives agents more.
   *
   * @type {(badge: Element, id: string) => void}
   */
  function open(badge, id) {
    const menu = new siyuan.Menu(`${plugin.name}-level`);
    lines(id).forEach((it) => menu.addItem(it));
    // The tooltip would lie over the menu.
    document.getElementById("tooltip")?.classList.add("fn__none");
    const { left, bottom } = badge.getBoundingClientRect();
    // A second click has closed it.
    if (!menu.isOpen) menu.open({ x: left, y: bottom });
  }

  /**
   * Shows a level and writes it.
   *
   * @type {(id: string, level: string) => Promise<void>}
   */
  async function put(id, level) {
    writing.add(id);
    levels.set(id, level);
    draw();
    const before = await plugin.request(`level ${id} ${level}`);
    writing.delete(id);
    if (isDead || before === level) return;
    if (before) offer(id, level, before);
    else siyuan.showMessage(plugin.i18n.levelFailed, 6000, "error");
    read();
  }

  /**
   * Says what agents may do now, with a way back. The notebook's name is set as text, because agents choose names too.
   *
   * @type {(id: string, level: string, before: string) => void}
   */
  function offer(id, level, before) {
    const key = `${plugin.name}-level`;
    const text = document.createElement("span");
    text.textContent = `${said(plugin.i18n.levelNow, level).replace("{notebook}", () => nameOf(id))} `;
    siyuan.showMessage(`${text.innerHTML}<button class="b3-button b3-button--white" data-undo="${key}">${plugin.i18n.undo}</button>`, UNDO, "info", key);
    document.querySelector(`[data-undo="${key}"]`)?.addEventListener("click", () => {
      siyuan.hideMessage?.(key);
      put(id, before);
    });
  }

  /**
   * The lines for the menu of a notebook; none where nothing is known of it.
   *
   * @param {string} id
   */
  function lines(id) {
    const now = levels.get(id);
    if (!now) return [];
    return [...names].map(([level, label]) => ({
      id: `puppyLevel-${level}`, iconHTML: "", label, checked: level === now, click: () => { put(id, level); },
    }));
  }

  /** The host draws its tree anew when it likes. */
  const redrawn = new MutationObserver(() => {
    const ids = [...document.querySelectorAll(ROOTS)].map(idOf);
    if (ids.some((id) => !levels.has(id) && !asked.has(id))) later();
    ids.forEach((id) => asked.add(id));
    draw();
  });

  /** @type {Timer | undefined} */
  let soon;
  /** Reads the levels a little later: agents can change notebooks, and have the tree drawn anew, as often as they like. */
  function later() {
    soon ??= setTimeout(() => {
      soon = undefined;
      read();
    }, SETTLES);
  }

  /** @type {Element | null | undefined} */
  let watched;
  function watch() {
    const place = document.querySelector(ROOTS)?.parentElement?.parentElement;
    if (!place || place === watched) return;
    redrawn.disconnect();
    watched = place;
    redrawn.observe(place, { childList: true, subtree: true });
  }

  read();
  return {
    changed: later,
    lines,
    dispose() {
      isDead = true;
      redrawn.disconnect();
      clearTimeout(soon);
      document.querySelectorAll(".pup-level").forEach((badge) => badge.remove());
    },
  };
}
