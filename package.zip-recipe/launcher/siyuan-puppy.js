#!/usr/bin/env node
// Starts the program for this machine, from the package that npm installed for its platform.
"use strict";
const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const leaf = process.platform === "win32" ? "siyuan-puppy.exe" : "siyuan-puppy";

/** The path of the program; without its package there is nothing to start. */
function program() {
  try {
    return require.resolve(`@siyuan-mcp-puppy/${platform}/bin/${leaf}`);
  } catch {
    console.error(`siyuan-puppy: there is no program for ${platform}, or npm left its package out. Install again without --omit=optional.`);
    process.exit(1);
  }
}

// The program ends with this process, even if that is killed.
const child = spawn(program(), process.argv.slice(2), {
  stdio: "inherit",
  env: { SIYUAN_MCP_PARENT_PID: String(process.pid), ...process.env },
});

/** @type {NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`siyuan-puppy: the program could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  for (const it of signals) process.removeAllListeners(it);
  if (signal) process.kill(process.pid, signal);
  else process.exit(code ?? 1);
});
