// Attacks on a closed notebook and on the settings, as an agent that knows ids would try them.
// They run against the demo kernel, or by hand against a SiYuan without other notes (KERNEL_URL, KERNEL_TOKEN).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { STORAGE } from "../support/config.mjs";
import { call, connectHttp } from "../support/mcp.mjs";
import { sleep, until } from "../support/process.mjs";
import { startSystem } from "../support/system.mjs";

const GRANTS = `${STORAGE}/notebookPermissions`;
const SETTINGS = `${STORAGE}/mcpHttpSettings`;
/** The word that nobody may ever see; titles, text and names of the closed notebook all contain it. */
const SECRET = "quagmire";
/** A change of the settings takes effect within 1 s. */
const SETTLED = 1_200;

let system;
let kernel;
let client;
/** The ids of the notebooks and of their contents. */
let at;

before(async () => {
  system = await startSystem({ empty: true });
  kernel = system.kernel;
  client = await connectHttp(system.sidecar.url);
  at = await workspace();
});
after(async () => {
  await kernel?.remove(SETTINGS);
  await client?.close();
  await system?.stop();
});

async function notebook(name) {
  const { notebook } = await kernel.post("/api/notebook/createNotebook", { name });
  // A notebook is indexed in the background; documents created meanwhile would be indexed twice.
  await sleep(kernel.token ? 2_000 : 0);
  return notebook.id;
}

const page = (notebook, path, markdown) => kernel.post("/api/filetree/createDocWithMd", { notebook, path, markdown });
const children = (id) => kernel.post("/api/block/getChildBlocks", { id });
const flush = () => kernel.post("/api/sqlite/flushTransaction", {});

async function workspace() {
  const open = await notebook("Open");
  const look = await notebook("Look");
  const free = await notebook("Free");
  const closed = await notebook(`Closed ${SECRET}`);
  const hidden = await page(closed, `/${SECRET} plans`, `The ${SECRET} lies deep.\n\n## ${SECRET} head\n\n- one ${SECRET}\n- two`);
  const shown = await page(open, "/Diary", "An ordinary day.");
  await page(look, "/Manual", "Read me.");
  const [block, heading] = await children(hidden);
  await kernel.write(GRANTS, { [open]: "rw", [look]: "r", [free]: "rwd", [closed]: "none" });
  await flush();
  await sleep(SETTLED);
  return { open, look, free, closed, hidden, shown, block: block.id, heading: heading.id };
}

const text = (answer) => JSON.stringify(answer.result);
const clean = (answer, what) => assert.ok(!text(answer).includes(SECRET), `${what}: ${text(answer)}`);
/** An answer without the words that the caller itself sent. */
const plain = ({ ok, error }, ...own) => own.reduce((it, word) => it.replaceAll(word, "…"), JSON.stringify({ ok, error }));

describe("ids are ids everywhere", () => {
  test("a notebook named like a hidden document opens nothing (F1)", async () => {
    const zero = "\u200b";
    for (const id of [at.hidden, at.heading, at.block]) {
      const wide = id.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
      for (const name of [id, ` ${id} `, `${id}${zero}`, `${zero}${id}`, id.toUpperCase(), wide]) {
        await call(client, "notebook", "create", { name });
        for (const path of [name, `/${name}`, id, `/${id}`]) {
          for (const more of [{}, { tail: 9 }, { section: `${SECRET} head` }, { with_ids: true }, { budget: 32_000 }]) {
            const answer = await call(client, "fs", "read", { path, ...more });
            assert.ok(!text(answer).includes(`The ${SECRET}`) && !text(answer).includes(`one ${SECRET}`), `${path} ${text(answer)}`);
          }
        }
      }
    }
  });

  test("no place below a hidden id: nothing is made, and hidden is like missing (F3)", async () => {
    const missing = "20240101000000-missing";
    for (const preview of [true, false]) {
      for (const [book, id] of [["Open", at.hidden], ["Open", at.block], ["Look", at.hidden], ["Open", at.closed]]) {
        const answer = await call(client, "fs", "write", { path: `/${book}/${id}/x`, markdown: "x", preview });
        const other = await call(client, "fs", "write", { path: `/${book}/${missing}/x`, markdown: "x", preview });
        assert.equal(plain(answer, id), plain(other, missing), `preview ${preview}, /${book}/${id}`);
      }
    }
    const tree = await call(client, "fs", "tree", { path: "/Open", depth: 5 });
    clean(tree, "the tree of the open notebook");
  });
});

