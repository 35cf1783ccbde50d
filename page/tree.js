// Levels in the host's document tree: a badge behind each notebook, which a click changes, and lines for its menu. It
// shows what the panel's module reads, and asks that module to write.

/** The time after the last click on a badge, after which its level holds. */
const SETTLES = 1000;
/** The time in which a message offers to take a change back. */
const UNDO = 8000;
/** What a badge shows of a level without words. */
const SIGNS = new Map([["none", "–"], ["r", "R"], ["rw", "RW"], ["rwd", "RWD"]]);
const ROOTS = 'ul[data-url] > li[data-type="navigation-root"]';

/** The levels of a page. `plugin` runs errands and has the texts of `i18n`; `host` is SiYuan's API. */
export function tree({ host, plugin }) {
  /** The level of each notebook, as it is shown, and the name of each level. */
  const levels = new Map();
  const names = new Map();
  const waiting = new Map();
  /** Notebooks that were asked about because of the tree; an encrypted one has no level. */
  const asked = new Set();
  let reading;
  let isDead = false;

  const idOf = (root) => root.parentElement.dataset.url;
  const said = (text, level) => text.replace("{level}", names.get(level) ?? level);

  /** Reads the levels, unless that is under way; a notebook that a person changes now keeps what they see. */
  function read() {
    reading ??= plugin.errand("levels").then((text) => {
      reading = undefined;
      if (isDead || !text) return;
      const lines = text.split("\n").map((line) => line.split("\t"));
      for (const id of levels.keys()) if (!lines.some(([it]) => it === id)) levels.delete(id);
      for (const [id, level, name] of lines) {
        if (!id) names.set(level, name);
        else if (!waiting.has(id)) levels.set(id, level);
      }
      draw();
    });
    return reading;
  }

  function draw() {
    watch();
    for (const root of document.querySelectorAll(ROOTS)) {
      const level = levels.get(idOf(root));
      const badge = root.querySelector(":scope > .pup-level") ?? (level && made(root));
      if (!level) badge?.remove();
      else if (badge.dataset.level !== level) show(badge, level);
    }
  }

  function made(root) {
    const badge = document.createElement("span");
    badge.className = "pup-level";
    badge.addEventListener("click", (event) => {
      event.stopPropagation();
      event.preventDefault();
      const order = [...SIGNS.keys()];
      const id = idOf(root);
      put(id, order[(order.indexOf(levels.get(id)) + 1) % order.length], SETTLES);
    });
    root.querySelector(".b3-list-item__text")?.after(badge);
    return badge;
  }

  function show(badge, level) {
    badge.dataset.level = level;
    badge.textContent = SIGNS.get(level) ?? "";
    badge.setAttribute("aria-label", said(plugin.i18n.levelHere, level));
    badge.classList.add("ariaLabel");
  }

  /** Shows a level at once; it is written when no other click has come for a while. */
  function put(id, level, wait) {
    clearTimeout(waiting.get(id));
    levels.set(id, level);
    draw();
    waiting.set(id, setTimeout(() => write(id, level), wait));
  }

  async function write(id, level) {
    waiting.delete(id);
    const before = await plugin.errand(`level ${id} ${level}`);
    if (isDead || before === level) return;
    if (before) offer(id, level, before);
    else host.showMessage(plugin.i18n.levelFailed, 6000, "error");
    read();
  }

  /** Says what holds now, with a way back. Nothing in it is a person's text. */
  function offer(id, level, before) {
    const key = `${plugin.name}-level`;
    const text = document.createElement("span");
    text.textContent = `${said(plugin.i18n.levelHere, level)} `;
    host.showMessage(`${text.innerHTML}<button class="b3-button b3-button--white" data-undo="${key}">${plugin.i18n.undo}</button>`, UNDO, "info", key);
    document.querySelector(`[data-undo="${key}"]`)?.addEventListener("click", () => {
      host.hideMessage?.(key);
      put(id, before, 0);
    });
  }

  /** The lines for the menu of a notebook; none where nothing is known of it. */
  function lines(id) {
    const now = levels.get(id);
    if (!now) return [];
    return [...SIGNS.keys()].map((level) => ({
      id: `puppyLevel-${level}`, iconHTML: "", label: names.get(level) ?? level, checked: level === now, click: () => put(id, level, 0),
    }));
  }

  /** The host draws its tree anew when it likes. */
  const redrawn = new MutationObserver(() => {
    const ids = [...document.querySelectorAll(ROOTS)].map(idOf);
    if (ids.some((id) => !levels.has(id) && !asked.has(id))) later();
    ids.forEach((id) => asked.add(id));
    draw();
  });

  let soon;
  /** Reads the levels a little later: agents can change notebooks, and have the tree drawn anew, as often as they like. */
  function later() {
    soon ??= setTimeout(() => {
      soon = undefined;
      read();
    }, SETTLES);
  }

  let watched;
  function watch() {
    const place = document.querySelector(ROOTS)?.parentElement.parentElement;
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
      waiting.forEach(clearTimeout);
      document.querySelectorAll(".pup-level").forEach((badge) => badge.remove());
    },
  };
}
