// The page's part of the channel to the servers of agents: the places in which their questions are shown, the page
// actions, the pause, and the moments at which somebody looks or the page goes. The panel's module decides what to do.

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("./top.js")} */
const { lift, raise } = await import(new URL(`top.js${new URL(import.meta.url).search}`, import.meta.url).href);

/**
 * A text as HTML, which SiYuan's messages are: it may name a note.
 *
 * @param {string} text
 */
const asHtml = (text) => new Option(text).innerHTML;

/**
 * Connects a page. `parts` are what `index.js` lends: `name`, `version`, `host` (as for every module), `siyuan` (SiYuan's
 * API), `module` (the panel's), `plugin`, and `load`, which loads another script of this folder. What is returned has
 * `tell`, for what the socket does and hears, `pause`, `levels`, the menu's lines for a notebook, and `dispose`.
 *
 * @param {{
 *   name: string, version: string, host: Host, siyuan: SiYuan, module: Modules["panel"], plugin: MCPPuppy,
 *   load: <Name extends "screen" | "tree" | "walk">(name: Name) => Promise<Scripts[`page/${Name}.js`]>,
 * }} parts
 */
export function connect(parts) {
  const { name, siyuan, module, plugin } = parts;
  const { lang, texts } = parts.host;
  /** @type {Mounted | undefined} */
  let channel;
  let shown = "nothing";
  /** @type {{ close(): void } | undefined} */
  let place;

  /** @param {string} what */
  const tell = (what) => channel?.tell(what);
  const isOpen = () => plugin.socket?.readyState === WebSocket.OPEN;

  /**
   * Pauses or resumes all calls of agents; without `is` it toggles. Servers are notified immediately.
   *
   * @param {boolean} [is]
   */
  async function pause(is) {
    const now = await plugin.request(is === undefined ? "pause" : `pause ${is}`);
    if (now) plugin.tellPuppy(`paused\n${now}`);
    const said = new Map([
      ["true", plugin.i18n.paused],
      ["false", plugin.i18n.resumed],
    ]).get(now) ?? plugin.i18n.notPaused;
    siyuan.showMessage(said, 4000, now ? "info" : "error");
  }

  /**
   * The object through which the module reaches the page.
   *
   * @type {ChannelHost}
   */
  const channelHost = {
    lang,
    texts,
    version: parts.version,
    send: (text) => {
      if (isOpen()) plugin.socket?.send(text);
    },
    say: (text) => siyuan.showMessage(asHtml(text), 8000),
    tellPuppy: (what) => plugin.puppy?.tell(what),
    tellPause: () => {
      plugin.own();
      plugin.tellPause();
    },
    leave: () => plugin.dialog?.destroy(),
    levels: () => levels.then((it) => it?.changed()),
    touched: (doc, block, level) => walk().then((it) => it.touched({ doc, block, level })).catch(() => {}),
    async act(call, action, args) {
      try {
        return await (await acting()).act(call, action, JSON.parse(args));
      } catch (error) {
        console.error(`${name}: ${action} could not be done in the page`, error);
        return "";
      }
    },
    shows(where) {
      // A bubble needs a puppy to stand beside.
      const dog = document.querySelector("body > .pup-dog:not([hidden])");
      const wanted = where === "bubble" && !dog ? "nothing" : where;
      if (wanted === shown) return;
      shown = wanted;
      place?.close();
      if (wanted === "dialog") place = dialog();
      else place = wanted === "bubble" && dog ? bubble(dog) : undefined;
    },
  };

  /** Levels in the document tree. */
  const levels = parts.load("tree").then((script) => script.tree({ siyuan, plugin })).catch((error) => {
    console.error(`${name}: levels are not shown in the document tree`, error);
  });
  /** @type {Awaited<typeof levels>} */
  let known;
  levels.then((it) => { known = it; });

  /** @type {Promise<ReturnType<Scripts["page/walk.js"]["walk"]>> | undefined} */
  let walking;
  async function walk() {
    walking ??= parts.load("walk").then((script) => script.walk({ siyuan }));
    walking.catch(() => { walking = undefined; });
    return walking;
  }

  /** @type {Promise<ReturnType<Scripts["page/screen.js"]["screen"]>> | undefined} */
  let actions;
  async function acting() {
    actions ??= parts.load("screen").then(({ screen }) => screen({ name, siyuan, plugin }));
    actions.catch(() => { actions = undefined; });
    return actions;
  }

  /** The questions in a dialog. Its own way out is a no: Esc. */
  function dialog() {
    /** @type {Mounted | undefined} */
    let view;
    const box = raise({
      content: '<div class="pup-mount fn__flex"></div>',
      width: siyuan.getFrontend().endsWith("mobile") ? "92vw" : "560px",
      ended(dismissed) {
        view?.unmount();
        plugin.setInert(Boolean(plugin.dialog));
        if (!dismissed) return;
        shown = "nothing";
        place = undefined;
        tell("denied");
      },
    });
    plugin.setInert(true);
    const [mount] = box.element.querySelectorAll(".pup-mount");
    view = module.questions(mount, channelHost, "dialog");
    return box;
  }

  /**
   * The first question beside the puppy; it goes where the puppy goes.
   *
   * @param {Element} dog
   */
  function bubble(dog) {
    const card = document.createElement("div");
    card.className = "pup-card pup-question";
    document.body.append(card);
    card.inert = Boolean(plugin.dialog);
    const follow = () => {
      const { left, right, top, bottom } = dog.getBoundingClientRect();
      const { width, height } = card.getBoundingClientRect();
      const above = top - height - 28;
      const before = card.style.cssText;
      card.style.left = `${Math.max(8, Math.min((left + right - width) / 2, innerWidth - width - 8))}px`;
      card.style.top = `${above >= 8 ? above : Math.min(bottom + 28, Math.max(8, innerHeight - height - 8))}px`;
      // The person may have aimed at something else in that place.
      if (card.style.cssText !== before) view.tell("moved");
    };
    const moved = new MutationObserver(follow);
    const grown = new ResizeObserver(follow);
    const view = module.questions(card, channelHost, "bubble");
    const lower = lift(card);
    moved.observe(dog, { attributes: true, attributeFilter: ["style"] });
    grown.observe(card);
    grown.observe(document.documentElement);
    return {
      close() {
        moved.disconnect();
        grown.disconnect();
        lower();
        view.unmount();
        card.remove();
      },
    };
  }

  function begin() {
    channel = module.channel(channelHost);
    if (isOpen()) tell("open");
  }

  function end() {
    channel?.unmount();
    channel = undefined;
  }

  const looked = () => tell("focus");
  // A page that comes back from the browser's memory begins again.
  /** @param {Event & { persisted?: boolean }} event */
  const back = ({ persisted }) => { if (persisted) begin(); };
  /** @type {[EventTarget, string, EventListener][]} */
  const heard = [[window, "focus", looked], [window, "blur", looked], [document, "visibilitychange", looked], [window, "pagehide", end], [window, "pageshow", back]];
  heard.forEach(([target, kind, what]) => target.addEventListener(kind, what));
  begin();
  return {
    tell,
    pause,
    /** @param {string} notebook */
    levels: (notebook) => known?.lines(notebook) ?? [],
    touched: channelHost.touched,
    act: channelHost.act,
    dispose() {
      heard.forEach(([target, kind, what]) => target.removeEventListener(kind, what));
      place?.close();
      levels.then((it) => it?.dispose());
      walking?.then((it) => it.dispose(), () => {});
      end();
    },
  };
}
