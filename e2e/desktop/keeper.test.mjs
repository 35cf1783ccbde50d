// The server that SiYuan's desktop page starts: the real program, found again after a reload, replaced, and ended with the page.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { STORAGE } from "../support/config.mjs";
import { desktopModules, electron, freePort, lock, makeHome, makePackage, modules, packageFolder, settingsOf } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { exists, until } from "../support/process.mjs";
import { startKernel } from "../support/system.mjs";

const WINDOW = fileURLToPath(new URL("../support/desktop-window.mjs", import.meta.url));
const KERNEL_TOKEN = "kernel-token-that-nobody-sees";
const isLinux = process.platform === "linux";

describe("server of the desktop page", () => {
  let system;
  let parts;
  let home;
  let exclusive;
  let open;
  before(async () => {
    system = await startKernel({ token: KERNEL_TOKEN });
    home = makeHome();
    makePackage(packageFolder(system.workspace));
    parts = await desktopModules(home.home);
  });
  beforeEach(async () => {
    open = [];
    exclusive = lock();
    await configure({ port: await freePort() });
  });
  afterEach(async () => {
    const last = await window();
    await last.keeper.stop();
    for (const one of open) one.keeper.dispose();
  });
  after(async () => {
    await system?.stop();
    home?.clear();
  });

  const SETTINGS = `${STORAGE}/mcpHttpSettings`;
  /** Settings of a person; one without a token has taken it away, unless the test says so. */
  const configure = (settings) => system.kernel.write(SETTINGS, { token: "", ...settings });

  /** A window of the workspace; `reload` leaves behind what the end of a page leaves. */
  async function window({ version = "0.1.0", pid, settings, isFull, node = {}, turn = exclusive } = {}) {
    const host = electron(home.home, { pid, env: { SIYUAN_MCP_TOKEN: "inherited", SIYUAN_MCP_TYPO: "1" } });
    const states = [];
    const keeper = new parts.Keeper({
      node: { ...modules(host), ...node },
      kernel: { url: system.kernel.url, token: KERNEL_TOKEN, workspace: system.workspace },
      version,
      packageFolder: packageFolder(system.workspace),
      settings: settings ?? settingsOf(system.kernel),
      keep: async (wanted) => {
        if (isFull) return false;
        await system.kernel.write(SETTINGS, wanted);
        return true;
      },
      secret: () => "made-for-clients",
      exclusive: turn,
      changed: (state) => states.push(state.state),
    });
    const one = {
      keeper,
      states,
      children: host.children,
      reload() {
        keeper.dispose();
        for (const { child } of host.children) child.stdin.destroy();
        return window({ version, pid });
      },
    };
    open.push(one);
    return one;
  }

  async function running(keeper) {
    const status = await keeper.status();
    assert.equal(status.state, "running", JSON.stringify(status));
    return status;
  }

  const becomes = (keeper, state) => until(async () => {
    const status = await keeper.status();
    return status.state === state && status;
  }, { what: `the state ${state}` });

  test("it is started with its secrets in the environment only, and serves agents (B-148)", async () => {
    const { keeper, children } = await window();
    await keeper.attend();
    const { url, pid, program, plugin, isStale } = await running(keeper);
    assert.deepEqual([plugin, isStale], ["0.1.0", false]);
    const [{ child, given: [file, args, { env }] }] = children;
    assert.equal(child.pid, pid);
    assert.deepEqual([file, args], [program, ["http"]]);
    assert.equal(env.SIYUAN_TOKEN, KERNEL_TOKEN);
    assert.deepEqual([env.SIYUAN_MCP_TOKEN, env.SIYUAN_MCP_TYPO], [undefined, undefined], "what a person set for another server");
    if (isLinux) assert.ok(!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(KERNEL_TOKEN));
    const client = await connectHttp(url);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await client.close();
    assert.match((await keeper.log()).join("\n"), /listening on http:\/\/127\.0\.0\.1/);
  });

  test("the first start makes a token, and a person who takes it away is obeyed (B-148)", async () => {
    await system.kernel.write(SETTINGS, { port: await freePort(), of_tomorrow: 1 });
    const full = await window({ isFull: true });
    await full.keeper.attend();
    assert.deepEqual((({ state, why }) => [state, why])(await full.keeper.status()), ["failed", "token"], "never an open one instead");
    assert.equal(full.children.length, 0);
    const { keeper } = await window();
    await keeper.attend();
    const { url, tokenFile } = await running(keeper);
    const settings = await system.kernel.read(SETTINGS);
    assert.deepEqual([settings.token, settings.of_tomorrow], ["made-for-clients", 1]);
    assert.equal((await fetch(url, { method: "POST" })).status, 401);
    assert.equal(readFileSync(tokenFile, "utf8"), "made-for-clients\n");
    await keeper.stop();
    await configure({ port: settings.port });
    await keeper.start();
    await running(keeper);
    assert.equal((await system.kernel.read(SETTINGS)).token, "");
  });

  test("settings that cannot be read start nothing, and are told", async () => {
    const { keeper, children, states } = await window({ settings: async () => null });
    await keeper.attend();
    assert.equal((await keeper.status()).why, "settings");
    assert.deepEqual([states, children.length], [["failed"], 0]);
  });

  test("where it costs a program to ask whose a process is, that is asked before something is ended, not by the clock", async () => {
    const first = await window();
    await first.keeper.attend();
    const { pid } = await running(first.keeper);
    first.keeper.dispose();
    let asked = 0;
    const host = modules(electron(home.home));
    const childProcess = {
      ...host.childProcess,
      execFile: (file, args, options, done) => {
        asked += 1;
        done(null, exists(pid) ? `"siyuan-puppy.exe","${pid}"` : "INFO: No tasks");
      },
    };
    const { setTimeout: real, setInterval: realInterval } = globalThis;
    globalThis.setTimeout = (work, ms, ...rest) => real(work, ms >= 500 ? 5 : ms, ...rest);
    globalThis.setInterval = (work, ms, ...rest) => realInterval(work, ms >= 500 ? 5 : ms, ...rest);
    try {
      const { keeper } = await window({ node: { childProcess, process: { ...host.process, platform: "win32" } } });
      // Only looked at: its program would have another name there.
      await keeper.status();
      assert.equal((await keeper.status()).pid, pid);
      await new Promise((done) => real(done, 500));
      assert.equal(asked, 1, "a hundred looks later");
      await keeper.stop();
      assert.equal((await keeper.status()).state, "off");
      assert.ok(!exists(pid) && asked <= 4, `asked ${asked} times`);
    } finally {
      Object.assign(globalThis, { setTimeout: real, setInterval: realInterval });
    }
  });

  test("a page that is loaded again finds it, though its pipes were closed", async () => {
    const first = await window();
    await first.keeper.attend();
    const { pid } = await running(first.keeper);
    const second = await first.reload();
    await new Promise((done) => setTimeout(done, 500));
    await second.keeper.attend();
    assert.equal((await running(second.keeper)).pid, pid);
    assert.deepEqual(second.states, ["running"]);
    assert.equal(second.children.length, 0);
  });

  test("a page that goes away while the server starts leaves none that nobody finds", async () => {
    const { fs } = modules(electron(home.home));
    const readFile = (path, ...rest) => (String(path).endsWith(".log") ? new Promise(() => {}) : fs.promises.readFile(path, ...rest));
    const gone = await window({ node: { fs: { ...fs, promises: { ...fs.promises, readFile } } }, turn: lock() });
    // It never hears the address.
    gone.keeper.attend();
    const port = await until(async () => gone.children.length && (await system.kernel.read(SETTINGS)).port, { what: "the start" });
    await until(() => fetch(`http://127.0.0.1:${port}/health`).then(() => true, () => false), { what: "the server of nobody" });
    gone.keeper.dispose();
    const { keeper } = await window();
    await keeper.attend();
    const { pid } = await running(keeper);
    const [{ child }] = gone.children;
    assert.ok(pid !== child.pid && !exists(child.pid));
  });

  test("two windows start one, and both see it stopped by either", async () => {
    const [one, two] = [await window(), await window()];
    await Promise.all([one.keeper.attend(), two.keeper.attend()]);
    const { pid } = await running(one.keeper);
    assert.equal((await running(two.keeper)).pid, pid);
    assert.equal(one.children.length + two.children.length, 1);
    const [other, starter] = one.children.length ? [two, one] : [one, two];
    await other.keeper.stop();
    await becomes(starter.keeper, "off");
    assert.ok(!exists(pid));
    await starter.keeper.start();
    assert.equal((await running(other.keeper)).pid, (await running(starter.keeper)).pid, "and started again");
  });

  test("it ends with the process of the page (B-145)", async () => {
    const args = [WINDOW, parts.folder, home.home, JSON.stringify({ url: system.kernel.url, token: KERNEL_TOKEN, workspace: system.workspace })];
    const page = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const pid = Number(await new Promise((done) => page.stdout.once("data", (text) => done(String(text)))));
    assert.ok(exists(pid));
    page.kill("SIGKILL");
    await until(() => !exists(pid), { what: "the end of the server" });
  });

  test("one that crashed is started again at the same address, by the page that started it and by another", async () => {
    const one = await window();
    await one.keeper.attend();
    const { pid, url } = await running(one.keeper);
    process.kill(pid, "SIGKILL");
    const again = await until(async () => {
      const status = await one.keeper.status();
      return status.state === "running" && status.pid !== pid && status;
    }, { what: "a new server" });
    assert.equal(again.url, url);
    const two = await one.reload();
    await two.keeper.attend();
    process.kill(again.pid, "SIGKILL");
    await until(async () => {
      const status = await two.keeper.status();
      return status.state === "running" && status.pid !== again.pid;
    }, { what: "a third server" });
  });

  test("one that crashes whenever it is started is left alone after a few tries", async () => {
    const { keeper, children } = await window();
    await keeper.attend();
    const kill = setInterval(async () => {
      const { state, pid } = await keeper.status();
      if (state === "running" && exists(pid)) process.kill(pid, "SIGKILL");
    }, 50);
    // The waits between the tries, shorter.
    const { setTimeout: real } = globalThis;
    globalThis.setTimeout = (work, ms, ...rest) => real(work, ms >= 500 ? 10 : ms, ...rest);
    try {
      await until(async () => (await keeper.status()).why === "crashed", { deadline: 60_000, what: "the last try" });
    } finally {
      globalThis.setTimeout = real;
      clearInterval(kill);
    }
    assert.equal(children.length, 6);
  });

  test("a taken port is said with its holder, never answered with another port (B-130)", async () => {
    const holder = createServer();
    const port = await new Promise((done) => holder.listen(0, "127.0.0.1", () => done(holder.address().port)));
    await configure({ port });
    const { keeper } = await window();
    await keeper.attend();
    const status = await keeper.status();
    assert.deepEqual([status.state, status.why], ["failed", "taken"]);
    if (isLinux) assert.match(status.detail, new RegExp(`process ${process.pid}`));
    await new Promise((done) => holder.close(done));
    await keeper.start();
    assert.equal(new URL((await running(keeper)).url).port, String(port));
  });

  test("an older version that runs is replaced at its address", async () => {
    const old = await window({ version: "0.0.9" });
    await old.keeper.attend();
    const before = await running(old.keeper);
    old.keeper.dispose();
    const { keeper, states } = await window();
    await keeper.attend();
    const now = await running(keeper);
    assert.deepEqual([now.version, now.url, exists(before.pid)], ["0.1.0", before.url, false]);
    assert.deepEqual(states, ["stopping", "starting", "running"]);
  });

  test("removed with the plugin it leaves nothing, but the program where another workspace has the plugin (B-239)", async () => {
    const { keeper } = await window();
    await keeper.attend();
    const { pid, program, tokenFile } = await running(keeper);
    const run = dirname(tokenFile);
    const other = join(run, "another-workspace.log");
    writeFileSync(other, "it listened");
    await keeper.remove();
    assert.ok(!exists(pid) && existsSync(program));
    assert.deepEqual(readdirSync(run), ["another-workspace.log"]);
    rmSync(other);
    writeFileSync(join(dirname(program), ".passing-old"), "half");
    await keeper.start();
    await running(keeper);
    await keeper.remove();
    assert.equal(existsSync(join(run, "..")), false);
    await keeper.remove();
    assert.equal((await keeper.status()).state, "off");
  });

  test("settings that need another start are told, and hold after it", async () => {
    const { keeper } = await window();
    await keeper.attend();
    const before = await running(keeper);
    const port = await freePort();
    await configure({ port, tls: "generate", origins: ["https://app.example"], token: "for-clients" });
    assert.equal((await keeper.status()).isStale, true);
    await keeper.restart();
    const now = await running(keeper);
    assert.deepEqual([now.url, now.isStale], [`https://127.0.0.1:${port}/mcp`, false]);
    assert.ok(!exists(before.pid));
    assert.equal(before.certificate, "");
    const { certificate } = await until(async () => {
      const status = await keeper.status();
      return status.certificate && status;
    }, { what: "the place of the certificate" });
    assert.match(readFileSync(certificate, "utf8"), /BEGIN CERTIFICATE/);
    assert.equal(readFileSync(now.tokenFile, "utf8"), "for-clients\n");
    if (isLinux) assert.equal(statSync(now.tokenFile).mode & 0o777, 0o600);
    await configure({ port, tls: "generate", origins: ["https://app.example"] });
    assert.equal((await keeper.status()).isStale, false, "a token needs no other start");
    assert.throws(() => readFileSync(now.tokenFile), "a token that was taken back");
    await keeper.purge();
    const made = readdirSync(dirname(certificate)).filter((name) => name.startsWith("local-"));
    assert.deepEqual(made, [], "B-239: neither certificate nor key stays");
  });

  test("without autostart nothing is started, but what runs is found", async () => {
    const port = await freePort();
    await configure({ autostart: false, port });
    const one = await window();
    await one.keeper.attend();
    assert.equal((await one.keeper.status()).state, "off");
    await one.keeper.start();
    const { pid } = await running(one.keeper);
    const two = await one.reload();
    await two.keeper.attend();
    assert.equal((await running(two.keeper)).pid, pid);
  });

  test("a record whose process id belongs to another program ends nothing", async () => {
    const { keeper } = await window();
    await keeper.start();
    const { pid } = await running(keeper);
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    try {
      const file = (await keeper.status()).tokenFile.replace(/token$/, "json");
      const record = JSON.parse(readFileSync(file, "utf8"));
      process.kill(pid, "SIGKILL");
      keeper.dispose();
      await until(() => !exists(pid), { what: "the end" });
      writeFileSync(file, JSON.stringify({ ...record, pid: other.pid }));
      const next = await window();
      await next.keeper.stop();
      assert.ok(exists(other.pid) && other.exitCode === null && other.signalCode === null);
      await next.keeper.attend();
      assert.notEqual((await running(next.keeper)).pid, other.pid);
    } finally {
      other.kill("SIGKILL");
    }
  });

  test("a torn record, and a program that was tampered with, do no harm", async () => {
    const first = await window();
    const { program, tokenFile } = await first.keeper.status();
    await first.keeper.start();
    await first.keeper.stop();
    rmSync(program);
    writeFileSync(program, "not the program");
    writeFileSync(tokenFile.replace(/token$/, "json"), "{torn");
    await first.keeper.start();
    await running(first.keeper);
  });
});
