// @ts-check
// Which tiles and conditions can be tapped next, and what a tap does; pure functions. A refusal is a code, "" means allowed; the page
// has the sentences. Only obvious impossibilities are refused here: the server checks the hand.

/**
 * What a rule set says of its tiles; `reds` has an item for each red five, e.g. "5p"; `rounds` winds are played. An item of `excluded` is
 * the code of a refusal and the conditions that never hold all at once (scoring/exclusions.py).
 * @typedef {{ players: number, reds: string[], kita: boolean, chii: boolean, ura: boolean, rounds: number, excluded: string[] }} Facts
 * @typedef {import("./tile_line.js").Hand} Hand
 * @typedef {import("./tile_line.js").Meld} Meld
 * @typedef {import("./tile_line.js").Flag} Flag
 */

import { HAND_SIZE, inOrder, isRed, kindOf, RED, rankOf, suitOf, tilesHeld } from "./tile_line.js";

const COPIES = 4;
const MAX_INDICATORS = 5;
const MAX_MELDS = 4;
export const CALLS = ["chii", "pon", "kan", "closed"];
/** A mode that is no call is the part of the hand that a tap adds to. @param {string} mode */
const partOf = (mode) => /** @type {"hand" | "dora" | "ura"} */ (mode);
/** @type {Record<string, string>} */
const KINDS = { chii: "chi", pon: "pon", kan: "daiminkan", closed: "ankan" };

/** @param {Meld} meld */
export const isOpen = (meld) => meld.kind !== "ankan";
/** @param {Meld} meld */
const isKan = (meld) => meld.tiles.length === 4;

/** @param {Hand} state */
export function everyTile(state) {
  const kita = Array(state.kita).fill("4z");
  return [...state.hand, ...state.melds.flatMap((meld) => meld.tiles), ...kita, ...state.dora, ...state.ura];
}

/** @param {Facts} facts @param {string} tile */
export function inSet(facts, tile) {
  if (isRed(tile)) return facts.reds.includes(`5${suitOf(tile)}`);
  return facts.players !== 3 || suitOf(tile) !== "m" || [1, 9].includes(rankOf(tile));
}

/**
 * Count how many of exactly this tile (red or plain) are not in use.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {string} tile
 */
export function leftOf(state, facts, tile) {
  const kind = kindOf(tile);
  const used = everyTile(state).filter((each) => kindOf(each) === kind);
  const reds = facts.reds.filter((each) => each === kind).length;
  const usedReds = used.filter(isRed).length;
  return isRed(tile) ? reds - usedReds : COPIES - reds - (used.length - usedReds);
}

/**
 * Return the tiles of a call that begins at a tile, taken from those that are left; null if there are too few.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {string} mode
 * @param {string} tile
 * @param {boolean} [withRed]
 * @returns {string[] | null}
 */
export function callOf(state, facts, mode, tile, withRed) {
  const kinds = mode === "chii" ? runFrom(tile) : Array(mode === "pon" ? 3 : 4).fill(kindOf(tile));
  if (!kinds) return null;
  /** @param {string} kind */
  const redOf = (kind) => RED + kind[1];
  const red = isRed(tile) || withRed;
  const used = { ...state, hand: [...state.hand] };
  /** @type {string[]} */
  const tiles = [];
  for (const kind of kinds) {
    const wantsRed = red && rankOf(kind) === 5 && !tiles.includes(redOf(kind)) && leftOf(used, facts, redOf(kind)) > 0;
    let taken = wantsRed ? redOf(kind) : kind;
    if (leftOf(used, facts, taken) < 1 && rankOf(kind) === 5 && suitOf(kind) !== "z") taken = redOf(kind);
    if (leftOf(used, facts, taken) < 1) return null;
    used.hand.push(taken);
    tiles.push(taken);
  }
  return inOrder(tiles);
}

/** @param {string} tile */
function runFrom(tile) {
  const [rank, suit] = [rankOf(tile), suitOf(tile)];
  return suit === "z" || rank > 7 ? null : [0, 1, 2].map((step) => rank + step + suit);
}

/** The conditions of a hand: @type {Record<string, (state: Hand) => unknown>} */
const HOLDS = {
  ...Object.fromEntries(["tsumo", "riichi", "kita", "ippatsu", "rinshan", "chankan", "haitei", "houtei"].map((name) => [name, of(name)])),
  ron: (state) => !state.tsumo,
  dealer_ron: (state) => !state.tsumo && state.seat === "E",
  double_riichi: (state) => state.riichi > 1,
  first_turn: (state) => state.first,
  no_kita: (state) => !state.kita,
  meld: (state) => state.melds.length,
  open_hand: (state) => state.melds.some(isOpen),
  closed_quad: (state) => !state.melds.every(isOpen),
};

/** @param {string} name @returns {(state: Hand) => unknown} */
function of(name) {
  return (state) => /** @type {Record<string, any>} */ (state)[name];
}

/** Return why a hand cannot be for one of these conditions. @param {Hand} state @param {Facts} facts @param {string[]} names */
function whyNot(state, facts, names) {
  for (const item of facts.excluded) {
    const [why, ...together] = item.split(" ");
    if (together.some((name) => names.includes(name)) && together.every((name) => HOLDS[name](state))) return why;
  }
  return "";
}

