import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { readLine } from "../../static/calculator/tile_line.js";
import * as rules from "../../static/calculator/tile_rules.js";

/** What the picker is told, see tests/calculator/test_calculator.py. */
const facts = JSON.parse(readFileSync(new URL("facts.json", import.meta.url), "utf8"));
const YONMA = facts["tenhou-yonma"];
const SANMA = { ...facts["sanmatsuri-2026"], reds: ["5p", "5p", "5s"] };

test("three players have no tiles 2 to 8 of characters", () => {
  assert.deepEqual(
    ["1m", "5m", "9m", "0m", "2p", "0p"].filter((tile) => rules.inSet(SANMA, tile)),
    ["1m", "9m", "2p", "0p"],
  );
});

test("plain and red fives are counted apart, kita and indicators too", () => {
  const state = readLine("550p 505m d5p");
  assert.equal(rules.leftOf(state, YONMA, "5p"), 0);
  assert.equal(rules.leftOf(state, YONMA, "0p"), 0);
  assert.equal(rules.leftOf(readLine("0p"), SANMA, "0p"), 1);
  assert.equal(rules.leftOf(readLine("4z k2"), SANMA, "4z"), 1);
  assert.equal(rules.whyNoTile(state, YONMA, "hand", "5p"), "all_used");
  assert.equal(rules.whyNoTile(state, YONMA, "hand", "0p"), "red_used");
});

test("a call takes the tiles that are left, with the red five if asked", () => {
  assert.deepEqual(rules.callOf(readLine(""), YONMA, "chii", "3m", true), ["3m", "4m", "0m"]);
  assert.deepEqual(rules.callOf(readLine(""), YONMA, "pon", "5s", false), ["5s", "5s", "5s"]);
  assert.deepEqual(rules.callOf(readLine(""), YONMA, "kan", "5s", false), ["5s", "5s", "5s", "0s"]);
  assert.equal(rules.callOf(readLine("11z"), YONMA, "pon", "1z"), null);
  assert.equal(rules.whyNoTile(readLine(""), YONMA, "chii", "8m"), "no_run");
  assert.equal(rules.whyNoTile(readLine("11z"), YONMA, "pon", "1z"), "too_few_left");
});

test("calls need room, and none is open after riichi", () => {
  assert.equal(rules.whyNoMode(readLine("123m r"), YONMA, "pon"), "riichi_open");
  assert.equal(rules.whyNoMode(readLine("123m r"), YONMA, "closed"), "");
  assert.equal(rules.whyNoMode(readLine("123456789m123p"), YONMA, "pon"), "no_room");
  assert.equal(rules.whyNoMode(readLine("1z 123m 456m 789m 123p"), YONMA, "pon"), "four_groups");
  assert.equal(rules.whyNoMode(readLine("123m first"), YONMA, "kan"), "first_meld");
  assert.equal(rules.whyNoMode(readLine("123m"), YONMA, "ura"), "needs_riichi");
});

test("a tap adds to its part, and what can no longer be is dropped", () => {
  const called = rules.tap(readLine("123m r i u2z"), YONMA, "closed", "1z", false);
  assert.deepEqual(called.melds, [{ kind: "ankan", tiles: ["1z", "1z", "1z", "1z"], from: "" }]);
  const settled = rules.settle({ ...readLine("123m r i hai t u1z"), riichi: 0, tsumo: false }, YONMA);
  assert.deepEqual([settled.ippatsu, settled.haitei, settled.ura], [false, false, []]);
  assert.deepEqual(rules.tap(readLine("1m"), YONMA, "dora", "9p").dora, ["9p"]);
});

test("conditions exclude each other as the book says", () => {
  const why = (line, flag, riichi) => rules.whyNoFlag(readLine(line), YONMA, flag, riichi);
  assert.equal(why("123m", "ippatsu"), "needs_riichi");
  assert.equal(why("123m 456m", "riichi"), "riichi_open");
  assert.equal(why("123m x1111z", "riichi"), "");
  assert.equal(why("123m", "haitei"), "needs_tsumo");
  assert.equal(why("123m t", "houtei"), "needs_ron");
  assert.equal(why("123m t", "rinshan"), "needs_kan");
  assert.equal(why("123m t x1111z", "rinshan"), "");
  assert.equal(why("123m wES first t", "first"), "");
  assert.equal(why("123m", "first"), "first_dealer");
  assert.equal(why("2233445566m111z2m", "chankan"), "chankan_own");
  assert.equal(why("123m x1111z r i", "riichi", 2), "double_riichi_ippatsu");
  assert.equal(why("123m x1111z rr", "ippatsu"), "double_riichi_ippatsu");
  assert.equal(why("123m x1111z r", "ippatsu"), "");
  assert.equal(rules.whyNoMode(readLine("123m rr i"), YONMA, "closed"), "double_riichi_ippatsu");
  assert.equal(rules.whyNoMode(readLine("123m r i"), YONMA, "closed"), "");
});

test("what a kita ends is the rule set's to say", () => {
  const endless = facts["kita ends nothing"];
  for (const [line, flag] of [
    ["1p t r rin k1", "ippatsu"],
    ["1p t r i k1", "rinshan"],
    ["1p t k1", "first"],
    ["1p rr k1", "ippatsu"],
  ]) {
    assert.notEqual(rules.whyNoFlag(readLine(line), SANMA, flag), "", line);
    assert.equal(rules.whyNoFlag(readLine(line), endless, flag), "", line);
  }
  assert.equal(rules.whyNoFlag(readLine("1p t r x1111z rin"), endless, "ippatsu"), "ippatsu_rinshan");
  assert.equal(rules.whyNoKita(readLine("1p rr i"), SANMA), "double_riichi_ippatsu");
  assert.equal(rules.whyNoKita(readLine("1p first t"), SANMA), "first_kita");
  assert.equal(rules.whyNoKita(readLine("1p rr i"), endless), "");
});

test("only winds that are played can be the round's", () => {
  const played = (rule) => [..."ESWN"].filter((wind) => rules.isPlayed(facts[rule], wind)).join("");
  assert.equal(played("sanmatsuri-2026"), "ES");
  assert.equal(played("tenhou-yonma"), "ESW");
});

test("kita and the exchange of fives keep to the tiles that are left", () => {
  assert.equal(rules.whyNoKita(readLine("444z k1"), SANMA), "all_used");
  assert.equal(rules.whyNoKita(readLine("44z k1"), SANMA), "");
  const [meld] = readLine("1m 345p").melds;
  assert.deepEqual(rules.redChoice(readLine("1m 345p"), YONMA, meld), { on: false, possible: true, from: "5p", to: "0p" });
  assert.equal(rules.redChoice(readLine("1m 345p"), { ...YONMA, reds: [] }, meld)?.possible, false);
  assert.equal(rules.redChoice(readLine("1m"), YONMA, { kind: "pon", tiles: ["1z", "1z", "1z"], from: "" }), null);
});

test("no ura where the rules have none", () => {
  const riichi = readLine("123m r u1m");
  assert.deepEqual(rules.settle(riichi, YONMA).ura, ["1m"]);
  assert.deepEqual(rules.settle(riichi, facts["jpml-a"]).ura, []);
  assert.equal(rules.whyNoFlag({ ...riichi, ippatsu: false }, facts["jpml-a"], "ippatsu"), "not_played");
  assert.equal(rules.settle({ ...riichi, ippatsu: true }, facts["jpml-a"]).ippatsu, false);
});