describe("Markdown that comes in", () => {
  const references = () => {
    const entity = at.block.replace(/^2/, "&#50;");
    const hexadecimal = at.block.replace(/^2/, "&#x32;");
    return [
      `<span data-type="block-ref" data-subtype="d" Data-Id="${at.block}">x</span>`,
      `<span data-type="block-ref" data-subtype="d" data-id="${entity}">x</span>`,
      `<span data-type="block-ref" data-subtype="d" data-id="${hexadecimal}">x</span>`,
      `| a \` | ((${at.block} 'x')) | \` b |\n|---|---|---|`,
      `[a](\`) ((${at.block} 'x')) [b](\`)`,
      `![a](\`) ((${at.block} 'x')) \``,
      `((${at.block} 'x'))`,
    ];
  };
  const takeovers = () => {
    const entity = at.block.replace(/^2/, "&#50;");
    return [
      `- {: id='${entity}'}text`,
      `- {: id='${at.block}'}text`,
      `text\n{: id="${at.block}" }`,
      `text\n{: id=${at.block}}`,
      `text\n{: custom-avs='20240101000000-aaaaaaa' updated='20991231235959' custom-riff-decks='x'}`,
      `text\n{: memo='" onmouseover="alert(1)" x="'}`,
      `text\n{: memo='"><iframe srcdoc="&lt;script&gt;1&lt;/script&gt;"></iframe><div a="'}`,
      `{: custom-x='"></div><div data-node-id="${entity}" data-type="NodeAttributeView" DATA-AV-ID="${entity}" data-av-type="table"></div><div a="'}`,
    ];
  };
  const ways = {
    "block.append": (markdown) => call(client, "block", "append", { id: at.shown, markdown }),
    "fs.write": (markdown, n) => call(client, "fs", "write", { path: `/Open/Way ${n}`, markdown }),
    "document.create": (markdown, n) => call(client, "document", "create", { notebook: at.open, title: `Made ${n}`, markdown }),
  };
  const home = async () => (await kernel.post("/api/filetree/getPathByID", { id: at.block })).notebook;
  const rows = async (stmt) => { await flush(); return kernel.post("/api/query/sql", { stmt, mode: "readonly" }); };

  for (const way of Object.keys(ways)) {
    test(`${way}: no reference to a hidden block is planted (F4)`, async () => {
      const ordinary = await ways[way](`See ((${at.shown} 'the diary')).`, `${way} ordinary`);
      assert.ok(ordinary.ok, text(ordinary));
      for (const [n, markdown] of references().entries()) {
        await ways[way](markdown, `${way} ref ${n}`);
        const planted = await rows(`SELECT * FROM refs WHERE def_block_id = '${at.block}' LIMIT 9`);
        assert.deepEqual(planted, [], markdown);
      }
    });

    test(`${way}: no id is taken over and nothing protected is set (F2, F5)`, async () => {
      for (const [n, markdown] of takeovers().entries()) {
        await ways[way](markdown, `${way} id ${n}`);
        assert.equal(await home(), at.closed, markdown);
        const set = await rows("SELECT * FROM attributes WHERE name IN ('custom-avs', 'custom-riff-decks') OR name LIKE 'on%' OR value LIKE '%iframe%' OR value LIKE '%onmouse%' LIMIT 9");
        assert.deepEqual(set.filter((it) => it.box !== at.closed), [], markdown);
        const planted = await rows("SELECT id FROM blocks WHERE type = 'av' LIMIT 9");
        assert.deepEqual(planted, [], markdown);
      }
    });
  }
});

