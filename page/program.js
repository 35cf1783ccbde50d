// The question whether the server's program may be downloaded, with its progress, its troubles and the other ways.

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("./top.js")} */
const { raise } = await import(new URL(`top.js${new URL(import.meta.url).search}`, import.meta.url).href);

/** The name of the package with all programs, next to the download. */
const FULL = "package-full.zip";
/** Styles of the parts; the panel's styles may not be loaded yet. */
const QUIET = "color: var(--b3-theme-on-surface); font-size: 13px; line-height: 20px;";
const CODE = "user-select: text; font-family: var(--b3-font-family-code); font-size: 12px;";
/**
 * SiYuan's own colours for these buttons are too pale to read.
 *
 * @type {Record<string, string>}
 */
const READABLE = {
  "": "background: color-mix(in srgb, var(--b3-theme-primary) 85%, black)",
  "b3-button--outline": "color: var(--b3-theme-on-background)",
};
const CONTENT = `
  <div class="b3-dialog__header" id="pup-program-title"></div>
  <div class="b3-dialog__body">
    <div class="b3-dialog__content" style="overflow-wrap: anywhere; word-break: normal; line-height: 1.5">
      <p id="pup-program-why" style="margin: 0"></p>
      <dl style="display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 16px 0; ${QUIET}"></dl>
      <label style="display: flex; gap: 8px; align-items: center"><input type="checkbox" class="b3-switch" data-do="always"><span></span></label>
      <p style="margin: 16px 0 0; ${QUIET}" data-name="ways"></p>
      <div style="margin-top: 16px" data-name="progress" hidden><span id="pup-program-progress"></span><progress aria-labelledby="pup-program-progress" style="display: block; width: 100%; margin-top: 4px"></progress></div>
      <p role="alert" style="margin: 16px 0 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--b3-theme-error)" data-name="trouble" hidden></p>
      <input type="file" data-do="file" hidden>
    </div>
    <div class="b3-dialog__action" style="flex-wrap: wrap; gap: 8px"></div>
  </div>`;

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1_000_000).toFixed(1);

/** @type {(text: string, values: Record<string, string>) => string} */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);

