// A hand tapped together on the players' cards: its stages, its line, and taps that mean nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, newHand, stageOf, tap } from "../../static/js/card_hand.js";

/** @param {Partial<import("../../static/js/card_hand.js").CardHand>} parts */
const hand = (parts) => ({ ...newHand(), ...parts });
const win = (seat, value = "", pao = "") => ({ seat, value, pao });

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
    [{ kind: "abort", abort: "k" }, "riichi", "ak"],
  ]) {
    assert.equal(stageOf(hand(parts)), stage);
    assert.equal(lineOf(hand(parts)), line);
  }
});

test("a card is marked and unmarked, seats in order", () => {
  const draw = hand({ kind: "draw" });
  const both = tap(tap(draw, "tenpai", "3"), "tenpai", "1");
  assert.equal(both.tenpai, "13");
  assert.equal(tap(both, "tenpai", "3").tenpai, "1");
});

test("a card that cannot be meant does nothing", () => {
  const ron = hand({ kind: "ron", loser: "3", winners: [win("2", "y")] });
  assert.equal(tap(hand({ kind: "ron", winners: [win("2")] }), "loser", "2"), null);
  for (const seat of ["2", "3"]) assert.equal(tap(ron, "second", seat), null);
  assert.equal(tap(ron, "liable", "2"), null);
  assert.equal(tap(ron, "value", "1"), null);
  assert.equal(tap(ron, "liable", "1").winners[0].pao, "1");
});
