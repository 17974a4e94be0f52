// A hand tapped together on the players' cards: its stages, its line, and taps that mean nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, newHand, ofWinner, stageOf, stick, tap, without } from "../../static/hands/hand_state.js";

/** @param {Partial<import("../../static/hands/hand_state.js").CardHand>} parts */
const hand = (parts) => ({ ...newHand(), ...parts });
const win = (seat, value = "", pao = "", chips = "") => ({ seat, value, pao, chips });

test("a hand goes from stage to stage and writes its line", () => {
  for (const [parts, stage, line] of [
    [{}, "start", ""],
    [{ winners: [win("2")] }, "how", "2"],
    [{ kind: "ron", winners: [win("2")] }, "loser", "2r"],
    [{ kind: "ron", loser: "3", winners: [win("2")] }, "value", "2r3"],
    [{ kind: "ron", loser: "3", winners: [win("2", "340")], riichi: "12" }, "riichi", "2r3 340/12"],
    [{ kind: "ron", loser: "3", winners: [win("2", "340"), win("4")] }, "value", "2r3 340+4"],
    [{ kind: "ron", loser: "3", winners: [win("2", "340"), win("4", "m")] }, "riichi", "2r3 340+4 m"],
    [{ kind: "tsumo", winners: [win("2", "y", "1")] }, "riichi", "2t y p1"],
    [{ kind: "draw", tenpai: "13", riichi: "1", dead: "2" }, "tenpai", "d13 x2/1"],
    [{ kind: "draw", mode: "riichi" }, "riichi", "d"],
    [{ kind: "chombo", offenders: "2" }, "offender", "c2"],
    [{ kind: "nagashi", nagashi: "2", tenpai: "1" }, "tenpai", "n2 d1"],
    [{ kind: "nagashi", nagashi: "2c", tenpai: "1" }, "tenpai", "n2c d1"],
    [{ kind: "chombo", offenders: "2", mode: "riichi" }, "riichi", "c2"],
    [{ kind: "abort", abort: "k" }, "riichi", "ak"],
    [{ kind: "ron", loser: "3", winners: [win("2", "=5200", "", "2")], riichi: "23", back: true }, "riichi", "2r3 =5200 c2/23b"],
    [{ kind: "ron", loser: "3", winners: [win("2", "340")], riichi: "2", back: true }, "riichi", "2r3 340/2"],
    [
      { kind: "tsumo", winners: [win("1", "230")], stops: true, dead: "2", said: "2000", note: "loud" },
      "riichi",
      "1t 230 e x2 !2000 #loud",
    ],
  ]) {
    assert.equal(stageOf(hand(parts)), stage);
    assert.equal(lineOf(hand(parts)), line);
  }
});

test("a card is marked and unmarked, seats in order", () => {
  const draw = hand({ kind: "draw" });
  const both = tap(tap(draw, "3", 3), "1", 3);
  assert.equal(both.tenpai, "13");
  assert.equal(tap(both, "3", 3).tenpai, "1");
});

test("a stick is riichi and tenpai in one, and taken off alone", () => {
  const all = ["4", "1", "3"].reduce(stick, hand({ kind: "draw" }));
  assert.equal(lineOf(all), "d134/134");
  assert.equal(lineOf(stick(all, "3")), "d134/14");
  assert.equal(lineOf(tap(all, "3", 3)), "d14/134");
});

test("a ron is the winner's card and the discarder's, more winners their cards before the values", () => {
  const ron = ["2", "3", "4"].reduce((so, seat) => tap(so, seat, 3), hand({}));
  assert.equal(lineOf(ofWinner(ofWinner(ron, { value: "340" }), { value: "m" })), "2r3 340+4 m");
  assert.equal(tap(tap(tap(hand({}), "2", 1), "3", 1), "4", 1), null);
});

test("a card that cannot be meant does nothing", () => {
  const ron = hand({ kind: "ron", loser: "3", winners: [win("2", "y")] });
  assert.equal(tap(hand({ kind: "ron", winners: [win("2")] }), "2", 3), null);
  assert.equal(tap(hand({ winners: [win("2")] }), "2", 3), null);
  for (const seat of ["2", "3"]) assert.equal(tap({ ...ron, mode: "second" }, seat, 3), null);
  assert.equal(tap({ ...ron, mode: "more" }, "1", 3), null);
  const liable = tap({ ...ron, mode: "liable" }, "1", 3);
  assert.equal(liable.winners[0].pao, "1");
  assert.equal(tap(liable, "1", 3).winners[0].pao, "");
});

test("of two winners the liable player and the chips are the tapped one's", () => {
  const two = hand({ kind: "ron", loser: "3", winners: [win("2", "y"), win("4", "y")], at: 1, mode: "liable" });
  assert.equal(lineOf(tap(tap(two, "2", 3), "1", 3)), "2r3 y p1+4 y");
  assert.equal(lineOf(ofWinner(tap({ ...two, mode: "chips" }, "2", 3), { chips: "3" })), "2r3 y c3+4 y");
});

test("a hand that was typed is taken back step by step", () => {
  const lines = [];
  let so = hand({ kind: "ron", loser: "3", winners: [win("2", "340"), win("4", "m")], riichi: "2" });
  while (lineOf(so)) {
    so = without(so);
    lines.push(lineOf(so));
  }
  assert.deepEqual(lines, ["2r3 340+4 m", "2r3 340+4", "2r3 340", "2r3", "2", ""]);
  assert.equal(lineOf(without(hand({ kind: "draw", tenpai: "1" }))), "");
});
