// A public MCP client library in a real web page of another origin (B-160 to B-166): allowed where listed, else refused.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { E2E } from "../support/config.mjs";
import { until } from "../support/process.mjs";
import { startKernel, startSidecar } from "../support/system.mjs";
import { servePage } from "../support/web-page.mjs";
import { startTokenProxy } from "../conformance/token-proxy.mjs";

const TOKEN = "page-token";
const LISTED = "notes-client.example";
/** With these the list of resources does not fit on one page. */
const DOCUMENTS = 110;
const FOREIGN = "elsewhere.example";

let system;
let sidecar;
let pages;
let browser;
before(async () => {
  pages = await servePage(join(E2E, "browser", "mcp-page", "page.js"));
  system = await startKernel();
  const notebook = (await system.kernel.notebooks()).Scratch.id;
  for (let n = 0; n < DOCUMENTS; n += 1) {
    await system.kernel.post("/api/filetree/createDocWithMd", { notebook, path: `/Many/Page ${n}`, markdown: "One of many." });
  }
  sidecar = await startSidecar(system.kernel, { token: TOKEN, args: ["--allow-origin", pages.origin(LISTED)] });
  browser = await launch([`--host-resolver-rules=MAP *.example 127.0.0.1`]);
});
after(async () => {
  await browser?.close();
  await sidecar?.stop();
  await system?.stop();
  await pages?.stop();
});

/** A page of that origin and a function that calls what it offers. */
async function visit(t, name) {
  const page = await browser.newPage();
  t.after(() => page.close());
  const bodies = [];
  page.on("request", (request) => bodies.push(request.postData() ?? ""));
  await page.goto(`${pages.origin(name)}/`);
  const mcp = (method, ...args) => page.evaluate(([method, args]) => globalThis.mcp[method](...args), [method, args]);
  /** The number of such requests that the page sent. */
  mcp.sent = (method) => bodies.filter((body) => body.includes(`"method":"${method}"`)).length;
  return mcp;
}

for (const era of ["legacy", "modern"]) {
  describe(`a listed origin, ${era} era (B-165)`, () => {
    test("initialise, list, call, page, read, complete, prompt, subscribe, abort, end, come again", async (t) => {
      const mcp = await visit(t, LISTED);
      const opened = await mcp("open", { url: sidecar.url, token: TOKEN, era });
      assert.equal(opened.era, era);
      assert.match(opened.server, /puppy/);
      assert.equal(typeof opened.session, era === "legacy" ? "string" : "undefined", "the session header is exposed (B-161)");

      assert.ok((await mcp("tools")).includes("notebook"));
      const [listed] = await mcp("call", "notebook", { action: "list" });
      assert.match(listed.text, /Garden/);
      assert.doesNotMatch(listed.text, /Private/);

      const uris = await mcp("resources");
      assert.equal(new Set(uris).size, uris.length);
      assert.ok(mcp.sent("resources/list") > 1, `${uris.length} resources on one page`);
      const document = uris.find((uri) => uri.startsWith("siyuan://doc/"));
      const [content] = await mcp("read", document);
      assert.ok(content.text.length > 0);
      assert.ok((await mcp("templates")).some((it) => it.includes("siyuan://doc/{id}")));

      const prompts = await mcp("prompts");
      assert.ok(prompts.length >= 5, `${prompts.length} prompts`);
      const easy = prompts.find((prompt) => !prompt.arguments?.some((it) => it.required));
      const [message] = await mcp("prompt", easy.name, {});
      assert.ok(message.content.text.length > 50);
      const { values } = await mcp("complete", { type: "ref/resource", uri: "siyuan://help/action/{tool}/{action}" }, { name: "tool", value: "note" });
      assert.deepEqual(values, ["notebook"]);

      await mcp("subscribe", document);
      const id = /doc\/(\d{14}-\w{7})/.exec(document)[1];
      await system.kernel.post("/api/block/appendBlock", { parentID: id, dataType: "markdown", data: "A new line." });
      await until(async () => (await mcp("updated")).includes(document), { what: "the page hears of the change (B-116)" });

      await system.kernel.faults([{ path: "/api/filetree/listDocsByPath", fault: "delay", ms: 3000, times: 1 }]);
      const plants = ["fs", { action: "list", path: "/Garden" }];
      assert.match(await mcp("abort", ...plants, 200), /given up|abort/i);
      await system.kernel.faults([]);
      assert.match((await mcp("call", ...plants))[0].text, /Plants/, "the next call works");

      await mcp("end");
      await mcp("open", { url: sidecar.url, token: TOKEN, era });
      assert.match((await mcp("call", "notebook", { action: "list" }))[0].text, /Garden/, "and it can come again");
      await mcp("end");
    });

    test("an origin that is not listed gets nothing (B-139, B-162)", async (t) => {
      const mcp = await visit(t, FOREIGN);
      await assert.rejects(mcp("open", { url: sidecar.url, token: TOKEN, era }));
      await assert.rejects(mcp("reach", sidecar.url), /Failed to fetch/);
    });

    test("without the token the page reads a refusal, not a network error (B-136, B-161)", async (t) => {
      const mcp = await visit(t, LISTED);
      await assert.rejects(mcp("open", { url: sidecar.url, token: "wrong", era }));
      assert.equal(await mcp("reach", sidecar.url), 401);
    });
  });
}

test("it works through a client's own proxy that passes headers (B-166)", async (t) => {
  const proxy = await startTokenProxy(sidecar.url, TOKEN);
  t.after(() => proxy.stop());
  const mcp = await visit(t, LISTED);
  await mcp("open", { url: proxy.url, token: TOKEN, era: "legacy" });
  assert.match((await mcp("call", "notebook", { action: "list" }))[0].text, /Garden/);
  await mcp("end");
});
