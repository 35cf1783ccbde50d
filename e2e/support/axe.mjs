// The findings of axe in the panel, in both themes, with everything it reports about each element.
import { createRequire } from "node:module";
import { THEMES } from "./pictures.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const PANEL = ".b3-dialog--open .pup-panel";

/** Makes axe known to a page. */
export const withAxe = (page) => page.addScriptTag({ path: AXE });

/** The findings in the open panel, or `within` another element, and whether it is wider than the page; `name` begins each line. */
export async function findings(page, name, within = PANEL) {
  const found = [];
  for (const theme of THEMES) {
    await page.evaluate((mode) => { document.documentElement.dataset.themeMode = mode; }, theme);
    // Colours change slowly.
    await page.evaluate(() => document.getAnimations().forEach((it) => { if (it instanceof CSSTransition) it.finish(); }));
    const more = await page.evaluate(async (panel) => {
      const { violations } = await globalThis.axe.run(panel, { resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) => nodes.map((it) => `${id} ${it.target.join(" ")}: ${it.any[0]?.message ?? it.failureSummary} ${it.html}`));
    }, within);
    found.push(...more.map((it) => `${name}, ${theme}: ${it}`));
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${name}, ${theme}: wider than the page`);
  }
  return found;
}
