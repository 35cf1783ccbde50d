// An OpenAI-compatible server on this machine that plays a model: it follows a script of tool calls and keeps the results.
import { createServer } from "node:http";

/** One piece of a stream. */
const piece = (delta, reason = null) => `data: ${JSON.stringify({ id: "s", object: "chat.completion.chunk", created: 1, model: "scripted", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

/** Starts the server. `play` sets the calls of the next turn; `results` are the texts of tools since then. */
export async function startModel() {
  let calls = [];
  let results = [];
  let prompt = "";
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (!request.url.endsWith("/chat/completions")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "scripted", object: "model" }] }));
      return;
    }
    const { messages, stream, tools } = JSON.parse(body);
    // SiYuan also asks for titles of chats, without tools.
    const next = tools?.length ? calls.shift() : undefined;
    if (tools?.length) {
      prompt = JSON.stringify(messages.filter((it) => it.role === "system"));
      results = messages.filter((it) => it.role === "tool").map((it) => it.content);
    }
    if (!stream) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "s", object: "chat.completion", created: 1, model: "scripted", choices: [{ index: 0, message: { role: "assistant", content: "A chat" }, finish_reason: "stop" }] }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    if (next) {
      const call = { index: 0, id: `call_${results.length + 1}`, type: "function", function: { name: next.name, arguments: JSON.stringify(next.arguments) } };
      response.write(piece({ role: "assistant", tool_calls: [call] }));
      response.write(piece({}, "tool_calls"));
    } else {
      response.write(piece({ role: "assistant", content: "Done." }));
      response.write(piece({}, "stop"));
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    play: (next) => { calls = next; },
    left: () => calls.length,
    results: () => results,
    prompt: () => prompt,
    stop: () => new Promise((done) => server.close(done)),
  };
}
