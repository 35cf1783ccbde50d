// Pictures for people, in the build folder. They take minutes and prove nothing, so they are taken only when wanted.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { BUILD_DIR } from "./config.mjs";

/** Whether the pictures of README and docs are made anew. */
export const DOCS_WANTED = process.env.DOCS_PICTURES === "1";
/** Whether any are taken. */
export const WANTED = DOCS_WANTED || process.env.PICTURES === "1";

/** A test that does nothing but take pictures; unless they are wanted, it does not exist. */
export const pictureTest = WANTED ? test : () => {};

/** A suite of such tests. */
export const pictureSuite = WANTED ? describe : () => {};

/** Waits for fonts, which load when their first character is drawn: until none has been loading for a while. */
function fontsLoaded(page) {
  return page.evaluate(async () => {
    for (let still = 0; still < 10; still = document.fonts.status === "loaded" ? still + 1 : 0) {
      await document.fonts.ready;
      await new Promise((done) => setTimeout(done, 20));
    }
  });
}

/** Waits until no font is loading and takes a picture into the build folder; returns its path, or nothing where none is wanted. */
export async function picture(page, name, target = page) {
  if (!WANTED) return undefined;
  const folder = join(BUILD_DIR, "screenshots");
  mkdirSync(folder, { recursive: true });
  await fontsLoaded(page);
  const path = join(folder, `${name}.png`);
  await target.screenshot({ path, animations: "allow" });
  return path;
}

export const THEMES = ["light", "dark"];

/** Takes the same picture in both themes of the stub page; `name(theme)` names each. Returns their paths. */
export async function pictures(page, name, target = page) {
  const paths = {};
  if (!WANTED) return paths;
  for (const theme of THEMES) {
    await page.evaluate((mode) => { document.documentElement.dataset.themeMode = mode; }, theme);
    paths[theme] = await picture(page, name(theme), target);
  }
  return paths;
}
