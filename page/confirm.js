// A question to the person with a yes and a no, which always answers: the host's own says nothing when its scrim is clicked.

/** Resolves to whether the person said yes. What is dangerous is allowed once, and never by Enter alone. */
export function confirm({ host, plugin, width }, title, text, isDangerous = false) {
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
    element.dataset.key = "dialog-confirm";
    const header = element.querySelector(".b3-dialog__header");
    const container = element.querySelector(".b3-dialog__container");
    header.textContent = title;
    header.id = "pup-ask-title";
    container.setAttribute("role", "alertdialog");
    container.setAttribute("aria-modal", "true");
    container.setAttribute("aria-labelledby", header.id);
    // Titles of notebooks are a person's text, never markup.
    element.querySelector(".pup-ask").textContent = text;
    const [no, yes] = element.querySelectorAll(".b3-dialog__action button");
    no.textContent = isDangerous ? plugin.i18n.deny : plugin.i18n.cancel;
    yes.textContent = isDangerous ? plugin.i18n.allowOnce : plugin.i18n.apply;
    no.addEventListener("click", () => dialog.destroy());
    yes.addEventListener("click", () => {
      answer = true;
      dialog.destroy();
    });
    (isDangerous ? no : yes).focus();
  });
}