describe("search", () => {
  test("the search language cannot leave its columns (F6)", async () => {
    const queries = ["zz) OR fcontent:(quag*", "fcontent:quag*", "{content fcontent} : quag*", "ial:(x", "zz) OR (quag*", "-fcontent:zz", "^quag*", "\"zz\") OR fcontent:(quag*"];
    for (const query of queries) {
      const { error } = await call(client, "search", "text", { query, match: "query" });
      assert.equal(error?.type, "validation_error", `${query}: ${JSON.stringify(error)}`);
    }
  });
});

describe("what a person approves", () => {
  const removal = async (act) => {
    const parent = await page(at.free, "/Old", "x");
    const child = await page(at.free, "/Old/Cheap", "x");
    const dear = await page(at.free, "/Dear", "precious");
    await flush();
    const asked = await call(client, "document", "remove", { ids: [parent], recursive: true });
    assert.equal(asked.error?.type, "confirmation_required");
    await act(parent, child, dear);
    await flush();
    const again = await call(client, "document", "remove", { ids: [parent], recursive: true, confirm: asked.error.confirm });
    return { again, dear };
  };

  test("a token does not hold for another child (F7)", async () => {
    const { again, dear } = await removal(async (parent, child, dear) => {
      await kernel.post("/api/filetree/moveDocsByID", { fromIDs: [child], toID: at.free });
      await kernel.post("/api/filetree/moveDocsByID", { fromIDs: [dear], toID: parent });
    });
    assert.equal(again.ok, false, text(again));
    assert.ok(await kernel.post("/api/filetree/getPathByID", { id: dear }));
  });

  test("a token does not hold for text changed past its excerpt (F7)", async () => {
    const doc = await page(at.free, "/Long", `${"word ".repeat(60)}end`);
    const [block] = await children(doc);
    await flush();
    const asked = await call(client, "block", "delete", { ids: [block.id] });
    assert.equal(asked.error?.type, "confirmation_required", text(asked));
    await kernel.post("/api/block/updateBlock", { id: block.id, dataType: "markdown", data: `${"word ".repeat(60)}precious\n{: id="${block.id}"}` });
    await flush();
    const again = await call(client, "block", "delete", { ids: [block.id], confirm: asked.error.confirm });
    assert.equal(again.ok, false, text(again));
  });
});

