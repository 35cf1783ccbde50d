// The page actions: what is open, opening, scrolling, and a question to the person, through SiYuan's plugin API.
// They say ids and read no text of notes. Each answer is the text of one `PageAnswer` of the core.

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("./top.js")} */
const { raise } = await import(new URL(`top.js${new URL(import.meta.url).search}`, import.meta.url).href);

/** The time between two looks at an editor that loads. */
const LOOK = 30;
/** The time after which an editor that does not show a block is given up: less than its caller waits. */
const PATIENCE = 9000;
const SHOWN = 1500;

/** @param {unknown} value */
const done = (value) => JSON.stringify({ done: value });
/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The page actions of a page; `siyuan` is SiYuan's API. `act` does one and returns its answer.
 *
 * @param {{ name: string, siyuan: SiYuan, plugin: MCPPuppy }} parts
 */
export function screen({ name, siyuan, plugin }) {
  /**
   * The open question of `ask_user`, with the id of its call.
   *
   * @type {{ call: string, close(): void } | undefined}
   */
  let asked;

  /**
   * @param {import("siyuan").Protyle} [it]
   * @returns {it is import("siyuan").LoadedProtyle}
   */
  const isLoaded = (it) => Boolean(it?.block?.rootID && it.element?.isConnected);
  const editors = () => siyuan.getAllEditor().map((it) => it.protyle).filter(isLoaded);
  /** @type {(protyle: import("siyuan").Protyle, id: string) => HTMLElement | null} */
  const blockIn = (protyle, id) => protyle.element.querySelector(`.protyle-wysiwyg [data-node-id="${id}"]`);
  const isMobile = () => siyuan.getFrontend().endsWith("mobile");

  /** Every tab with a document: loaded editors, and tabs that SiYuan loads when they are first looked at. */
  function tabs() {
    const all = (siyuan.getAllTabs?.() ?? []).flatMap((tab) => {
      const pinned = Boolean(tab.headElement?.classList.contains("item--pin"));
      const doc = tab.model?.editor?.protyle?.block?.rootID ?? waiting(tab)?.rootId;
      return doc ? [{ doc, pinned }] : [];
    });
    const known = new Set(all.map((it) => it.doc));
    return [...all, ...editors().map((it) => it.block.rootID).filter((doc) => !known.has(doc)).map((doc) => ({ doc, pinned: false }))];
  }

  /**
   * The document that a tab will load when it is first looked at.
   *
   * @param {import("siyuan").Tab} tab
   * @returns {{ rootId?: string, blockId?: string } | null}
   */
  function waiting(tab) {
    try {
      return JSON.parse(tab.headElement?.getAttribute("data-initdata") ?? "null");
    } catch {
      return null;
    }
  }

  function state() {
    const protyle = siyuan.getActiveEditor?.()?.protyle;
    /** @param {NodeListOf<HTMLElement>} found */
    const ids = (found) => [...found].map((it) => it.dataset.nodeId ?? "").filter(Boolean);
    let active;
    if (protyle?.block?.rootID) {
      const { block, element } = protyle;
      const at = getSelection()?.focusNode;
      /** @type {HTMLElement | null | undefined} */
      const caret = (at instanceof Element ? at : at?.parentElement)?.closest("[data-node-id]");
      active = {
        doc: block.rootID,
        block: caret && element.contains(caret) ? caret.dataset.nodeId : "",
        zoomed: block.showAll && block.id !== block.rootID ? block.id : "",
        selected: ids(element.querySelectorAll(".protyle-wysiwyg--select[data-node-id]")),
      };
    }
    const databases = editors().flatMap((it) => [...it.element.querySelectorAll("[data-av-id]")]).filter(isSeen).map((it) => it.getAttribute("data-av-id"));
    return done({ frontend: siyuan.getFrontend(), active, open: tabs(), databases: [...new Set(databases)] });
  }

  /** @param {Element} element */
  function isSeen(element) {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  }

  /**
   * Waits for something; undefined if it does not come.
   *
   * @template Found
   * @param {() => Found} what
   */
  async function until(what) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(LOOK)) {
      const found = what();
      if (found) return found;
    }
    return undefined;
  }

  /** @param {string} id */
  const shows = (id) => editors().find((it) => it.block.rootID === id || it.block.id === id || blockIn(it, id));

  /** @param {{ focus: boolean, id: string, zoom: boolean }} args */
  async function open({ focus, id, zoom }) {
    if (isMobile()) siyuan.openMobileFileById(plugin.app, id, zoom ? ["cb-get-all", "cb-get-focus"] : ["cb-get-hl", "cb-get-context"]);
    else {
      const action = zoom ? ["cb-get-all", ...(focus ? ["cb-get-focus"] : [])] : ["cb-get-hl", "cb-get-context", ...(focus ? ["cb-get-focus"] : [])];
      await siyuan.openTab({ app: plugin.app, doc: { id, action, zoomIn: zoom }, keepCursor: !focus });
    }
    // A tab that stays in the background loads when it is first looked at.
    const isThere = () => shows(id) ?? (siyuan.getAllTabs?.() ?? []).find((tab) => [waiting(tab)?.blockId, waiting(tab)?.rootId].includes(id));
    return (await until(isThere)) ? done(null) : JSON.stringify("failed");
  }

  /**
   * The document of a block: the kernel knows it by its place, which consists of ids.
   *
   * @param {string} id
   */
  async function docOf(id) {
    const response = await fetch("/api/filetree/getPathByID", { method: "POST", body: JSON.stringify({ id }), signal: AbortSignal.timeout(5000) });
    const { path } = (await response.json()).data ?? {};
    return path?.split("/").at(-1).replace(/\.sy$/, "");
  }

  /** @param {{ id: string, open: boolean }} args */
  async function scroll({ id, open: mayOpen }) {
    let protyle = shows(id);
    if (!protyle) {
      const doc = await docOf(id);
      if (!mayOpen && !tabs().some((it) => it.doc === doc)) return done({ visible: false, closed: true });
      if (JSON.parse(await open({ id, focus: true, zoom: false })) === "failed") return JSON.stringify("failed");
      protyle = await until(() => shows(id));
    }
    if (!protyle) return done({ visible: false, closed: false });
    const block = blockIn(protyle, id) ?? protyle.element;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    block.scrollIntoView({ block: block === protyle.element ? "start" : "center", behavior: calm ? "auto" : "smooth" });
    block.classList.add("protyle-wysiwyg--hl");
    setTimeout(() => block.classList.remove("protyle-wysiwyg--hl"), SHOWN);
    return done({ visible: Boolean(await until(() => isSeen(block))), closed: false });
  }

  /**
   * Asks the person; the texts are an agent's, never markup.
   *
   * @param {string} call
   * @param {{ allowText: boolean, options: string[], question: string, seconds: number }} args
   * @returns {string | Promise<string>}
   */
  function ask(call, { allowText, options, question, seconds }) {
    if (asked) return JSON.stringify("busy");
    return new Promise((resolve) => {
      /** @typedef {{ dismissed?: boolean, option?: number, text?: string }} Answer */
      /** @type {Answer} */
      let answer = { dismissed: true };
      const box = raise({
        content: '<div class="b3-dialog__content pup-user"><h2></h2><p></p><div></div></div>',
        width: isMobile() ? "92vw" : "480px",
        ended() {
          clearTimeout(timer);
          asked = undefined;
          resolve(done(answer));
        },
      });
      /** @param {Answer} value */
      const end = (value) => {
        answer = value;
        box.close();
      };
      // Nothing chosen in time is no answer at all.
      const timer = setTimeout(() => end({}), seconds * 1000);
      asked = { call, close: () => end({}) };
      const [root] = box.element.querySelectorAll(".pup-user");
      root.setAttribute("role", "dialog");
      root.setAttribute("aria-modal", "true");
      root.setAttribute("aria-label", plugin.i18n.askTitle);
      const [title, text, answers] = root.children;
      title.textContent = plugin.i18n.askTitle;
      text.textContent = question;
      /** @type {(name: string, value: () => Answer, kind?: string) => HTMLButtonElement} */
      const button = (name, value, kind = "b3-button--outline") => {
        const made = document.createElement("button");
        made.className = `b3-button ${kind}`;
        made.textContent = name;
        made.addEventListener("click", () => end(value()));
        answers.append(made);
        return made;
      };
      options.forEach((name, option) => button(name, () => ({ option })));
      /** @type {HTMLInputElement | undefined} */
      let field;
      if (allowText) {
        const input = field = document.createElement("input");
        input.className = "b3-text-field fn__block";
        input.setAttribute("aria-label", plugin.i18n.askField);
        answers.append(input);
        const send = button(plugin.i18n.askSend, () => (input.value.trim() ? { text: input.value } : { dismissed: true }), "");
        input.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.isComposing) send.click(); });
      }
      const dismiss = button(plugin.i18n.askDismiss, () => ({ dismissed: true }), "b3-button--cancel");
      (field ?? dismiss).focus();
    });
  }

  /** @type {(call: string, action: string, args: any) => Promise<string>} */
  async function act(call, action, args) {
    try {
      switch (action) {
        case "get_ui_state": return state();
        case "open_document": return await open(args);
        case "scroll_to_block": return await scroll(args);
        case "ask_user": return await ask(call, args);
        case "cancel": if (asked?.call === call) asked.close(); return "";
        default: return "";
      }
    } catch (error) {
      console.error(`${name}: ${action} failed`, error);
      return "";
    }
  }

  return { act };
}
