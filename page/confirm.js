// A question to the person with a yes and a no, which always answers: the host's own says nothing when its scrim is clicked.

// Under the same version as this script, and after a failure under the same new address.
/** @type {typeof import("./top.js")} */
const { raise } = await import(new URL(`top.js${new URL(import.meta.url).search}`, import.meta.url).href);

/**
 * Resolves to whether the person said yes. What is dangerous is allowed once, and never by Enter alone. With a `word` the
 * yes can be said once that word is typed. `said` is the text of the yes, if it is another than usual.
 *
 * @param {{ plugin: MCPPuppy, width: string }} parts
 * @param {string} title
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export function confirm({ plugin, width }, title, text, isDangerous = false, word = "", said = "") {
  return new Promise((resolve) => {
    let answer = false;
    const { element, close } = raise({
      content: '<div class="b3-dialog__header" id="pup-ask-title"></div><div class="b3-dialog__body"><div class="b3-dialog__content"><div class="ft__breakword pup-ask" id="pup-ask-text"></div></div><div class="b3-dialog__action"><button class="b3-button b3-button--cancel" id="cancelDialogConfirmBtn"></button><div class="fn__space"></div><button class="b3-button b3-button--text" id="confirmDialogConfirmBtn"></button></div></div>',
      width,
      ended: () => resolve(answer),
    });
    element.setAttribute("role", "alertdialog");
    element.setAttribute("aria-modal", "true");
    element.setAttribute("aria-labelledby", "pup-ask-title");
    const [heading, content, message] = element.querySelectorAll("#pup-ask-title, .b3-dialog__content, #pup-ask-text");
    // Titles of notebooks are a person's text, never markup.
    heading.textContent = title;
    message.textContent = text;
    if (word) content.insertAdjacentHTML("beforeend", '<input class="b3-text-field fn__block pup-ask-word" autocomplete="off" spellcheck="false" aria-describedby="pup-ask-text">');
    /** @type {HTMLInputElement | null} */
    const typed = element.querySelector(".pup-ask-word");
    /** @type {NodeListOf<HTMLButtonElement>} */
    const [no, yes] = element.querySelectorAll(".b3-dialog__action button");
    no.textContent = isDangerous ? plugin.i18n.deny : plugin.i18n.cancel;
    yes.textContent = said || (isDangerous ? plugin.i18n.allowOnce : plugin.i18n.apply);
    no.addEventListener("click", close);
    yes.addEventListener("click", () => {
      answer = true;
      close();
    });
    if (typed) {
      typed.setAttribute("aria-label", word);
      typed.addEventListener("input", () => { yes.disabled = typed.value.trim() !== word; });
      yes.disabled = true;
    }
    (typed ?? (isDangerous ? no : yes)).focus();
  });
}
