// The whole system for one test file: a demo kernel with a fresh workspace, and a sidecar over HTTP, on free ports.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_DIR, PLUGIN, PLUGIN_DIR, STAGE_DIR, demoKernelBinary, running, sidecarBinary } from "./config.mjs";
import { Kernel } from "./kernel.mjs";
import { start } from "./process.mjs";

/** Starts a demo kernel with the fixture (or, with `empty`, without); `plugin` installs the built plugin, `siyuan` is its version. */
export async function startKernel({ empty = false, plugin = false, token = "", siyuan = "3.7" } = {}) {
  if (running.kernelUrl) {
    return { kernel: new Kernel(running.kernelUrl, running.kernelToken), stop: async () => {} };
  }
  const workspace = mkdtempSync(join(tmpdir(), "puppy-e2e-"));
  if (plugin) installPlugin(workspace);
  const args = ["--port", "0", "--workspace", workspace, "--stage", STAGE_DIR, "--siyuan", siyuan];
  args.push(...(empty ? ["--empty"] : ["--fixture", FIXTURE_DIR]));
  if (token) args.push("--token", token);
  const child = await start(demoKernelBinary(), args, { ready: /demo-kernel listening on (http:\/\/\S+)/ });
  return {
    kernel: new Kernel(child.match[1], token),
    workspace,
    async stop() {
      await child.stop();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

function installPlugin(workspace) {
  if (!existsSync(join(PLUGIN_DIR, "index.js"))) {
    throw new Error(`no plugin in ${PLUGIN_DIR}: run \`cargo recipe wasm\` or set PLUGIN_DIR`);
  }
  const target = join(workspace, "data", "plugins", PLUGIN);
  mkdirSync(target, { recursive: true });
  cpSync(PLUGIN_DIR, target, { recursive: true });
}

/** The environment a sidecar needs to find this kernel. */
export function sidecarEnv(kernel, token = "") {
  return {
    SIYUAN_API_URL: kernel.url,
    // Without a value the variable is removed, whatever the caller's own environment contains.
    SIYUAN_TOKEN: kernel.token || undefined,
    SIYUAN_MCP_TOKEN: token || undefined,
    SIYUAN_MCP_PARENT_PID: String(process.pid),
    NO_COLOR: "1",
  };
}

/** Starts the sidecar over HTTP, with further flags in `args` and variables in `env`; it watches this process and ends with it. */
export async function startSidecar(kernel, { token = "", args = [], env = {} } = {}) {
  if (running.mcpUrl) return { url: running.mcpUrl, stop: async () => {} };
  const child = await start(sidecarBinary(), ["http", "--port", "0", ...args], {
    env: { ...sidecarEnv(kernel, token), ...env },
    ready: /siyuan-puppy listening on (http:\/\/\S+)/,
  });
  return { url: child.match[1], pid: child.pid, output: child.output, stop: () => child.stop() };
}

/** Kernel and sidecar together; `token` guards the sidecar, `kernelToken` the kernel. */
export async function startSystem(options = {}) {
  const kernel = await startKernel({ ...options, token: options.kernelToken });
  try {
    const sidecar = await startSidecar(kernel.kernel, options);
    return {
      ...kernel,
      sidecar,
      stopKernel: kernel.stop,
      async stop() {
        await sidecar.stop();
        await kernel.stop();
      },
    };
  } catch (error) {
    await kernel.stop();
    throw error;
  }
}
