// Adds the bearer token to every request: the public suite has no option for one, and must pass the auth layer too.
import { createServer, request } from "node:http";

/** Listens on a free port of 127.0.0.1; `url` is the endpoint, `stop()` ends it. */
export async function startTokenProxy(target, token) {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    // The sidecar checks the Host that the client sent, not the proxy's own.
    const forwarded = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${pathname}`,
    stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
}
