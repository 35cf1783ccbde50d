// Keeps one server a workspace on the desktop: finds it again or starts it, sees that it runs, and ends it.

// By the same version as this file: the page keeps every module by its whole address.
/** @param {string} name */
const part = (name) => import(new URL(name + new URL(import.meta.url).search, import.meta.url).href);
/** @type {[typeof import("./program.js"), typeof import("./record.js"), typeof import("./options.js")]} */
const [{ Trouble, localFolder, missing, programPlace, remove, unpack }, { Files, hasEnded, isOurs, isRunning }, { environment, fingerprint, optionsOf, withToken, workspaceId }] =
  await Promise.all([part("program.js"), part("record.js"), part("options.js")]);

/** The milliseconds in which a server must report its address; the kernel may be busy starting. */
const STARTING = 15_000;
/** The milliseconds in which a stopped server may finish running calls: its own limit is 10 s. */
const STOPPING = 12_000;
/** The milliseconds between two checks of another page's server; the page's own one reports its end. */
const LOOK = 3000;
/** The waits before a server that ended by itself is started again; then a person must look. */
const AGAIN = [500, 2000, 5000, 15_000, 30_000];
/** A server that has run this long did not end because of how it was started. */
const STEADY = 60_000;
/** The certificate that a server makes for this computer, and its key. */
const MADE = ["local-certificate.pem", "local-key.pem"];

/** Serves one page. */
export class Keeper {
  /** @type {ServerState} */
  #state = { state: "off" };
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  /** @type {Timer | undefined} */
  #watch;
  /** @type {object | undefined} */
  #watched;
  /** @type {Timer | undefined} */
  #again;
  /** @type {Files | undefined} */
  files;
  #tries = 0;
  #dead = false;
  /** Ends a question about the program, and its download. */
  #asking = new AbortController();

  /** @param {KeeperParts} parts */
  constructor({ node, kernel, version, packageFolder, settings, keep, secret, exclusive, obtain, changed = () => {} }) {
    this.node = node;
    this.kernel = kernel;
    this.version = version;
    this.packageFolder = packageFolder;
    this.settings = settings;
    this.keep = keep;
    this.secret = secret;
    this.exclusive = exclusive;
    this.obtain = obtain;
    this.changed = changed;
  }

