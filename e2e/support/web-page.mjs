// A web page of another origin: a script bundled for the browser, served under any host name.
import { createServer } from "node:http";
import { build } from "esbuild";

/** Serves an empty page with the script on a free port of 127.0.0.1. */
export async function servePage(script) {
  const { outputFiles } = await build({ entryPoints: [script], bundle: true, write: false, format: "iife", platform: "browser", logLevel: "error" });
  const pages = {
    "/": ["text/html", '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/page.js"></script>'],
    "/page.js": ["text/javascript", outputFiles[0].text],
  };
  const server = createServer((request, answer) => {
    const [type, text] = pages[request.url] ?? ["text/plain", undefined];
    answer.writeHead(text === undefined ? 404 : 200, { "Content-Type": type }).end(text);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    /** The page's origin under a host name that the browser resolves to this server. */
    origin: (name) => `http://${name}:${server.address().port}`,
    stop: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
  };
}
