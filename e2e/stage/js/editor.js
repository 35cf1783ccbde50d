// The editor card: shows one document of the workspace, block by block, for reading only.
import { renderBlock } from "./markdown.js";

let current;
let shown = "";
/** Documents that were opened, newest first: each has a tab, and the newest one is in front. */
let opened = [];

/** The card with its tab and page; `openDocument` fills it. */
export function editorCard() {
  const card = document.createElement("div");
  card.className = "stage-card stage-editor";
  card.innerHTML = `<ul class="layout-tab-bar stage-card__head"></ul><div class="stage-doc"><div class="stage-empty"></div></div>`;
  card.querySelector(".stage-empty").textContent = window.siyuan.languages.empty;
  return card;
}

/** Shows a document and remembers it for the next refresh. */
export async function openDocument({ id, title = "", icon = "" }) {
  current = { id, title, icon };
  opened = [current, ...opened.filter((it) => it.id !== id)];
  shown = "";
  await refresh();
}

/** The editor in front as plugins see it; none while no document is open. */
export function activeEditor() {
  const element = document.querySelector(".stage-doc");
  if (!current || !element) return undefined;
  return { protyle: { element: element.parentElement, notebookId: "", block: { id: current.id, rootID: current.id, showAll: false } } };
}

/** The tabs: those behind the first are not loaded. */
export function tabs() {
  return opened.map((it) => {
    const headElement = document.createElement("li");
    if (it !== current) headElement.setAttribute("data-initdata", JSON.stringify({ blockId: it.id, rootId: it.id }));
    return { headElement, model: it === current ? { editor: activeEditor() } : undefined };
  });
}

/** Reads the shown document again and redraws it if its blocks changed. */
export async function refresh() {
  const doc = current;
  const page = document.querySelector(".stage-doc");
  if (!doc || !page) return;
  const response = await fetch("/api/block/getChildBlocks", { method: "POST", body: JSON.stringify({ id: doc.id }) });
  const blocks = response.status === 200 ? (await response.json()).data ?? [] : [];
  const state = JSON.stringify([doc, blocks]);
  if (doc !== current || state === shown) return;
  shown = state;
  const heading = document.createElement("h1");
  heading.className = "stage-doc__title";
  heading.textContent = `${doc.icon} ${doc.title}`.trim();
  page.classList.add("protyle-wysiwyg");
  page.replaceChildren(heading, ...blocks.map((block) => {
    const element = renderBlock(block);
    element.dataset.nodeId = block.id;
    return element;
  }));
  const tab = document.createElement("li");
  tab.className = "item item--focus";
  tab.textContent = `${doc.icon} ${doc.title}`.trim();
  document.querySelector(".layout-tab-bar")?.replaceChildren(tab);
  const name = document.getElementById("toolbarName");
  if (name) name.value = doc.title;
}
