// @ts-check
// A hand that is tapped together, as a value: what stage it is at, what a tap on a player's card makes of it, and its hand line. Pure.

/**
 * `kind` is "" until it is known. Seats are digits from 1; sets of seats are texts of digits, `nagashi` with a "c" behind
 * them where the hands were closed. `mode` is what a tap on a card marks at the
 * end: "" for the usual (riichi of a win, tenpai of a draw), otherwise a stage. `at` is the winner whose chips and liability are asked.
 * `back`: the discarder's riichi stick goes back. `said` and `note` are typed.
 * @typedef {{ seat: string, value: string, pao: string, chips: string }} CardWin
 * @typedef {{
 *   kind: string, winners: CardWin[], at: number, loser: string, tenpai: string, offenders: string, nagashi: string, abort: string,
 *   riichi: string, dead: string, back: boolean, stops: boolean, said: string, note: string, mode: string,
 * }} CardHand
 */

/** @returns {CardHand} */
export function newHand() {
  const sets = { tenpai: "", offenders: "", nagashi: "", riichi: "", dead: "" };
  return { kind: "", winners: [], at: 0, loser: "", abort: "", back: false, stops: false, said: "", note: "", mode: "", ...sets };
}

/** @param {CardHand} hand */
export function stageOf({ kind, winners, loser, nagashi, abort, mode }) {
  if (!kind) return winners.length ? "how" : "start";
  if (kind === "chombo") return mode || "offender";
  if (kind === "abort") return abort ? mode || "riichi" : "abort";
  if (kind === "draw") return mode || "tenpai";
  if (kind === "nagashi") return nagashi ? mode || "tenpai" : "nagashi";
  if (kind === "ron" && !loser) return "loser";
  if (winners.some((win) => !win.value)) return "value";
  return mode || "riichi";
}

/** @param {CardHand} hand the winner whose value is asked, or whose chips and liability */
export const winnerAt = ({ winners, at }) => winners.find((win) => !win.value) ?? winners[at];

/** @param {string} seats @param {string} seat */
const toggled = (seats, seat) => (seats.includes(seat) ? seats.replace(seat, "") : [...seats, seat].sort().join(""));

/** @type {Record<string, "tenpai" | "offenders" | "nagashi" | "riichi" | "dead">} */
const SETS = { tenpai: "tenpai", offender: "offenders", nagashi: "nagashi", riichi: "riichi", dead: "dead" };

/** @param {CardHand} hand @param {Partial<CardWin>} parts */
export const ofWinner = (hand, parts) => ({
  ...hand,
  winners: hand.winners.map((win) => (win === winnerAt(hand) ? { ...win, ...parts } : win)),
});

/** @param {CardHand} hand @param {string} seat */
const withWinner = (hand, seat) => ({
  ...hand,
  mode: "",
  at: hand.winners.length,
  winners: [...hand.winners, { seat, value: "", pao: "", chips: "" }],
});

/**
 * Return the hand after a tap on a player's card; null where the card means nothing then. At most `most` players win one discard.
 * @param {CardHand} hand
 * @param {string} seat
 * @param {number} most
 * @returns {CardHand | null}
 */
export function tap(hand, seat, most) {
  const stage = stageOf(hand);
  const set = SETS[stage];
  if (stage === "nagashi") return { ...hand, mode: "", nagashi: toggled(hand.nagashi.replace("c", ""), seat) }; // asked again
  if (set) return { ...hand, [set]: toggled(hand[set], seat) };
  if (stage === "start") return withWinner(hand, seat);
  const place = hand.winners.findIndex((win) => win.seat === seat);
  if (stage === "how" || stage === "loser") return place < 0 ? { ...hand, kind: "ron", loser: seat } : null;
  if ((stage === "liable" || stage === "chips") && place >= 0) return { ...hand, at: place };
  if (stage === "liable") return ofWinner(hand, { pao: winnerAt(hand)?.pao === seat ? "" : seat });
  const more = stage === "second" || stage === "value";
  const fits = hand.kind === "ron" && place < 0 && seat !== hand.loser && hand.winners.length < most;
  return more && fits ? withWinner(hand, seat) : null;
}

/**
 * Return the hand after a tap on a riichi stick: who has riichi at a draw is tenpai, too.
 * @param {CardHand} hand
 * @param {string} seat
 */
export function stick(hand, seat) {
  const riichi = toggled(hand.riichi, seat);
  const isNew = riichi.includes(seat) && !hand.tenpai.includes(seat);
  return { ...hand, riichi, tenpai: isNew ? toggled(hand.tenpai, seat) : hand.tenpai };
}

/**
 * Return a hand without what was said of it last.
 * @param {CardHand} hand
 * @returns {CardHand}
 */
export function without(hand) {
  const last = hand.winners.length - 1;
  if (hand.said || hand.note || hand.stops || hand.dead || hand.riichi)
    return { ...hand, said: "", note: "", stops: false, dead: "", riichi: "", back: false, mode: "" };
  if (hand.kind && hand.kind !== "ron" && hand.kind !== "tsumo") return newHand();
  if (hand.winners[last]?.value) {
    const winners = hand.winners.map((win, at) => (at === last ? { ...win, value: "", pao: "", chips: "" } : win));
    return { ...hand, mode: "", winners };
  }
  if (last) return { ...hand, winners: hand.winners.slice(0, -1), at: 0 };
  return hand.kind ? { ...newHand(), winners: hand.winners } : newHand();
}

/** @param {CardHand} hand the line as far as it is tapped, in the notation of scoring/shorthand.py */
export function lineOf(hand) {
  const { riichi, dead, said, note } = hand;
  const body = bodyOf(hand);
  const isBack = hand.back && riichi.includes(hand.loser) && hand.loser;
  const more = [
    hand.stops && " e",
    dead && ` x${dead}`,
    riichi && `/${riichi}${isBack ? "b" : ""}`,
    said && ` !${said}`,
    note && ` #${note}`,
  ];
  return body && body + more.filter(Boolean).join("");
}

/** @param {CardHand} hand */
function bodyOf({ kind, winners, loser, tenpai, ...hand }) {
  if (kind === "draw") return `d${tenpai}`;
  if (kind === "chombo") return `c${hand.offenders}`;
  if (kind === "abort") return `a${hand.abort}`;
  if (kind === "nagashi") return `n${hand.nagashi}${tenpai ? ` d${tenpai}` : ""}`;
  const how = kind === "ron" ? `r${loser}` : kind === "tsumo" ? "t" : "";
  const parts = winners.map(({ seat, value, pao, chips }, at) => {
    const head = at ? seat : seat + how;
    return head + (value && ` ${value}`) + (pao && ` p${pao}`) + (chips && ` c${chips}`);
  });
  return parts.join("+");
}
