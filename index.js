// Loads the puppy and the settings panel into SiYuan, and takes them out again. The host runs this text as a function.
"use strict";
const siyuan = require("siyuan");

const NAME = "siyuan-mcp-puppy";
// The same as in plugin.json; a test holds that. It is part of the modules' addresses, so that an update loads anew.
const VERSION = "0.1.0";
const HTTP_SETTINGS = `/data/storage/petal/${NAME}/mcpHttpSettings`;
const ICONS = '<symbol id="iconMCPPuppy" viewBox="0 0 24 24"><path d="M7.5 4.2C5.2 3.1 2.3 4.6 1.9 7.9c-.3 2.6.1 5.1 1.5 5.6.8.3 1.3-.3 1.7-1.1C5.6 16.7 8.4 20 12 20s6.4-3.3 6.9-7.6c.4.8.9 1.4 1.7 1.1 1.4-.5 1.8-3 1.5-5.6-.4-3.3-3.3-4.8-5.6-3.7C15.3 3.5 13.7 3 12 3s-3.3.5-4.5 1.2zM7.8 10.5a1.2 1.4 0 1 1 0 .01zm6 0a1.2 1.4 0 1 1 0 .01zM12 13.3c1.3 0 2 .6 2 1.3s-1 1.7-2 1.7-2-1-2-1.7.7-1.3 2-1.3z" fill-rule="evenodd"/></symbol><symbol id="iconMCPPaw" viewBox="0 0 24 24"><path d="M12 11c-4 0-9 9-4 9 2 0 2-1 4-1s2 1 4 1c5 0 0-9-4-9zM2 11a2 2.6 0 1 1 0 .01zm5-5a2 2.6 0 1 1 0 .01zm6 0a2 2.6 0 1 1 0 .01zm5 5a2 2.6 0 1 1 0 .01z"/></symbol>';

const TOP_BAR = "settings";
const STYLES = ["panel.css", "playground.css", "agents.css"];

// One slot a page: the host may run several instances at once, and unload another one than it loaded last.
/** @type {Slot} */
const slot = (globalThis.__siyuanMcpPuppy ??= { modules: new Map(), current: null, attempts: 0 });

/**
 * The address of one of our files; another one after each failure, because the page keeps what it got under the first.
 *
 * @param {string} file
 */
const address = (file) =>
  new URL(`/plugins/${NAME}/${file}?v=${VERSION}${slot.attempts ? `-${slot.attempts}` : ""}`, location.origin).href;

/**
 * Loads a module of wasm, once per version and page: every new address would take memory of its own.
 *
 * @type {Load}
 */
function load(name) {
  const key = `${name} ${VERSION}`;
  let ready = slot.modules.get(key);
  if (!ready) {
    const wasm = address(`${name}_bg.wasm`);
    ready = import(address(`${name}.js`)).then(async (module) => {
      await module.default({ module_or_path: wasm });
      return module;
    });
    slot.modules.set(key, ready);
    ready.catch(() => {
      slot.modules.delete(key);
      slot.attempts += 1;
    });
  }
  return ready;
}

/**
 * Loads one of our scripts; after a failure the next try asks for it anew.
 *
 * @template {keyof Scripts} File
 * @param {File} file
 * @returns {Promise<Scripts[File]>}
 */
function script(file) {
  const ready = import(address(file));
  ready.catch(() => { slot.attempts += 1; });
  return ready;
}

/**
 * Uses a script. Where that fails, the answer is made by `otherwise`: a module of wasm does not survive an error.
 *
 * @template {keyof Scripts} File
 * @template Answer
 * @param {File} file
 * @param {(script: Scripts[File]) => Answer | Promise<Answer>} use
 * @param {(error: unknown) => Answer} otherwise
 */
async function lent(file, use, otherwise) {
  try {
    return await use(await script(file));
  } catch (error) {
    console.error(`${NAME}: ${file} could not be used`, error);
    return otherwise(error);
  }
}

/**
 * The beginning of what an error says.
 *
 * @param {any} error
 */
const words = (error) => String(error?.message ?? error).slice(0, 300);

/**
 * The panel's texts in Chinese, read once per version and page: its module holds English only. English stays where they
 * cannot be read; the next panel that is opened tries again.
 */
