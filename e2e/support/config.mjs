// The locations of the parts under test: environment first, then the output folders of cargo and the recipe.
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const env = process.env;

/** The folder of this package and of the repository. */
export const E2E = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const ROOT = resolve(E2E, "..");
export const BUILD_DIR = resolve(env.BUILD_DIR ?? join(ROOT, "build"));
export const PLUGIN_DIR = resolve(env.PLUGIN_DIR ?? join(BUILD_DIR, "plugin"));
export const STAGE_DIR = join(E2E, "stage");
export const FIXTURE_DIR = join(ROOT, "demo-kernel", "fixture");
export const PLUGIN = "siyuan-mcp-puppy";
export const STORAGE = `/data/storage/petal/${PLUGIN}`;
export const EVENTS = `/temp/${PLUGIN}/puppyEvents.json`;
export const STATS = `/temp/${PLUGIN}/puppyStats.json`;
export const PURSES = `/temp/${PLUGIN}/coins`;

/** A part that already runs and must not be started here, or undefined. */
export const running = {
  kernelUrl: env.KERNEL_URL,
  kernelToken: env.KERNEL_TOKEN ?? "",
  mcpUrl: env.MCP_URL,
};

/** The packages of programs with another name. */
const PACKAGES = { "siyuan-puppy": "puppy-server", puppy: "puppy-ui-puppy" };

function binary(variable, name) {
  const given = env[variable];
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const target = resolve(env.CARGO_TARGET_DIR ?? join(ROOT, "target"));
  const built = ["release", "debug"].map((profile) => join(target, profile, file)).filter(existsSync);
  const newest = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  const path = given ?? newest;
  if (!path || !existsSync(path)) {
    throw new Error(`${name} is not built: run \`cargo build -p ${name === "siyuan-puppy" ? "puppy-server" : name}\` or set ${variable}`);
  }
  return resolve(path);
}

export const sidecarBinary = () => binary("SIYUAN_PUPPY_BIN", "siyuan-puppy");
export const demoKernelBinary = () => binary("DEMO_KERNEL_BIN", "demo-kernel");
/** The puppy's native program, which prints its contact sheet. */
export const puppyBinary = () => binary("PUPPY_SHEET_BIN", "puppy");
/** The sidecar's HTTP layers over the fixtures of the conformance suite. */
export const conformanceBinary = () => binary("CONFORMANCE_BIN", "conformance-server");

/** The command that replays the official Python client, whose packages `cargo verify clients` puts below `build/`. */
export function pythonClient() {
  const packages = resolve(env.PYTHON_CLIENT_DIR ?? join(BUILD_DIR, "tools", "python-client"));
  if (!existsSync(packages)) throw new Error(`no Python packages in ${packages}: run \`cargo verify clients\``);
  const script = join(E2E, "python", "read_actions.py");
  return { interpreter: env.PYTHON ?? "python3", script, env: { PYTHONPATH: packages } };
}
