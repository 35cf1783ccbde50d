// Keeps on this machine what a page must know of the server of one workspace: its record, its log, its clients' token.

/** The files of a workspace in a folder that is not synced; a page that is loaded again finds the server through them. */
export class Files {
  /**
   * @param {NodeModules} node
   * @param {string} folder
   * @param {string} id
   */
  constructor({ fs, path }, folder, id) {
    this.fs = fs.promises;
    this.folder = path.join(folder, "run");
    this.id = id;
    /** @param {string} ending */
    const file = (ending) => path.join(this.folder, `${id}.${ending}`);
    this.record = file("json");
    this.log = file("log");
    this.token = file("token");
  }

  /**
   * The record that the page wrote when it started the server; undefined where there is none, or a torn one.
   *
   * @returns {Promise<ServerRecord | undefined>}
   */
  async read() {
    try {
      const { pid, parent, url, version, since, made } = JSON.parse(await this.fs.readFile(this.record, "utf8"));
      const isSound = [pid, parent, since].every((it) => it > 0) && [url, version, made].every((it) => typeof it === "string");
      return isSound ? { pid, parent, url, version, since, made } : undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {ServerRecord} record */
  write(record) {
    return this.keep(this.record, JSON.stringify(record));
  }

  async forget() {
    await this.fs.rm(this.record, { force: true });
  }

  /** Nothing of this workspace stays. */
  async clear() {
    for (const file of [this.record, this.log, this.token]) await this.fs.rm(file, { force: true });
  }

  /** Whether the plugin is in another workspace, too: every start leaves a log. */
  async hasOthers() {
    const names = await this.fs.readdir(this.folder).catch(() => []);
    return names.some((name) => !name.startsWith(this.id));
  }

  /**
   * A file for the clients that start a relay to the server: their own configuration then needs no token.
   *
   * @param {string} token
   */
  async writeToken(token) {
    if (token) await this.keep(this.token, `${token}\n`);
    else await this.fs.rm(this.token, { force: true });
  }

  /**
   * Only this user may read what is kept; a reader sees the old content or the new, never half.
   *
   * @param {string} file
   * @param {string} text
   */
  async keep(file, text) {
    const fresh = `${file}-${crypto.randomUUID()}`;
    await this.fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.fs.writeFile(fresh, text, { mode: 0o600, flag: "wx" });
    await this.fs.rename(fresh, file);
  }

  /** An empty log, open for a server to write into: unlike a pipe it outlives the page. */
  async newLog() {
    await this.fs.mkdir(this.folder, { recursive: true, mode: 0o700 });
    return this.fs.open(this.log, "w", 0o600);
  }

  /**
   * The newest lines of the log.
   *
   * @param {number} most
   */
  async lines(most) {
    const text = await this.fs.readFile(this.log, "utf8").catch(() => "");
    return text.split("\n").filter(Boolean).slice(-most);
  }
}

/**
 * Whether a process runs and is our program: its id alone may belong to another one by now. Outside of Linux this starts
 * a program of the system, so it is asked once before something is ended or taken over, and never by the clock.
 *
 * @type {(node: NodeModules, pid: number) => Promise<boolean>}
 */
export async function isOurs({ fs, path, childProcess, process }, pid) {
  if (process.platform === "linux") {
    // A program that was replaced while it runs ends in " (deleted)"; one that has ended has no link.
    const link = await fs.promises.readlink(`/proc/${pid}/exe`).catch(() => "");
    return path.basename(link).startsWith("siyuan-puppy");
  }
  if (!isRunning({ process }, pid)) return false;
  /** @type {[string, string[]]} */
  const asked = process.platform === "win32"
    ? ["tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"]]
    : ["ps", ["-p", String(pid), "-o", "comm="]];
  /** @type {string} */
  const said = await new Promise((done) => {
    childProcess.execFile(...asked, { windowsHide: true, timeout: 5000 }, (error, text) => done(error ? "" : text));
  });
  const name = said.trim().replace(/^"/, "").split("\n")[0];
  return path.basename(name).startsWith("siyuan-puppy");
}

/**
 * Whether a program of ours has ended altogether: it holds its port a little longer than its program.
 *
 * @type {(node: NodeModules, pid: number) => Promise<boolean>}
 */
export async function hasEnded(node, pid) {
  if (node.process.platform !== "linux") return !isRunning(node, pid);
  const line = await node.fs.promises.readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Its state stands behind its name, which may hold anything; nobody may have fetched its exit code yet.
  return !line || ["Z", "X"].includes(line.slice(line.lastIndexOf(")") + 2)[0]);
}

/**
 * Whether any process has this id.
 *
 * @type {(node: Pick<NodeModules, "process">, pid: number) => boolean}
 */
export function isRunning({ process }, pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (/** @type {any} */ error) {
    return error.code === "EPERM";
  }
}
