// Unpacks the browser before several tests start it at once: each of them would do so otherwise.
import { findChromium } from "./chromium.mjs";

await findChromium();
