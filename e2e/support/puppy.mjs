// The puppy in tests: events written as by a sidecar, and every change of its state with its time.
import { EVENTS } from "./config.mjs";
import { openStage } from "./page.mjs";

const DOG = ".pup-dog";

/** The stub host page with a puppy in it. */
export async function openPuppy(browser, kernelUrl, options) {
  const stage = await openStage(browser, kernelUrl, options);
  try {
    await stage.page.waitForSelector(DOG, { state: "attached" });
  } catch (error) {
    const loaded = await stage.page.evaluate(() => window.siyuanApp?.plugins.map((plugin) => plugin.name));
    throw new Error([`No puppy; loaded plugins: ${loaded}`, ...stage.problems()].join("\n"), { cause: error });
  }
  return stage;
}

/** The event that causes each state; the page derives effects from the declarations of the actions. */
export const STATES = {
  reading: { tool: "fs", action: "read", status: "running" },
  writing: { tool: "fs", action: "write", status: "running" },
  moving: { tool: "document", action: "move", status: "running" },
  deleting: { tool: "document", action: "remove", status: "running" },
  dangerous: { tool: "document", action: "remove", status: "dangerous" },
  success: { tool: "notebook", action: "list", status: "success", duration_ms: 4 },
  error: { tool: "search", action: "text", status: "error", duration_ms: 4, error_type: "api_error" },
  denied: { tool: "fs", action: "write", status: "error", duration_ms: 2, error_type: "permission_denied" },
  eating: { tool: "mascot", action: "buy", status: "success", duration_ms: 2, item: "bone" },
};

/** Writes events into the kernel's storage like one more process. */
export class EventWriter {
  #seq = 0;

  constructor(kernel, instance = "e2e-writer") {
    this.kernel = kernel;
    this.instance = instance;
  }

  /** Adds one event; returns the time just before it was written. */
  async write(event) {
    const file = (await this.kernel.events()) ?? { events: [], balance: 0, total_calls: 0 };
    const from = Date.now();
    file.events = [...file.events, { seq: ++this.#seq, instance: this.instance, ts: from, ...event }].slice(-32);
    file.total_calls += 1;
    await this.kernel.write(EVENTS, file);
    return from;
  }
}

/** Records every change of the puppy's state from now on. */
export function watch(page) {
  return page.evaluate((selector) => {
    const dog = document.querySelector(selector);
    globalThis.puppyChanges = [];
    globalThis.puppyObserver?.disconnect();
    globalThis.puppyObserver = new MutationObserver(() => {
      globalThis.puppyChanges.push({ state: dog.dataset.state, tool: dog.dataset.tool, at: Date.now() });
    });
    globalThis.puppyObserver.observe(dog, { attributes: true, attributeFilter: ["data-state", "data-tool"] });
  }, DOG);
}

/** The first change, at or after `since`, to one of the states; waits for it. */
export async function changeTo(page, states, since, deadline = 10_000) {
  const found = await page.waitForFunction(
    ([wanted, from]) => globalThis.puppyChanges.find((change) => wanted.includes(change.state) && change.at >= from),
    [states, since], { timeout: deadline, polling: 20 });
  return found.jsonValue();
}

/** Waits until the puppy is in a state. */
export const inState = (page, state, deadline = 15_000) =>
  page.waitForSelector(`${DOG}[data-state="${state}"]`, { timeout: deadline, state: "attached" });

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
