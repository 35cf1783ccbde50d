// Records which properties a browser sets for generated styles: node e2e/kernel/styles.mjs. A test in
// `content::style` of core compares its grammar with the recording. The same seed generates the same styles. Each is
// recorded twice, in its own spelling and as the grammar prints it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../support/chromium.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = join(ROOT, "core/tests/incoming/styles.jsonl");

let state = 20250101n;
/** The same choices on every machine. */
function below(end) {
  state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
  return Number((state >> 33n) % BigInt(end));
}
const of = (items) => items[below(items.length)];

const NAMES = ["color", "background-color", "background", "font-size", "font-weight", "font-style", "text-decoration", "text-align", "vertical-align", "direction", "width", "height", "min-width", "max-width", "flex", "margin", "text-shadow", "--b3-parent-background", "-webkit-text-stroke", "-webkit-text-fill-color"];
const OTHER = ["position", "z-index", "inset", "top", "pointer-events", "transform", "translate", "margin-top", "opacity", "visibility", "display", "content", "filter", "animation", "all", "float", "--x", "--b3-theme-background", "POSITION", "co\\6cor", "pos/**/ition", "background-image", "clip-path", "appearance", "font", "border", "offset", "zoom"];
const VALUES = ["red", "RED", "transparent", "inherit", "unset", "currentcolor", "#fff", "#FFFA", "#12345", "rgb(1,2,3)", "rgba(1, 2, 3, 0.5)", "rgb(1,2,3,4)", "hsl(120deg,50%,50%)", "rgb(1 2 3)", "var(--b3-font-color1)", "var(--b3-x,red)", "var(--x)", "18px", "9px", "8px", "72px", "1.2em", "120%", "50%", "101%", "0", "0px", "-9px", "1e2px", "99999px", "4000px", "10vw", "auto", "calc(50% - 8px)", "calc(50% + 8px)", "calc(50% - 8px) ", "bold", "700", "italic", "underline", "center", "justify", "middle", "rtl", "none", "1", "0 auto", "0px auto 0 auto", "auto -9px", "fixed", "absolute", "url(x)", "0.2px var(--b3-theme-on-background)", "1px 1px var(--b3-theme-surface-lighter), 2px 2px var(--b3-theme-surface-lighter), 3px 3px var(--b3-theme-surface-lighter), 4px 4px var(--b3-theme-surface-lighter)", "red !important", "\"red\"", "red/*x*/", "red\\", "expression(x)", "red fixed", "local", "scroll", "nope", ""];
/** Values that fit a property; any other value as often. */
const FITTING = {
  color: ["red", "#fff", "rgb(1,2,3)", "var(--b3-font-color1)", "hsl(120deg,50%,50%)", "transparent"], "font-size": ["18px", "1.2em", "120%", "large", "72px", "9px"], width: ["50%", "300px", "calc(50% - 8px)", "auto", "4000px", "0px"],
  "font-weight": ["bold", "700"], "font-style": ["italic"], "text-decoration": ["underline", "line-through"], "text-align": ["center", "justify", "right"], "vertical-align": ["middle", "super"], direction: ["rtl", "ltr"], flex: ["none", "1"], margin: ["0 auto", "0px", "0 0 0 auto"],
};
for (const name of ["background-color", "background", "--b3-parent-background"]) FITTING[name] = FITTING.color;
for (const name of ["height", "min-width", "max-width"]) FITTING[name] = FITTING.width;
const JOINS = ["; ", ";", ";;", " ; ", "}", "{", ":", ";\n", "/*", "\t;", ";@import x;", "\\;", "\";", "!important;", ";;; "];

const styles = new Set();
while (styles.size < 3000) {
  let style = "";
  for (let parts = 1 + below(3); parts > 0; parts -= 1) {
    const name = below(5) === 0 ? of(OTHER) : of(NAMES);
    style += `${of(["", "", " "])}${name}${of(["", "", " "])}:${of(["", " ", "  "])}${of((below(3) && FITTING[name]) || VALUES)}${below(5) === 0 ? of(JOINS) : of(JOINS.slice(0, 4))}`;
  }
  styles.add(style);
}

const browser = await launch();
const page = await browser.newPage();
const record = (all) => page.evaluate((all) => all.map((style) => {
  const made = document.createElement("p");
  made.setAttribute("style", style);
  return { style, sets: [...made.style] };
}), all);
const write = (lines) => writeFileSync(FILE, `${lines.map((it) => JSON.stringify(it)).join("\n")}\n`);
write(await record([...styles]));
// The test prints how the grammar prints them.
const run = spawnSync("cargo", ["test", "-q", "-p", "puppy-core", "--lib", "--", "--exact", "--nocapture", "content::style::tests::accepted_styles_set_allowed_properties_only"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
const printed = run.stdout.split("\n").filter((it) => it.startsWith("printed ")).map((it) => JSON.parse(it.slice(8)));
const all = [...new Set([...styles, ...printed])];
write(await record(all));
console.log(`${all.length} styles recorded by ${browser.version()}`);
await browser.close();
