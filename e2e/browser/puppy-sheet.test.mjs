// The contact sheet: every look of the puppy as pictures for people, and proof that states differ in shape.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { launch } from "../support/chromium.mjs";
import { BUILD_DIR, puppyBinary } from "../support/config.mjs";
import { picture } from "../support/pictures.mjs";

const SHEET = join(BUILD_DIR, "puppy-everything.html");
/** The least share of a picture's 48 x 48 points in which the two most similar states differ. */
const LEAST_DIFFERENCE = 0.02;
/** The difference, in shades of 256, from which two points count as different. */
const SHADE = 40;

describe("contact sheet", () => {
  let browser;
  before(async () => {
    mkdirSync(BUILD_DIR, { recursive: true });
    writeFileSync(SHEET, execFileSync(puppyBinary(), { maxBuffer: 1 << 28 }));
    browser = await launch();
  });
  after(() => browser?.close());

  async function open(options = {}) {
    const page = await browser.newPage({ viewport: { width: 1240, height: 900 }, ...options });
    await page.goto(pathToFileURL(SHEET).href);
    return page;
  }

  test("every state, prop, item, motion, coat and collar is drawn, in both themes and sizes, in colour and grey", async () => {
    const page = await open({ deviceScaleFactor: 2 });
    const sections = await page.locator("section").evaluateAll((all) => all.map((one) => one.id));
    const only = (id) => page.evaluate((shown) => document.querySelectorAll("section").forEach((one) => { one.hidden = shown !== undefined && one.id !== shown; }), id);
    // One element at a time: the whole page has hundreds of drawings, and each picture would paint them all.
    for (const id of sections) {
      await only(id);
      await picture(page, `puppy-everything-${id}`, page.locator(`#${id}`));
    }
    await only(undefined);
    const counts = await page.evaluate(() => [...document.querySelectorAll("section")].map((section) =>
      [...section.querySelectorAll(".pup-dog")].filter((dog) => {
        const skull = dog.querySelector('[data-part="head"]').getBoundingClientRect();
        return skull.width > 15 && skull.height > 10;
      }).length));
    assert.equal(sections.length, 9);
    assert.equal(new Set(counts.slice(0, 8)).size, 1, `the same pictures in each look: ${counts}`);
    assert.ok(counts.every((count) => count > 60), `${counts}`);
    await page.close();
  });

  test("no two states look alike at 48 px in grey, without their marks", async () => {
    const page = await open();
    await page.addStyleTag({ content: "section:not(#light-48-grey), .dog-mark { display: none; }" });
    const row = page.locator("#light-48-grey .row").first();
    const dogs = await row.locator(".pup-dog:not([data-mark=burst])").evaluateAll((all) => {
      const row = all[0].closest(".row").getBoundingClientRect();
      return all.map((dog) => {
        const box = dog.getBoundingClientRect();
        return { state: dog.dataset.state, x: box.x - row.x, y: box.y - row.y };
      });
    });
    const png = (await row.screenshot()).toString("base64");
    const pairs = await page.evaluate(async ([png, dogs, shade]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
      const points = dogs.map(({ x, y }) => {
        const context = new OffscreenCanvas(48, 48).getContext("2d");
        context.drawImage(image, -Math.round(x), -Math.round(y));
        return context.getImageData(0, 0, 48, 48).data.filter((_, at) => at % 4 === 0);
      });
      const differing = (one, other) => one.filter((value, at) => Math.abs(value - other[at]) > shade).length / one.length;
      return dogs.flatMap(({ state }, at) => dogs.slice(0, at).map((other, before) =>
        ({ pair: `${other.state} and ${state}`, differs: differing(points[at], points[before]) })));
    }, [png, dogs, SHADE]);
    pairs.sort((one, other) => one.differs - other.differs);
    console.log(`states at 48 px in grey, most alike: ${pairs.slice(0, 3).map(({ pair, differs }) => `${pair} (${(differs * 100).toFixed(1)} % of points)`).join(", ")}`);
    assert.equal(dogs.length, 16);
    assert.ok(pairs[0].differs >= LEAST_DIFFERENCE, JSON.stringify(pairs[0]));
    await page.close();
  });

  test("who wants no motion gets none: no animation and no transition anywhere", async () => {
    const page = await open({ reducedMotion: "reduce" });
    const moving = () => page.evaluate(() => document.getAnimations().length);
    assert.equal(await moving(), 0);
    await page.evaluate(() => document.querySelectorAll("[data-part=head]").forEach((head) => { head.style.transform = "translate(3px,0)"; }));
    assert.equal(await moving(), 0);
    const usual = await open({ reducedMotion: "no-preference" });
    assert.ok(await usual.evaluate(() => document.getAnimations().length) > 0, "the strips of motions move otherwise");
    await usual.close();
    await page.close();
  });
});
