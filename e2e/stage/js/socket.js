// The page's socket to the kernel since SiYuan 3.8.3, on which it hears that another page changed a plugin's storage.

/** The header with which the page names itself in all its writes of files: the kernel does not report those to it. */
const APP_ID = "X-SiYuan-App-ID";
const WRITES = ["/api/file/putFile", "/api/file/removeFile"];

/** Opens the socket, and makes the page's requests carry its name; resolves once it is open, or cannot be. */
export function connect(app) {
  const plain = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const { pathname, origin } = new URL(input.url ?? input, location.href);
    if (origin !== location.origin || !WRITES.includes(pathname)) return plain(input, init);
    const headers = new Headers(init?.headers ?? input.headers);
    headers.set(APP_ID, app.appId);
    return plain(input, { ...init, headers });
  };
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?app=${app.appId}&type=main`);
  socket.onmessage = ({ data }) => {
    const { cmd, data: change } = JSON.parse(data);
    if (cmd === "reloadPlugin") change.dataChangePlugins.forEach((name) => app.dataChanged(name, change.dataChangeReason));
  };
  return new Promise((done) => { socket.onopen = socket.onerror = done; });
}
