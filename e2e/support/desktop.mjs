// A stand-in for Electron's page: its `require`, a package with the real program in it, and windows of one workspace.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { PLUGIN, ROOT, STORAGE, sidecarBinary } from "./config.mjs";

const nodeRequire = createRequire(import.meta.url);
const PLATFORM = `${process.platform}-${process.arch}`;

/** The package's folder `sidecar/` with the program under test for this machine. */
export const makePackage = (folder) => pack(folder, readFileSync(sidecarBinary()));

/** A package whose program is a script that becomes the program under test: pages need not carry megabytes. */
export const makeSmallPackage = (folder) => pack(folder, Buffer.from(`#!/bin/sh\nexec "${sidecarBinary()}" "$@"\n`));

/**
 * A package without programs, as of a version: its manifest names a download at this address. The program is the small
 * one; what is returned has it and its packed form, which a release would have.
 */
export function makeLightPackage(folder, base, { version = "0.1.0", change = {} } = {}) {
  const program = Buffer.from(`#!/bin/sh\n# ${version}\nexec "${sidecarBinary()}" "$@"\n`);
  const { manifest, entry } = pack(folder, program);
  const file = join(folder, entry.file);
  const packed = readFileSync(file);
  rmSync(file);
  const sha256 = createHash("sha256").update(packed).digest("hex");
  entry.download = { url: new URL(entry.file, base).href, sha256, size: packed.length, ...change };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ ...manifest, version }));
  return { entry, program, packed };
}

function pack(folder, program) {
  const file = `siyuan-puppy-${PLATFORM}.gz`;
  const sha256 = createHash("sha256").update(program).digest("hex");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), gzipSync(program, { level: 1 }));
  const manifest = { version: "0.1.0", platforms: { [PLATFORM]: { file, sha256, size: program.length } } };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  return { manifest, entry: manifest.platforms[PLATFORM] };
}

/** The plugin's scripts, imported as the page does: modules whatever the version of Node takes the ending for. */
export async function desktopModules(home) {
  const folder = join(home, "scripts");
  cpSync(join(ROOT, "desktop"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const [keeper, program, place, options, fetch] = await Promise.all(["keeper.js", "program.js", "place.js", "options.js", "fetch.js"].map(load));
  return { ...keeper, ...program, ...place, ...options, ...fetch, folder };
}

/** A folder for a test, as the home of its user. */
export function makeHome() {
  const home = mkdtempSync(join(tmpdir(), "puppy-desktop-"));
  return { home, clear: () => rmSync(home, { recursive: true, force: true }) };
}

/**
 * The `require` that Electron gives a page: Node's modules, for a person with this home. `children` are the programs
 * that the page started; `pid` is the id of the page's process.
 */
export function electron(home, { pid = process.pid, env = {} } = {}) {
  const children = [];
  const childProcess = nodeRequire("child_process");
  const own = {
    process: {
      platform: process.platform,
      arch: process.arch,
      env: { ...process.env, XDG_DATA_HOME: join(home, "data"), LOCALAPPDATA: join(home, "data"), ...env },
      pid,
      kill: (id, signal) => process.kill(id, signal),
    },
    os: { ...nodeRequire("os"), homedir: () => home },
    child_process: {
      ...childProcess,
      spawn: (...given) => {
        const child = childProcess.spawn(...given);
        children.push({ child, given });
        return child;
      },
    },
  };
  const require = (name) => own[name] ?? nodeRequire(name);
  return { require, children };
}

/** Node's modules as the keeper takes them. */
export function modules({ require }) {
  const [fs, path, os, zlib, childProcess, own] = ["fs", "path", "os", "zlib", "child_process", "process"].map((it) => require(it));
  return { fs, path, os, zlib, childProcess, process: own };
}

/** The lock that all windows of a workspace share. */
export function lock() {
  let last = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/** A port that nothing listens at. */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** The settings of the panel, as the page reads them from the kernel. */
export const settingsOf = (kernel) => async () => (await kernel.read(`${STORAGE}/mcpHttpSettings`)) ?? {};

/** The folder of the package's programs in a workspace. */
export const packageFolder = (workspace) => join(workspace, "data", "plugins", PLUGIN, "sidecar");
