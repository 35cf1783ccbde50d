// Turns the settings of the panel into what the server is started with: its environment, never its arguments.

/** The port that clients are told of, until a person chooses another. */
export const PORT = 36806;

/**
 * The settings, each with its default where the file has none or another type.
 *
 * @param {Settings} settings
 */
export function optionsOf(settings) {
  /** @param {string} name */
  const text = (name) => (typeof settings[name] === "string" ? settings[name].trim() : "");
  /** @type {(name: string) => string[]} */
  const list = (name) => (Array.isArray(settings[name]) ? settings[name] : [])
    .filter((it) => typeof it === "string" && it.trim() && !it.includes(",")).map((it) => it.trim());
  const { port, autostart } = settings;
  return {
    // Only a plain no keeps it from starting.
    autostart: autostart !== false,
    host: text("host") || "127.0.0.1",
    port: typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65536 ? port : PORT,
    tls: text("tls") === "generate" ? "generate" : "",
    origins: list("origins"),
    hosts: list("hosts"),
    token: text("token"),
  };
}

/**
 * The settings with a token of their clients: nobody opens notes to every program of a computer by installing
 * something. An empty one stays: a person took the token away and was told what that means.
 *
 * @type {(settings: Settings, secret: () => string) => Settings}
 */
export const withToken = (settings, secret) => (settings.token === undefined ? { ...settings, token: secret() } : settings);

/**
 * The environment of the server. It inherits nothing that a person set for another one; the token of its clients is not
 * among it: the server reads that from the kernel, and again when it changes.
 *
 * @type {(process: NodeJS.Process, kernel: Kernel, options: Options) => NodeJS.ProcessEnv}
 */
export function environment(process, kernel, options) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith("SIYUAN_"));
  return { ...Object.fromEntries(inherited), ...own(process, kernel, options) };
}

/** @type {(process: NodeJS.Process, kernel: Kernel, options: Options) => Record<string, string>} */
function own(process, kernel, { host, port, tls, origins, hosts }) {
  const wanted = {
    SIYUAN_API_URL: kernel.url,
    SIYUAN_TOKEN: kernel.token,
    SIYUAN_MCP_PARENT_PID: String(process.pid),
    SIYUAN_MCP_WATCH_STDIN: "true",
    SIYUAN_MCP_LOG: "info",
    SIYUAN_MCP_HOST: host,
    SIYUAN_MCP_PORT: String(port),
    SIYUAN_MCP_TLS: tls,
    SIYUAN_MCP_ALLOW_ORIGIN: origins.join(","),
    SIYUAN_MCP_ALLOW_HOST: hosts.join(","),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
}

/**
 * A short text that differs when a server must be started anew to obey; it tells nothing of the tokens.
 *
 * @type {(kernel: Kernel, options: Options) => Promise<string>}
 */
export async function fingerprint(kernel, { host, port, tls, origins, hosts }) {
  const text = JSON.stringify([kernel.url, kernel.token, host, port, tls, origins, hosts]);
  return digest(text);
}

/**
 * The name of a workspace in the names of files.
 *
 * @param {Kernel} kernel
 */
export const workspaceId = (kernel) => digest(kernel.workspace);

/** @param {string} text */
async function digest(text) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(hash.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
