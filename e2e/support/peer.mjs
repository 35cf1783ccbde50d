// A scripted server on the signed channel, in a page of its own: it signs, numbers and greets as the core does, sends
// what a test wants, and keeps what it receives.
import { STORAGE } from "./config.mjs";
import { until } from "./process.mjs";
import { openPuppy } from "./puppy.mjs";

/** The file of the key that pages and servers share. */
export const CHANNEL_KEY = `${STORAGE}/bridgeKey`;
/** A key for tests. */
export const KEY = "07".repeat(32);

/** Runs in the page of the peer. */
async function live({ url, key, beat, http }) {
  const bytes = Uint8Array.from(key.match(/../g), (pair) => parseInt(pair, 16));
  const hmac = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const sign = async (text) => {
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(text)));
    return [...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("") + text;
  };
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const socket = new WebSocket(url);
  await new Promise((done, failed) => Object.assign(socket, { onopen: done, onerror: failed }));
  const peer = { id, n: 0, pages: [], received: [], questions: [], errands: [], isMute: false };
  globalThis.peer = peer;
  let sending = Promise.resolve();
  peer.send = (to, said, more = {}) => {
    const text = JSON.stringify({ v: 1, from: id, n: ++peer.n, to, said, ...more });
    sending = sending.then(async () => socket.send(await sign(text)));
    return sending;
  };
  peer.raw = (text) => socket.send(text);
  peer.wait = () => peer.send(peer.pages, { waiting: { questions: peer.questions, errands: peer.errands } });
  const hello = { hello: { role: "sidecar", version: "0.1.0", abilities: [], focus: false, ...(http && { http }) } };
  socket.onmessage = async ({ data }) => {
    const signed = JSON.parse(data.slice(64));
    if ((await sign(data.slice(64))) !== data) return peer.received.push({ forged: data });
    peer.received.push(signed);
    const { from, to, said } = signed;
    if (said.hello?.role === "page") {
      const isNew = !peer.pages.includes(from);
      if (isNew) peer.pages.push(from);
      if (isNew || !to.includes(id)) {
        await peer.send([from], hello);
        await peer.wait();
      }
    }
    if (said === "bye") peer.pages = peer.pages.filter((page) => page !== from);
    if (said.changed?.ticket && !peer.isMute) peer.send([from], { held: { ticket: said.changed.ticket } });
    const over = said.answer?.question;
    if (over) {
      peer.questions = peer.questions.filter((one) => one.id !== over);
      await peer.wait();
    }
    if (said.revoke) {
      peer.errands = peer.errands.filter((one) => one.id !== said.revoke.errand);
      await peer.wait();
    }
    return undefined;
  };
  peer.timer = setInterval(() => peer.send(peer.pages, hello), beat);
  await peer.send([], hello);
}

/** The content of a question: keys and values that the page puts into words. */
export const ask = (title = "Old plan", more = {}) => ({
  verb: "delete", back: "data_history", about: { kind: "document", things: { n: 1, first: [{ title, notebook: { name: "Garden", icon: "1f33b" } }] }, ...more },
});

/** A question as a server sends it. */
export const question = (id, more = {}) => ({
  id, ask: ask(), client: "Agent", waited_ms: 0, left_ms: 600000, may_stand: true, offered: { n: 20, minutes: 10 }, ...more,
});

/** An errand as a server sends it. */
export const errand = (id, more = {}) => ({
  id, client: "Agent", purpose: "", deed: null, notebooks: [], documents: [], changes: { used: 12, most: 40 }, deletes: { used: 1, most: 5 }, left_ms: 250000, ...more,
});

/** The content of a question about an errand that an agent announced. */
export const ERRAND = {
  verb: "errand", back: "unchanged", about: { kind: "notebook", things: { n: 1, first: [{ title: "Recipes" }] }, effects: [{ bounds: { changes: 40, deletes: 5, minutes: 20, purpose: "tidy the tags" } }] },
};

/** A page in front with a puppy, and a scripted server that has greeted it. */
export async function openAsking(browser, kernel, options) {
  const stage = await openPuppy(browser, kernel.url, options);
  const peer = await openPeer(browser, kernel);
  await peer.greeted(1);
  await stage.page.bringToFront();
  return {
    ...stage,
    peer,
    dialog: stage.page.locator(".b3-dialog--open .pup-asking"),
    bubble: stage.page.locator(".pup-question"),
    pick: (place, word) => place.locator(`[data-pick="${word}"]`).first(),
  };
}

/** Connects a scripted server; its key is written unless `key` is false, and `http` says where it serves over HTTP. */
export async function openPeer(browser, kernel, { key = KEY, http } = {}) {
  if (key) await kernel.write(CHANNEL_KEY, { key });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${kernel.url}/stage/build/desktop/css/base.css`);
  const url = `${kernel.url.replace("http", "ws")}/ws/broadcast?channel=siyuan-mcp-puppy`;
  await page.evaluate(live, { url, key: key || KEY, beat: 2000, http });
  const received = () => page.evaluate(() => globalThis.peer.received);
  /** The messages of a kind that pages have sent, oldest first. */
  const said = async (kind) => (await received()).filter((it) => it.said === kind || it.said?.[kind]).map((it) => it.said[kind] ?? it.said);
  return {
    page,
    received,
    said,
    /** Waits until so many pages have introduced themselves. */
    greeted: (count = 1) => until(async () => (await page.evaluate(() => globalThis.peer.pages.length)) === count, { what: `${count} pages` }),
    /** Sends a message to every page. */
    tell: (message) => page.evaluate((it) => globalThis.peer.send(globalThis.peer.pages, it), message),
    /** Sends a message to the page that introduced itself last. */
    tellOne: (message) => page.evaluate((it) => globalThis.peer.send(globalThis.peer.pages.slice(-1), it), message),
    /** Replaces its questions and errands. */
    ask: (questions, errands = []) => page.evaluate(([questions, errands]) => {
      Object.assign(globalThis.peer, { questions, errands });
      return globalThis.peer.wait();
    }, [questions, errands]),
    /** Waits for messages of a kind from pages. */
    hears: (kind, count = 1) => until(async () => {
      const all = await said(kind);
      return all.length >= count && all;
    }, { what: `${count} × ${kind}` }),
    /** The answer of a page to a call, and that there is only one. */
    async call(action, args, deadline = 10000) {
      const call = `call-${action}-${Math.random()}`;
      await this.tellOne({ call: { call_id: call, action, args, deadline_ms: deadline } });
      const mine = async () => (await said("answered")).filter((it) => it.call_id === call);
      return (await until(async () => (await mine())[0], { what: `the answer to ${action}` })).answer;
    },
    set: (values) => page.evaluate((it) => Object.assign(globalThis.peer, it), values),
    raw: (text) => page.evaluate((it) => globalThis.peer.raw(it), text),
    /** Ends without a goodbye. */
    die: () => context.close(),
  };
}
