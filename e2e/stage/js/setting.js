// The Setting class: the plain dialog the host builds for plugins without a panel of their own.
import { Dialog } from "./dialog.js";

export class Setting {
  constructor(options = {}) {
    this.items = [];
    this.options = options;
    this.confirmCallback = options.confirmCallback;
    this.destroyCallback = options.destroyCallback;
  }

  addItem(item) {
    this.items.push(item);
  }

  open(name) {
    const words = window.siyuan.languages;
    this.dialog = new Dialog({
      title: name,
      width: this.options.width ?? (window.siyuan.mobile ? "92vw" : "768px"),
      height: this.options.height ?? "80vh",
      content: `<div class="b3-dialog__content"></div>
        <div class="b3-dialog__action${this.confirmCallback ? "" : " fn__none"}">
          <button class="b3-button b3-button--cancel">${words.cancel}</button>
          <div class="fn__space"></div>
          <button class="b3-button b3-button--text">${words.save}</button>
        </div>`,
      destroyCallback: this.destroyCallback,
    });
    const content = this.dialog.element.querySelector(".b3-dialog__content");
    for (const item of this.items) {
      const row = document.createElement("div");
      row.className = "fn__flex b3-label config-item config-wrap";
      row.innerHTML = `<div class="fn__flex-1"><div class="config-name">${item.title}</div>
        <div class="b3-label__text${item.description ? "" : " fn__none"}">${item.description ?? ""}</div></div>
        <span class="fn__space"></span>`;
      const action = item.actionElement ?? item.createActionElement?.();
      if (action) row.append(action);
      content.append(row);
    }
    const [cancel, save] = this.dialog.element.querySelectorAll(".b3-dialog__action .b3-button");
    cancel.addEventListener("click", () => this.dialog.destroy());
    save.addEventListener("click", () => {
      this.confirmCallback?.();
      this.dialog.destroy();
    });
    content.querySelector("input, textarea")?.focus();
  }
}
