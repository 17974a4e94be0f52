// @ts-check
// A hand that is tapped together, as a value: what stage it is at, what a tap on a player's card makes of it, and its hand line. Pure.

/**
 * `kind` is "" until it is known. Seats are digits from 1; sets of seats are texts of digits. `mode` is what a tap on a card marks at the
 * end: "" for the usual (riichi of a win, tenpai of a draw), "riichi", "tenpai", "dead", "liable", or "second" for another winner.
 * @typedef {{
 *   kind: string, winners: { seat: string, value: string, pao: string }[], loser: string, tenpai: string, offenders: string,
 *   nagashi: string, abort: string, riichi: string, dead: string, mode: string,
 * }} CardHand
 */

/** @returns {CardHand} */
export function newHand() {
  const sets = { tenpai: "", offenders: "", nagashi: "", riichi: "", dead: "" };
  return { kind: "", winners: [], loser: "", abort: "", mode: "", ...sets };
}

/** @param {CardHand} hand */
export function stageOf({ kind, winners, loser, nagashi, abort, mode }) {
  if (!kind) return winners.length ? "how" : "start";
  if (kind === "chombo") return "offender";
  if (kind === "abort") return abort ? "riichi" : "abort";
  if (kind === "draw") return mode || "tenpai";
  if (kind === "nagashi") return nagashi ? mode || "tenpai" : "nagashi";
  if (kind === "ron" && !loser) return "loser";
  if (winners.some((win) => !win.value)) return "value";
  return mode || "riichi";
}

/** @param {string} seats @param {string} seat */
const toggled = (seats, seat) => (seats.includes(seat) ? seats.replace(seat, "") : [...seats, seat].sort().join(""));

/** @type {Record<string, "tenpai" | "offenders" | "nagashi" | "riichi" | "dead">} */
const SETS = { tenpai: "tenpai", offender: "offenders", nagashi: "nagashi", riichi: "riichi", dead: "dead" };

/**
 * Return the hand after a tap on a player's card; null where the card means nothing then.
 * @param {CardHand} hand
 * @param {string} stage
 * @param {string} seat
 * @returns {CardHand | null}
 */
export function tap(hand, stage, seat) {
  const wins = hand.winners.some((win) => win.seat === seat);
  const set = SETS[stage];
  if (set) return { ...hand, [set]: toggled(hand[set], seat) };
  if (stage === "start") return { ...hand, winners: [{ seat, value: "", pao: "" }] };
  if (stage === "loser") return wins ? null : { ...hand, loser: seat };
  if (stage === "second" && !wins && seat !== hand.loser) {
    return { ...hand, mode: "", winners: [...hand.winners, { seat, value: "", pao: "" }] };
  }
  if (stage !== "liable" || wins) return null;
  const last = hand.winners.length - 1;
  const winners = hand.winners.map((win, at) => (at === last ? { ...win, pao: seat } : win));
  return { ...hand, mode: "", winners };
}

/** @param {CardHand} hand the line as far as it is tapped, in the notation of scoring/shorthand.py */
export function lineOf(hand) {
  const { kind, winners, loser, riichi, dead } = hand;
  const ends = (dead ? ` x${dead}` : "") + (riichi ? `/${riichi}` : "");
  if (kind === "draw") return `d${hand.tenpai}${ends}`;
  if (kind === "chombo") return `c${hand.offenders}${ends}`;
  if (kind === "abort") return `a${hand.abort}${ends}`;
  if (kind === "nagashi") return `n${hand.nagashi}${hand.tenpai ? ` d${hand.tenpai}` : ""}${ends}`;
  if (!winners.length) return "";
  const how = kind === "ron" ? `r${loser}` : kind === "tsumo" ? "t" : "";
  const parts = winners.map(({ seat, value, pao }, at) => {
    const head = at ? seat : seat + how;
    return head + (value && ` ${value}`) + (pao && ` p${pao}`);
  });
  return parts.join("+") + ends;
}
