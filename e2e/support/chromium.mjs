// A real Chromium: the one in CHROMIUM, one of this machine, or the one from an npm package (`CHROMIUM=packaged`).
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BUILD_DIR } from "./config.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

function onPath(name) {
  if (process.platform === "win32") return undefined;
  const found = spawnSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

/**
 * Unpacks the package's browser below the build folder. The package was made for servers without any library:
 * it unpacks its own (and a font set) where it detects such a server. So we simulate one, and prefer the
 * machine's libraries afterwards.
 */
async function fromPackage() {
  const folder = join(BUILD_DIR, "chromium");
  const path = join(folder, "chromium");
  const done = join(folder, "complete");
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const before = { ...process.env };
    try {
      Object.assign(process.env, { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
      const { default: packaged } = await import("@sparticuz/chromium");
      await packaged.executablePath();
    } finally {
      for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
      Object.assign(process.env, before);
    }
    writeFileSync(done, "");
  }
  const env = {};
  if (spawnSync("ldd", [path], { encoding: "utf8" }).stdout?.includes("not found")) {
    env.LD_LIBRARY_PATH = join(folder, "al2023", "lib");
  }
  if (!existsSync("/etc/fonts/fonts.conf")) env.FONTCONFIG_PATH = join(folder, "fonts");
  return { path, env };
}

/** A Chromium that starts here, with the environment it needs. */
export async function findChromium() {
  const given = process.env.CHROMIUM;
  if (given === "packaged") return fromPackage();
  if (given) return { path: given, env: {} };
  const here = [...NAMES.map(onPath), ...PLACES].find((path) => path && existsSync(path));
  if (here) return { path: here, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return fromPackage();
  throw new Error("no Chromium found: install Chromium or Chrome, or set CHROMIUM to its path");
}

/** Starts it with a fresh profile and no background traffic; `more` are further flags. */
export async function launch(more = []) {
  const { path, env } = await findChromium();
  return chromium.launch({ executablePath: path, headless: true, args: [...FLAGS, ...more], env: { ...process.env, ...env } });
}
