// Enough Markdown to show a note as a picture: blocks by line, a few inline marks, text set as text only.
const INLINE = /(\*\*(?<strong>.+?)\*\*)|(`(?<code>[^`]+)`)|(\(\((?<ref>[0-9a-z-]+) ['"](?<anchor>.*?)['"]\)\))|(!\[(?<alt>[^\]]*)\]\((?<src>assets\/[^)\s]+)[^)]*\))|(\[(?<text>[^\]]+)\]\([^)]*\))|(#(?<tag>[^#\s][^#]*)#)|(\*(?<em>[^*]+)\*)/gu;

function element(name, text, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function image(src, alt) {
  const made = document.createElement("img");
  made.src = `/${src}`;
  made.alt = alt;
  return made;
}

function table(text) {
  const made = document.createElement("table");
  const rows = text.split("\n").filter((one) => one.includes("|") && !/^[\s|:-]+$/u.test(one));
  for (const [index, row] of rows.entries()) {
    const line = made.insertRow();
    for (const cell of row.replace(/^\s*\||\|\s*$/gu, "").split("|")) {
      line.append(inline(document.createElement(index === 0 ? "th" : "td"), cell.trim()));
    }
  }
  return made;
}

function inline(target, text) {
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const { strong, code, anchor, alt, src, text: link, tag, em } = found.groups;
    target.append(text.slice(from, found.index));
    if (strong !== undefined) target.append(element("strong", strong));
    else if (code !== undefined) target.append(element("code", code));
    else if (anchor !== undefined) target.append(element("span", anchor, "stage-ref"));
    else if (alt !== undefined) target.append(image(src, alt));
    else if (link !== undefined) target.append(element("span", link, "stage-ref"));
    else if (tag !== undefined) target.append(element("span", `#${tag}`, "stage-tag"));
    else target.append(element("em", em));
    from = found.index + found[0].length;
  }
  target.append(text.slice(from));
  return target;
}

function line(text) {
  const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?(.*)$/u.exec(text);
  if (!item) return inline(document.createElement("p"), text.replace(/^>\s?(\[!\w+\]\s*)?/u, ""));
  const task = item[2] && (item[2][1] === " " ? "☐ " : "☑ ");
  const made = element("li", task ?? "", task ? "stage-task" : "");
  made.style.paddingLeft = `${item[1].length * 8}px`;
  return inline(made, item[3]);
}

/** One block of `getChildBlocks` as an element. */
export function renderBlock(block) {
  const text = String(block.markdown ?? block.content ?? "").replace(/\n?\{:[^}]*\}/gu, "");
  if (block.type === "h") {
    const level = Number(block.subType?.[1] ?? 2);
    return inline(document.createElement(`h${Math.min(4, level + 1)}`), text.replace(/^#+\s*/u, ""));
  }
  if (block.type === "c") return element("pre", text.replace(/^```.*\n?|```$/gmu, "").trim());
  if (block.type === "t") return table(text);
  if (block.type === "tb") return document.createElement("hr");
  const box = document.createElement(text.startsWith(">") ? "blockquote" : "div");
  box.append(...text.split("\n").filter((one) => one.trim()).map(line));
  return box;
}
