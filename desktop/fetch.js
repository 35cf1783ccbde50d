// Gets the server's program where the package has none: from the release after a yes, or from a file of the person.

// By the same version as this file: the page keeps every module by its whole address.
/** @param {string} name */
const part = (name) => import(new URL(name + new URL(import.meta.url).search, import.meta.url).href);
/** @type {typeof import("./program.js")} */
const { Trouble, choicesFile, install, missing, programPlace, sha256, undone } = await part("program.js");

/** The milliseconds without a byte after which a download counts as stuck. */
const PATIENCE = 30_000;
/** The troubles that errors of a file system are. */
const ERRNO = { ENOSPC: "full", EDQUOT: "full", EACCES: "denied", EPERM: "denied", EROFS: "denied" };

/** @typedef {import("./program.js").Bytes} Bytes */
/** @typedef {import("./program.js").Entry & { download: import("./program.js").Download }} Wanted */

/**
 * Gets the program, as the person wants it. It is asked about once a version, unless the person allowed later downloads
 * in advance; `isWished` asks again. Undefined once the program is in place; otherwise the state in which that ended.
 *
 * @param {ObtainParts} parts
 * @returns {Promise<ServerState | undefined>}
 */
export async function obtain({ node, packageFolder, version, show, isWished, signal, changed, alone }) {
  /** @type {(code: string, detail?: string) => string} */
  const say = (code, detail) => show.sentence(code, detail);
  const { fs: { promises: fs } } = node;
  const ask = async () => {
    const wanted = await missing(node, packageFolder);
    // Another window may have got it, or heard a no, while this one waited.
    if (!wanted) return undefined;
    const choices = await read(node);
    if (!isWished && choices.declined === version) return off(say("declined"));
    /** @type {(progress: Progress, signal: AbortSignal) => Promise<void>} */
    const download = async (progress, stop) => {
      const packed = await fetched(wanted.download, { progress, signal: AbortSignal.any([stop, signal]) });
      await put(node, wanted, packed);
    };
    if (!isWished && choices.always === true) return quietly(wanted, download);
    changed(off(say("absent")));
    const answer = await show.ask({
      wanted,
      signal,
      isUpdate: await fs.stat(programPlace(node)).then(() => true, () => false),
      isAlways: choices.always === true,
      download,
      choose: async (file) => chosen(node, wanted, file),
    });
    if (signal.aborted) return off(say("absent"));
    await write(node, answer.isHere ? { always: answer.isAlways } : { declined: version });
    if (answer.isHere) return undefined;
    return answer.code ? failed(say(answer.code, answer.detail)) : off(say("declined"));
  };

  /** @type {(wanted: Wanted, download: (progress: Progress, signal: AbortSignal) => Promise<void>) => Promise<ServerState | undefined>} */
  const quietly = async (wanted, download) => {
    try {
      await download((bytes) => changed({ state: "starting", why: "program", detail: show.progress(bytes, wanted.download.size) }), signal);
      return undefined;
    } catch (/** @type {any} */ error) {
      const { code, detail } = troubleOf(error);
      return failed(say(code, detail));
    }
  };

  // The pages of a workspace take turns when they start, so that only one of them asks.
  return isWished ? ask() : alone(ask);
}

/** @type {(detail: string) => ServerState} */
const off = (detail) => ({ state: "off", why: "program", detail });
/** @type {(detail: string) => ServerState} */
const failed = (detail) => ({ state: "failed", why: "program", detail });

/**
 * The bytes of a download, whole and with the hash of the manifest; nothing is written. The page requests them, as the
 * browser that it is: with the proxies and the certificates of SiYuan's settings and of the system, without cookies.
 *
 * @type {(download: import("./program.js").Download, parts: { progress?: Progress, signal: AbortSignal, patience?: number }) => Promise<Bytes>}
 */
