// The server of a package without programs: started once its program is here, and never in the way of an older one.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { desktopModules, electron, freePort, lock, makeHome, makeLightPackage, modules, packageFolder, settingsOf } from "../support/desktop.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { exists, until } from "../support/process.mjs";
import { openRelease } from "../support/release.mjs";
import { STORAGE } from "../support/config.mjs";
import { startKernel } from "../support/system.mjs";

describe("server of a light package", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let system;
  let parts;
  let release;
  let home;
  let exclusive;
  let turns;
  let open;
  before(async () => {
    system = await startKernel();
    release = await openRelease();
  });
  beforeEach(async () => {
    home = makeHome();
    parts = await desktopModules(home.home);
    [exclusive, turns, open] = [lock(), lock(), []];
    await system.kernel.write(`${STORAGE}/mcpHttpSettings`, { port: await freePort(), token: "" });
    provide("0.1.0");
  });
  afterEach(async () => {
    for (const { keeper } of open) {
      await keeper.stop();
      keeper.dispose();
    }
    home.clear();
  });
  after(async () => {
    await release?.stop();
    await system?.stop();
  });

  /** A version of the package, with its release. */
  function provide(version) {
    const { entry, packed } = makeLightPackage(packageFolder(system.workspace), release.base, { version });
    Object.assign(release, { files: { [entry.file]: packed }, asked: [] });
  }

  /** A window of the workspace; `person` answers the question: "no", "yes", or a promise of one of them. */
  function window(person, version = "0.1.0") {
    const host = electron(home.home);
    const node = modules(host);
    const one = { questions: 0, children: host.children };
    const ask = async ({ download, signal, isAlways }) => {
      one.questions += 1;
      const gone = new Promise((done) => signal.addEventListener("abort", () => done("no")));
      const isHere = (await Promise.race([person, gone])) === "yes";
      if (isHere) await download(() => {}, signal);
      return { isHere, isAlways, code: "", detail: "" };
    };
    const show = { sentence: (code) => code, progress: String, ask };
    one.keeper = new parts.Keeper({
      node,
      kernel: { url: system.kernel.url, token: "", workspace: system.workspace },
      version,
      packageFolder: packageFolder(system.workspace),
      settings: settingsOf(system.kernel),
      keep: async () => true,
      secret: () => "",
      exclusive,
      obtain: (request) => parts.obtain({ node, packageFolder: packageFolder(system.workspace), version, show, alone: turns, ...request }),
    });
    open.push(one);
    return one;
  }

  const states = async ({ keeper }) => (({ state, why, detail }) => [state, why, detail])(await keeper.status());

  test("after a yes it starts and serves; a no starts nothing and is remembered, and Start asks again", async () => {
    const first = window("no");
    await first.keeper.attend();
    assert.deepEqual(await states(first), ["off", "program", "declined"]);
    const second = window("yes");
    await second.keeper.attend();
    assert.deepEqual([await states(second), second.questions], [["off", "program", "declined"], 0]);
    assert.deepEqual([release.asked.length, first.children.length], [0, 0]);
    await second.keeper.start();
    const { state, url } = await second.keeper.status();
    assert.deepEqual([state, second.questions, release.asked.length], ["running", 1, 1]);
    const client = await connectHttp(url);
    assert.ok((await call(client, "notebook", "list", {})).ok);
    await client.close();
    await second.keeper.restart();
    assert.deepEqual([(await second.keeper.status()).state, second.questions], ["running", 1]);
  });

  test("of two windows one asks, and no window waits for the answer", async () => {
    let answer;
    const person = new Promise((done) => { answer = done; });
    const [one, two] = [window(person), window(person)];
    const attending = Promise.all([one.keeper.attend(), two.keeper.attend()]);
    await until(() => one.questions + two.questions === 1, { what: "the question" });
    const asked = one.questions ? one : two;
    assert.deepEqual(await states(asked), ["off", "program", "absent"]);
    await asked.keeper.stop();
    answer("yes");
    await attending;
    assert.equal(one.questions + two.questions, 1);
    const pids = await Promise.all([one, two].map(async ({ keeper }) => (await keeper.status()).pid));
    assert.ok(pids[0] > 0 && pids[0] === pids[1], String(pids));
    assert.equal(release.asked.length, 1);
  });

  test("an update keeps the older server until the new program is here", async () => {
    const old = window("yes");
    await old.keeper.attend();
    const { pid, url } = await old.keeper.status();
    old.keeper.dispose();
    provide("0.2.0");
    const declining = window("no", "0.2.0");
    await declining.keeper.attend();
    const kept = await declining.keeper.status();
    assert.deepEqual([declining.questions, kept.state, kept.pid, kept.version], [1, "running", pid, "0.1.0"]);
    await declining.keeper.restart();
    assert.deepEqual([declining.questions, exists(pid)], [2, true], "a restart asks again");
    assert.equal((await fetch(new URL("/health", url))).status, 200);
    release.files = {};
    const failing = window("yes", "0.2.0");
    await failing.keeper.start();
    assert.equal((await failing.keeper.status()).why, "program");
    assert.ok(exists(pid));
    provide("0.2.0");
    const updated = window("yes", "0.2.0");
    await updated.keeper.start();
    const status = await updated.keeper.status();
    assert.deepEqual([status.state, status.version, exists(pid)], ["running", "0.2.0", false]);
  });

  test("removed while a question is open, it leaves neither the question nor a file", async () => {
    const { keeper, questions } = await (async () => {
      const one = window(new Promise(() => {}));
      one.attending = one.keeper.attend();
      await until(() => one.questions === 1, { what: "the question" });
      await one.keeper.remove();
      await one.attending;
      return one;
    })();
    assert.equal(questions, 1);
    assert.equal((await keeper.status()).state, "off");
    assert.ok(!existsSync(parts.programPlace(modules(electron(home.home)))));
    assert.ok(!existsSync(parts.choicesFile(modules(electron(home.home)))));
    assert.deepEqual(release.asked, []);
  });
});
