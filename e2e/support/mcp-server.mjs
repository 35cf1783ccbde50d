// A small MCP server of the older era for tests of clients: it admits pages or not, breaks off calls, and forgets sessions.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const EXPOSED = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*", "Access-Control-Allow-Methods": "*", "Access-Control-Expose-Headers": "*" };
const CHANGES = { listChanged: true };

/**
 * Starts a server. `cors: false` admits no page; `forgotten` is the status for a session that it does not keep; `says`
 * replaces its results, by method; `before` may hold up the answer to a message.
 */
export async function startMcpServer({ cors = true, forgotten = 404, token, says = {}, before } = {}) {
  const sessions = new Map();
  const seen = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = chunks.length ? JSON.parse(Buffer.concat(chunks)) : {};
    const send = (status, body, headers = {}) => {
      response.writeHead(status, { ...(cors ? EXPOSED : {}), "Content-Type": "application/json", ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    if (request.method === "OPTIONS") return send(cors ? 204 : 405);
    seen.push({ method: message.method ?? request.method, headers: request.headers });
    if (token && request.headers.authorization !== `Bearer ${token}`) return send(401, { error: "who are you?" });
    const id = request.headers["mcp-session-id"];
    if (id && !sessions.has(id)) {
      return send(forgotten, { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Bad Request: No valid session ID provided" } });
    }
    if (request.method === "DELETE") {
      sessions.get(id)?.end();
      sessions.delete(id);
      return send(200, {});
    }
    if (request.method === "GET") {
      response.writeHead(200, { ...(cors ? EXPOSED : {}), "Content-Type": "text/event-stream" });
      response.write(": hello\n\n");
      sessions.set(id, response);
      return undefined;
    }
    const result = (value, headers) => send(200, { jsonrpc: "2.0", id: message.id, result: value }, headers);
    if (message.id === undefined) return send(202);
    await before?.(message);
    if (message.method in says) return result(says[message.method]);
    switch (message.method) {
      case "initialize": {
        const session = randomUUID();
        sessions.set(session, { end() {} });
        const capabilities = { tools: CHANGES, prompts: CHANGES, resources: CHANGES, completions: {} };
        return result({ protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "e2e", version: "1" } }, { "Mcp-Session-Id": session });
      }
      case "ping": return result({});
      case "tools/list": return result({ tools: [
        { name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: { text: { type: "string", maxLength: 99 } }, required: ["text"] } },
        { name: "drop", description: "Breaks off.", inputSchema: { type: "object" } },
        { name: "wait", description: "Never ends.", inputSchema: { type: "object" } },
      ] });
      case "prompts/list": return result({ prompts: [{ name: "plan", arguments: [{ name: "topic", required: true }] }] });
      case "prompts/get": return result({ messages: [{ role: "user", content: { type: "text", text: `Plan: ${message.params.arguments.topic}` } }] });
      case "completion/complete": return result({ completion: { values: [`${message.params.argument.value}atoes`] } });
      case "resources/list": return result({ resources: [{ uri: "x://seeds", name: "Seeds" }] });
      case "resources/templates/list": return result({ resourceTemplates: [{ uriTemplate: "x://bed/{n}", name: "Bed" }] });
      case "resources/read": return result({ contents: [{ uri: message.params.uri, text: `Contents of ${message.params.uri}` }] });
      case "tools/call": {
        if (message.params.name === "echo") return result({ content: [{ type: "text", text: message.params.arguments.text }] });
        response.writeHead(200, { ...(cors ? EXPOSED : {}), "Content-Type": "text/event-stream" });
        response.write(": begun\n\n");
        if (message.params.name === "drop") setTimeout(() => response.destroy(), 50);
        return undefined;
      }
      default: return send(200, { jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    sessions: () => sessions.size,
    /** The number of requests with that method. */
    count: (method) => seen.filter((it) => it.method === method).length,
    seen,
    /** Forgets every session and breaks every stream, as a restart does. */
    restart() {
      for (const stream of sessions.values()) stream.destroy?.();
      sessions.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
