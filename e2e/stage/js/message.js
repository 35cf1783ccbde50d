// Snackbars at the top right: showMessage and hideMessage of the host.
import { icon } from "./icons.js";

/** Shows HTML for `timeout` ms (0: until closed), newest first, above everything open; returns its id. */
export function showMessage(html, timeout = 6000, type = "info", id = crypto.randomUUID()) {
  const box = document.getElementById("message");
  const list = box?.firstElementChild;
  if (!list) return id;
  hideMessage(id);
  const bar = document.createElement("div");
  bar.dataset.id = id;
  bar.className = "b3-snackbar" + (type === "error" ? " b3-snackbar--error" : "");
  const close = timeout === 0;
  bar.innerHTML =
    `<div data-type="textMenu" class="b3-snackbar__content${close ? " b3-snackbar__content--close" : ""}"></div>` +
    (close ? icon("iconCloseRound", "b3-snackbar__close") : "");
  bar.firstElementChild.innerHTML = html + (type === "error" ? ` v${window.siyuan.config.system.kernelVersion}` : "");
  bar.querySelector(".b3-snackbar__close")?.addEventListener("click", () => hideMessage(id));
  if (timeout > 0) bar.dataset.timeoutid = String(setTimeout(() => hideMessage(id), timeout));
  list.prepend(bar);
  box.classList.add("b3-snackbars--show");
  box.style.zIndex = String(++window.siyuan.zIndex);
  return id;
}

/** Removes one message, or all of them. */
export function hideMessage(id) {
  for (const bar of document.querySelectorAll("#message .b3-snackbar")) {
    if (id && bar.dataset.id !== id) continue;
    clearTimeout(Number(bar.dataset.timeoutid));
    bar.remove();
  }
}
