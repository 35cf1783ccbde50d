// Twelve errands of the scripted agent: each prepares its notes, asks a person once, and then makes several dangerous changes.

/**
 * The tasks. `prepare` makes what the task works on and returns the place of the errand and what `work` needs; every change
 * of `work` would ask a question of its own without the errand.
 */
export const ERRANDS = [
  {
    purpose: "remove notes that are no longer needed",
    deletes: 4,
    async prepare(agent) {
      const parent = await note(agent, "Old lists");
      return { documents: [parent], notes: await several(4, (n) => note(agent, `List ${n}`, { parent, markdown: "milk" })) };
    },
    work: (agent, { notes }) => each(notes, (id) => agent.call("document", "remove", { ids: [id] })),
  },
  {
    purpose: "gather short notes in one document",
    deletes: 3,
    async prepare(agent) {
      const parent = await note(agent, "Snippets");
      const target = await block(agent, parent, "# All snippets");
      return { documents: [parent], target, notes: await several(3, (n) => note(agent, `Snippet ${n}`, { parent, markdown: "text" })) };
    },
    work: (agent, { notes, target }) => each(notes, (id) => agent.call("document", "to_heading", { id, target })),
  },
  {
    purpose: "bring old names up to date",
    async prepare(agent) {
      await note(agent, "Names", { markdown: "alderly\n\nbirchly\n\ncedarly" });
      return { notebooks: [NOTEBOOK], names: ["alderly", "birchly", "cedarly"] };
    },
    work: (agent, { names }) => each(names, (find) => agent.call("search", "find_replace", { find, replace: `new ${find}`, notebook: NOTEBOOK })),
  },
  {
    purpose: "clear finished tasks",
    async prepare(agent) {
      const parent = await note(agent, "Tasks");
      return { documents: [parent], blocks: await several(4, (n) => block(agent, parent, `task ${n} is done`)) };
    },
    work: (agent, { blocks }) => each(blocks, (id) => agent.call("block", "delete", { ids: [id] })),
  },
  {
    purpose: "remove tags that mean nothing",
    async prepare(agent) {
      await note(agent, "Tagged", { markdown: "one #fallow#\n\ntwo #thicket#" });
      return { notebooks: [NOTEBOOK], labels: ["fallow", "thicket"] };
    },
    work: (agent, { labels }) => each(labels, (label) => agent.call("tag", "remove", { label, notebook: NOTEBOOK })),
  },
  {
    purpose: "rewrite two long notes",
    changes: 140,
    async prepare(agent) {
      const notes = await several(2, (n) => note(agent, `Long ${n}`, { markdown: lines(60) }));
      return { documents: notes, notes };
    },
    work: (agent, { notes }) => each(notes, (id) => agent.call("block", "update", { id, markdown: "in short" })),
  },
  {
    purpose: "restore notes that were overwritten",
    async prepare(agent) {
      const notes = await several(2, (n) => note(agent, `Draft ${n}`, { markdown: "the first text" }));
      await each(notes, (id) => agent.call("block", "update", { id, markdown: "another text" }));
      return { documents: notes, notes };
    },
    work: (agent, { notes }) => each(notes, async (id) => {
      const { items: [newest] } = await agent.call("document", "history", { id });
      await agent.call("document", "restore", { id, version: newest.version });
    }),
  },
  {
    purpose: "let references lead to the new definitions",
    async prepare(agent) {
      const parent = await note(agent, "Terms");
      const pairs = await several(2, async (n) => {
        const from = await block(agent, parent, `old term ${n}`);
        const to = await block(agent, parent, `new term ${n}`);
        await block(agent, parent, `see ((${from} 'the term'))`);
        return { from, to };
      });
      return { documents: [parent], pairs };
    },
    work: (agent, { pairs }) => each(pairs, (pair) => agent.call("block", "transfer_refs", pair)),
  },
  {
    purpose: "sort the inbox into the notebooks",
    async prepare(agent) {
      const notes = await several(3, (n) => note(agent, `Inbox ${n}`));
      return { notebooks: [NOTEBOOK, OTHER], notes };
    },
    work: (agent, { notes }) => each(notes, (id) => agent.call("document", "move", { ids: [id], notebook: OTHER })),
  },
  {
    purpose: "move paragraphs to the garden's journal",
    async prepare(agent) {
      const source = await note(agent, "Journal of today");
      const target = await note(agent, "Journal", { notebook: OTHER });
      return { notebooks: [NOTEBOOK, OTHER], target, blocks: await several(3, (n) => block(agent, source, `entry ${n}`)) };
    },
    work: (agent, { blocks, target }) => each(blocks, (id) => agent.call("block", "move", { ids: [id], target, position: "last" })),
  },
  {
    purpose: "make documents of the chapters",
    async prepare(agent) {
      const source = await note(agent, "Book");
      return { notebooks: [NOTEBOOK, OTHER], chapters: await several(2, (n) => block(agent, source, `# Chapter ${n}`)) };
    },
    work: (agent, { chapters }) => each(chapters, (id) => agent.call("document", "from_block", { block: id, notebook: OTHER })),
  },
  {
    purpose: "remove views that nobody uses",
    async prepare(agent) {
      const parent = await note(agent, "Seeds");
      const { id } = await agent.call("av", "create", { parent, name: "Seeds" });
      const views = ["By year", "By bed"];
      await each(views, (name) => agent.call("av", "add_view", { id, layout: "table", name }));
      return { documents: [parent], id, views };
    },
    work: (agent, { id, views }) => each(views, (view) => agent.call("av", "remove_view", { id, view })),
  },
];

const NOTEBOOK = "Scratch";
const OTHER = "Garden";

/** Prepares a task, announces it unless `alone`, and does its work. `agent` has `call` and is the only one of its session. */
export async function runErrand(agent, { purpose, changes = 20, deletes = 0, prepare, work }, { alone = false } = {}) {
  const prepared = await prepare(agent);
  const { documents, notebooks } = prepared;
  if (!alone) await agent.call("system", "begin_errand", { purpose, documents, notebooks, changes, deletes, minutes: 5 });
  await work(agent, prepared);
}

const lines = (count) => Array.from({ length: count }, (_, n) => `line ${n}`).join("\n\n");

async function note(agent, title, { parent, notebook = NOTEBOOK, markdown } = {}) {
  const place = parent ? { parent } : { notebook };
  return (await agent.call("document", "create", { ...place, title, markdown, allow_duplicate: true })).id;
}

const block = async (agent, id, markdown) => (await agent.call("block", "append", { id, markdown })).ids[0];

/** One after the other, because the kernel orders what it gets. */
async function each(things, act) {
  for (const thing of things) await act(thing);
}

async function several(count, make) {
  const all = [];
  for (let n = 1; n <= count; n += 1) all.push(await make(n));
  return all;
}
