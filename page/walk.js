// The puppy's walk: it trots to the block that an agent has touched in an open document, points at it, and comes back;
// its leash tells what agents may do there. It knows ids only, and reads no text of notes.

/** The time that the puppy stays at a block, and that its leash shows. */
const STAY = 6000;
/** The time of a trot; without motion it fades out and in instead. */
const TROT = 700;
const FADE = 150;
/**
 * The leash by level, from the collar on: short, long, and long with a bell.
 *
 * @type {Record<string, string>}
 */
const LEASHES = { r: "M52 74q9 3 12 10", rw: "M52 74c14 2 14 14 24 12s14-10 24-4", rwd: "M52 74c14 2 14 14 24 12s14-10 24-4" };
/** @type {("pointerdown" | "click" | "keydown")[]} */
const PRESSES = ["pointerdown", "click", "keydown"];
const BELL = '<circle cx="48" cy="76" r="5"/><path d="M48 77v3"/>';
const POINTER = '<svg class="pup-pointer" viewBox="0 0 16 16" aria-hidden="true"><path d="M15 8H3m5-5L3 8l5 5"/></svg>';

/**
 * The walk of a page; `siyuan` is SiYuan's API. `touched` takes what an agent has touched: ids and the level there.
 *
 * @param {{ siyuan: SiYuan }} parts
 */
export function walk({ siyuan }) {
  /** @typedef {{ element: Element, editor: Element }} Block */
  /** @type {{ dog?: HTMLElement, block?: Block, timer?: Timer, leash?: Element | null, unleash?: Timer }} */
  const state = { dog: undefined, block: undefined, timer: undefined, leash: undefined, unleash: undefined };

  /** @param {HTMLElement} dog */
  const isCalm = (dog) => dog.dataset.calm === "true" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** @param {number} ms */
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** @param {{ doc: string, block: string, level: string }} at */
  function touched({ doc, block, level }) {
    /** @type {HTMLElement | null} */
    const dog = document.querySelector("body > .pup-dog:not([hidden])");
    const isFree = dog && !dog.inert && dog.dataset.trot !== "false" && dog.dataset.dragging !== "true" && !document.hidden && !document.fullscreenElement;
    if (!isFree || !LEASHES[level]) return;
    leash(dog, level);
    const found = blockOf(doc, block);
    if (found) visit(dog, found);
  }

  /**
   * The block in an editor that shows its document now; the document's own place is its title.
   *
   * @type {(doc: string, block: string) => Block | undefined}
   */
  function blockOf(doc, block) {
    const editors = siyuan.getAllEditor().flatMap(({ protyle: it }) => (it?.block?.rootID === doc && it.element?.isConnected ? [it] : []));
    const editor = editors.find((it) => it.element.getBoundingClientRect().width > 0);
    if (!editor) return undefined;
    const named = block && block !== doc && editor.element.querySelector(`.protyle-wysiwyg [data-node-id="${CSS.escape(block)}"]`);
    const element = named || editor.element.querySelector(".protyle-title") || editor.element;
    return { element, editor: editor.element };
  }

  /**
   * The way from the puppy's own place to the right end of a block, inside of its editor.
   *
   * @type {(dog: HTMLElement, block: Block) => [number, number]}
   */
  function way(dog, { element, editor }) {
    const [own, at, frame] = [dog, element, editor].map((it) => it.getBoundingClientRect());
    const [gone, down] = (dog.style.translate || "0 0").split(" ").map((it) => parseFloat(it) || 0);
    /** @type {(value: number, low: number, high: number) => number} */
    const inside = (value, low, high) => Math.max(low, Math.min(value, Math.max(low, high)));
    const right = Math.min(at.right, frame.right, innerWidth) - own.width;
    const top = inside(at.top + at.height / 2 - own.height / 2, frame.top, Math.min(frame.bottom, innerHeight) - own.height);
    return [Math.round(inside(right, 0, innerWidth) - own.left + gone), Math.round(inside(top, 0, innerHeight) - own.top + down)];
  }

  /** @type {(dog: HTMLElement, x: number, y: number) => Promise<void>} */
  async function go(dog, x, y) {
    const to = x || y ? `${x}px ${y}px` : "";
    if (dog.style.translate === to) return;
    if (isCalm(dog)) {
      dog.dataset.walk = "fade";
      await sleep(FADE);
      dog.style.translate = to;
      delete dog.dataset.walk;
      return;
    }
    dog.dataset.walk = "trot";
    dog.style.translate = to;
    await sleep(TROT);
    delete dog.dataset.walk;
  }

  /** @type {(dog: HTMLElement, found: Block) => void} */
  function visit(dog, found) {
    if (state.dog !== dog) {
      leave();
      state.dog = dog;
      dog.insertAdjacentHTML("beforeend", POINTER);
      for (const kind of PRESSES) dog.addEventListener(kind, pressed, true);
      addEventListener("scroll", follow, true);
      addEventListener("resize", home);
    }
    state.block = found;
    go(dog, ...way(dog, found));
    clearTimeout(state.timer);
    state.timer = setTimeout(home, STAY);
  }

  /**
   * Stays beside its block while the person scrolls.
   *
   * @param {Event} event
   */
  function follow({ target }) {
    const { dog, block } = state;
    if (!dog || !block || !(target instanceof Node && target.contains(block.element))) return;
    const [x, y] = way(dog, block);
    dog.style.translate = `${x}px ${y}px`;
  }

  /**
   * A click on the puppy, or Enter, leads to the block; other keys are the puppy's.
   *
   * @param {PointerEvent | KeyboardEvent} event
   */
  function pressed(event) {
    if (event instanceof KeyboardEvent ? event.key !== "Enter" : event.button !== 0) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { dog, block } = state;
    if (event.type === "pointerdown" || !dog || !block) return;
    const behavior = isCalm(dog) ? "auto" : "smooth";
    home();
    block.element.scrollIntoView({ block: "center", behavior });
  }

  function home() {
    const { dog } = state;
    leave();
    if (dog?.isConnected) go(dog, 0, 0);
  }

  function leave() {
    clearTimeout(state.timer);
    removeEventListener("scroll", follow, true);
    removeEventListener("resize", home);
    for (const kind of PRESSES) state.dog?.removeEventListener(kind, pressed, true);
    state.dog?.querySelector(".pup-pointer")?.remove();
    state.dog = state.block = undefined;
  }

  /** @type {(dog: HTMLElement, level: string) => void} */
  function leash(dog, level) {
    state.leash?.remove();
    const bell = level === "rwd" ? BELL : "";
    dog.insertAdjacentHTML("beforeend", `<svg class="pup-leash" data-level="${level}" viewBox="0 0 96 96" aria-hidden="true"><path d="${LEASHES[level]}"/><path d="${LEASHES[level]}"/>${bell}</svg>`);
    state.leash = dog.lastElementChild;
    clearTimeout(state.unleash);
    state.unleash = setTimeout(() => state.leash?.remove(), STAY);
  }

  function dispose() {
    const { dog } = state;
    leave();
    clearTimeout(state.unleash);
    state.leash?.remove();
    if (dog) dog.style.translate = "";
  }

  return { touched, dispose };
}
