// A proxy on a port of this machine that ends every encrypted connection itself: a site far away that is none.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sidecarBinary } from "./config.mjs";
import { start } from "./process.mjs";

/** A certificate and its key, made by the program under test for this machine. */
async function certificate() {
  const home = mkdtempSync(join(tmpdir(), "puppy-proxy-"));
  // Nobody answers there.
  const env = { XDG_DATA_HOME: home, LOCALAPPDATA: home, HOME: home, SIYUAN_API_URL: "http://127.0.0.1:9" };
  const server = await start(sidecarBinary(), ["http", "--port", "0", "--tls", "generate"], { env, ready: /certificate (.+) is valid until/ });
  const file = server.match[1];
  const pair = { cert: readFileSync(file), key: readFileSync(file.replace("certificate.pem", "key.pem")) };
  await server.stop();
  rmSync(home, { recursive: true, force: true });
  return pair;
}

/**
 * Opens the proxy. `answer` hears each request with its host; `hosts` are those that were asked for; `refuses` is a
 * status with which it lets nothing through.
 */
export async function openProxy(answer) {
  const proxy = { hosts: [], refuses: 0 };
  const listen = (server) => new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
  const site = createSecureServer(await certificate(), (request, response) => answer(request.headers.host, request, response));
  const port = await listen(site);
  const server = createServer();
  server.on("connect", (request, socket) => {
    proxy.hosts.push(request.url);
    socket.on("error", () => {});
    if (proxy.refuses) return socket.end(`HTTP/1.1 ${proxy.refuses} Refused\r\n\r\n`);
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    through.on("error", () => socket.destroy());
    return undefined;
  });
  proxy.url = `http://127.0.0.1:${await listen(server)}`;
  proxy.stop = () => Promise.all([site, server].map((it) => new Promise((done) => {
    it.closeAllConnections();
    it.close(done);
  })));
  return proxy;
}
