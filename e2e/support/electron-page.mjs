// Electron's Node in a page of a plain browser: `require` whose modules are this process's, over a local address.
import { createServer } from "node:http";
import { promisify } from "node:util";
import { electron, modules } from "./desktop.mjs";

/** The code that the page runs first. Calls that must answer immediately block, as Node's own do. */
const inPage = (base) => {
  const encode = (value) => JSON.stringify(value, (_, it) => (it instanceof Uint8Array ? { bytes: btoa(Array.from(it, (byte) => String.fromCharCode(byte)).join("")) } : it));
  const decode = (text) => JSON.parse(text, (_, it) => (typeof it?.bytes === "string" ? Uint8Array.from(atob(it.bytes), (c) => c.charCodeAt(0)) : it));
  const failed = ({ error }) => Object.assign(new Error(error.message), error);
  function now(what, ...args) {
    const request = new XMLHttpRequest();
    request.open("POST", base, false);
    request.send(encode({ what, args }));
    const said = decode(request.responseText);
    if (said.error) throw failed(said);
    return said.value;
  }
  async function later(what, ...args) {
    const said = decode(await (await fetch(base, { method: "POST", body: encode({ what, args }) })).text());
    if (said.error) throw failed(said);
    return said.value;
  }
  const remote = (call, module, names) => Object.fromEntries(names.map((name) => [name, (...args) => call(`${module}.${name}`, ...args)]));
  const promises = {
    ...remote(later, "fs", ["readFile", "writeFile", "rename", "rm", "stat", "chmod", "mkdir", "readdir", "readlink", "rmdir"]),
    async open(...args) {
      const fd = await later("fs.open", ...args);
      return { fd, close: () => later("fs.close", fd) };
    },
  };
  const loaded = {
    fs: { promises },
    path: remote(now, "path", ["join", "dirname", "basename", "isAbsolute"]),
    os: remote(now, "os", ["homedir"]),
    zlib: Object.fromEntries(["gunzip", "brotliDecompress"].map((name) => [name, (bytes, options, done) => later(name, bytes, options).then((it) => done(null, it), done)])),
    process: { ...now("process"), kill: (pid, signal) => now("kill", pid, signal) },
    child_process: {
      spawn(file, args, options) {
        const pid = now("spawn", file, args, options);
        return {
          pid,
          stdin: { on() {}, write: () => {} },
          kill: (signal) => now("kill", pid, signal),
          once(name, heard) {
            if (name === "exit") later("ended", pid).then((end) => heard(end.code, end.signal), () => {});
          },
        };
      },
    },
  };
  window.require = (name) => loaded[name];
};

/** Serves the modules to pages; `prepare` makes a page's context one of Electron, `children` are what pages started. */
export async function electronForPages(home) {
  const host = electron(home);
  const { fs, path, os, zlib, childProcess, process: own } = modules(host);
  const opened = new Map();
  const ends = new Map();
  const calls = {
    process: () => ({ platform: own.platform, arch: own.arch, env: own.env, pid: own.pid }),
    kill: (pid, signal) => own.kill(pid, signal),
    gunzip: promisify(zlib.gunzip),
    brotliDecompress: promisify(zlib.brotliDecompress),
    "fs.open": async (...args) => {
      const file = await fs.promises.open(...args);
      opened.set(file.fd, file);
      return file.fd;
    },
    "fs.close": (fd) => opened.get(fd).close(),
    spawn: (file, args, options) => {
      const child = childProcess.spawn(file, args, options);
      child.stdin.on("error", () => {});
      ends.set(child.pid, new Promise((done) => child.once("exit", (code, signal) => done({ code, signal }))));
      return child.pid;
    },
    ended: (pid) => ends.get(pid),
  };
  const call = (what, args) => {
    if (calls[what]) return calls[what](...args);
    const [module, name] = what.split(".");
    return { fs: fs.promises, path, os }[module][name](...args);
  };
  const decode = (text) => JSON.parse(text, (_, it) => (typeof it?.bytes === "string" ? Buffer.from(it.bytes, "base64") : it));
  const encode = (value) => JSON.stringify(value, (_, it) => (it?.type === "Buffer" ? { bytes: Buffer.from(it.data).toString("base64") } : it));
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { what, args } = decode(Buffer.concat(parts).toString());
    let said;
    try {
      said = { value: await call(what, args) };
    } catch ({ message, code }) {
      said = { error: { message, code } };
    }
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.end(encode(said));
  });
  const base = await new Promise((done) => server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`)));
  return {
    children: host.children,
    prepare: (context) => context.addInitScript(inPage, base),
    stop: () => new Promise((done) => {
      server.closeAllConnections();
      server.close(done);
    }),
  };
}
