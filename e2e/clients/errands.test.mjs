// Errands through a real MCP client: each of the scripted agent's twelve tasks asks one question instead of several.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ERRANDS, runErrand } from "../agent/errands.mjs";
import { call, connectAnswering } from "../support/mcp.mjs";
import { startSystem } from "../support/system.mjs";

describe("errands of the scripted agent", () => {
  let system;
  before(async () => { system = await startSystem({ args: ["--confirm", "ask,block"] }); });
  after(() => system?.stop());

  /** Runs a task in a session of its own, allowing everything; returns the questions. */
  const questions = async (errand, options) => {
    const asked = [];
    const client = await connectAnswering(system.sidecar.url, ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { confirm: true } };
    });
    const agent = {
      async call(tool, action, args) {
        const { ok, data, error } = await call(client, tool, action, args);
        assert.ok(ok, `${tool}.${action}: ${JSON.stringify(error)}`);
        return data;
      },
    };
    await runErrand(agent, errand, options);
    await client.close();
    return asked;
  };

  assert.equal(ERRANDS.length, 12);
  for (const errand of ERRANDS) {
    test(errand.purpose, async () => {
      const asked = await questions(errand);
      assert.equal(asked.length, 1, asked.join("\n---\n"));
      assert.ok(asked[0].includes(`“${errand.purpose}”`), asked[0]);
      const alone = await questions(errand, { alone: true });
      assert.ok(alone.length >= 2, `without an errand: ${alone.length} questions`);
    });
  }
});
