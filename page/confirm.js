// A question to the person with a yes and a no, which always answers: the host's own says nothing when its scrim is clicked.

/**
 * Resolves to whether the person said yes. What is dangerous is allowed once, and never by Enter alone. With a `word` the
 * yes can be said once that word is typed.
 */
export function confirm({ host, plugin, width }, title, text, isDangerous = false, word = "") {
  return new Promise((resolve) => {
    let answer = false;
    const opener = document.activeElement;
    const dialog = new host.Dialog({
      title: " ",
      content: '<div class="b3-dialog__content"><div class="ft__breakword pup-ask"></div></div><div class="b3-dialog__action"><button class="b3-button b3-button--cancel" id="cancelDialogConfirmBtn"></button><div class="fn__space"></div><button class="b3-button b3-button--text" id="confirmDialogConfirmBtn"></button></div>',
      width,
      destroyCallback: () => {
        if (opener?.isConnected) opener.focus();
        resolve(answer);
      },
    });
    const { element } = dialog;
    const header = element.querySelector(".b3-dialog__header");
    const container = element.querySelector(".b3-dialog__container");
    header.textContent = title;
    header.id = "pup-ask-title";
    container.setAttribute("role", "alertdialog");
    container.setAttribute("aria-modal", "true");
    container.setAttribute("aria-labelledby", header.id);
    // Titles of notebooks are a person's text, never markup.
    const asked = element.querySelector(".pup-ask");
    asked.textContent = text;
    asked.id = "pup-ask-text";
    if (word) element.querySelector(".b3-dialog__content").insertAdjacentHTML("beforeend", '<input class="b3-text-field fn__block pup-ask-word" autocomplete="off" spellcheck="false" aria-describedby="pup-ask-text">');
    const typed = element.querySelector(".pup-ask-word");
    const [no, yes] = element.querySelectorAll(".b3-dialog__action button");
    no.textContent = isDangerous ? plugin.i18n.deny : plugin.i18n.cancel;
    yes.textContent = isDangerous ? plugin.i18n.allowOnce : plugin.i18n.apply;
    no.addEventListener("click", () => dialog.destroy());
    yes.addEventListener("click", () => {
      answer = true;
      dialog.destroy();
    });
    if (typed) {
      typed.setAttribute("aria-label", word);
      typed.addEventListener("input", () => { yes.disabled = typed.value.trim() !== word; });
      yes.disabled = true;
    }
    // Tab stays in the question; what is behind it waits.
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Tab") return;
      event.preventDefault();
      const stops = [typed, no, yes].filter((it) => it && !it.disabled);
      const at = stops.indexOf(document.activeElement);
      stops[(at + (event.shiftKey ? stops.length - 1 : 1)) % stops.length].focus();
    });
    (typed ?? (isDangerous ? no : yes)).focus();
  });
}