/** @param {Hand} state @param {Facts} facts @param {string} mode */
export function whyNoMode(state, facts, mode) {
  if (mode === "ura") return state.riichi ? "" : "needs_riichi";
  if (!CALLS.includes(mode)) return "";
  const called = { ...state, melds: [...state.melds, { kind: KINDS[mode], tiles: [], from: "" }] };
  const why = whyNot(called, facts, ["meld", mode === "closed" ? "closed_quad" : "open_hand"]);
  if (why) return why;
  if (state.melds.length >= MAX_MELDS) return "four_groups";
  return tilesHeld(state) + 3 > HAND_SIZE ? "no_room" : "";
}

/** @param {Hand} state @param {Facts} facts @param {string} mode @param {string} tile @param {boolean} [withRed] */
export function whyNoTile(state, facts, mode, tile, withRed) {
  if (!inSet(facts, tile)) return "not_in_set";
  const noMode = whyNoMode(state, facts, mode);
  if (noMode) return noMode;
  if (CALLS.includes(mode)) {
    if (mode === "chii" && !runFrom(tile)) return "no_run";
    if (isRed(tile) && leftOf(state, facts, tile) < 1) return "red_used";
    return callOf(state, facts, mode, tile, withRed) ? "" : "too_few_left";
  }
  const part = partOf(mode);
  if (part === "hand" && tilesHeld(state) >= HAND_SIZE) return "hand_full";
  if (part !== "hand" && state[part].length >= MAX_INDICATORS) return "five_indicators";
  if (leftOf(state, facts, tile) > 0) return "";
  return isRed(tile) ? "red_used" : "all_used";
}

/**
 * Return the state after a tap on a tile of the palette, which must be allowed.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {string} mode
 * @param {string} tile
 * @param {boolean} [withRed]
 */
export function tap(state, facts, mode, tile, withRed) {
  if (CALLS.includes(mode)) {
    const tiles = callOf(state, facts, mode, tile, withRed) || [];
    return settle({ ...state, melds: [...state.melds, { kind: KINDS[mode], tiles, from: "" }] }, facts);
  }
  return settle({ ...state, [mode]: [...state[partOf(mode)], tile] }, facts);
}

/**
 * Return how the five of a meld can be exchanged for the other kind of five; null if it has none.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {Meld} meld
 */
export function redChoice(state, facts, meld) {
  const five = meld.tiles.find((tile) => rankOf(tile) === 5 && suitOf(tile) !== "z");
  if (!five || isKan(meld)) return null;
  const red = meld.tiles.find(isRed);
  const other = red ? kindOf(five) : RED + suitOf(five);
  return { on: Boolean(red), possible: leftOf(state, facts, other) > 0, from: red || five, to: other };
}

/** What a condition lacks: @type {Partial<Record<Flag | "riichi", (state: Hand) => string>>} */
const LACKS = {
  ippatsu: (state) => (state.riichi ? "" : "needs_riichi"),
  rinshan: (state) => (state.kita || state.melds.some(isKan) ? "" : "needs_kan"),
  chankan: (state) => {
    const win = state.hand.at(-1) || "";
    const held = [...state.hand, ...state.melds.flatMap((meld) => meld.tiles)];
    return tilesHeld(state) === HAND_SIZE && held.filter((tile) => kindOf(tile) === kindOf(win)).length > 1 ? "chankan_own" : "";
  },
};
/** @type {Flag[]} */
export const FLAGS = ["ippatsu", "rinshan", "chankan", "haitei", "houtei", "first"];

/**
 * Return why a condition cannot hold, beside the others that do.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {Flag | "riichi"} name
 */
function whyNoCondition(state, facts, name) {
  const names = name === "riichi" ? ["riichi", "double_riichi"] : [name === "first" ? "first_turn" : name];
  return whyNot(state, facts, names) || (LACKS[name]?.(state) ?? "");
}

/**
 * Return why a condition cannot be switched on; one that is on can always be switched off.
 * @param {Hand} state
 * @param {Facts} facts
 * @param {Flag | "riichi"} name
 * @param {number} [riichi] 2 for double riichi
 */
export function whyNoFlag(state, facts, name, riichi = 1) {
  if (name === "riichi") return whyNoCondition({ ...state, riichi }, facts, name);
  return state[name] ? "" : whyNoCondition({ ...state, [name]: true }, facts, name);
}

/** @param {Hand} state @param {Facts} facts */
export function whyNoKita(state, facts) {
  if (state.kita >= COPIES || leftOf(state, facts, "4z") < 1) return "all_used";
  return whyNot({ ...state, kita: state.kita + 1 }, facts, ["kita"]);
}

/** @param {Facts} facts @param {string} wind */
export const isPlayed = (facts, wind) => "ESWN".indexOf(wind) < facts.rounds;

/**
 * Drop conditions that can no longer be after a tap: ippatsu without riichi, haitei after a change to ron. A chankan whose winning tile
 * is in the hand stays: the tile can still be changed.
 * @param {Hand} state
 * @param {Facts} facts
 * @returns {Hand}
 */
export function settle(state, facts) {
  const settled = { ...state, ura: state.riichi && facts.ura ? state.ura : [] };
  for (const name of FLAGS) {
    const why = settled[name] ? whyNoCondition(settled, facts, name) : "";
    if (why && why !== "chankan_own") settled[name] = false;
  }
  return settled;
}
