// Puts the server's program for this machine into place: a folder of this user outside the synced data.

/** Something that keeps the server from running; the panel has words for each code. */
export class Trouble extends Error {
  /** @param {string} code */
  constructor(code, detail = "") {
    super(detail || code);
    this.code = code;
    this.detail = detail;
  }
}

/** @typedef {NodeModules["fs"]["promises"]} Fs */
/** @typedef {Uint8Array<ArrayBuffer>} Bytes */
/** @typedef {{ url: string, sha256: string, size: number }} Download */
/** @typedef {{ file: string, sha256: string, size: number, download?: Download }} Entry */

/** The prefix of files that only exist while a program is put into place. */
const PASSING = ".passing-";
/** The largest download that a manifest may name, in bytes. */
const LARGEST = 32_000_000;
/** The age from which such a file counts as abandoned, in ms. */
const ABANDONED = 60 * 60 * 1000;

/**
 * The folder for what this user has on this machine only; the data folder of SiYuan goes to phones too.
 *
 * @param {NodeModules} node
 */
export function localFolder({ os, path, process: { platform, env } }) {
  /** @param {string} name */
  const given = (name) => (path.isAbsolute(env[name] ?? "") ? env[name] : undefined);
  /** @type {Partial<Record<NodeJS.Platform, () => string>>} */
  const bases = {
    win32: () => given("LOCALAPPDATA") ?? path.join(os.homedir(), "AppData", "Local"),
    darwin: () => path.join(os.homedir(), "Library", "Application Support"),
  };
  const base = bases[platform] ?? (() => given("XDG_DATA_HOME") ?? path.join(os.homedir(), ".local", "share"));
  return path.join(base(), "siyuan-mcp-puppy");
}

/**
 * The place of the program: always the same, because the configurations of agents name it.
 *
 * @param {NodeModules} node
 */
export function programPlace(node) {
  const name = node.process.platform === "win32" ? "siyuan-puppy.exe" : "siyuan-puppy";
  return node.path.join(localFolder(node), "bin", name);
}

/**
 * The file with what this user decided about downloads of the program.
 *
 * @param {NodeModules} node
 */
export const choicesFile = (node) => node.path.join(localFolder(node), "downloads.json");

/**
 * Puts the program into place, unless it is there already and whole, and returns its path. A package without programs
 * names a download instead: the trouble is then `program`.
 *
 * @param {NodeModules} node
 * @param {string} packageFolder
 */
export async function unpack(node, packageFolder) {
  const { fs: { promises: fs }, path, process } = node;
  const entry = await entryOf(node, packageFolder);
  const place = programPlace(node);
  await clear(fs, path, path.dirname(place));
  if (await isWhole(fs, place, entry)) {
    if (process.platform !== "win32") await fs.chmod(place, 0o755);
    return place;
  }
  const packed = await fs.readFile(path.join(packageFolder, entry.file)).catch(() => {
    throw entry.download ? new Trouble("program") : new Trouble("package", entry.file);
  });
  return install(node, entry, await undone(node, entry, packed));
}

/**
 * The entry of the package whose program must come from elsewhere: the package has none, and neither has this machine.
 *
 * @type {(node: NodeModules, packageFolder: string) => Promise<Entry & { download: Download } | undefined>}
 */
export async function missing(node, packageFolder) {
  const { fs: { promises: fs }, path } = node;
  const entry = await entryOf(node, packageFolder);
  const { download } = entry;
  if (!download || (await isWhole(fs, programPlace(node), entry))) return undefined;
  const isPacked = await fs.stat(path.join(packageFolder, entry.file)).then(() => true, () => false);
  return isPacked ? undefined : { ...entry, download };
}

/**
 * Writes a program into its place, if it is the one of the package. The new one takes its place by renaming: two windows
 * do no harm to each other, and a program that runs goes on.
 *
 * @type {(node: NodeModules, entry: Entry, bytes: Bytes) => Promise<string>}
 */
export async function install(node, entry, bytes) {
  const { fs: { promises: fs }, path } = node;
  if (bytes.length !== entry.size || (await sha256(bytes)) !== entry.sha256) throw new Trouble("broken", entry.file);
  const place = programPlace(node);
  const folder = path.dirname(place);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = path.join(folder, passing());
  try {
    await fs.writeFile(fresh, bytes, { mode: 0o755, flag: "wx" });
    await replace(fs, path, fresh, place);
  } finally {
    await fs.rm(fresh, { force: true });
  }
  return place;
}

/**
 * The program out of its packed form, and no more of it than the manifest names.
 *
 * @type {(node: NodeModules, entry: Entry, packed: Bytes) => Promise<Bytes>}
 */
