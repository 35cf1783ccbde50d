// The program out of the package: whole, checked, executable, whatever was there before; and the pages that may start it.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { brotliCompressSync, constants, gunzipSync, gzipSync } from "node:zlib";
import { desktopModules, electron, makeHome, makePackage, modules } from "../support/desktop.mjs";
import { run } from "../support/process.mjs";

describe("program of the server", () => {
  let home;
  let parts;
  let packed;
  let node;
  let made;
  before(async () => {
    home = makeHome();
    parts = await desktopModules(home.home);
    packed = join(home.home, "package");
  });
  beforeEach(() => {
    made = makePackage(packed);
    node = modules(electron(join(home.home, crypto.randomUUID())));
  });
  after(() => home?.clear());

  const refused = (code) => assert.rejects(parts.unpack(node, packed), (error) => error instanceof parts.Trouble && error.code === code);
  const describePackage = (change) => writeFileSync(join(packed, "manifest.json"), JSON.stringify({
    ...made.manifest,
    platforms: { [`${process.platform}-${process.arch}`]: { ...made.entry, ...change } },
  }));

  /** Node's modules where renaming fails with the code that `refuses` names, given both paths. */
  const renaming = (refuses) => {
    const { promises } = node.fs;
    const rename = async (from, to) => {
      const code = refuses(from, to);
      if (code) throw Object.assign(new Error("in use"), { code });
      return promises.rename(from, to);
    };
    return { ...node, fs: { ...node.fs, promises: { ...promises, rename } } };
  };

  test("it is unpacked once, runs, and is replaced when it is not what the package says", async () => {
    const place = await parts.unpack(node, packed);
    assert.equal(place, parts.programPlace(node));
    assert.equal((await run(place, ["--version"])).code, 0);
    const { ino } = statSync(place);
    assert.equal(await parts.unpack(node, packed), place);
    assert.equal(statSync(place).ino, ino, "a whole one stays");
    const program = readFileSync(place);
    for (const other of [program.subarray(1), Buffer.from(program).fill(0, 0, 4)]) {
      rmSync(place);
      writeFileSync(place, other);
      await parts.unpack(node, packed);
      assert.ok(readFileSync(place).equals(program));
    }
  });

  test("two windows at once leave one whole program and nothing else", async () => {
    const places = await Promise.all([1, 2, 3].map(() => parts.unpack(node, packed)));
    assert.equal((await run(places[0], ["--version"])).code, 0);
    assert.equal(readdirSync(dirname(places[0])).length, 1);
  });

  test("an update takes the place of a program that runs, where the system does not replace one (Windows)", async () => {
    const place = await parts.unpack(node, packed);
    const program = readFileSync(place);
    writeFileSync(place, "an older one");
    const moves = [];
    const refuses = (from, to) => {
      if (existsSync(to)) return "EPERM";
      moves.push([basename(from).slice(0, 9), basename(to).slice(0, 9)]);
    };
    await parts.unpack(renaming(refuses), packed);
    assert.ok(readFileSync(place).equals(program));
    const [passing, name] = [".passing-", basename(place).slice(0, 9)];
    assert.deepEqual(moves, [[name, passing], [passing, name]]);
    const [kept] = readdirSync(dirname(place)).filter((it) => it.startsWith(passing));
    assert.equal(readFileSync(join(dirname(place), kept), "utf8"), "an older one", "it runs on until it ends");
  });

  test("an update that cannot take its place leaves the program that was there (Windows)", async () => {
    const place = await parts.unpack(node, packed);
    writeFileSync(place, "an older one");
    let tries = 0;
    const refuses = (_, to) => {
      if (existsSync(to)) return "EPERM";
      return to === place && tries++ === 0 && "EACCES";
    };
    await assert.rejects(parts.unpack(renaming(refuses), packed), { code: "EACCES" });
    assert.equal(readFileSync(place, "utf8"), "an older one");
    assert.deepEqual(readdirSync(dirname(place)), [basename(place)]);
  });

  test("a program that goes away while another takes its place is no trouble (Windows)", async () => {
    const place = await parts.unpack(node, packed);
    const program = readFileSync(place);
    writeFileSync(place, "an older one");
    const refuses = (_, to) => {
      if (to !== place || !existsSync(place)) return undefined;
      rmSync(place);
      return "EPERM";
    };
    await parts.unpack(renaming(refuses), packed);
    assert.ok(readFileSync(place).equals(program));
    assert.equal(readdirSync(dirname(place)).length, 1);
  });

  test("the packed form of releases is undone, and no more of it than the manifest names", async () => {
    const file = made.entry.file.replace(/\.gz$/, ".br");
    const program = gunzipSync(readFileSync(join(packed, made.entry.file)));
    const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    writeFileSync(join(packed, file), brotliCompressSync(program, quickly));
    describePackage({ file });
    const place = await parts.unpack(node, packed);
    assert.ok(readFileSync(place).equals(program));
    writeFileSync(join(packed, file), brotliCompressSync(Buffer.concat([program, Buffer.alloc(1)]), quickly));
    rmSync(place);
    await refused("broken");
  });

  test("what a page that went away left is cleared after a while", async () => {
    const folder = dirname(parts.programPlace(node));
    mkdirSync(folder, { recursive: true });
    const [old, fresh] = [join(folder, ".passing-old"), join(folder, ".passing-fresh")];
    for (const file of [old, fresh]) writeFileSync(file, "half");
    // The clock of the machine that keeps the file may be another one than that of this process.
    for (const [file, time] of [[old, new Date(0)], [fresh, new Date()]]) utimesSync(file, time, time);
    await parts.unpack(node, packed);
    assert.deepEqual([existsSync(old), existsSync(fresh)], [false, true]);
  });

  test("a package that is torn, foreign or for other machines is told apart, and nothing takes its place", async () => {
    describePackage({ sha256: "0".repeat(64) });
    await refused("broken");
    describePackage({ size: 10 });
    await refused("broken");
    describePackage({ file: "../elsewhere.gz" });
    await refused("package");
    describePackage({ file: "missing.gz" });
    await refused("package");
    writeFileSync(join(packed, made.entry.file), gzipSync("another program"));
    describePackage({});
    await refused("broken");
    writeFileSync(join(packed, "manifest.json"), JSON.stringify({ version: "0.1.0", platforms: {} }));
    await refused("platform");
    writeFileSync(join(packed, "manifest.json"), "{");
    await refused("package");
    assert.equal(existsSync(dirname(parts.programPlace(node))), false);
  });
});

