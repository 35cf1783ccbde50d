// Says whether this page may start programs here for its kernel: in Electron, and beside a kernel of this computer.
/** @param {string} name */
const part = (name) => import(new URL(name + new URL(import.meta.url).search, import.meta.url).href);

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * The keeper of this workspace's server, or the reason why there is none: `browser` without Node, `remote` with a kernel
 * elsewhere.
 *
 * @param {DesktopPage} page
 * @returns {Promise<Keeper | NoKeeper>}
 */
export async function keeperFor(page) {
  const node = page.frontend === "desktop" ? modulesOf(page.require) : undefined;
  if (!node) return { why: "browser" };
  const { workspaceDir } = page.config.system;
  if (isForRemote(node, page)) return { why: "remote" };
  if (!LOOPBACK.includes(page.location.hostname) || !(await isHere(node, page, workspaceDir))) return { why: "remote" };
  /** @type {typeof import("./keeper.js")} */
  const { Keeper } = await part("keeper.js");
  const { version, settings, keep, secret, exclusive, changed } = page;
  const packageFolder = node.path.join(workspaceDir, "data", "plugins", page.name, "sidecar");
  /** @type {KeeperParts["obtain"]} */
  const obtain = async (request) => {
    /** @type {[typeof import("./fetch.js"), typeof import("../page/program.js")]} */
    const [fetching, dialog] = await Promise.all([part("fetch.js"), part("../page/program.js")]);
    if (!page.plugin) throw new Error("the plugin is not loaded");
    const show = dialog.program(page.plugin);
    /** @type {<T>(work: () => Promise<T>) => Promise<T>} */
    const alone = (work) => navigator.locks.request(`${page.name} program`, work);
    return fetching.obtain({ node, packageFolder, version, show, alone, ...request });
  };
  // SiYuan answers both protocols at one port; the program needs no certificate within this computer.
  const url = `http://127.0.0.1:${page.location.port}`;
  const kernel = {
    url,
    workspace: workspaceDir,
    // A person may make another one while the page is open.
    get token() { return page.config.api?.token ?? ""; },
  };
  return new Keeper({ node, kernel, version, packageFolder, settings, keep, secret, exclusive, obtain, changed });
}

/**
 * Whether SiYuan itself was opened for a kernel elsewhere: since 3.8 its page says so in its address or its arguments.
 * SiYuan does not report the result to plugins. Nothing is written to such a kernel to find out.
 *
 * @type {(node: NodeModules, page: DesktopPage) => boolean}
 */
function isForRemote({ process }, { location }) {
  /** @param {string} it */
  const isAsked = (it) => it === "--remote" || it.startsWith("--remote=");
  return new URLSearchParams(location.search).get("remote") === "1" || (process.argv ?? []).some(isAsked);
}

/**
 * Node's modules, where a page may have them.
 *
 * @param {DesktopPage["require"]} require
 * @returns {NodeModules | undefined}
 */
function modulesOf(require) {
  if (typeof require !== "function") return undefined;
  try {
    const [fs, path, os, zlib, childProcess, process] = ["fs", "path", "os", "zlib", "child_process", "process"].map((it) => require(it));
    return childProcess?.spawn && fs?.promises && process?.pid ? { fs, path, os, zlib, childProcess, process } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the kernel keeps its files on this computer: what is written through it can be read here. A tunnel ends at a
 * loopback address too.
 *
 * @type {(node: NodeModules, page: DesktopPage, workspaceDir: string) => Promise<boolean>}
 */
async function isHere({ fs, path }, { proof }, workspaceDir) {
  if (!workspaceDir || !path.isAbsolute(workspaceDir)) return false;
  const written = await proof.write();
  try {
    return written !== undefined && (await fs.promises.readFile(path.join(workspaceDir, proof.path), "utf8")) === written;
  } catch {
    return false;
  } finally {
    await proof.remove();
  }
}

/**
 * Writes one of our small files through the kernel; whether it did.
 *
 * @param {string} path
 * @param {string} text
 */
export async function store(path, text) {
  const form = new FormData();
  for (const [key, value] of Object.entries({ path, isDir: "false", modTime: String(Date.now()) })) form.append(key, value);
  form.append("file", new File([text], "file"));
  const response = await fetch("/api/file/putFile", { method: "POST", body: form, signal: AbortSignal.timeout(5000) });
  return response.status === 200 && (await response.json()).code === 0;
}

/**
 * A file that is written through the kernel, for a look at whether it lies on this computer.
 *
 * @param {string} name
 * @returns {DesktopPage["proof"]}
 */
export function proofOf(name) {
  const path = `temp/${name}/here-${crypto.randomUUID?.()}`;
  return {
    path,
    write: async () => ((await store(`/${path}`, path)) ? path : undefined),
    remove: () => fetch("/api/file/removeFile", { method: "POST", body: JSON.stringify({ path: `/${path}` }) }).catch(() => {}),
  };
}