export function undone({ zlib }, entry, packed) {
  /** @type {typeof zlib.gunzip} */
  const undo = entry.file.endsWith(".br") ? zlib.brotliDecompress : zlib.gunzip;
  return new Promise((done, failed) => {
    const broken = () => failed(new Trouble("broken", entry.file));
    undo(packed, { maxOutputLength: entry.size }, (error, whole) => (error ? broken() : done(whole)));
  });
}

/**
 * Takes the program away, and the folders that are empty then.
 *
 * @param {NodeModules} node
 */
export async function remove(node) {
  const { fs: { promises: fs }, path } = node;
  const place = programPlace(node);
  const bin = path.dirname(place);
  const names = await fs.readdir(bin).catch(() => []);
  const ours = names.filter((name) => name === path.basename(place) || name.startsWith(PASSING));
  // One that a client still runs stays on Windows, which removes none that runs.
  for (const name of ours) await fs.rm(path.join(bin, name), { force: true }).catch(() => {});
  const folder = localFolder(node);
  await fs.rm(choicesFile(node), { force: true }).catch(() => {});
  // A server that was killed could not remove its record.
  await fs.rm(path.join(folder, "serving"), { recursive: true, force: true }).catch(() => {});
  for (const empty of [bin, path.join(folder, "run"), folder]) await fs.rmdir(empty).catch(() => {});
}

/**
 * The entry for this machine in the manifest of the package.
 *
 * @type {(node: NodeModules, packageFolder: string) => Promise<Entry>}
 */
async function entryOf({ fs, path, process }, packageFolder) {
  const platform = `${process.platform}-${process.arch}`;
  let manifest;
  try {
    manifest = JSON.parse(await fs.promises.readFile(path.join(packageFolder, "manifest.json"), "utf8"));
  } catch {
    throw new Trouble("package", "manifest.json");
  }
  const entry = manifest?.platforms?.[platform];
  if (!entry) throw new Trouble("platform", platform);
  const { file, download } = entry;
  const isNamed = typeof file === "string" && file === path.basename(file);
  const isAddress = !download || (typeof download.url === "string" && download.size <= LARGEST);
  if (!isNamed || !isAddress || ![entry, download ?? entry].every(isSound)) throw new Trouble("package", "manifest.json");
  return entry;
}

/** @param {{ sha256: string, size: number }} named */
const isSound = ({ sha256: hash, size }) => /^[0-9a-f]{64}$/.test(hash) && size > 0;

/** @type {(fs: Fs, place: string, entry: Entry) => Promise<boolean>} */
async function isWhole(fs, place, { size, sha256: hash }) {
  try {
    if ((await fs.stat(place)).size !== size) return false;
    return (await sha256(await fs.readFile(place))) === hash;
  } catch {
    return false;
  }
}

/**
 * The hash in hexadecimal digits, computed in parallel to the page's own work.
 *
 * @param {Bytes} bytes
 */
export async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {(fs: Fs, path: NodeModules["path"], fresh: string, place: string) => Promise<void>} */
async function replace(fs, path, fresh, place) {
  try {
    await fs.rename(fresh, place);
  } catch (/** @type {any} */ error) {
    if (!["EPERM", "EACCES", "EBUSY", "EEXIST"].includes(error.code)) throw error;
    // Windows does not replace a program that runs, but lets it be renamed.
    const old = path.join(path.dirname(place), passing());
    const isAside = await fs.rename(place, old).then(() => true, gone);
    try {
      await fs.rename(fresh, place);
    } catch (failure) {
      // Agents start the program by its name: an older one is better than none. Another window may have put one there.
      if (isAside) await fs.rename(old, place).catch(() => {});
      throw failure;
    }
  }
}

/**
 * Says `false` of a file that another window or a person took away meanwhile.
 *
 * @param {NodeJS.ErrnoException} error
 */
function gone(error) {
  if (error.code !== "ENOENT") throw error;
  return false;
}

const passing = () => `${PASSING}${crypto.randomUUID()}`;

/**
 * Removes what a page that went away in the middle left, and programs that have ended since.
 *
 * @type {(fs: Fs, path: NodeModules["path"], folder: string) => Promise<void>}
 */
async function clear(fs, path, folder) {
  for (const name of await fs.readdir(folder).catch(() => [])) {
    if (!name.startsWith(PASSING)) continue;
    const file = path.join(folder, name);
    const age = Date.now() - ((await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0);
    // One that still runs cannot be removed on Windows; the next start tries again.
    if (age > ABANDONED) await fs.rm(file, { force: true }).catch(() => {});
  }
}
