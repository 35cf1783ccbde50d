// The document tree: notebooks and their documents as the kernel lists them.
import { icon } from "./icons.js";
import { openDocument } from "./editor.js";
import { commonMenu, menuItem } from "./menu.js";

const NOTEBOOK = "1f5c3";
const FOLDER = "1f4d1";
const PAGE = "1f4c4";
const open = new Set();
const known = new Set();
let shown = "";

async function ask(path, body) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  if (response.status !== 200) return undefined;
  const reply = await response.json();
  return reply.code === 0 ? reply.data : undefined;
}

const emoji = (hex, fallback) => {
  const points = (hex && /^[0-9a-f-]+$/i.test(hex) ? hex : fallback).split("-").map((part) => parseInt(part, 16));
  return String.fromCodePoint(...points);
};

async function below(notebook, path) {
  const listed = await ask("/api/filetree/listDocsByPath", { notebook, path, maxListCount: 0, ignoreMaxListHint: true });
  const rows = [];
  for (const file of listed?.files ?? []) {
    const children = file.subFileCount > 0 && open.has(file.id) ? await below(notebook, file.path) : [];
    rows.push({ id: file.id, title: file.name, icon: emoji(file.icon, file.subFileCount ? FOLDER : PAGE),
      folder: file.subFileCount > 0, children });
  }
  return rows;
}

const flat = (rows) => rows.flatMap((row) => [row, ...flat(row.children)]);

/** Documents in sight that were missing at the last call; all of them at the first. */
export function unseen(notebooks) {
  const documents = flat(notebooks).filter((row) => !row.notebook && !known.has(row.id));
  documents.forEach((row) => known.add(row.id));
  return documents;
}

/** Reads the workspace again and redraws the tree if it changed; returns the notebooks. */
export async function refresh(container) {
  const listed = await ask("/api/notebook/lsNotebooks", {});
  const notebooks = [];
  for (const notebook of listed?.notebooks ?? []) {
    if (notebook.closed) continue;
    if (!shown && !open.size) open.add(notebook.id);
    notebooks.push({ id: notebook.id, title: notebook.name, icon: emoji(notebook.icon, NOTEBOOK), folder: true,
      notebook: true, children: open.has(notebook.id) ? await below(notebook.id, "/") : [] });
  }
  const state = JSON.stringify(notebooks);
  if (state !== shown) {
    shown = state;
    container.replaceChildren(...notebooks.map((row) => {
      const list = document.createElement("ul");
      list.className = "stage-tree__notebook";
      list.dataset.url = row.id;
      list.append(...draw(row, 0, container));
      return list;
    }));
  }
  return notebooks;
}

function draw(row, depth, container) {
  const item = document.createElement("li");
  item.className = "b3-list-item";
  item.dataset.nodeId = row.id;
  item.dataset.type = row.notebook ? "navigation-root" : "navigation-file";
  item.style.paddingLeft = `${4 + depth * 16}px`;
  item.innerHTML = `<span class="b3-list-item__toggle${row.folder ? "" : " fn__hidden"}">
      ${icon("iconRight", `b3-list-item__arrow${open.has(row.id) ? " b3-list-item__arrow--open" : ""}`)}</span>
    <span class="b3-list-item__icon"></span><span class="b3-list-item__text"></span>`;
  item.querySelector(".b3-list-item__icon").textContent = row.icon;
  item.querySelector(".b3-list-item__text").textContent = row.title;
  item.addEventListener("click", (event) => {
    if (row.notebook || event.target.closest(".b3-list-item__toggle")) {
      if (!open.delete(row.id)) open.add(row.id);
      refresh(container);
    } else {
      openDocument(row);
    }
  });
  if (row.notebook) item.addEventListener("contextmenu", (event) => openMenu(row, item, event));
  return [item, ...row.children.flatMap((child) => draw(child, depth + 1, container))];
}

/** The menu of a notebook, with the lines that plugins add; newer pages say which notebook it is about. */
function openMenu(row, item, event) {
  event.preventDefault();
  const { newer, plugins } = window.siyuanApp;
  const detail = { elements: [item], type: "notebook", ...(newer && { items: [{ id: row.id, path: "/", notebookId: row.id }] }) };
  const lines = [];
  const menu = { addItem: (line) => lines.push(line) };
  for (const plugin of plugins) plugin.eventBus.emit("open-menu-doctree", { ...detail, menu });
  commonMenu.clear("docTreeMore");
  if (lines.length) commonMenu.append(menuItem({ id: "plugin", label: window.siyuan.languages.plugin, icon: "iconPlugin", submenu: lines }));
  commonMenu.popup({ x: event.clientX, y: event.clientY });
}
