// The steps of the scripted agent, in order: each is an ordinary tool call with its expected outcome.

/** Thrown when an answer is not the one that the script expects. */
export class Unexpected extends Error {}

const today = () => new Date().toISOString().slice(0, 10);
const names = (items) => items.map((item) => `${item.name} (${item.level})`).join(", ");
const firstLine = (text = "") => text.split("\n").find((line) => line.trim())?.slice(0, 72) ?? "";

const can = (notebooks, name, ...levels) => notebooks.find((one) => one.name === name && levels.includes(one.level));

/** The notebook to work in: Garden in the demo workspace, else the agent's own, created if missing. */
async function place(agent, notebooks) {
  const known = can(notebooks, "Garden", "rw", "rwd") ?? can(notebooks, "Puppy demo", "rw", "rwd");
  if (known) return known;
  const made = await agent.call("notebook", "create", { name: "Puppy demo" });
  agent.say(`made a notebook of its own: ${made.name} (${made.level})`);
  return made;
}

/** The whole run; `agent` has `call`, `refused`, `title` and `say`. */
export async function run(agent) {
  agent.title("What is there?");
  const { items: notebooks } = await agent.call("notebook", "list", {});
  agent.say(`${notebooks.length} notebooks: ${names(notebooks) || "none"}`);
  const notebook = await place(agent, notebooks);
  const root = `/${notebook.name}`;

  agent.title(`Looking around in ${notebook.name}`);
  const tree = await agent.call("fs", "tree", { path: root, depth: 2 });
  agent.say(`${tree.total ?? "some"} documents`);
  const { items: documents = [] } = await agent.call("fs", "list", { path: root });
  const plants = documents.find((one) => one.title === "Plants");
  const page = plants ? `${root}/Plants/Tomatoes` : documents[0]?.path;
  if (page) {
    const read = await agent.call("fs", "read", { path: page });
    agent.say(`read "${read.title}": ${firstLine(read.body)}`);
  }

  agent.title("Searching");
  const found = await agent.call("search", "text", { query: plants ? "tomatoes" : "puppy" });
  agent.say(`${found.total ?? found.items?.length ?? 0} hits`);
  const tags = await agent.call("tag", "list", {});
  agent.say(`${tags.total ?? tags.items?.length ?? 0} tags`);

  agent.title("Writing");
  const path = `${root}/Puppy notes ${today()}`;
  const note = `Seen on a walk at ${new Date().toLocaleTimeString("en-GB")}: all is well. 🐾`;
  const written = await agent.call("fs", "write", { path, markdown: note, mode: "upsert" });
  agent.say(`${written.created ? "created" : "extended"} ${path}`);
  const added = await agent.call("block", "append", { id: written.id, markdown: "- [ ] water the beds" });
  await agent.call("block", "update", { id: added.ids[0], markdown: "- [x] water the beds" });
  agent.say("added a task and ticked it");
  await agent.call("block", "get", { ids: [added.ids[0]] });

  agent.title("What it may not do");
  // In another workspace agents may have access to a notebook of that name, so a missing one is named instead.
  const hidden = notebooks.some((one) => one.name === "Private") ? "Not there" : "Private";
  const closed = await agent.refused("fs", "list", { path: `/${hidden}` }, ["not_found"]);
  agent.say(`${hidden}: ${closed.type}: for the agent it does not exist`);
  const scratch = can(notebooks, "Scratch", "rwd");
  await removal(agent, scratch ?? notebook, written.id, Boolean(scratch));

  const puppy = await agent.call("mascot", "status", {});
  agent.say(`the puppy has ${puppy.balance ?? 0} coins`);
}

/** Asks for a removal. Nothing is ever removed, because a person would have to agree. */
async function removal(agent, notebook, fallback, deletable) {
  let id = fallback;
  if (deletable) {
    const { items = [] } = await agent.call("fs", "list", { path: `/${notebook.name}` });
    id = items[0]?.id
      ?? (await agent.call("document", "create", { notebook: notebook.name, title: "Old list", markdown: "To be thrown away." })).id;
  }
  const expected = deletable ? ["confirmation_required"] : ["permission_denied", "confirmation_required"];
  const asked = await agent.refused("document", "remove", { ids: [id], recursive: true }, expected);
  agent.say(`removal in ${notebook.name}: ${asked.type}: ${firstLine(asked.message)}`);
}
