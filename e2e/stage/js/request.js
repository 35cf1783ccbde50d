// Requests of the page to its kernel, with the habits of the host's own helpers.
import { showMessage } from "./message.js";

async function send(url, data, headers) {
  const body = data instanceof FormData ? data : data === undefined ? undefined : JSON.stringify(data);
  const response = await fetch(url, { method: "POST", body, headers });
  if (response.status === 401) {
    // The host reloads the page so that its login page shows.
    setTimeout(() => location.reload(), 3000);
    throw new Error("401");
  }
  const json = response.headers.get("content-type")?.includes("application/json");
  return { json, status: response.status, reply: json ? await response.json() : await response.text() };
}

/** Calls back with the reply; a `code` below 0 shows a message and never calls back. */
export async function fetchPost(url, data, callback, headers) {
  let sent;
  try {
    sent = await send(url, data, headers);
  } catch (error) {
    console.warn("fetch post failed", error, url);
    return;
  }
  const { reply } = sent;
  if (isFailure(reply)) return;
  callback?.(reply);
}

/** Resolves with the reply, whatever its code; a failure also shows a message. */
export async function fetchSyncPost(url, data, headers) {
  const { reply } = await send(url, data, headers);
  isFailure(reply);
  return reply;
}

/** A GET that calls back with JSON or text. */
export async function fetchGet(url, callback) {
  const response = await fetch(url);
  const json = response.headers.get("content-type")?.includes("application/json");
  callback?.(json ? await response.json() : await response.text());
}

function isFailure(reply) {
  const failed = reply && typeof reply === "object" && typeof reply.code === "number"
    && reply.code < 0 && typeof reply.msg === "string";
  if (failed) showMessage(reply.msg, 0, "error");
  return failed;
}
