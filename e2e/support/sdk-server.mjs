// A server made with the public SDKs, one for each era of the protocol: lists in pages of three, news, progress, and
// contents of every kind.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { Server as OlderServer } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as older from "@modelcontextprotocol/sdk/types.js";
import { Server as NewerServer, createMcpHandler } from "@modelcontextprotocol/server";
import { sleep } from "./process.mjs";

const INFO = { name: "reference", version: "3" };
const CHANGES = { listChanged: true };
const CAPABILITIES = { tools: CHANGES, prompts: CHANGES, resources: { ...CHANGES, subscribe: true }, completions: {} };
const ALLOWED = {
  "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*",
  "Access-Control-Allow-Methods": "GET, POST, DELETE", "Access-Control-Expose-Headers": "*",
};
/** The least picture that is one: a dot. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PAGE = 3;
const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** The items of a page, and the cursor of the next one. */
function paged(name, all, cursor) {
  const from = Number(cursor ?? 0);
  const rest = from + PAGE < all.length ? { nextCursor: String(from + PAGE) } : {};
  return { [name]: all.slice(from, from + PAGE), ...rest };
}

/** The request handlers of both servers; `tell` announces changes. */
function offers(tell) {
  const tools = ["echo", "kinds", "slow", "grow", "spare 1", "spare 2", "spare 3"].map((name) => ({ name, description: `Tool ${name}.`, inputSchema: name === "echo" ? TEXT : { type: "object" } }));
  let reads = 0;
  const kinds = [
    { type: "text", text: " exactly\tthis \n" },
    { type: "image", mimeType: "image/png", data: DOT },
    { type: "resource", resource: { uri: "ref://note", mimeType: "text/plain", text: "embedded" } },
    { type: "resource", resource: { uri: "ref://data.bin", mimeType: "application/x-data", blob: "AAEC" } },
    { type: "resource_link", uri: "https://example.com/x", name: "a link" },
    { type: "audio", mimeType: "audio/wav", data: "AAEC" },
  ];
  const call = async ({ name, arguments: given = {} }, progress) => {
    if (name === "kinds") return { content: kinds };
    if (name === "slow") {
      await progress();
      await sleep(600);
    }
    if (name === "grow") {
      tools.push({ name: "grown", description: "New.", inputSchema: { type: "object" } });
      await tell.tools();
      await tell.resource("ref://1");
    }
    return { content: [{ type: "text", text: given.text ?? `${name} done` }] };
  };
  return {
    "tools/list": ({ cursor } = {}) => paged("tools", tools, cursor),
    "tools/call": call,
    "prompts/list": ({ cursor } = {}) => paged("prompts", ["a", "b", "c", "d"].map((name) => ({ name, arguments: [{ name: "who", required: true }] })), cursor),
    "prompts/get": ({ name, arguments: given }) => ({ messages: [{ role: "user", content: { type: "text", text: `${name} for ${given.who}` } }] }),
    "completion/complete": ({ argument }) => ({ completion: { values: [`${argument.value}!`] } }),
    "resources/list": ({ cursor } = {}) => paged("resources", [1, 2, 3, 4].map((n) => ({ uri: `ref://${n}`, name: `Reference ${n}` })), cursor),
    "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "ref://{n}", name: "Any" }] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: `${uri}, reading ${reads += 1}` }] }),
    "resources/subscribe": () => ({}),
    "resources/unsubscribe": () => ({}),
  };
}

const OLDER = {
  "tools/list": older.ListToolsRequestSchema, "tools/call": older.CallToolRequestSchema, "prompts/list": older.ListPromptsRequestSchema,
  "prompts/get": older.GetPromptRequestSchema, "completion/complete": older.CompleteRequestSchema, "resources/list": older.ListResourcesRequestSchema,
  "resources/templates/list": older.ListResourceTemplatesRequestSchema, "resources/read": older.ReadResourceRequestSchema,
  "resources/subscribe": older.SubscribeRequestSchema, "resources/unsubscribe": older.UnsubscribeRequestSchema,
};

/** Sends progress to whoever asked for it. */
const progressOf = (params, notify) => async () => {
  const token = params?._meta?.progressToken;
  if (token !== undefined) await notify({ method: "notifications/progress", params: { progressToken: token, progress: 1, total: 2, message: "half" } });
};

function olderServer() {
  const sessions = new Map();
  const all = (what) => Promise.all([...sessions.values()].map(({ server }) => what(server)));
  const offered = offers({ tools: () => all((it) => it.sendToolListChanged()), resource: (uri) => all((it) => it.sendResourceUpdated({ uri })) });
  const begin = async () => {
    const server = new OlderServer(INFO, { capabilities: CAPABILITIES });
    for (const [method, answer] of Object.entries(offered)) {
      server.setRequestHandler(OLDER[method], ({ params }, extra) => answer(params, progressOf(params, (it) => extra.sendNotification(it))));
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => { sessions.set(id, { server, transport }); },
      onsessionclosed: (id) => { sessions.delete(id); },
    });
    await server.connect(transport);
    return transport;
  };
  return {
    sessions: () => sessions.size,
    async handle(request, response) {
      const id = request.headers["mcp-session-id"];
      const known = id && sessions.get(id);
      if (id && !known) return response.writeHead(404).end();
      return (known?.transport ?? await begin()).handleRequest(request, response);
    },
  };
}

function newerServer() {
  let streams = 0;
  let handler;
  const offered = offers({ tools: () => handler.notify.toolsChanged(), resource: (uri) => handler.notify.resourceUpdated(uri) });
  handler = createMcpHandler(() => {
    const server = new NewerServer(INFO, { capabilities: CAPABILITIES });
    for (const [method, answer] of Object.entries(offered)) {
      if (!/subscribe/.test(method)) server.setRequestHandler(method, ({ params }, context) => answer(params, progressOf(params, (it) => context.mcpReq.notify(it))));
    }
    return server;
  }, { legacy: "reject" });
  return {
    /** Streams that are open: this era has no sessions. */
    sessions: () => streams,
    async handle(request, response) {
      const given = { method: request.method, headers: request.headers };
      if (request.method === "POST") Object.assign(given, { body: Readable.toWeb(request), duplex: "half" });
      const gone = new AbortController();
      response.on("close", () => gone.abort());
      const answer = await handler.fetch(new Request(`http://127.0.0.1${request.url}`, { ...given, signal: gone.signal }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (!answer.body) return response.end();
      const isStream = /event-stream/.test(answer.headers.get("content-type"));
      if (isStream) streams += 1;
      const body = Readable.fromWeb(answer.body);
      response.on("close", () => { if (isStream) streams -= 1; body.destroy(); });
      return body.on("error", () => response.destroy()).pipe(response);
    },
  };
}

/** Starts the server of an era, `older` or `newer`; `cors: false` admits no page. */
export async function startSdkServer(era, { cors = true } = {}) {
  const served = era === "older" ? olderServer() : newerServer();
  const seen = [];
  const http = createServer((request, response) => {
    if (cors) for (const [name, value] of Object.entries(ALLOWED)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(cors ? 204 : 405).end();
    seen.push({ method: request.method, headers: request.headers });
    return served.handle(request, response).catch(() => response.destroy());
  });
  await new Promise((done) => http.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    port: http.address().port,
    sessions: served.sessions,
    seen,
    async stop() {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}
