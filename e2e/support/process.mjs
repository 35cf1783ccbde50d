// Child processes of a test: started until they report ready, ended by id, never left behind.
import { spawn } from "node:child_process";

const alive = new Set();
process.on("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => process.exit(1));
}

/** Runs a program; waits until `ready` matches its output and returns the first group. */
export async function start(program, args, { env = {}, ready, deadline = 20_000 } = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  alive.add(child);
  let output = "";
  const ended = new Promise((done) => child.once("exit", (code, signal) => {
    alive.delete(child);
    done({ code, signal });
  }));
  const match = await new Promise((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`${program} did not get ready:\n${output}`)), deadline);
    const read = (chunk) => {
      output += chunk;
      const hit = ready.exec(output);
      if (!hit) return;
      clearTimeout(timer);
      found(hit);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", failed);
    ended.then(({ code }) => failed(new Error(`${program} ended with ${code}:\n${output}`)));
  });
  let expected = false;
  ended.then(({ code, signal }) => {
    if (!expected && code !== 0) console.error(`${program} ended by itself (${signal ?? code}): ${output.trim().split("\n").slice(-6).join(" | ")}`);
  });
  return {
    pid: child.pid,
    match,
    ended,
    output: () => output,
    async stop(signal = "SIGTERM") {
      expected = true;
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      const result = await ended;
      clearTimeout(timer);
      return result;
    },
  };
}

/** Runs a program to its end; returns its exit code, its stdout, and all of its output. */
export async function run(program, args, { env = {}, input = "", deadline = 240_000 } = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: "pipe" });
  alive.add(child);
  child.stdin.on("error", () => {}); // a program that reads nothing may end before it was told anything
  child.stdin.end(input);
  let output = "";
  let stdout = "";
  child.stdout.on("data", (chunk) => { output += chunk; stdout += chunk; });
  child.stderr.on("data", (chunk) => { output += chunk; });
  const timer = setTimeout(() => child.kill("SIGKILL"), deadline);
  const code = await new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  clearTimeout(timer);
  alive.delete(child);
  return { code, stdout, output };
}

/** Whether a process with that id exists and has not ended. */
export function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Repeats the check until its result is truthy, for at most `deadline` ms. */
export async function until(check, { deadline = 30_000, every = 25, what = "the condition" } = {}) {
  const end = Date.now() + deadline;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not hold within ${deadline} ms`);
    await new Promise((done) => setTimeout(done, every));
  }
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
