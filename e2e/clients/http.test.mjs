// The HTTP side of the sidecar: its bearer token, foreign pages, its health, several clients at once.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { call, connectHttp } from "../support/mcp.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";

const TOKEN = "sidecar-token-of-the-test";
const initialize = {
  jsonrpc: "2.0", id: 1, method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** A raw POST; Node's own client lets a test set Host and Origin, which `fetch` does not. */
function post(url, headers = {}, body = JSON.stringify(initialize)) {
  return new Promise((done, failed) => {
    const sent = request(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    }, (response) => {
      let text = "";
      response.on("data", (chunk) => { text += chunk; });
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on("error", failed);
    sent.end(body);
  });
}

describe("http", () => {
  let system;
  let open;
  let guarded;
  before(async () => {
    system = await startKernel();
    open = await startSidecar(system.kernel);
    guarded = await startSidecar(system.kernel, { token: TOKEN });
  });
  after(async () => {
    await open?.stop();
    await guarded?.stop();
    await system?.stop();
  });

  test("a bearer token is asked for when one is set; missing, wrong and empty are 401 (B-136)", async () => {
    const right = { Authorization: `Bearer ${TOKEN}` };
    assert.equal((await post(guarded.url, right)).status, 200);
    for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: "Bearer " }, { Authorization: TOKEN }]) {
      const answer = await post(guarded.url, headers);
      assert.equal(answer.status, 401, JSON.stringify(headers));
      assert.ok(answer.headers["www-authenticate"], "WWW-Authenticate");
      assert.doesNotMatch(answer.text, new RegExp(TOKEN));
    }
    assert.equal((await post(`${guarded.url}?token=${TOKEN}`)).status, 401, "never in a URL");
    const client = await connectHttp(guarded.url, TOKEN);
    assert.ok((await call(client, "notebook", "list")).ok);
    await client.close();
    assert.doesNotMatch(guarded.output(), new RegExp(TOKEN), "and never in a log (B-137)");
  });

  test("a foreign Host or Origin is 403 (B-139)", async () => {
    const { port } = new URL(open.url);
    assert.equal((await post(open.url, { Host: `127.0.0.1:${port}` })).status, 200);
    for (const headers of [
      { Host: "evil.example" }, { Host: `localhost.evil.example:${port}` },
      { Origin: "https://evil.example" }, { Origin: "null" },
    ]) {
      assert.equal((await post(open.url, headers)).status, 403, JSON.stringify(headers));
    }
  });

  test("broken JSON and a wrong media type are refused, and the next client is served (B-141)", async () => {
    const broken = await post(open.url, {}, "{ not json");
    assert.ok(broken.status >= 400 && broken.status < 500, String(broken.status));
    const text = await post(open.url, { "Content-Type": "text/plain" });
    assert.equal(text.status, 415);
    assert.equal((await post(open.url)).status, 200);
  });

  test("health needs no token and tells nothing of the notes (B-143)", async () => {
    const answer = await fetch(new URL("/health", guarded.url));
    assert.equal(answer.status, 200);
    const text = await answer.text();
    const health = JSON.parse(text);
    assert.ok("version" in health && "status" in health, text);
    assert.doesNotMatch(text, /Garden|\d{14}-[0-9a-z]{7}|\/mcp|token/i);
  });

  test("eight clients at once each get their own answers (B-133)", async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectHttp(open.url)));
    const titles = ["Tomatoes", "Chard", "Basil", "Mint", "Roses", "Apple tree", "Runner beans", "Plant list"];
    const answers = await Promise.all(clients.flatMap((client, i) =>
      [0, 1, 2].map(() => call(client, "fs", "read", { path: `/Garden/Plants/${titles[i]}` }).then(({ data }) => [titles[i], data.title]))));
    for (const [asked, got] of answers) assert.equal(got, asked);
    await Promise.all(clients.map((client) => client.close()));
  });
});
