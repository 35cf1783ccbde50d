// Makes the icon of bundles, 512 x 512: the happy puppy of the contact sheet on the ground of icon.png. It is run by a
// person when the puppy's drawing changes: `node e2e/support/icon.mjs package.zip-recipe/icon-512.png`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";
import { BUILD_DIR, puppyBinary } from "./config.mjs";

const SIZE = 512;
const [file] = process.argv.slice(2);
assert.ok(file, "usage: node e2e/support/icon.mjs FILE");

mkdirSync(BUILD_DIR, { recursive: true });
const sheet = join(BUILD_DIR, "puppy-icon.html");
writeFileSync(sheet, execFileSync(puppyBinary(), { maxBuffer: 1 << 28 }));
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.goto(pathToFileURL(sheet).href);
  const found = await page.evaluate((size) => {
    const figures = [...document.querySelectorAll("#light-96-colour figure")];
    const dog = figures.find((it) => it.querySelector("figcaption").textContent === "happy")?.querySelector(".pup-dog");
    if (!dog) return false;
    const edge = size / 40;
    const ground = document.createElement("div");
    ground.style.cssText = `position: fixed; inset: ${edge}px; border-radius: ${size * 0.2}px; background: linear-gradient(165deg, #dceeff, #bbd9ff); display: grid; place-items: center;`;
    dog.style.cssText += `; width: ${size * 0.8}px; height: ${size * 0.8}px; position: relative; container: none;`;
    ground.append(dog);
    document.documentElement.style.background = "none";
    document.body.replaceChildren(ground);
    return true;
  }, SIZE);
  assert.ok(found, "the contact sheet has no picture `happy`");
  await page.screenshot({ path: file, omitBackground: true });
} finally {
  await browser.close();
}
const png = readFileSync(file);
assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [SIZE, SIZE]);
console.log(`${file}: ${png.length} bytes`);
