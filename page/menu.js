// The host's menu for lines that a module writes: depth, id, label, price, and `off`, between tabs.

/** Resolves to the picked id, empty for none. The lines contain our own words and numbers only. */
export function menu({ host, name: owner }, text, x, y) {
  return new Promise((resolve) => {
    const menu = new host.Menu(owner, () => resolve(""));
    const items = [];
    for (const line of text.split("\n").filter(Boolean)) {
      const [depth, id, name, price, off] = line.split("\t");
      // Not as an accelerator, which the host takes for a key.
      const label = price ? `${name} · ${price}` : name;
      const item = id ? { id, label, iconHTML: "", disabled: off === "off", click: () => resolve(id) } : { type: "separator" };
      if (depth === "0") items.push(item);
      else (items.at(-1).submenu ??= []).push(item);
    }
    items.forEach((item) => menu.addItem(item));
    if (menu.isOpen) resolve("");
    else menu.open({ x, y });
  });
}
