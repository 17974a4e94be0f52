import assert from "node:assert/strict";
import test from "node:test";

// What the module asks of a page: none of its facts are on this one.
globalThis.document = Object.assign(new EventTarget(), { getElementById: () => null });
const { learn, recall } = await import("../../static/hands/table_facts.js");

const PLACE = { event: "cup", round: 1, table: 1 };
const said = (seq, hand) => ({ event: "cup", round: 1, numbers: "totals", tables: [{ table: 1, seq, hand }] });

test("of two answers the one with the later row is kept, then the later one", async () => {
  const told = [];
  document.addEventListener("table-learned", ({ detail }) => told.push(detail.hand));
  await learn(said(3, "East 2"), 1000);
  await learn(said(2, "East 1"), 2000); // was on its way for longer
  assert.equal((await recall(PLACE))?.hand, "East 2");
  await learn(said(3, "East 2, signed"), 3000);
  await learn(said(3, "East 2"), 2500);
  assert.equal((await recall(PLACE))?.hand, "East 2, signed");
  assert.deepEqual(told, ["East 2", "East 2, signed"]);
  assert.equal(await recall({ ...PLACE, table: 2 }), null);
});

test("an answer without facts changes nothing", async () => {
  await learn(undefined);
  assert.equal((await recall(PLACE))?.seq, 3);
});
