// The end of the plugin in a workspace: asks whether levels and puppy may stay for a later installation, and removes the
// rest. The host removes our files before it calls `uninstall`, so all that is needed then is loaded with this script.

// Under the same version as this script, and after a failure under the same new address.
/** @param {string} file */
const part = (file) => import(new URL(file + new URL(import.meta.url).search, import.meta.url).href);
/** @type {[typeof import("./top.js"), typeof import("../desktop/assistant.js")]} */
const [{ raise }, { assistant }] = await Promise.all([part("./top.js"), part("../desktop/assistant.js")]);

/** The files that a person may keep, in the folders of the workspace: everything else goes. */
const KEPT = {
  storage: ["accessSettings", "agentNotebooks", "agents", "mcpHttpSettings", "mcpToolsConfig", "notebookPermissions", "panelPresets", "puppySettings"],
  temp: ["coins", "puppyStats.json"],
};
/** The file of the settings with the token. */
const HTTP = "mcpHttpSettings";
/** An entry of SiYuan's assistant that none is alike: only the name of ours counts. */
const NO_ENTRY = { command: "", args: [] };

/**
 * The kernel's answer, or `null` where there is no such file.
 *
 * @type {(path: string, body: Record<string, unknown> | FormData) => Promise<Response | null>}
 */
async function ask(path, body) {
  const sent = body instanceof FormData ? body : JSON.stringify(body);
  const response = await fetch(`/api/file/${path}`, { method: "POST", body: sent, signal: AbortSignal.timeout(5000) });
  // The content of a file comes as it is.
  if (path === "getFile" && response.status === 200) return response;
  const { code, msg } = await response.clone().json();
  if (code !== 0 && code !== 404) throw new Error(`${path}: ${msg || code}`);
  return code === 0 ? response : null;
}

/**
 * The names in a folder; none where it does not exist.
 *
 * @type {(folder: string) => Promise<string[]>}
 */
async function names(folder) {
  /** @type {{ name: string }[]} */
  const entries = (await (await ask("readDir", { path: folder }))?.json())?.data ?? [];
  return entries.map((it) => it.name);
}

/** @param {string} path */
const remove = (path) => ask("removeFile", { path });

/**
 * Takes the token out of the settings; settings that cannot be read go as a whole. An empty token is a person's choice.
 *
 * @param {string} path
 */
async function forgetToken(path) {
  const settings = await (await ask("getFile", { path }))?.json().catch(() => null);
  if (settings?.constructor !== Object) return remove(path);
  if (!settings.token) return undefined;
  delete settings.token;
  const form = new FormData();
  for (const [key, value] of Object.entries({ path, isDir: "false", modTime: String(Date.now()) })) form.append(key, value);
  form.append("file", new File([JSON.stringify(settings)], "file"));
  return ask("putFile", form);
}

/**
 * Resolves to whether levels and puppy stay. Nothing is deleted by a question that was only closed.
 *
 * @param {MCPPuppy} plugin
 * @returns {Promise<boolean>}
 */
function mayStay(plugin) {
  return new Promise((resolve) => {
    let stays = true;
    // The host removes our styles meanwhile: only its own and those of the top layer are used.
    const { element, close } = raise({
      content: '<div class="b3-dialog__header" id="pup-removal-title"></div><div class="b3-dialog__body"><div class="b3-dialog__content" id="pup-removal-text"></div><div class="b3-dialog__action"><button class="b3-button b3-button--cancel" data-do="remove-all"></button><div class="fn__space"></div><button class="b3-button b3-button--text" data-do="keep"></button></div></div>',
      width: "520px",
      ended: () => resolve(stays),
    });
    element.setAttribute("role", "alertdialog");
    element.setAttribute("aria-modal", "true");
    element.setAttribute("aria-labelledby", "pup-removal-title");
    element.setAttribute("aria-describedby", "pup-removal-text");
    /** @type {NodeListOf<HTMLElement>} */
    const [title, text, all, keep] = element.querySelectorAll("#pup-removal-title, #pup-removal-text, button");
    title.textContent = plugin.i18n.removalTitle;
    text.textContent = plugin.i18n.removalText;
    all.textContent = plugin.i18n.removalAll;
    keep.textContent = plugin.i18n.removalKeep;
    all.addEventListener("click", () => {
      stays = false;
      close();
    });
    keep.addEventListener("click", close);
    keep.focus();
  });
}

/**
 * Forgets what this device remembers outside of the workspace.
 *
 * @param {string} name
 */
function forget(name) {
  const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
  keys.filter((it) => it.startsWith(name)).forEach((it) => localStorage.removeItem(it));
}

/**
 * Asks and removes, in one window of the workspace. It begins to remove when `ended` resolves: a server would write its
 * files again.
 *
 * @param {{ siyuan: SiYuan, plugin: MCPPuppy, ended: Promise<unknown> | undefined }} parts
 */
export async function removeData({ siyuan, plugin, ended }) {
  if (window.siyuan.config.readonly || window.siyuan.isPublish) return;
  const work = () => askAndRemove(plugin, ended);
  try {
    // Browsers have no locks on a page without TLS of another computer.
    if (!navigator.locks) await work();
    else await navigator.locks.request(`${plugin.name} removal`, { ifAvailable: true }, (mine) => mine && work());
  } catch (error) {
    console.error(`${plugin.name}: data could not be removed`, error);
    siyuan.showMessage(plugin.i18n.removalFailed, 0, "error");
  }
}

/** @type {(plugin: MCPPuppy, ended: Promise<unknown> | undefined) => Promise<void>} */
async function askAndRemove(plugin, ended) {
  const { name } = plugin;
  const folders = { storage: `/data/storage/petal/${name}`, temp: `/temp/${name}` };
  // Another device may have answered and removed everything already.
  const hasAny = (await names(folders.storage)).some((it) => KEPT.storage.includes(it));
  const answer = hasAny ? mayStay(plugin) : Promise.resolve(false);
  await Promise.resolve(ended).catch(() => {});
  if (["present", "differs"].includes(await assistant("look", NO_ENTRY))) await assistant("remove", NO_ENTRY);
  for (const [place, folder] of Object.entries(folders)) {
    const kept = KEPT[/** @type {keyof typeof KEPT} */ (place)];
    for (const other of (await names(folder)).filter((it) => !kept.includes(it))) await remove(`${folder}/${other}`);
  }
  await forgetToken(`${folders.storage}/${HTTP}`);
  if (await answer) return;
  for (const folder of Object.values(folders)) await remove(folder);
  forget(name);
}
