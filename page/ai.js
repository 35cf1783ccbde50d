// The settings of SiYuan's own AI, which the kernel takes only as a whole: its keys stay in the page.

/**
 * Sends a request of SiYuan's own page; its answer, or an error that holds none of the settings.
 *
 * @type {(path: string, body: unknown) => Promise<any>}
 */
export async function post(path, body) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(5000) });
  const reply = response.status === 200 ? await response.json() : { code: response.status };
  if (reply.code !== 0) throw new Error(`${path}: ${reply.msg ?? reply.code}`);
  return reply.data;
}

/**
 * Reads the settings as the kernel has them now: the whole of them is written, and the page's copy may be old.
 *
 * @returns {Promise<AssistantSettings | undefined>}
 */
export async function readAi() {
  return (await post("/api/system/getConf", {})).conf.ai;
}

/**
 * Whether the kernel left out keys that the page knows: writing that back would lose them.
 *
 * @param {AssistantSettings} ai
 */
export function isMasked(ai) {
  /** @param {AssistantSettings | undefined} all */
  const keys = (all) => (all?.providers ?? []).filter((it) => it?.apiKey).map((it) => it.id);
  const present = new Set(keys(ai));
  return keys(window.siyuan.config.ai).some((id) => !present.has(id) && ai.providers?.some((it) => it?.id === id));
}
