// Runs the public MCP client library in a web page, as a browser client would.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const MODES = { legacy: "legacy", modern: { pin: "2026-07-28" } };

let client;
let transport;
const updated = [];

async function connect({ url, token, era }) {
  client = new Client({ name: "puppy-page", version: "1.0.0" }, { versionNegotiation: { mode: MODES[era] } });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => { updated.push(params.uri); });
  transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  await client.connect(transport);
}

/** The functions that the test calls, with plain data in and out. */
globalThis.mcp = {
  async open(options) {
    await connect(options);
    return { era: client.getProtocolEra(), server: client.getServerVersion()?.name, session: transport.sessionId };
  },
  tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
  call: async (name, args) => (await client.callTool({ name, arguments: args })).content,
  /** Gives a call up after a while; returns how it ended. */
  async abort(name, args, ms) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("given up")), ms);
    return client.callTool({ name, arguments: args }, { signal: stop.signal }).then(() => "answered", (error) => String(error));
  },
  /** The URIs of all pages of the list; the client follows the pages itself. */
  resources: async () => (await client.listResources()).resources.map((it) => it.uri),
  read: async (uri) => (await client.readResource({ uri })).contents,
  templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((it) => it.uriTemplate),
  prompts: async () => (await client.listPrompts()).prompts,
  prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
  complete: async (ref, argument) => (await client.complete({ ref, argument })).completion,
  async subscribe(uri) {
    if (client.getProtocolEra() === "legacy") await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
  },
  updated: () => updated,
  /** Whether the page may read any answer of the server at all. */
  reach: (url) => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).then((it) => it.status),
  /** Leaves as a client should: it ends its session. */
  async end() {
    if (client.getProtocolEra() === "legacy") await transport.terminateSession();
    await client.close();
  },
};
