// A small client of the kernel's HTTP API for tests: storage files, notebooks, the demo kernel's endpoints for tests.
import { EVENTS, STORAGE } from "./config.mjs";

export class Kernel {
  constructor(url, token = "") {
    this.url = url;
    this.token = token;
  }

  headers(more = {}) {
    return this.token ? { Authorization: `Token ${this.token}`, ...more } : more;
  }

  /** A raw call: the `fetch` response. */
  raw(path, body) {
    return fetch(this.url + path, { method: "POST", headers: this.headers(), body: JSON.stringify(body ?? {}) });
  }

  /** A call that must succeed: its `data`. */
  async post(path, body) {
    const response = await this.raw(path, body);
    const reply = await response.json();
    if (response.status !== 200 || reply.code !== 0) throw new Error(`${path}: HTTP ${response.status} ${JSON.stringify(reply)}`);
    return reply.data;
  }

  /** A storage file as JSON; undefined if there is none (the kernel says so with HTTP 202). */
  async read(path) {
    const response = await this.raw("/api/file/getFile", { path });
    return response.status === 200 ? response.json() : undefined;
  }

  async write(path, value) {
    const form = new FormData();
    form.append("path", path);
    form.append("isDir", "false");
    form.append("modTime", String(Date.now()));
    form.append("file", new File([typeof value === "string" ? value : JSON.stringify(value)], "file"));
    const response = await fetch(`${this.url}/api/file/putFile`, { method: "POST", headers: this.headers(), body: form });
    const reply = await response.json();
    if (reply.code !== 0) throw new Error(`putFile ${path}: ${reply.msg}`);
  }

  async remove(path) {
    await this.raw("/api/file/removeFile", { path });
  }

  events() {
    return this.read(EVENTS);
  }

  permissions() {
    return this.read(`${STORAGE}/notebookPermissions`);
  }

  /** Notebooks by name. */
  async notebooks() {
    const { notebooks } = await this.post("/api/notebook/lsNotebooks");
    return Object.fromEntries(notebooks.map((one) => [one.name, one]));
  }

  /**
   * The requests that something causes, except those for files. A sidecar that looks for changes meanwhile adds some
   * to one try, but not to every one, so the try with the fewest requests counts.
   */
  async requestsOf(act) {
    let fewest;
    for (let tries = 0; tries < 5; tries++) {
      await this.clearLog();
      await act();
      const made = (await this.log()).filter((entry) => !entry.path.startsWith("/api/file/"));
      if (!fewest || made.length < fewest.length) fewest = made;
    }
    return fewest;
  }

  /** Requests since the start or the last `clearLog`: demo kernel only. */
  async log() {
    return (await fetch(`${this.url}/demo/log`, { headers: this.headers() })).json();
  }

  async clearLog() {
    await fetch(`${this.url}/demo/log/clear`, { method: "POST", headers: this.headers() });
  }

  /** Replaces all faults: demo kernel only. */
  async faults(list) {
    const response = await fetch(`${this.url}/demo/faults`, {
      method: "POST",
      headers: this.headers({ "Content-Type": "application/json" }),
      body: JSON.stringify(list),
    });
    if (!response.ok) throw new Error(`faults: HTTP ${response.status}`);
  }
}
