// The program that the package does not contain: asked about, downloaded whole or not at all, or chosen as a file.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { desktopModules, electron, freePort, makeHome, makeLightPackage, makeSmallPackage, modules } from "../support/desktop.mjs";
import { run, until } from "../support/process.mjs";
import { openRelease } from "../support/release.mjs";

/** The milliseconds without a byte in these tests. */
const PATIENCE = 300;

describe("program that is not in the package", { skip: process.platform === "win32" && "a script is no program there" }, () => {
  let home;
  let parts;
  let packed;
  let release;
  let node;
  let made;
  before(async () => {
    home = makeHome();
    parts = await desktopModules(home.home);
    packed = join(home.home, "package");
    release = await openRelease();
  });
  beforeEach(() => {
    node = modules(electron(join(home.home, crypto.randomUUID())));
    rmSync(packed, { recursive: true, force: true });
    made = makeLightPackage(packed, release.base);
    Object.assign(release, { files: { [made.entry.file]: made.packed }, mode: "good", status: 404, asked: [] });
  });
  after(async () => {
    await release?.stop();
    home?.clear();
  });

  const folder = () => dirname(parts.programPlace(node));
  const wanted = () => parts.missing(node, packed);
  /** Nothing was stored: neither a program nor a part of one. */
  const isEmpty = () => assert.deepEqual(existsSync(folder()) ? readdirSync(folder()) : [], []);
  const fails = (work, code) => assert.rejects(work, (error) => error instanceof parts.Trouble && error.code === code);

  /** Asks as the page does; `person` answers in place of the dialog. */
  async function obtain(person, { isWished = false, version = "0.1.0", on = node, signal = new AbortController().signal } = {}) {
    const states = [];
    const questions = [];
    const show = {
      sentence: (code, detail = "") => [code, detail].filter(Boolean).join(" "),
      progress: (bytes, size) => `${bytes} of ${size}`,
      ask: async (question) => {
        questions.push(question);
        const answer = { isHere: false, isAlways: question.isAlways, code: "", detail: "" };
        try {
          await person(question, answer);
        } catch ({ code, detail }) {
          Object.assign(answer, { code, detail });
        }
        return answer;
      },
    };
    const end = await parts.obtain({ node: on, packageFolder: packed, version, show, isWished, signal, changed: (state) => states.push(state), alone: (work) => work() });
    return { end, states, questions };
  }
  const nobody = () => assert.fail("a person was asked");
  const no = () => {};
  async function yes({ download }, answer) {
    await download(() => {}, new AbortController().signal);
    answer.isHere = true;
  }

  test("without an answer nothing is requested; a yes brings the program once, whole, and it runs", async () => {
    await fails(parts.unpack(node, packed), "program");
    const { end, states, questions } = await obtain(async (question, answer) => {
      assert.deepEqual([release.asked.length, existsSync(folder())], [0, false]);
      await yes(question, answer);
    });
    assert.equal(end, undefined);
    assert.deepEqual(states, [{ state: "off", why: "program", detail: "absent" }]);
    assert.deepEqual(questions[0].wanted.download, made.entry.download);
    const [{ url, method, headers }] = release.asked;
    assert.deepEqual([release.asked.length, method, url], [1, "GET", new URL(made.entry.download.url).pathname]);
    for (const name of ["authorization", "cookie", "referer"]) assert.equal(headers[name], undefined, name);
    const place = await parts.unpack(node, packed);
    assert.equal(statSync(place).mode & 0o777, 0o755);
    assert.match((await run(place, ["--version"])).stdout, /siyuan-puppy/);
    assert.equal((await obtain(nobody)).end, undefined, "it is here");
    assert.equal(release.asked.length, 1);
  });

  test("a package with programs asks nothing and requests nothing", async () => {
    makeSmallPackage(packed);
    assert.equal(await wanted(), undefined);
    assert.equal((await obtain(nobody, { isWished: true })).end, undefined);
    await parts.unpack(node, packed);
    assert.deepEqual(release.asked, []);
  });

  test("a no applies to its version, until the person starts the server or another version comes", async () => {
    const declined = { state: "off", why: "program", detail: "declined" };
    assert.deepEqual((await obtain(no)).end, declined);
    assert.deepEqual((await obtain(nobody)).end, declined);
    assert.equal((await obtain(no, { isWished: true })).questions.length, 1);
    assert.equal((await obtain(no, { version: "0.2.0" })).questions.length, 1);
    assert.deepEqual([release.asked.length, statSync(parts.choicesFile(node)).mode & 0o777], [0, 0o600]);
    await parts.remove(node);
    assert.equal(existsSync(parts.choicesFile(node)), false, "and goes with the plugin");
  });

  test("a yes applies to its version; a yes to later ones downloads them without a question, and a failure is told", async () => {
    await obtain(yes);
    made = makeLightPackage(packed, release.base, { version: "0.2.0" });
    release.files = { [made.entry.file]: made.packed };
    const second = await obtain((question, answer) => {
      assert.deepEqual([question.isUpdate, question.isAlways], [true, false]);
      answer.isAlways = true;
      return yes(question, answer);
    }, { version: "0.2.0" });
    assert.deepEqual([second.end, second.questions.length], [undefined, 1]);

    made = makeLightPackage(packed, release.base, { version: "0.3.0" });
    release.files = {};
    const refused = await obtain(nobody, { version: "0.3.0" });
    assert.deepEqual(refused.end, { state: "failed", why: "program", detail: "http 404" });
    assert.match(readFileSync(parts.programPlace(node), "utf8"), /# 0\.2\.0/, "the older one stays");
    release.files = { [made.entry.file]: made.packed };
    const third = await obtain(nobody, { version: "0.3.0" });
    assert.equal(third.end, undefined);
    const size = made.packed.length;
    assert.deepEqual(third.states.at(-1), { state: "starting", why: "program", detail: `${size} of ${size}` });
    assert.match(readFileSync(parts.programPlace(node), "utf8"), /# 0\.3\.0/);
    makeLightPackage(packed, release.base, { version: "0.4.0" });
    assert.equal((await obtain(no, { version: "0.4.0", isWished: true })).questions[0].isAlways, true, "the dialog shows it");
    assert.equal((await obtain(no, { version: "0.5.0" })).questions.length, 1, "and a no takes it back");
  });

  /** A test of a download that fails: with which code, and that nothing remains of it. */
  const leavesNothing = (mode, code) => async () => {
    release.mode = mode;
    const patience = code === "stuck" ? PATIENCE : undefined;
    await fails(parts.fetched(made.entry.download, { signal: new AbortController().signal, patience }), code);
    await until(() => release.open === 0, { what: "the end of the request" });
    // Silence takes longer there.
    if (code === "stuck") return;
    assert.equal((await obtain(yes)).end.state, "failed");
    isEmpty();
  };
  test("a file that is not there is told, and leaves nothing", leavesNothing("status", "http"));
  test("a connection that ends in the middle is told, and leaves nothing", leavesNothing("cut", "cut"));
  test("half a file is told, and leaves nothing", leavesNothing("short", "cut"));
  test("a longer file is told, and leaves nothing", leavesNothing("long", "wrong"));
  test("another file of the same size is told, and leaves nothing", leavesNothing("changed", "wrong"));
  test("a connection without data is told, and leaves nothing", leavesNothing("silent", "stuck"));
  test("a site that does not answer is told, and leaves nothing", leavesNothing("mute", "stuck"));
  test("a redirection to an address without encryption is told, and leaves nothing", leavesNothing("lowered", "unsafe"));

  test("a site that cannot be reached is told", async () => {
    const url = `http://127.0.0.1:${await freePort()}/a`;
    await fails(parts.fetched({ ...made.entry.download, url }, { signal: new AbortController().signal }), "offline");
  });

  test("an address without encryption is not even tried", async () => {
    const url = made.entry.download.url.replace("127.0.0.1", "localhost");
    await fails(parts.fetched({ ...made.entry.download, url }, { signal: new AbortController().signal }), "unsafe");
    assert.deepEqual(release.asked, []);
  });

  test("a redirection is followed", async () => {
    release.mode = "moved";
    assert.equal((await obtain(yes)).end, undefined);
    assert.equal(release.asked.length, 2);
  });

  test("a slow download shows its progress, and is stopped by the person or by the end of the page", async () => {
    release.mode = "silent";
    for (const isPage of [false, true]) {
      const [person, page] = [new AbortController(), new AbortController()];
      const seen = [];
      const { end } = await obtain(async ({ download }) => {
        const ending = download((bytes) => seen.push(bytes), person.signal);
        await until(() => seen.length > 0, { what: "the first bytes" });
        (isPage ? page : person).abort();
        await fails(ending, "stopped");
      }, { isWished: true, signal: page.signal });
      assert.ok(seen.at(-1) > 0 && seen.at(-1) < made.packed.length, String(seen));
      await until(() => release.open === 0, { what: "the end of the request" });
      assert.equal(end.state, "off");
      isEmpty();
    }
    assert.equal(existsSync(parts.choicesFile(node)), true, "the person's no; none of a page that went away");
  });

  test("nothing is written before its hash was compared", async () => {
    const written = [];
    const { promises } = node.fs;
    const writeFile = (file, bytes, options) => {
      written.push(options.mode);
      return promises.writeFile(file, bytes, options);
    };
    const on = { ...node, fs: { ...node.fs, promises: { ...promises, writeFile } } };
    release.mode = "changed";
    await obtain(yes, { on });
    assert.deepEqual(written, [0o600], "the choice");
    release.mode = "good";
    await obtain(yes, { on, isWished: true });
    assert.deepEqual(written, [0o600, 0o755, 0o600]);
  });

  for (const [errno, code] of [["ENOSPC", "full"], ["EACCES", "denied"], ["EROFS", "denied"], ["EIO", "failed"]]) {
    test(`a file system that refuses (${errno}) is told without naming folders, and leaves nothing`, async () => {
      const { promises } = node.fs;
      const refusing = async (file, ...rest) => {
        if (!String(file).includes(".passing-")) return promises.writeFile(file, ...rest);
        await promises.writeFile(file, "half");
        throw Object.assign(new Error(`${errno}: refused, open '${file}'`), { code: errno });
      };
      const on = { ...node, fs: { ...node.fs, promises: { ...promises, writeFile: refusing } } };
      const { end } = await obtain(yes, { on });
      assert.deepEqual(end, { state: "failed", why: "program", detail: `${code} ${errno}` });
      isEmpty();
    });
  }

  test("a folder that cannot be made is told", async () => {
    writeFileSync(join(home.home, "file"), "");
    const env = { ...node.process.env, XDG_DATA_HOME: join(home.home, "file", "below"), LOCALAPPDATA: join(home.home, "file", "below") };
    const on = { ...node, process: { ...node.process, env } };
    const { end } = await obtain(yes, { on });
    assert.deepEqual([end.state, end.detail], ["failed", "failed ENOTDIR"]);
  });

  test("a chosen file must be the download or the program in it", async () => {
    const choice = async (bytes) => parts.chosen(node, await wanted(), new Blob([bytes]));
    for (const wrong of [Buffer.alloc(made.packed.length), Buffer.alloc(made.program.length)]) {
      await fails(choice(wrong), "other");
      isEmpty();
    }
    const unread = { size: 7, arrayBuffer: () => assert.fail("it was read") };
    await fails(parts.chosen(node, await wanted(), unread), "other");
    const torn = { size: made.packed.length, arrayBuffer: async () => { throw new DOMException("gone", "NotReadableError"); } };
    await fails(parts.chosen(node, await wanted(), torn), "failed");
    for (const bytes of [made.packed, made.program]) {
      await choice(bytes);
      assert.ok(readFileSync(parts.programPlace(node)).equals(made.program));
      assert.equal(statSync(parts.programPlace(node)).mode & 0o777, 0o755);
      rmSync(parts.programPlace(node));
    }
    assert.deepEqual(release.asked, []);
  });

  test("a manifest that names no sound download is an incomplete package", async () => {
    for (const change of [{ sha256: "0" }, { size: 0 }, { size: 32_000_001 }, { url: 7 }]) {
      makeLightPackage(packed, release.base, { change });
      await fails(parts.unpack(node, packed), "package");
      await fails(wanted(), "package");
    }
  });
});
