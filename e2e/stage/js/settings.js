// The host's settings dialog, cut down to the page that matters to a plugin: its marketplace card.
import { Dialog } from "./dialog.js";
import { icon } from "./icons.js";
import { hasSettings } from "./plugin.js";
import { setEnabled } from "./loader.js";

/** Opens Settings at Marketplace › Downloaded. */
export function openSettings(app) {
  const words = window.siyuan.languages;
  const dialog = new Dialog({
    width: window.siyuan.mobile ? "92vw" : "max(70vw, min(90vw, 900px))",
    height: "90vh",
    content: `<div class="fn__flex-1 fn__flex config__panel" style="overflow: hidden;position: relative">
      <div class="config__side b3-list b3-list--background">
        <div class="config__tab-head"><div class="config__tab-title resize__move">${icon("iconSettings", "b3-list-item__graphic")}
          <span class="b3-list-item__text">${words.settings}</span></div></div>
        <ul class="config__tab-scroll"><li data-name="bazaar" class="b3-list-item b3-list-item--focus">
          ${icon("iconBazaar", "b3-list-item__graphic")}<span class="b3-list-item__text">${words.marketplace}</span></li></ul>
      </div>
      <div class="config__tab-wrap"><div class="config__tab-container" data-name="bazaar"><div class="config-group">
        <div class="config-title">${words.downloaded}</div><div class="config-items"></div>
      </div></div></div>
    </div>`,
  });
  dialog.element.dataset.key = "dialog-setting";
  const list = dialog.element.querySelector(".config-items");
  for (const name of new Set([...app.plugins.map((plugin) => plugin.name), ...app.known])) {
    app.known.add(name);
    list.append(card(app, name));
  }
  return dialog;
}

function card(app, name) {
  const words = window.siyuan.languages;
  const plugin = app.plugins.find((one) => one.name === name);
  const element = document.createElement("div");
  element.className = "b3-card";
  element.dataset.name = name;
  element.innerHTML = `<div class="b3-card__img"><img src="/plugins/${name}/icon.png" alt="" loading="lazy"></div>
    <div class="fn__flex-1 fn__flex-column"><div class="b3-card__info b3-card__info--left fn__flex-1">${plugin?.displayName ?? name}
      <div class="b3-card__desc">${name}</div></div></div>
    <div class="b3-card__actions b3-card__actions--right">
      <span class="ariaLabel block__icon block__icon--show${plugin && hasSettings(plugin) ? "" : " fn__none"}" data-type="setting" aria-label="${words.settings}">${icon("iconSettings")}</span>
      <span class="fn__space"></span>
      <input class="ariaLabel b3-switch fn__flex-center" data-type="plugin-enable" type="checkbox" aria-label="${words.enable}"${plugin ? " checked" : ""}>
    </div>`;
  element.querySelector('[data-type="setting"]').addEventListener("click", () => {
    app.plugins.find((one) => one.name === name)?.openSetting();
  });
  element.querySelector("input").addEventListener("change", async (event) => {
    await setEnabled(app, name, event.target.checked);
    const now = app.plugins.find((one) => one.name === name);
    element.querySelector('[data-type="setting"]').classList.toggle("fn__none", !now || !hasSettings(now));
  });
  return element;
}