describe("place of the page", () => {
  let home;
  let parts;
  let page;
  before(async () => {
    home = makeHome();
    parts = await desktopModules(home.home);
    const file = join(home.home, "temp", "proof");
    mkdirSync(dirname(file));
    const proof = {
      path: "temp/proof",
      write: async () => { writeFileSync(file, "said"); return "said"; },
      remove: async () => writeFileSync(file, ""),
    };
    page = {
      frontend: "desktop",
      require: electron(home.home).require,
      location: { hostname: "127.0.0.1", port: "6806" },
      config: { system: { workspaceDir: home.home }, api: { token: "t" } },
      version: "0.1.0",
      name: "siyuan-mcp-puppy",
      settings: async () => ({}),
      exclusive: (work) => work(),
      proof,
    };
  });
  after(() => home?.clear());

  test("only a desktop page beside its own kernel may start a server", async () => {
    const why = async (change) => (await parts.keeperFor({ ...page, ...change })).why;
    const keeper = await parts.keeperFor(page);
    assert.ok(keeper instanceof parts.Keeper);
    assert.equal(keeper.kernel.url, "http://127.0.0.1:6806");
    page.config.api.token = "another";
    assert.equal(keeper.kernel.token, "another", "the one that a person made since");
    for (const frontend of ["browser-desktop", "desktop-window", "mobile"]) assert.equal(await why({ frontend }), "browser");
    assert.equal(await why({ require: undefined }), "browser");
    assert.equal(await why({ require: () => undefined }), "browser");
    assert.equal(await why({ location: { hostname: "notes.example", port: "443" } }), "remote");
    const untouched = { ...page.proof, write: async () => assert.fail("a remote kernel was written to") };
    const remote = { ...page.location, search: "?remote=1" };
    assert.equal(await why({ location: remote, proof: untouched }), "remote", "a window for a remote kernel");
    for (const argv of [["--remote"], ["--type=renderer", "--remote=https://notes.example"]]) {
      const required = (name) => (name === "process" ? { ...page.require("process"), argv } : page.require(name));
      assert.equal(await why({ require: required, proof: untouched }), "remote", argv.at(-1));
    }
    assert.equal(await why({ config: { system: { workspaceDir: "/siyuan/workspace" } } }), "remote", "a container");
    assert.equal(await why({ proof: { ...page.proof, write: async () => "something else" } }), "remote", "the end of a tunnel");
    assert.equal(await why({ proof: { ...page.proof, write: async () => undefined } }), "remote");
  });
});