export async function fetched({ url, sha256: hash, size }, { progress = () => {}, signal, patience = PATIENCE }) {
  const address = new URL(url);
  if (!isPrivate(address, address)) throw new Trouble("unsafe");
  const stuck = new AbortController();
  /** @type {Timer | undefined} */
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stuck.abort(), patience);
  };
  let hasBegun = false;
  try {
    wait();
    const response = await fetch(address, {
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, stuck.signal]),
    });
    if (!isPrivate(new URL(response.url), address)) throw new Trouble("unsafe");
    if (response.status !== 200 || !response.body) throw new Trouble("http", String(response.status));
    hasBegun = true;
    const bytes = new Uint8Array(size);
    let count = 0;
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      wait();
      if (count + part.value.length > size) throw new Trouble("wrong");
      bytes.set(part.value, count);
      count += part.value.length;
      progress(count);
    }
    if (count < size) throw new Trouble("cut");
    if ((await sha256(bytes)) !== hash) throw new Trouble("wrong");
    return bytes;
  } catch (error) {
    if (error instanceof Trouble) throw error;
    if (signal.aborted) throw new Trouble("stopped");
    if (stuck.signal.aborted) throw new Trouble("stuck");
    throw new Trouble(hasBegun ? "cut" : "offline");
  } finally {
    clearTimeout(timer);
    // The rest of an answer must not go on arriving.
    stuck.abort();
  }
}

/**
 * Whether nobody between the two can read an address: `https`, or `http` where all of it stays on this machine.
 *
 * @type {(address: URL, first: URL) => boolean}
 */
function isPrivate(address, first) {
  /** @param {URL} address */
  const isHere = ({ protocol, hostname }) => protocol === "http:" && hostname === "127.0.0.1";
  return address.protocol === "https:" || (isHere(first) && isHere(address));
}

/**
 * Installs a file that the person chose: the download of the manifest, or the program in it.
 *
 * @type {(node: NodeModules, wanted: Wanted, file: Pick<Blob, "arrayBuffer" | "size">) => Promise<void>}
 */
export async function chosen(node, wanted, file) {
  if (![wanted.size, wanted.download.size].includes(file.size)) throw new Trouble("other", wanted.file);
  await placed(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const hash = await sha256(bytes);
    if (hash === wanted.sha256) return install(node, wanted, bytes);
    if (hash === wanted.download.sha256) return put(node, wanted, bytes);
    throw new Trouble("other", wanted.file);
  });
}

/** @type {(node: NodeModules, wanted: Wanted, packed: Bytes) => Promise<void>} */
const put = (node, wanted, packed) => placed(async () => install(node, wanted, await undone(node, wanted, packed)));

/** @param {() => Promise<unknown>} work */
async function placed(work) {
  try {
    await work();
  } catch (error) {
    throw troubleOf(error);
  }
}

/**
 * An error as the dialog has words for it. Messages of Node name folders of the person, so only their codes remain.
 *
 * @param {any} error
 */
export function troubleOf(error) {
  if (error instanceof Trouble) return error;
  const code = typeof error?.code === "string" ? error.code : String(error?.name);
  return new Trouble(ERRNO[/** @type {keyof typeof ERRNO} */ (code)] ?? "failed", code);
}

/**
 * The choices of this user on this machine: `declined` is a version, `always` a yes to later versions.
 *
 * @typedef {{ declined?: string, always?: boolean }} Choices
 * @type {(node: NodeModules) => Promise<Choices>}
 */
async function read(node) {
  try {
    const choices = JSON.parse(await node.fs.promises.readFile(choicesFile(node), "utf8"));
    return choices?.constructor === Object ? choices : {};
  } catch {
    return {};
  }
}

/** @type {(node: NodeModules, choices: Choices) => Promise<void>} */
async function write(node, choices) {
  const { fs: { promises: fs }, path } = node;
  const file = choicesFile(node);
  // Without them the question comes again.
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    .then(() => fs.writeFile(file, `${JSON.stringify(choices)}\n`, { mode: 0o600 }))
    .catch(() => {});
}
