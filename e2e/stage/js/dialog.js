// Dialog and confirm of the host: markup, stacking order, animation and closing habits.
import { icon } from "./icons.js";

const OPEN_AFTER = 50;
const CLOSE_AFTER = 190;
const EDGES = ["rd", "ld", "lt", "rt", "r", "d", "t", "l"];

export class Dialog {
  constructor(options) {
    this.id = crypto.randomUUID();
    this.disableClose = options.disableClose;
    this.destroyCallback = options.destroyCallback;
    this.data = undefined;
    const mobile = window.siyuan.mobile !== undefined;
    const header = options.title ? "" : " fn__none";
    const width = options.width ? `width:${options.width};` : "";
    this.element = document.createElement("div");
    this.element.innerHTML = `<div class="b3-dialog" style="z-index: ${++window.siyuan.zIndex};">
      <div class="b3-dialog__scrim"></div>
      <div class="b3-dialog__container ${options.containerClassName ?? ""}" style="${width}height:${options.height ?? "auto"}; left:auto;top:auto">
        ${icon("iconCloseRound", `b3-dialog__close${mobile && !options.hideCloseIcon ? "" : " fn__none"}`)}
        <div class="resize__move b3-dialog__header${header}" onselectstart="return false;">${options.title ?? ""}</div>
        <div class="b3-dialog__body">${options.content ?? ""}</div>
        ${EDGES.map((edge) => `<div class="resize__${edge}"></div>`).join("")}
      </div>
    </div>`;
    const close = (event) => {
      if (!this.disableClose) this.destroy();
      event.preventDefault();
      event.stopPropagation();
    };
    this.element.querySelector(".b3-dialog__scrim").addEventListener("click", close);
    this.element.querySelector(".b3-dialog__close").addEventListener("click", close);
    document.body.append(this.element);
    window.siyuan.dialogs.push(this);
    if (options.disableAnimation) this.element.classList.add("b3-dialog--open");
    else setTimeout(() => this.element.classList.add("b3-dialog--open"), OPEN_AFTER);
  }

  /** Removes the dialog after its animation, then calls back, then leaves the list of dialogs. */
  destroy(options) {
    if (this.closing) return;
    this.closing = true;
    this.element.classList.remove("b3-dialog--open");
    setTimeout(() => {
      this.element.remove();
      this.destroyCallback?.(options);
      window.siyuan.dialogs = window.siyuan.dialogs.filter((dialog) => dialog !== this);
    }, CLOSE_AFTER);
  }

  /** Lets Enter in a field run the given action, as the host does. */
  bindInput(field, enter) {
    field.focus();
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) enter?.();
    });
  }
}

/** Asks for a yes: Enter is yes, Esc is no, a click on the scrim is neither. */
export function confirm(title, text, yes, no, isDelete = false) {
  if (!title && !text) {
    yes?.();
    return;
  }
  const words = window.siyuan.languages ?? { cancel: "Cancel", confirm: "Confirm", delete: "Delete" };
  const dialog = new Dialog({
    title,
    width: "520px",
    content: `<div class="b3-dialog__content"><div class="ft__breakword">${text}</div></div>
      <div class="b3-dialog__action">
        <button class="b3-button b3-button--cancel" id="cancelDialogConfirmBtn">${words.cancel}</button>
        <div class="fn__space"></div>
        <button class="b3-button ${isDelete ? "b3-button--remove" : "b3-button--text"}" id="confirmDialogConfirmBtn">${isDelete ? words.delete : words.confirm}</button>
      </div>`,
  });
  dialog.element.dataset.key = "dialog-confirm";
  const finish = (callback) => {
    callback?.(dialog);
    dialog.destroy();
  };
  dialog.element.addEventListener("click", ({ detail, target }) => {
    if (detail === "Escape" || target.closest("#cancelDialogConfirmBtn")) finish(no);
    else if (detail === "Enter" || target.closest("#confirmDialogConfirmBtn")) finish(yes);
  });
}