/** @param {MCPPuppy} plugin */
export function program({ i18n }) {
  /**
   * The words for a trouble of `desktop/fetch.js`, with a way out.
   *
   * @type {(code: string, detail?: string) => string}
   */
  function sentence(code, detail = "") {
    /** @type {Record<string, string>} */
    const words = {
      absent: i18n.programAbsent,
      broken: i18n.programWrong,
      cut: i18n.programCut,
      declined: i18n.programAbsent,
      denied: i18n.programDenied,
      full: i18n.programFull,
      http: i18n.programHttp,
      offline: i18n.programOffline,
      other: i18n.programOther,
      stuck: i18n.programStuck,
      unsafe: i18n.programUnsafe,
      wrong: i18n.programWrong,
    };
    return fill(words[code] ?? i18n.programFailed, { detail });
  }

  /** @type {(bytes: number, size: number) => string} */
  const progress = (bytes, size) => fill(i18n.programProgress, { done: megabytes(bytes), all: megabytes(size) });

  /**
   * Asks; nothing is requested before a yes. Resolves when the dialog is closed: by the person, by `signal`, or because
   * the program is in place.
   *
   * @param {ProgramQuestion} question
   * @returns {Promise<ProgramAnswer>}
   */
  function ask({ wanted, signal, isUpdate, isAlways, download, choose }) {
    const { url, size, sha256 } = wanted.download;
    return new Promise((resolve) => {
      const answer = { isHere: false, isAlways, code: "", detail: "" };
      /** @type {AbortController | undefined} */
      let running;
      const { element, close } = raise({
        content: CONTENT,
        width: "560px",
        ended() {
          signal.removeEventListener("abort", close);
          running?.abort();
          resolve(answer);
        },
      });
      signal.addEventListener("abort", close);
      if (signal.aborted) close();

      /** @type {<Kind extends HTMLElement>(selector: string) => Kind} */
      const at = (selector) => /** @type {any} */ (element.querySelector(selector));
      const always = /** @type {HTMLInputElement} */ (at("[data-do=always]"));
      const file = /** @type {HTMLInputElement} */ (at("[data-do=file]"));
      const bar = /** @type {HTMLProgressElement} */ (at("progress"));
      const [status, trouble, buttons] = [at("[data-name=progress]"), at("[data-name=trouble]"), at(".b3-dialog__action")];
      for (const [name, value] of Object.entries({ role: "dialog", tabindex: "-1", "aria-modal": "true", "aria-labelledby": "pup-program-title", "aria-describedby": "pup-program-why" })) element.setAttribute(name, value);
      // It has the focus so that no button has it.
      element.style.outline = "none";

      at("#pup-program-title").textContent = isUpdate ? i18n.programUpdateTitle : i18n.programTitle;
      at("#pup-program-why").textContent = isUpdate ? i18n.programUpdateWhy : i18n.programWhy;
      at("label span").textContent = i18n.programAlways;
      always.checked = isAlways;
      /** @type {(name: string, value: string, style?: string) => void} */
      const fact = (name, value, style = "") => {
        for (const [tag, text] of [["dt", name], ["dd", value]]) {
          const part = document.createElement(tag);
          part.textContent = text;
          part.style.cssText = `margin: 0; ${tag === "dd" ? style : ""}`;
          at("dl").append(part);
        }
      };
      fact(i18n.programAddress, url, CODE);
      fact(i18n.programSize, fill(i18n.programBytes, { size: megabytes(size), bytes: String(size) }));
      fact("SHA-256", sha256, CODE);
      /** @type {(name: string, href: string) => void} */
      const link = (name, href) => {
        const way = Object.assign(document.createElement("a"), { textContent: name, href, target: "_blank", rel: "noopener noreferrer" });
        at("[data-name=ways]").append(way);
      };
      at("[data-name=ways]").append(i18n.programWays, " ");
      link(i18n.programByHand, url);
      at("[data-name=ways]").append(" · ");
      link(i18n.programPackage, new URL(FULL, url).href);

      /** @type {(name: string, text: string, press: () => void, kind?: string) => void} */
      const button = (name, text, press, kind = "b3-button--outline") => {
        const made = document.createElement("button");
        Object.assign(made, { className: `b3-button ${kind}`, textContent: text });
        made.dataset.do = name;
        made.style.cssText = READABLE[kind] ?? "";
        made.addEventListener("click", press);
        buttons.append(made);
      };

      /** Nothing runs: the ways that the person has. */
      function offer() {
        running = undefined;
        status.hidden = true;
        trouble.hidden = !answer.code;
        trouble.textContent = answer.code && sentence(answer.code, answer.detail);
        buttons.textContent = "";
        button("later", i18n.programLater, close, "b3-button--cancel");
        button("choose", i18n.programChoose, () => file.click());
        button("download", answer.code ? i18n.tryAgain : i18n.programDownload, () => attempt((stop) => download(arrived, stop)), "");
        // Keys that a person was typing elsewhere answer nothing.
        element.focus();
      }

      /** @param {number} bytes */
      function arrived(bytes) {
        bar.max = size;
        bar.value = bytes;
        at("[data-name=progress] span").textContent = progress(bytes, size);
      }

      /** @param {(stop: AbortSignal) => Promise<void>} work */
      async function attempt(work) {
        const mine = running = new AbortController();
        arrived(0);
        status.hidden = false;
        trouble.hidden = true;
        buttons.textContent = "";
        button("stop", i18n.cancel, () => mine.abort(), "b3-button--cancel");
        element.focus();
        Object.assign(answer, { code: "", detail: "" });
        try {
          await work(mine.signal);
          answer.isHere = true;
        } catch (/** @type {any} */ error) {
          if (error?.code !== "stopped") Object.assign(answer, { code: error?.code ?? "failed", detail: error?.detail ?? "" });
        }
        if (answer.isHere) close();
        else if (running === mine) offer();
      }

      always.addEventListener("change", () => { answer.isAlways = always.checked; });
      file.addEventListener("change", () => {
        const [chosen] = file.files ?? [];
        file.value = "";
        if (chosen) attempt(() => choose(chosen));
      });
      offer();
    });
  }

  return { sentence, progress, ask };
}
