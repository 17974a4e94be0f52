import assert from "node:assert/strict";
import test from "node:test";

import {
  chosenWin,
  emptyHand,
  inOrder,
  putTiles,
  readLine,
  readTableLine,
  readTiles,
  tilesHeld,
  withGiven,
  withoutGiven,
  writeLine,
  writeTiles,
} from "../../static/calculator/tile_line.js";

test("tiles are read and written with a suit for neighbours", () => {
  assert.deepEqual(readTiles("456m22p"), ["4m", "5m", "6m", "2p", "2p"]);
  assert.deepEqual(readTiles(""), []);
  for (const wrong of ["12", "x", "1q", "8z", "0z"]) assert.equal(readTiles(wrong), null, wrong);
  assert.equal(writeTiles(["4m", "0m", "2p", "3m"]), "40m2p3m");
  assert.deepEqual(inOrder(["1z", "6m", "0m", "5m", "1p"]), ["5m", "0m", "6m", "1p", "1z"]);
});

test("a hand line comes back as it was", () => {
  for (const line of [
    "34p678m66s2p 345m 777z d158m wES",
    "123m406p789s11z2z t rr i hai d1m u2p k2 h3",
    "- x1111z +2222s> 333p<",
    "11z 5555m^ rin chan hou first",
  ]) {
    assert.equal(writeLine(readLine(line)).split(" ").sort().join(" "), sortedAs(line), line);
  }
});

// Concealed tiles are put in order, but for the winning one.
function sortedAs(line) {
  const [tiles, ...rest] = line.split(" ");
  const list = tiles === "-" ? null : readTiles(tiles);
  const hand = list ? writeTiles([...inOrder(list.slice(0, -1)), ...list.slice(-1)]) : tiles;
  return [hand, ...rest].sort().join(" ");
}

test("blanks between concealed tiles are no called sets where the tiles make a hand", () => {
  const state = readLine("123m 456p 789s 11z 23p 1p r");
  assert.deepEqual([state.hand.length, state.hand.at(-1), state.melds, state.unread], [14, "1p", [], []]);
  assert.equal(readLine("11z 123m 456p 789s 222z").melds.length, 4);
  assert.equal(readLine("123m 456p 11z 23p 1p 777z<").melds.length, 1);
});

test("the last tile wins, melds are named by their tiles", () => {
  const state = readLine("23m1m 345p< 777z 0555s x1111z 2222m+ +2222m^");
  assert.deepEqual(state.hand, ["2m", "3m", "1m"]);
  assert.deepEqual(
    state.melds.map(({ kind, from }) => [kind, from]),
    [
      ["chi", "<"],
      ["pon", ""],
      ["daiminkan", ""],
      ["ankan", ""],
      ["shouminkan", "^"],
    ],
  );
  assert.deepEqual(state.unread, ["2222m+"]);
  assert.equal(tilesHeld(state), 3 + 5 * 3);
});

test("words that cannot be read are kept", () => {
  const line = "123m what r r9 wXX";
  assert.deepEqual(readLine(line).unread, ["what", "r9", "wXX"]);
  assert.equal(writeLine(readLine(line)), "123m r what r9 wXX");
  assert.equal(writeLine(emptyHand()), "");
  assert.equal(writeLine(readLine("- t")), "- t");
});

test("what is given is in the state and not in the line", () => {
  const given = { round: "S", seat: "W", tsumo: true, riichi: 1 };
  const state = withGiven(readLine("123m"), given);
  assert.deepEqual([state.round, state.seat, state.tsumo, state.riichi], ["S", "W", true, 1]);
  assert.equal(writeLine(withoutGiven(state, given)), "123m");
  assert.equal(writeLine(withoutGiven({ ...state, riichi: 2 }, given)), "123m rr");
});

test("a referee's line says who wins how, and where the values are", () => {
  const ron = readTableLine("2r3 340 /2 #why");
  assert.deepEqual([ron.tsumo, ron.riichi, ron.complete, ron.wins.length], [false, "2", true, 1]);
  assert.equal(ron.line.slice(ron.wins[0].from, ron.wins[0].to), "340");
  const two = readTableLine("2r3 [11z] + 4 2000");
  assert.deepEqual(
    two.wins.map(({ seat, tiles }) => [seat, tiles]),
    [
      ["2", "11z"],
      ["4", ""],
    ],
  );
  assert.equal(readTableLine("1t 330").tsumo, true);
  const open = readTableLine("1");
  assert.deepEqual([open.tsumo, open.complete], [null, false]);
  assert.deepEqual(readTableLine("draw 1 2").wins, []);
});

test("tiles go in as the value of the winner at the caret", () => {
  const two = readTableLine("2r3 [11z] + 4");
  assert.equal(chosenWin(two, 5), 0);
  assert.equal(chosenWin(two, 13), 1);
  assert.equal(putTiles(two, 1, "22z", false).line, "2r3 [11z] + 4 [22z]");
  const { line, caret } = putTiles(readTableLine("2r3 340#x"), 0, "11z", true);
  assert.deepEqual([line, caret], ["2r3 [11z]/2 #x", 12]);
  assert.equal(putTiles(readTableLine("2r3/2"), 0, "11z", true).line, "2r3 [11z]/2");
  assert.deepEqual(putTiles(readTableLine(""), 0, "11z", false), { line: "[11z]", caret: 0 });
});