describe("levels and settings", () => {
  const restore = async () => {
    await kernel.write(GRANTS, { [at.open]: "rw", [at.look]: "r", [at.free]: "rwd", [at.closed]: "none" });
    await kernel.remove(SETTINGS);
    await sleep(SETTLED);
  };

  test("a closed notebook stays closed while agents make notebooks (F8)", async () => {
    let going = true;
    const loop = (async () => {
      for (let n = 0; going && n < 40; n++) await call(client, "notebook", "create", { name: `Loop ${n}` });
    })();
    for (let round = 0; round < 6; round++) {
      const table = await kernel.permissions();
      await kernel.write(GRANTS, { ...table, [at.look]: "none" });
      await sleep(250);
      assert.equal((await kernel.permissions())[at.look], "none", `round ${round}`);
      await kernel.write(GRANTS, { ...(await kernel.permissions()), [at.look]: "r" });
    }
    going = false;
    await loop;
    await restore();
  });

  for (const table of [`{"${"CLOSED"}":"none","${"CLOSED"}":"rwd"}`, `{"${"CLOSED"}":"rwd","${"CLOSED"}":"none"}`]) {
    test(`a doubled key means the narrower level or none (F21): ${table}`, async () => {
      await kernel.write(GRANTS, table.replaceAll("CLOSED", at.closed));
      await sleep(SETTLED);
      clean(await call(client, "notebook", "list"), table);
      clean(await call(client, "fs", "read", { path: at.hidden }), table);
      await restore();
    });
  }

  for (const settings of ['{"paused":"true"}', '{"paused":1}', '{"paused":"yes"}', '{"paused":{}}', '{"paused":tr', "[]", '{"paused":true,"paused":false}']) {
    test(`settings that are torn or of the wrong type pause (F13): ${settings}`, async () => {
      await kernel.write(SETTINGS, settings);
      // While the current token is unknown, the server refuses the request itself.
      const paused = () => call(client, "notebook", "list").then((it) => it.error?.type === "paused", () => true);
      try {
        await until(paused, { deadline: 3_000, every: 100, what: "the pause" });
      } finally {
        await restore();
      }
    });
  }

  test("a path inside a closed notebook does not show in the settings of another (F14)", async () => {
    const conf = { refCreateSaveBox: at.closed, refCreateSavePath: `/${SECRET}/inbox`, docCreateSaveBox: at.closed, docCreateSavePath: `/${SECRET}/new` };
    const { conf: now } = await kernel.post("/api/notebook/getNotebookConf", { notebook: at.open });
    await kernel.post("/api/notebook/setNotebookConf", { notebook: at.open, conf: { ...now, ...conf } });
    clean(await call(client, "notebook", "info", { notebook: at.open }), "notebook.info");
    await kernel.post("/api/notebook/setNotebookConf", { notebook: at.open, conf: now });
  });

  test("a document does not tell the databases of a closed notebook that it stands in (F15)", async () => {
    const database = "20240101000000-hidden1";
    const attrs = { "custom-avs": database, "av-names": SECRET, [`custom-sy-av-s-text-${database}`]: SECRET };
    await kernel.post("/api/attr/setBlockAttrs", { id: at.shown, attrs });
    await flush();
    const [block] = await children(at.shown);
    await kernel.post("/api/attr/setBlockAttrs", { id: block.id, attrs });
    const resource = await client.readResource({ uri: `siyuan://doc/${at.shown}` });
    const answers = {
      "document.info": await call(client, "document", "info", { ids: [at.shown] }),
      "block.get": await call(client, "block", "get", { ids: [at.shown, block.id] }),
      "block.get, kramdown": await call(client, "block", "get", { ids: [block.id], format: "kramdown" }),
      "fs.read": await call(client, "fs", "read", { path: at.shown, with_ids: true }),
      resource: { result: resource },
    };
    for (const [what, answer] of Object.entries(answers)) {
      clean(answer, what);
      assert.ok(!text(answer).includes(database), `${what}: ${text(answer)}`);
    }
    await kernel.post("/api/attr/setBlockAttrs", { id: at.shown, attrs: Object.fromEntries(Object.keys(attrs).map((key) => [key, ""])) });
    await kernel.post("/api/attr/setBlockAttrs", { id: block.id, attrs: Object.fromEntries(Object.keys(attrs).map((key) => [key, ""])) });
  });

  test("a document that was just moved into a closed notebook is gone (F17)", async () => {
    for (let n = 0; n < 5; n++) {
      const id = await page(at.open, `/Moves ${n}`, `It moves ${n}.`);
      const stays = await page(at.open, `/Stays ${n}`, "It stays.");
      await flush();
      await kernel.post("/api/filetree/moveDocsByID", { fromIDs: [id], toID: at.closed });
      await kernel.post("/api/filetree/renameDocByID", { id, title: `${SECRET} ${n}` });
      const alone = await call(client, "document", "info", { ids: [id] });
      assert.deepEqual([alone.data.items, alone.data.missing], [[], [id]], text(alone));
      const both = await call(client, "document", "info", { ids: [id, stays] });
      clean(both, "document.info of two");
      assert.ok(!text(both).includes(`Moves ${n}`), text(both));
    }
  });

  test("an icon or tag that is none is refused by fs.write as by document.create (F20)", async () => {
    for (const bad of [{ icon: "<img src=x>" }, { icon: "\"><b>" }, { tags: ["a,b"] }, { tags: ["a#b"] }]) {
      const { error } = await call(client, "fs", "write", { path: "/Open/Signs", markdown: "x", ...bad });
      assert.equal(error?.type, "validation_error", JSON.stringify(bad));
    }
  });
});
