// Texts for the person to take away: on the clipboard, or as a file.

/**
 * Puts a text on the clipboard; whether that worked. Pages without encryption have the old way only.
 *
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const opener = /** @type {HTMLElement | null} */ (document.activeElement);
    const field = document.createElement("textarea");
    field.value = text;
    (opener?.parentElement ?? document.body).append(field);
    field.select();
    const worked = document.execCommand("copy");
    field.remove();
    opener?.focus();
    return worked;
  }
}

/**
 * Hands a text to the person as a file.
 *
 * @param {string} name
 * @param {string} text
 */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
