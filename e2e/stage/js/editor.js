// The editor card: shows one document of the workspace, block by block, for reading only.
import { renderBlock } from "./markdown.js";

let current;
let shown = "";

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
  shown = "";
  await refresh();
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
  page.replaceChildren(heading, ...blocks.map(renderBlock));
  const tab = document.createElement("li");
  tab.className = "item item--focus";
  tab.textContent = `${doc.icon} ${doc.title}`.trim();
  document.querySelector(".layout-tab-bar")?.replaceChildren(tab);
  const name = document.getElementById("toolbarName");
  if (name) name.value = doc.title;
}
