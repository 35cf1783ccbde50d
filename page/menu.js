// The host's menu for lines that a module writes: depth, id, label, price, and `off`, between tabs.

/**
 * Resolves to the picked id, empty for none. The lines contain our own words and numbers only.
 *
 * @param {{ siyuan: SiYuan, name: string }} parts
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @returns {Promise<string>}
 */
export function menu({ siyuan, name: owner }, text, x, y) {
  return new Promise((resolve) => {
    const menu = new siyuan.Menu(owner, () => resolve(""));
    /** @type {import("siyuan").MenuItem[]} */
    const items = [];
    for (const line of text.split("\n").filter(Boolean)) {
      const [depth, id, name, price, off] = line.split("\t");
      // Not as an accelerator, which the host takes for a key.
      const label = price ? `${name} · ${price}` : name;
      /** @type {import("siyuan").MenuItem} */
      const item = id ? { id, label, iconHTML: "", disabled: off === "off", click: () => resolve(id) } : { type: "separator" };
      const above = items.at(-1);
      if (depth === "0" || !above) items.push(item);
      else (above.submenu ??= []).push(item);
    }
    items.forEach((item) => menu.addItem(item));
    if (menu.isOpen) resolve("");
    else menu.open({ x, y });
  });
}
