// Official MCP clients (TypeScript SDK v1 and v2) on the two transports, and a short way to call a tool.
import { after } from "node:test";
import * as newer from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdioTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { sidecarBinary } from "./config.mjs";
import { sidecarEnv } from "./system.mjs";

const IDENTITY = { name: "puppy-e2e", version: "1.0.0" };

const open = new Set();
// A test that fails before it closes its client would leave a child process that keeps the run waiting.
after(() => Promise.all([...open].map((client) => client.close())));

/** Connects over Streamable HTTP, under another name where one is given. */
export async function connectHttp(url, token = "", identity = IDENTITY) {
  const requestInit = token ? { headers: { Authorization: `Bearer ${token}` } } : {};
  const client = new Client(identity);
  open.add(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** Connects over Streamable HTTP as a client whose person answers questions with `answer(params)`. */
export async function connectAnswering(url, answer) {
  const client = new Client(IDENTITY, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  open.add(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** Connects with the newer client, in its stateless era. */
export const connectModern = (url) => modern(new newer.StreamableHTTPClientTransport(new URL(url)));

/** The same over the stdio of a binary of its own. */
export const connectModernStdio = (env) => modern(new NewerStdioTransport(child(env)));

async function modern(transport) {
  const client = new newer.Client(IDENTITY, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  open.add(client);
  await client.connect(transport);
  return client;
}

const child = (env) => ({ command: sidecarBinary(), args: ["stdio"], env: { ...process.env, ...env }, stderr: "pipe" });

/** Starts the binary and connects over its stdio. */
export async function connectStdio(env) {
  const client = new Client(IDENTITY);
  const transport = new StdioClientTransport(child(env));
  open.add(client);
  await client.connect(transport);
  return { client, transport };
}

/** Starts a command as clients do, and connects over its stdio. */
export async function connectCommand(command, args, env = {}) {
  const client = new Client(IDENTITY);
  open.add(client);
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: "pipe" }));
  return client;
}

/** The client over each transport, for tests that must hold on both (B-021): a name and a way to connect. */
export const TRANSPORTS = [
  ["stdio", async (system) => (await connectStdio(sidecarEnv(system.kernel))).client],
  ["http", (system) => connectHttp(system.sidecar.url)],
  ["http, 2026-07-28", (system) => connectModern(system.sidecar.url)],
];

/**
 * Calls an action: `data` (the first content item as JSON), `body` (plain text, if any),
 * `error` of a failed call.
 */
export async function call(client, tool, action, args = {}) {
  const result = await client.callTool({ name: tool, arguments: { action, ...args } });
  const texts = (result.content ?? []).map((item) => item.text ?? "");
  const isJson = texts[0]?.startsWith("{");
  const data = isJson ? JSON.parse(texts[0]) : {};
  return { ok: !result.isError, data, body: texts[isJson ? 1 : 0], error: data.error, result };
}
