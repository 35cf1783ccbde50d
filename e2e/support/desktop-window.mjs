// The process of one window: starts the server, prints its id, and lives until it is killed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { electron, freePort, lock, modules, packageFolder } from "./desktop.mjs";

const [scripts, home, given] = process.argv.slice(2);
const kernel = JSON.parse(given);
const { Keeper } = await import(pathToFileURL(join(scripts, "keeper.js")).href);
const port = await freePort();
const keeper = new Keeper({
  node: modules(electron(home)),
  kernel,
  version: "0.1.0",
  packageFolder: packageFolder(kernel.workspace),
  settings: async () => ({ port, token: "" }),
  exclusive: lock(),
});
await keeper.attend();
console.log((await keeper.status()).pid);