async function chineseTexts() {
  if (!/^zh/i.test(window.siyuan.config.lang ?? "") || slot.texts?.version === VERSION) return;
  try {
    const response = await fetch(address("panel.zh.txt"), { signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(`${response.status}`);
    slot.texts = { version: VERSION, text: await response.text() };
  } catch (error) {
    console.error(`${NAME}: the Chinese texts could not be loaded`, error);
  }
}

/**
 * The id of the link to a file of styles.
 *
 * @param {string} file
 */
const styleId = (file) => `${NAME}-${file}`;

/**
 * The styles of a module come with it: the page's start carries those of the puppy.
 *
 * @param {string} file
 */
function styles(file) {
  const href = address(file);
  const present = /** @type {HTMLLinkElement | null} */ (document.getElementById(styleId(file)));
  if (present?.href === href) return undefined;
  return new Promise((done, failed) => {
    const link = document.createElement("link");
    Object.assign(link, { id: styleId(file), rel: "stylesheet", href, onload: done });
    link.onerror = () => {
      link.remove();
      failed(new Error(file));
    };
    present?.remove();
    document.head.append(link);
  });
}

/**
 * The content of one of our files: empty where it is missing, `torn` where it is malformed, `away` where nothing can be
 * said. The kernel answers every error with HTTP 202; only the code 404 in it says that there is no such file.
 *
 * @template {Settings | null} [Other=Settings]
 * @param {string} path
 * @param {Settings | Other} torn
 * @param {Settings | Other} away
 * @returns {Promise<Settings | Other>}
 */
async function stored(path, torn = {}, away = {}) {
  try {
    const response = await fetch("/api/file/getFile", { method: "POST", body: JSON.stringify({ path }), signal: AbortSignal.timeout(5000) });
    if (response.status === 202) return (await response.json().catch(() => null))?.code === 404 ? {} : away;
    if (response.status !== 200) return away;
    const content = await response.json();
    return content?.constructor === Object ? content : torn;
  } catch (error) {
    return error instanceof SyntaxError ? torn : away;
  }
}

/**
 * Settings in the form that the puppy's module reads: a line of key and value each.
 *
 * @param {Settings} settings
 */
const asLines = (settings) => Object.entries(settings).map(([key, value]) => `${key} ${value}`).join("\n");

const puppySettings = () => stored(`/data/storage/petal/${NAME}/puppySettings`);

/** Whether every call is paused. Anything but a plain no is a pause, as in the sidecar, and so is a malformed file. */
async function isPaused() {
  const { paused } = await stored(HTTP_SETTINGS, { paused: true });
  return paused !== undefined && paused !== false;
}

/** The keeper of the workspace's server, once a page and version; a page that may start none has a reason instead. */
function keptServer() {
  if (slot.keeper?.version !== VERSION) {
    slot.keeper?.ready.then((older) => { if ("dispose" in older) older.dispose(); }, () => {});
    const ready = makeKeeper();
    slot.keeper = { version: VERSION, ready };
    ready.catch(() => {
      slot.keeper = undefined;
      slot.attempts += 1;
    });
  }
  return slot.keeper.ready;
}

/** Whether programs can be started at all; nothing more is loaded where they cannot. */
function hasNode() {
  try {
    return Boolean(require("child_process")?.spawn);
  } catch {
    return false;
  }
}

/** @returns {Promise<Keeper | NoKeeper>} */
async function makeKeeper() {
  const { config } = window.siyuan;
  if (config.readonly) return { why: "readonly" };
  if (!hasNode()) return { why: "browser" };
  /** @type {Scripts["desktop/place.js"]} */
  const { keeperFor, store, proofOf } = await import(address("desktop/place.js"));
  return keeperFor({
    frontend: siyuan.getFrontend(),
    require,
    location,
    // The host puts another token there when a person makes one.
    get config() { return window.siyuan.config; },
    get plugin() { return slot.current; },
    name: NAME,
    version: VERSION,
    // Nothing is started by settings that cannot be read.
    settings: () => stored(HTTP_SETTINGS, null, null),
    keep: (settings) => store(HTTP_SETTINGS, JSON.stringify(settings)),
    secret,
    changed: (state) => slot.current?.serverChanged(state),
    exclusive: (work) => navigator.locks.request(`${NAME} server`, work),
    proof: proofOf(NAME),
  });
}

/** A token of 256 random bits. */
function secret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const isMobile = () => siyuan.getFrontend().endsWith("mobile");

module.exports = class MCPPuppy extends siyuan.Plugin {
  /** @type {Promise<void> | undefined} */
  attending;
  /** @type {Promise<Scripts["page/removal.js"] | undefined> | undefined} */
  removal;
  /** @type {(() => void) | undefined} */
  offers;

  onload() {
    slot.current?.dispose();
    slot.current = this;
    this.dead = false;
    this.addCommand({ langKey: "showPuppy", langText: this.i18n.showPuppy, hotkey: "", callback: () => this.tellPuppy("show") });
    this.addCommand({ langKey: "pauseAll", langText: this.i18n.pauseAll, hotkey: "", callback: () => this.pause() });
    // A host that reloads in a hurry leaves the styles of earlier instances behind.
    [...document.querySelectorAll(`[id="pluginsStyle${NAME}"]`)].slice(1).forEach((style) => style.remove());
  }

  onLayoutReady() {
    if (this.dead || this.ready || window.siyuan.isPublish) return;
    this.ready = true;
    this.addIcons(ICONS);
    this.button = this.addTopBar({ id: TOP_BAR, icon: "iconMCPPuppy", title: this.i18n.openSettings, callback: () => this.openSetting() });
    this.eventBus.on("open-menu-doctree", this.treeMenu);
    this.eventBus.on("click-blockicon", this.blockMenu);
    this.startPuppy();
    this.own();
    this.listen();
    this.server("attend");
    // The host removes our files before it calls `uninstall`.
    setTimeout(() => { if (!this.dead) this.removal = script("page/removal.js").catch(() => undefined); }, 3000);
    this.report().catch((error) => console.error(`${NAME}: the usage report could not be made`, error));
  }

  /**
   * The menu of a notebook in the document tree has its levels, where they are known, and leads to its row in the panel.
   *
   * @param {CustomEvent<import("siyuan").TreeMenu>} event
   */
  treeMenu = ({ detail }) => {
    const { menu, type, items, elements } = detail;
    const notebook = items?.[0]?.notebookId ?? elements?.[0]?.parentElement?.dataset.url;
    if (this.dead || type !== "notebook" || !notebook) return;
    const label = this.i18n.notebookLevel;
    const open = { id: "puppyPermissions", iconHTML: "", label, click: () => this.openPanel(`permissions ${notebook}`) };
    const levels = this.channel?.levels(notebook) ?? [];
    if (!levels.length) menu.addItem(open);
    else menu.addItem({ id: "puppyLevels", iconHTML: "", label, submenu: [...levels, { type: "separator" }, { ...open, label: this.i18n.openSettings }] });
  };

  /**
   * The menu of a block says who wrote it, and leads to the run.
   *
   * @param {CustomEvent<import("siyuan").BlockMenu>} event
   */
  blockMenu = ({ detail: { menu, blockElements } }) => {
    const block = blockElements?.length === 1 ? blockElements[0].dataset.nodeId : "";
    if (this.dead || !block) return;
    menu.addItem({ id: "puppyWriter", iconHTML: "", label: this.i18n.whoWrote, click: () => this.late((it) => chineseTexts().then(() => it.writer(block, (...question) => this.confirm(...question))), this.notLoaded(undefined)) });
  };

  /**
   * Sends a request to the keeper of the server: `attend`, `start`, `stop`, `restart`, `purge`, `status`, `log`. A page that may
   * not start a server returns the reason.
   *
   * @param {ServerRequest} what
   * @returns {Promise<ServerStatus | string[]>}
   */
  async server(what) {
    try {
      const kept = await keptServer();
      if ("why" in kept) return { state: "none", why: kept.why };
      return (await kept[what]()) ?? await kept.status();
    } catch (error) {
      console.error(`${NAME}: the server could not be asked to ${what}`, error);
      return { state: "failed", why: "failed", detail: words(error) };
    }
  }

  /**
   * Tells a person of a server that does not run though it should; an open panel shows that by itself.
   *
   * @param {ServerState} state
   */
  serverChanged({ state, why, detail }) {
    if (state !== "failed") return;
    console.error(`${NAME}: the server does not run: ${why} ${detail ?? ""}`);
    if (!this.dialog) siyuan.showMessage(why === "taken" ? this.i18n.serverTaken : this.i18n.serverFailed, 10000, "error");
  }

  /**
   * Opens the channel to the servers of agents: one socket on a broadcast channel of the kernel, again after 1, 2, 4 … 30 s.
   * `attend` loads the code for its messages, once a server sends one; "?" asks servers for a hello, and pages ignore it.
   */
  listen(wait = 1000) {
    const began = Date.now();
    const socket = this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws/broadcast?channel=${NAME}`);
    socket.onopen = () => (this.channel ? this.channel.tell("open") : socket.send("?"));
    socket.onmessage = ({ data }) => (this.channel ? this.channel.tell(`heard\n${data}`) : data !== "?" && this.attend());
    socket.onclose = () => {
      this.channel?.tell("closed");
      const next = Date.now() - began > 10000 ? 1000 : wait;
      if (!this.dead) this.again = setTimeout(() => this.listen(Math.min(next * 2, 30000)), next * (0.8 + 0.4 * Math.random()));
    };
  }

  /** Loads the code of the channel; resolves when it is connected. */
  attend() {
    this.attending ??= script("page/channel.js").then(async ({ connect }) => {
      const [module] = await Promise.all([load("panel"), styles("panel.css"), chineseTexts()]);
      if (this.dead) return;
      this.channel = connect({ name: NAME, version: VERSION, host: this.host(), siyuan, module, plugin: this, load: (name) => script(`page/${name}.js`) });
    }).catch((error) => {
      this.attending = undefined;
      console.error(`${NAME}: the channel could not be opened`, error);
    });
    return this.attending;
  }

  /**
   * Pauses or resumes all calls of agents; without `is` it toggles.
   *
   * @param {boolean} [is]
   */
  pause(is) {
    return this.attend().then(() => this.channel?.pause(is));
  }

  /** Offers the tools to SiYuan's own agent if a person wants that, or takes them back; since SiYuan 3.8. */
  async own() {
    const { own_agent: is } = this.addAgentCapability ? await stored(HTTP_SETTINGS) : {};
    if (!this.dead && (is === true || this.offers)) lent("page/own.js", (it) => it.offer(this, is === true), () => {});
  }

  /** A detached window shows one document and no puppy. */
  async startPuppy() {
    if (this.puppy || this.starting || siyuan.getFrontend() === "desktop-window") return;
    this.starting = true;
    try {
      const reading = puppySettings();
      // A phone has no room to spare: nothing of the puppy is loaded there unless somebody asked for it.
      if (isMobile() && (await reading).phones !== true) return;
      const [module, settings] = await Promise.all([load("puppy"), reading]);
      if (this.dead) return;
      this.puppy = module.mount(document.body, { ...this.host(), settings: asLines(settings) });
      this.setInert(Boolean(this.dialog));
      // The puppy is visible already; the rest may arrive later.
      const [stats] = await Promise.all([stored(`/temp/${NAME}/puppyStats.json`), this.tellPause()]);
      this.puppy?.tell(`past\n${asLines(Object.assign({}, stats.last_fed, { wears: stats.wears, total_calls: stats.total_calls }))}`);
    } catch (error) {
      console.error(`${NAME}: the puppy could not be started`, error);
    } finally {
      this.starting = false;
    }
  }

  /** Sends the usage report if a person has switched it on; the panel's module decides its content and when it is due. */
  async report() {
    const { enabled } = await stored(`/data/storage/petal/${NAME}/telemetryConfig`);
    if (enabled === true && !this.dead) await navigator.locks?.request(`${NAME} report`, () => this.request("report"));
  }

  /** Reads whether every call is paused and tells the puppy, unless something newer has been told meanwhile. */
  async tellPause() {
    const news = this.pauseNews = {};
    const paused = await isPaused();
    if (this.pauseNews === news) this.puppy?.tell(`paused\n${paused}`);
  }

  /**
   * Sends a message of the panel or of a command; the panel sends `paused` as soon as it has written a pause.
   *
   * @param {string} what
   */
  tellPuppy(what) {
    if (what.startsWith("paused")) this.pauseNews = null;
    if (this.puppy) this.puppy.tell(what);
    else if (!this.dead && this.ready) this.startPuppy();
  }

  /**
   * Opens the panel at a page.
   *
   * @param {string} page
   */
  openPanel(page) {
    this.page = page;
    this.openSetting();
  }

  openSetting() {
    if (this.dead || this.dialog || window.siyuan.isPublish) return;
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    /** @type {PanelDialog} */
    const dialog = new siyuan.Dialog({
      content: '<div class="pup-mount fn__flex-1"></div>',
      width: isMobile() ? "92vw" : "max(70vw, min(90vw, 900px))",
      height: "90vh",
      destroyCallback: () => {
        end(dialog.panel);
        this.dialog = undefined;
        this.page = undefined;
        this.setInert(false);
        if (opener?.isConnected) opener.focus();
      },
    });
    this.dialog = dialog;
    // Opened by a pointer, it has no ring around what gets the focus.
    if (window.event instanceof PointerEvent) dialog.element.dataset.pointer = "";
    dialog.element.addEventListener("keydown", () => { delete dialog.element.dataset.pointer; }, true);
    this.setInert(true);
    const place = dialog.element.querySelector(".pup-mount");
    if (place) this.mountPanel(dialog, place);
  }

  /** @type {(dialog: PanelDialog, place: Element) => Promise<void>} */
  async mountPanel(dialog, place) {
    place.innerHTML = `<div class="pup-wait" role="status">${this.i18n.loading}</div>`;
    try {
      const [module] = await Promise.all([load("panel"), styles("panel.css"), chineseTexts()]);
      if (this.dead || !place.isConnected) return;
      this.attend();
      place.textContent = "";
      dialog.panel = module.mount(place, this.host());
    } catch (error) {
      console.error(`${NAME}: the panel could not be started`, error);
      this.showFailure(dialog, place, error);
    }
  }

  /**
   * Needs no wasm: it shows when wasm does not work.
   *
   * @type {(dialog: PanelDialog, place: Element, error: unknown) => void}
   */
  showFailure(dialog, place, error) {
    place.innerHTML = '<div class="pup-failed" role="alert"><p></p><p class="b3-label__text"></p><p class="b3-label__text"></p><button class="b3-button"></button></div>';
    /** @type {NodeListOf<HTMLElement>} */
    const [what, why, hint, button] = place.querySelectorAll("p, button");
    what.textContent = this.i18n.panelFailed;
    why.textContent = words(error);
    hint.textContent = this.i18n.panelFailedHint;
    button.textContent = this.i18n.tryAgain;
    button.addEventListener("click", () => this.mountPanel(dialog, place));
    button.focus();
  }

  /**
   * The object through which the modules reach the host.
   *
   * @returns {Host}
   */
  host() {
    const { config } = window.siyuan;
    return {
      lang: config.lang ?? "en",
      texts: slot.texts?.text ?? "",
      readonly: Boolean(config.readonly),
      settings: "",
      page: this.page ?? "",
      confirm: (title, text, word) => this.confirm(title, text, false, word),
      approve: (title, text) => this.confirm(title, text, true),
      menu: (lines, x, y) => lent("page/menu.js", (it) => it.menu({ siyuan, name: NAME }, lines, x, y), this.notLoaded("")),
      openPanel: (page) => this.openPanel(page),
      tellPuppy: (what) => this.tellPuppy(what),
      preview: (place) => this.late((it) => it.preview(place), () => null),
      view: (view, place) => this.late((it) => it.view(view, place), words),
      act: (number, call) => this.late((it) => it.act(number, call), () => ""),
      halt: (number) => this.late((it) => it.halt(number), () => {}),
      request: (request) => this.request(request),
      pause: (is) => this.pause(is),
      server: (what) => this.server(what),
      native: (what) => lent("page/native.js", (it) => it.native({ siyuan, plugin: this }, what), () => ""),
      assistant: (what, entry) => lent("desktop/assistant.js", (it) => it.assistant(what, JSON.parse(entry)), () => "failed"),
      secret,
      copy: (text) => lent("page/hand.js", (it) => it.copy(text), () => false),
      save: (name, text) => lent("page/hand.js", (it) => it.save(name, text), this.notLoaded(undefined)),
      say: (text) => siyuan.showMessage(text, 4000),
    };
  }

  /**
   * Calls a function that needs a module which loads late.
   *
   * @template Answer
   * @param {(late: ReturnType<Scripts["page/late.js"]["late"]>) => Promise<Answer>} what
   * @param {(error: unknown) => Answer} otherwise
   */
  late(what, otherwise) {
    return lent("page/late.js", ({ late }) => what(late({ load, styles, name: NAME, host: () => this.host() })), otherwise);
  }

  /**
   * Sends a request to the panel's module; empty on failure.
   *
   * @param {string} request
   */
  async request(request) {
    try {
      return await (await load("panel")).request(request);
    } catch (error) {
      console.error(`${NAME}: a request could not be done`, error);
      return "";
    }
  }

  /**
   * Asks in a dialog of the host; anything but its yes is a no.
   *
   * @type {(title: string, text: string, isDangerous: boolean, word?: string, yes?: string) => Promise<boolean>}
   */
  confirm(title, text, isDangerous, word, yes) {
    const parts = { siyuan, plugin: this, width: isMobile() ? "92vw" : "520px" };
    return lent("page/confirm.js", (it) => it.confirm(parts, title, text, isDangerous, word, yes), this.notLoaded(false));
  }

  /**
   * The way to an answer that says that part of the plugin did not load.
   *
   * @template Answer
   * @param {Answer} answer
   */
  notLoaded(answer) {
    return () => {
      siyuan.showMessage(this.i18n.notLoaded, 6000, "error");
      return answer;
    };
  }

  /** Synced data changed. The panel reads it whenever it opens; the host's default would reload the whole plugin. */
  async onDataChanged() {
    // Servers that are connected to a page ask seldom whether their settings changed.
    if (this.channel) this.request("changed mcpHttpSettings");
    else this.own();
    if (!this.puppy) return;
    const [settings] = await Promise.all([puppySettings(), this.tellPause()]);
    this.puppy?.tell(`settings\n${asLines(settings)}`);
  }

  /**
   * While a dialog of ours is open, Tab must not end on the puppy behind it.
   *
   * @param {boolean} inert
   */
  setInert(inert) {
    /** @type {NodeListOf<HTMLElement>} */
    const ours = document.querySelectorAll("body > :is(.pup-dog, .pup-card)");
    ours.forEach((own) => { own.inert = inert; });
  }

  dispose() {
    if (this.dead) return;
    this.dead = true;
    this.eventBus.off("open-menu-doctree", this.treeMenu);
    this.eventBus.off("click-blockicon", this.blockMenu);
    end(this.puppy);
    this.offers?.();
    this.dialog?.destroy();
    this.channel?.dispose();
    this.socket?.close();
    clearTimeout(this.again);
    STYLES.forEach((file) => document.getElementById(styleId(file))?.remove());
    // Since SiYuan 3.8 the host remembers a button by its id.
    if (this.removeTopBar) this.removeTopBar(TOP_BAR);
    else this.button?.remove();
  }

  onunload() {
    slot.current?.dispose();
    this.dispose();
    slot.current = null;
    // A host that loads the plugin anew does so at once; the server then goes on. Without the plugin it ends. Since
    // SiYuan 3.8 the host waits for what is returned here before it loads anew, so the wait must not be part of that.
    const kept = slot.keeper;
    setTimeout(async () => {
      if (slot.current || !kept) return;
      letGo(kept, "stop");
    }, 1000);
  }

  /** The host calls this after `onunload` when the plugin is removed from the workspace. It need not wait for a person. */
  async uninstall() {
    const ended = slot.keeper && letGo(slot.keeper, "remove");
    this.removal?.then((it) => it?.removeData({ siyuan, plugin: this, ended }));
    await ended;
  }
};

/**
 * The last wish to a keeper of the server.
 *
 * @param {KeptServer} kept
 * @param {"stop" | "remove"} wish
 */
async function letGo(kept, wish) {
  slot.keeper = undefined;
  const ended = await kept.ready.catch(() => undefined);
  if (!ended || "why" in ended) return;
  await ended[wish]();
  ended.dispose();
}

/** @param {Mounted | undefined} view */
function end(view) {
  view?.unmount();
}
