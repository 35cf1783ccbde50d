// The scripted agent of `cargo demo`: a real MCP client over HTTP, with pauses that let people watch the puppy.
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { run, Unexpected } from "./steps.mjs";

const USAGE = `usage: node agent/demo.mjs [--url http://127.0.0.1:36806/mcp] [--fast] [--loop]
  --url    address of the sidecar (else MCP_URL; its bearer token comes from SIYUAN_MCP_TOKEN)
  --fast   no pauses
  --loop   again and again, until Ctrl-C`;
const PAUSE_MS = 1500;

function options() {
  const { values } = parseArgs({
    options: { url: { type: "string" }, fast: { type: "boolean" }, loop: { type: "boolean" }, help: { type: "boolean" } },
  });
  return { ...values, url: values.url ?? process.env.MCP_URL ?? "http://127.0.0.1:36806/mcp" };
}

const shown = (args) => {
  const text = JSON.stringify(args);
  return text === "{}" ? "" : ` ${text.length > 100 ? `${[...text].slice(0, 99).join("")}…` : text}`;
};

/** The agent: calls tools, prints what it does, and stops at the first unexpected answer. */
function agentOf(client, fast) {
  const pause = () => new Promise((done) => setTimeout(done, fast ? 0 : PAUSE_MS));
  async function ask(tool, action, args) {
    console.log(`  → ${tool}.${action}${shown(args)}`);
    const result = await client.callTool({ name: tool, arguments: { action, ...args } });
    await pause();
    const [first = "", second] = (result.content ?? []).map((item) => item.text);
    const data = first.startsWith("{") ? JSON.parse(first) : { body: first };
    return { failed: result.isError === true, data: second === undefined ? data : { ...data, body: second } };
  }
  return {
    title: (text) => console.log(`\n${text}`),
    say: (text) => console.log(`    ${text}`),
    async call(tool, action, args) {
      const { failed, data } = await ask(tool, action, args);
      if (failed) throw new Unexpected(`${tool}.${action} failed: ${JSON.stringify(data.error)}`);
      return data;
    },
    /** Makes a call that must be refused with one of these types; returns its error. */
    async refused(tool, action, args, types) {
      const { failed, data } = await ask(tool, action, args);
      if (!failed || !types.includes(data.error?.type)) {
        throw new Unexpected(`${tool}.${action} should be refused (${types.join(" or ")}), it answered ${JSON.stringify(data)}`);
      }
      return data.error;
    },
  };
}

async function main() {
  const { url, fast, loop, help } = options();
  if (help) {
    console.log(USAGE);
    return;
  }
  const token = process.env.SIYUAN_MCP_TOKEN;
  const requestInit = token ? { headers: { Authorization: `Bearer ${token}` } } : {};
  const client = new Client({ name: "demo-agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const server = client.getServerVersion();
  const { tools } = await client.listTools();
  console.log(`Connected to ${server.title ?? server.name} ${server.version}: ${tools.length} tools (${tools.map((tool) => tool.name).join(", ")})`);
  const agent = agentOf(client, fast);
  do await run(agent);
  while (loop);
  console.log("\nThe agent is done.");
  await client.close();
}

main().catch((error) => {
  const why = error instanceof Unexpected ? error.message : `${error.message}${error.cause ? ` (${error.cause.message ?? error.cause.code})` : ""}`;
  console.error(`The agent stopped: ${why}`);
  process.exitCode = 1;
});
