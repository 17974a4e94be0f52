import assert from "node:assert/strict";
import test from "node:test";

import {
  becameRow,
  changedTo,
  lastOwnRow,
  nextOf,
  Store,
  sameTable,
  sentAgain,
  togetherWith,
  WAITING,
  waitingByTable,
} from "../../static/hands/outbox_store.js";

const AT_1 = { event: "cup", round: 1, table: 1 };
const AT_2 = { event: "cup", round: 1, table: 2 };
const hand = (place, more = {}) => ({ ...place, line: "1t 330", account: "ann", base: 4, ...WAITING, ...more });

// Node has no IndexedDB, as a browser's private window may have none: the store then keeps its records in memory.
async function kept(...records) {
  const store = new Store();
  assert.equal(await store.open(() => {}), false);
  for (const record of records) await store.add(record);
  return store;
}

const facts = async (store) => (await store.all()).map(({ table, base, after }) => [table, base, after]);

test("a hand follows the one before it at its table", async () => {
  const store = await kept(hand(AT_1), hand(AT_2, { base: 7 }), hand(AT_1));
  const [first] = await store.all();
  assert.deepEqual(await facts(store), [
    [1, 4, null],
    [2, 7, null],
    [1, null, first.n],
  ]);
  assert.equal(store.unsafe, true);
});

test("when a hand is written the next one has seen its row", async () => {
  const store = await kept(hand(AT_1), hand(AT_1));
  const [first] = await store.all();
  assert.equal(await store.done(first.n, 9), true);
  assert.deepEqual(await facts(store), [[1, 9, null]]);
  assert.equal(await store.done(first.n, 9), false); // another tab was answered the same
  assert.deepEqual(await facts(store), [[1, 9, null]]);
});

test("a hand that is thrown away leaves its place to the next one", async () => {
  const store = await kept(hand(AT_1), hand(AT_1), hand(AT_1));
  const [first, second] = await store.all();
  await store.drop(second.n);
  assert.equal((await store.all())[1].after, first.n);
  await store.drop(first.n);
  assert.deepEqual(await facts(store), [[1, 4, null]]);
});

test("hands go out in order, one after the other at a table, those of the account only", async () => {
  const store = await kept(hand(AT_1, { state: "refused" }), hand(AT_1), hand(AT_2, { account: "bob" }), hand({ ...AT_2, table: 3 }));
  const records = await store.all();
  assert.equal(nextOf(records, "ann")?.table, 3);
  assert.equal(nextOf(records, "bob")?.table, 2);
  assert.equal(nextOf(records, "ann", [{ ...AT_2, table: 3 }]), undefined);
});

test("a record that the disk has is changed once, though the disk has failed since", async () => {
  const store = await kept();
  store.seen = [hand(AT_1, { n: 3, state: "refused" }), hand(AT_1, { n: 5, after: 3, base: null })]; // as read before it failed
  await store.change(3, (old) => sentAgain(old, "ann"));
  assert.deepEqual(
    (await store.all()).map(({ n, state }) => [n, state]),
    [
      [3, "waiting"],
      [5, "waiting"],
    ],
  );
  await store.done(3, 8);
  assert.deepEqual(await facts(store), [[1, 8, null]]);
});

test("a changed hand keeps its id and place, and has seen the rows up to its refusal", () => {
  const old = hand(AT_1, { n: 3, client_id: "a", after: null, last_seq: 6, state: "refused", problems: ["no"], kind: "hand" });
  const fresh = hand(AT_1, { client_id: "b", line: "2t 330", base: 5, account: "bob", who: "Bob" });
  const changed = changedTo(old, fresh);
  assert.deepEqual(
    [changed.n, changed.client_id, changed.line, changed.account, changed.base, changed.state, changed.problems],
    [3, "a", "2t 330", "bob", 6, "waiting", []],
  );
});

test("a hand sent again follows the rows of others only if they have overtaken it", () => {
  assert.equal(sentAgain(hand(AT_1, { state: "moved", last_seq: 9 }), "ann").base, 9);
  assert.equal(sentAgain(hand(AT_1, { state: "refused", last_seq: 9 }), "ann").base, 4);
});

test("hands are counted by table, with those that need a person", () => {
  const records = [hand(AT_1), hand(AT_1, { state: "moved" }), hand(AT_2, { account: "bob" })];
  assert.deepEqual(waitingByTable(records, "ann"), [
    { ...AT_1, waiting: 2, refused: 1 },
    { ...AT_2, waiting: 1, refused: 1 },
  ]);
});

test("rows of this tab may be followed, others not", () => {
  becameRow(AT_1, 4, 5);
  becameRow(AT_1, 5, 6);
  becameRow(AT_1, 8, 9);
  becameRow(AT_1, 9, 9); // an answer to a hand that was written before
  assert.deepEqual(
    [4, 5, 6, 7, 8].map((base) => lastOwnRow(AT_1, base)),
    [6, 6, 6, 7, 9],
  );
  assert.equal(lastOwnRow(AT_2, 4), 4);
  assert.deepEqual([sameTable(AT_1, { ...AT_1 }), sameTable(AT_1, AT_2), sameTable(AT_1, null)], [true, false, false]);
});

const tick = (who, more = {}) => ({
  ...hand({ event: "cup", round: 0, table: 0, lane: `check-in ${who}` }),
  action: "/check-in/",
  client_id: `${who}`,
  ...more,
});

test("acts of one address go out together, in order, and a hand alone", async () => {
  const store = await kept(tick(1), hand(AT_1), tick(2), tick(1, { client_id: "1 again" }), tick(3, { action: "/ready/" }));
  const all = await store.all();
  const ids = (first) => togetherWith(all, first).map(({ client_id }) => client_id);
  assert.deepEqual(ids(all[0]), ["1", "2", "1 again"]);
  assert.deepEqual(ids(all[2]), ["2"]); // the third follows the first, which is not with it
  assert.equal(togetherWith(all, all[1]).length, 1);
  assert.deepEqual(waitingByTable(all, "ann").length, 1);
  const many = await kept(...Array.from({ length: 60 }, (_each, n) => tick(n)));
  const waiting = await many.all();
  assert.equal(togetherWith(waiting, waiting[0]).length, 50);
});

test("of acts that went out together the refused ones wait, and nothing behind them goes", async () => {
  const store = await kept(tick(1), tick(2), tick(1, { client_id: "1 again" }));
  const all = await store.all();
  await store.answered(
    all.slice(0, 2),
    new Map([
      ["1", []],
      ["2", ["no"]],
    ]),
  );
  const left = await store.all();
  assert.deepEqual(
    left.map(({ client_id, state, after, problems }) => [client_id, state, after, problems]),
    [
      ["2", "refused", null, ["no"]],
      ["1 again", "waiting", null, []],
    ],
  );
});