  /** The page has been loaded: takes over a server that runs, or starts one if a person wants that. */
  attend() {
    return this.#begin(async () => {
      const { autostart } = await this.#options();
      return autostart ? this.#ensure() : this.#look();
    }, false);
  }

  /** Starts the server; one that runs with other settings or of another version is replaced. */
  start() {
    this.#tries = 0;
    return this.#begin(() => this.#ensure(), true);
  }

  /** Ends the server, whoever started it. */
  stop() {
    return this.#alone(async () => {
      await this.#end(await this.#find());
      this.#say({ state: "off" });
    });
  }

  /** The plugin leaves the workspace: its server ends, and what it has on this computer goes too. */
  remove() {
    this.#asking.abort();
    return this.#alone(async () => {
      await this.#end(await this.#find());
      this.#say({ state: "off" });
      const files = await this.#files();
      await files.clear();
      if (!(await files.hasOthers())) await remove(this.node);
    });
  }

  /** Like `remove`, and the certificate goes that the server made: a person wants nothing to stay. */
  async purge() {
    const files = await this.#files();
    const certificate = await this.#certificate(files);
    await this.remove();
    const { fs, path } = this.node;
    if (path.basename(certificate) !== MADE[0] || (await files.hasOthers())) return;
    for (const name of MADE) await fs.promises.rm(path.join(path.dirname(certificate), name), { force: true });
  }

  restart() {
    this.#tries = 0;
    return this.#begin(async () => {
      await this.#checkProgram();
      await this.#end(await this.#find());
      await this.#ensure();
    }, true);
  }

  /**
   * The state as a panel shows it: why, the address, and what clients need that start a relay to it.
   *
   * @returns {Promise<ServerStatus>}
   */
  async status() {
    // Another window may have started it since.
    if (this.#state.state === "off") await this.#alone(() => this.#look());
    const files = await this.#files();
    const options = await this.#options().catch(() => undefined);
    const { made: running, ...state } = this.#state;
    // A client's token may have changed since; the server reads it by itself.
    if (options && state.state === "running") await files.writeToken(options.token);
    const made = options && (await fingerprint(this.kernel, options));
    return {
      ...state,
      plugin: this.version,
      program: programPlace(this.node),
      platform: this.node.process.platform,
      tokenFile: files.token,
      certificate: state.url?.startsWith("https:") ? await this.#certificate(files) : "",
      isStale: Boolean(options) && state.state === "running" && running !== made,
    };
  }

  /** The newest lines of the server's log. */
  async log(most = 200) {
    return (await this.#files()).lines(most);
  }

  /** The page or the plugin goes: nothing is started or watched any more. The server itself goes on. */
  dispose() {
    this.#dead = true;
    this.#asking.abort();
    this.#watchNoMore();
    clearTimeout(this.#again);
  }

  async #files() {
    return this.files ??= new Files(this.node, localFolder(this.node), await workspaceId(this.kernel));
  }

  async #options() {
    const settings = await this.settings();
    if (!settings) throw new Trouble("settings");
    return optionsOf(settings);
  }

  /** The settings to start with: before the first start a token is made. */
  async #optionsWithToken() {
    const settings = await this.settings();
    if (!settings) throw new Trouble("settings");
    const wanted = withToken(settings, this.secret);
    if (wanted !== settings && !(await this.keep(wanted))) throw new Trouble("token");
    return optionsOf(wanted);
  }

  /** @param {ServerState} state */
  #say(state) {
    this.#state = state;
    if (!this.#dead) this.changed(state);
  }

  /**
   * One piece of work at a time, in all windows; its trouble becomes the state.
   *
   * @param {() => Promise<void>} work
   */
  #alone(work) {
    clearTimeout(this.#again);
    return this.exclusive(async () => {
      if (this.#dead) return;
      try {
        await work();
      } catch (/** @type {any} */ error) {
        const why = error instanceof Trouble ? error : new Trouble("failed", String(error?.message ?? error));
        // A person has not been asked for the program yet.
        this.#say({ state: why.code === "program" ? "off" : "failed", why: why.code, detail: why.detail });
      }
    });
  }

  /**
   * Starts a server. If its program is missing, gets that as the person wants and starts once more. No other window
   * waits for the person's answer.
   *
   * @type {(work: () => Promise<void>, isWished: boolean) => Promise<void>}
   */
  async #begin(work, isWished) {
    await this.#alone(work);
    if (this.#dead || this.#state.why !== "program") return;
    /** @type {(state: ServerState) => void} */
    const changed = (state) => this.#say(state);
    /** @type {(error: any) => ServerState} */
    const failed = (error) => ({ state: "failed", why: "program", detail: String(error?.message ?? error) });
    const ended = await this.obtain({ isWished, signal: this.#asking.signal, changed }).catch(failed);
    if (ended) this.#say(ended);
    else await this.#alone(work);
  }

  /** The program that the package names is here, or in the package. */
  async #checkProgram() {
    if (await missing(this.node, this.packageFolder)) throw new Trouble("program");
  }

  async #ensure() {
    const options = await this.#optionsWithToken();
    const found = await this.#find();
    const made = await fingerprint(this.kernel, options);
    // One without an address belongs to a page that went away while it started.
    if (found?.url && found.version === this.version && found.made === made) return this.#adopt(found);
    // After an update, the older server runs until the new program is here.
    await this.#checkProgram();
    await this.#end(found);
    return this.#launch(options, made);
  }

  /** The server of this workspace, if one runs. */
  async #find() {
    const files = await this.#files();
    const record = await files.read();
    if (!record) return undefined;
    if (!(await isOurs(this.node, record.pid))) {
      await files.forget();
      return undefined;
    }
    // The one who started it has gone, so it is about to go too.
    if (!isRunning(this.node, record.parent) && (await this.#isGone(record, STOPPING))) {
      await files.forget();
      return undefined;
    }
    return record;
  }

  async #look() {
    const found = await this.#find();
    if (found?.url) this.#adopt(found);
  }

  /** @param {ServerRecord} record */
  #adopt(record) {
    this.#run(record);
    if (this.#child?.pid === record.pid) return;
    // One look after the other, and none starts a program of the system.
    const watched = (this.#watched = {});
    const look = async () => {
      const isOver = await hasEnded(this.node, record.pid);
      if (this.#watched !== watched) return;
      if (isOver) this.#lost(record);
      else this.#watch = setTimeout(look, LOOK);
    };
    this.#watch = setTimeout(look, LOOK);
  }

  #watchNoMore() {
    this.#watched = undefined;
    clearTimeout(this.#watch);
  }

  /** @type {(options: Options, made: string) => Promise<void>} */
  async #launch(options, made) {
    this.#say({ state: "starting" });
    const program = await unpack(this.node, this.packageFolder);
    const files = await this.#files();
    await files.writeToken(options.token);
    const log = await files.newLog();
    let child;
    try {
      child = this.node.childProcess.spawn(program, ["http"], {
        env: environment(this.node.process, this.kernel, options),
        stdio: ["pipe", "ignore", log.fd],
        cwd: files.folder,
        windowsHide: true,
      });
    } finally {
      await log.close();
    }
    /** @type {Promise<string>} */
    const ended = new Promise((done) => {
      child.once("error", (error) => done(error.message));
      child.once("exit", (code, signal) => done(`${signal ?? code}`));
    });
    // The server may have ended before it was told to.
    child.stdin?.on("error", () => {});
    const begun = { pid: child.pid ?? 0, parent: this.node.process.pid, url: "", version: this.version, since: Date.now(), made };
    // The page may go away before the server has said its address; the next one must find what holds the port.
    if (child.pid) await files.write(begun);
    const url = await this.#address(files, ended).catch(async (error) => {
      if (error.code === "slow") child.kill("SIGKILL");
      await files.forget();
      throw error;
    });
    const record = { ...begun, url };
    await files.write(record);
    this.#child = child;
    this.#run(record);
    ended.then(() => this.#lost(record));
  }

  /**
   * The address that the server writes into its log as soon as it listens.
   *
   * @type {(files: Files, ended: Promise<string>) => Promise<string>}
   */
  async #address(files, ended) {
    /** @type {string | undefined} */
    let end;
    ended.then((why) => { end = why; });
    for (const deadline = Date.now() + STARTING; Date.now() < deadline; await pause(30)) {
      const over = end;
      const lines = await files.lines(200);
      const url = lines.map((line) => /^siyuan-puppy listening on (\S+)$/.exec(line)?.[1]).find(Boolean);
      if (over !== undefined) throw troubleOf(lines, over);
      if (url) return url;
    }
    throw new Trouble("slow");
  }

  /**
   * The certificate that the server made for this computer; clients must be told to trust it.
   *
   * @param {Files} files
   */
  async #certificate(files) {
    const lines = await files.lines(200);
    return lines.map((line) => /certificate (.+) is valid until/.exec(line)?.[1]).find(Boolean) ?? "";
  }

  /** @param {ServerRecord} record */
  #run(record) {
    this.#watchNoMore();
    const { pid, url, version, since, made } = record;
    this.#say({ state: "running", pid, url, version, since, made });
  }

  /**
   * The server has ended, and nobody in this window asked it to. One that crashed is started again, a few times.
   *
   * @param {ServerRecord} record
   */
  #lost(record) {
    this.#watchNoMore();
    // In its turn: another window may be ending it, or starting the next one.
    return this.#alone(async () => {
      if (this.#state.pid !== record.pid) return undefined;
      const written = await (await this.#files()).read();
      if (written?.pid !== record.pid) {
        const found = await this.#find();
        return found ? this.#adopt(found) : this.#say({ state: "off" });
      }
      if (Date.now() - record.since > STEADY) this.#tries = 0;
      const wait = AGAIN[this.#tries++];
      if (wait === undefined) throw new Trouble("crashed");
      this.#say({ state: "starting", why: "again" });
      const again = () => this.#alone(() => this.#ensure());
      this.#again = setTimeout(again, wait);
      return undefined;
    });
  }

  /** @param {ServerRecord | undefined} record */
  async #end(record) {
    if (!record) return;
    const { process } = this.node;
    this.#say({ state: "stopping" });
    const own = this.#child?.pid === record.pid ? this.#child : undefined;
    // Windows has no signal that lets running calls finish; there it is a word on stdin.
    if (process.platform === "win32" && own) own.stdin?.write("stop\n");
    else kill(process, record.pid, "SIGTERM");
    if (!(await this.#isGone(record, STOPPING))) {
      kill(process, record.pid, "SIGKILL");
      if (!(await this.#isGone(record, 2000))) throw new Trouble("stays", String(record.pid));
    }
    await (await this.#files()).forget();
  }

  /** @type {(record: ServerRecord, patience: number) => Promise<boolean>} */
  async #isGone(record, patience) {
    for (const deadline = Date.now() + patience; ; await pause(100)) {
      if (await hasEnded(this.node, record.pid)) return true;
      // The remaining process may be another program with this id, or have ended without its exit code being collected.
      if (Date.now() > deadline) return !(await isOurs(this.node, record.pid));
    }
  }
}

/**
 * Why a server ended before it listened, from its last words.
 *
 * @type {(lines: string[], end: string) => InstanceType<typeof Trouble>}
 */
function troubleOf(lines, end) {
  const taken = lines.map((line) => /Port \d+ is taken by (.+?)\. Stop that program/.exec(line)?.[1]).find(Boolean);
  if (taken) return new Trouble("taken", taken);
  return new Trouble("failed", lines.slice(-3).join("\n").replaceAll("siyuan-puppy: ", "") || end);
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** @type {(process: NodeJS.Process, pid: number, signal: NodeJS.Signals) => void} */
function kill(process, pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
