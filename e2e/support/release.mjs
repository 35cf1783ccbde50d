// A stand-in for the site of releases, on a port of this machine: whole files, torn ones, refusals, detours and silence.
import { createServer } from "node:http";

/**
 * Serves `files`, by name. `mode` says how: `good`, `status` (an HTTP error), `cut` (half, then the end of the
 * connection), `short` (half, as if that were all), `long` (a byte more, and no end), `changed` (another byte), `silent` (headers and
 * half, then nothing), `mute` (not even headers), `moved` (a redirection to the file), `lowered` (one to another name of
 * this machine). `asked` are the heads of requests.
 */
export async function openRelease() {
  const release = { files: {}, mode: "good", status: 404, asked: [], open: 0 };
  const server = createServer((request, response) => {
    const { mode, files } = release;
    release.asked.push({ url: request.url, method: request.method, headers: request.headers });
    release.open += 1;
    response.once("close", () => { release.open -= 1; });
    // Electron's page of SiYuan needs no permission of another site; a plain browser does.
    response.setHeader("Access-Control-Allow-Origin", "*");
    const bytes = files[request.url.slice(request.url.lastIndexOf("/") + 1)];
    const half = bytes?.subarray(0, bytes.length / 2);
    const moved = (base) => response.writeHead(302, { Location: `${base}/stored${request.url}` }).end();
    if (mode === "mute") return undefined;
    if (mode === "status" || !bytes) return response.writeHead(release.status).end("refused");
    if (mode === "moved" && !request.url.startsWith("/stored")) return moved(release.url);
    if (mode === "lowered" && !request.url.startsWith("/stored")) return moved(release.url.replace("127.0.0.1", "localhost"));
    if (mode === "short") return response.end(half);
    if (mode === "long") return response.write(Buffer.concat([bytes, Buffer.alloc(1)]));
    if (mode === "changed") return response.end(Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1) ^ 1])]));
    if (mode === "cut" || mode === "silent") {
      response.writeHead(200, { "Content-Length": bytes.length });
      response.write(half, () => { if (mode === "cut") setTimeout(() => response.destroy(), 50); });
      return undefined;
    }
    return response.end(bytes);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  release.url = `http://127.0.0.1:${server.address().port}`;
  /** The folder of a version's files. */
  release.base = `${release.url}/owner/name/releases/download/v0.1.0/`;
  release.stop = () => new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  return release;
}
