// @ts-check
// Two notations, read and written; pure functions. First the hand line (scoring/hand_line.py) and the state of a picker; then the
// referee's line (scoring/shorthand.py), as far as tiles go into it. The server checks every line.

/**
 * A called or closed group; `from` says from whom it was called: "", "<", "^" or ">".
 * @typedef {{ kind: string, tiles: string[], from: string }} Meld
 *
 * A hand. Tiles are texts like "0p"; the last of `hand` is the winning tile. What cannot be read stays in `unread`.
 * @typedef {{
 *   hand: string[], melds: Meld[], dora: string[], ura: string[], unread: string[], tsumo: boolean, riichi: number,
 *   ippatsu: boolean, rinshan: boolean, chankan: boolean, haitei: boolean, houtei: boolean, first: boolean,
 *   kita: number, honba: number, round: string, seat: string,
 * }} Hand
 *
 * @typedef {"ippatsu" | "rinshan" | "chankan" | "haitei" | "houtei" | "first"} Flag
 *
 * What is known from outside, and so is in the state and not in the line.
 * @typedef {Partial<Pick<Hand, "round" | "seat" | "tsumo" | "honba" | "riichi">>} Given
 *
 * A winner in a referee's line: `seat` is "" where the line does not say it, `from` to `to` is the value, `tiles` the text in brackets.
 * @typedef {{ seat: string, begins: number, ends: number, from: number, to: number, tiles: string }} Win
 *
 * A referee's line: `end` is where the note begins, `body` where the riichi begin, `tsumo` is null where the line does not say it,
 * `complete` says that only values are missing.
 * @typedef {{
 *   line: string, end: number, body: number, tsumo: boolean | null, riichi: string, complete: boolean, wins: Win[],
 * }} TableLine
 */

const SUITS = "mpsz";
/** @type {Record<string, Flag>} */
const FLAGS = { i: "ippatsu", rin: "rinshan", chan: "chankan", hai: "haitei", hou: "houtei", first: "first" };
const NO_TILES = "-"; // stands for the concealed tiles while there are none

export const RED = "0";
/** @param {string} tile */
export const suitOf = (tile) => tile[1];
/** @param {string} tile */
export const rankOf = (tile) => (tile[0] === RED ? 5 : Number(tile[0]));
/** @param {string} tile */
export const kindOf = (tile) => rankOf(tile) + suitOf(tile);
/** @param {string} tile */
export const isRed = (tile) => tile[0] === RED;

/** @returns {Hand} */
export function emptyHand() {
  const tiles = { hand: [], melds: [], dora: [], ura: [], unread: [] };
  const flags = { ippatsu: false, rinshan: false, chankan: false, haitei: false, houtei: false, first: false };
  return { ...tiles, ...flags, tsumo: false, riichi: 0, kita: 0, honba: 0, round: "E", seat: "E" };
}

/** @param {string} tile */
const place = (tile) => SUITS.indexOf(suitOf(tile)) * 20 + rankOf(tile) * 2 + (isRed(tile) ? 1 : 0);

/** @param {string} one @param {string} other */
export const byPlace = (one, other) => place(one) - place(other);

/** @param {string[]} tiles */
export const inOrder = (tiles) => [...tiles].sort(byPlace);

/**
 * Read tiles: "456m22p" gives ["4m", "5m", "6m", "2p", "2p"]; null if the text is not tiles.
 * @param {string} text
 * @returns {string[] | null}
 */
export function readTiles(text) {
  const tiles = [];
  for (const [part, digits, suit] of text.matchAll(/(\d+)([mpsz])|./gs)) {
    if (!digits || (suit === "z" && /[089]/.test(digits))) return part ? null : tiles;
    for (const digit of digits) tiles.push(digit + suit);
  }
  return tiles;
}

/**
 * Write tiles in their order, naming a suit once for neighbours of one suit.
 * @param {string[]} tiles
 */
export function writeTiles(tiles) {
  return tiles.map((tile, at) => (suitOf(tile) === (tiles[at + 1] || "  ")[1] ? tile[0] : tile)).join("");
}

/** @param {string} token @returns {Meld | null} */
function readMeld(token) {
  const [, sign, text, from] = /^([x+]?)([0-9mpsz]+)([<^>]?)$/.exec(token) || [];
  const tiles = text && readTiles(text);
  if (!tiles || (tiles.length !== 3 && tiles.length !== 4)) return null;
  const same = tiles.every((tile) => kindOf(tile) === kindOf(tiles[0]));
  if (tiles.length === 3) return sign ? null : { kind: same ? "pon" : "chi", tiles: inOrder(tiles), from };
  if (!same) return null;
  const kind = sign === "x" ? "ankan" : sign === "+" ? "shouminkan" : "daiminkan";
  return { kind, tiles: inOrder(tiles), from };
}

/** @param {Meld} meld */
function writeMeld(meld) {
  const sign = meld.kind === "ankan" ? "x" : meld.kind === "shouminkan" ? "+" : "";
  return sign + writeTiles(inOrder(meld.tiles)) + (meld.from || "");
}

/**
 * Put a word of the line into the state; returns false for an unknown word.
 * @param {Hand} state
 * @param {string} token
 */
function readFlag(state, token) {
  const [, kind, number] = /^([kh])(\d{1,2})$/.exec(token) || [];
  const [, round, seat] = /^w([ESWN])([ESWN])$/i.exec(token) || [];
  const indicators = /^[du][0-9]/.test(token) ? readTiles(token.slice(1)) : null;
  if (token === "t") state.tsumo = true;
  else if (token === "r" || token === "rr") state.riichi = token.length;
  else if (Object.hasOwn(FLAGS, token)) state[FLAGS[token]] = true;
  else if (kind) state[kind === "k" ? "kita" : "honba"] = Number(number);
  else if (round) Object.assign(state, { round: round.toUpperCase(), seat: seat.toUpperCase() });
  else if (indicators) state[token[0] === "d" ? "dora" : "ura"].push(...indicators);
  else return false;
  return true;
}

/**
 * Join the parts that are tiles alone where, read as called sets, they make no whole hand, but together do.
 * @param {string[]} parts
 */
function joined(parts) {
  const tiles = parts.filter((part) => /^(?:\d+[mpsz])+$/.test(part));
  const sets = parts.slice(1).filter(readMeld);
  const marked = sets.filter((part) => !tiles.includes(part));
  if (sets.some((part) => /^(\d)\1{3}[mpsz]$/.test(part))) return parts; // a kan: with one, a tile of the hand is missing
  /** @param {string[]} some @param {string[]} called */
  const count = (some, called) => some.join("").replace(/\D/g, "").length + 3 * called.length;
  const whole = tiles.slice(1).every((part) => sets.includes(part)) && count(parts.slice(0, 1), sets) === 14;
  if (whole || parts[0] !== tiles[0] || count(tiles, marked) !== 14) return parts;
  return [tiles.join(""), ...parts.filter((part) => !tiles.includes(part))];
}

/** @param {string} text */
export function readLine(text) {
  const state = emptyHand();
  const [first = "", ...rest] = joined(text.trim().split(/\s+/));
  const hand = first === NO_TILES ? [] : readTiles(first);
  if (hand) state.hand = hand;
  else state.unread.push(first);
  for (const token of rest) {
    const meld = readMeld(token);
    if (meld) state.melds.push(meld);
    else if (!readFlag(state, token)) state.unread.push(token);
  }
  return state;
}

/** @param {Hand} state */
export function writeLine(state) {
  const others = inOrder(state.hand.slice(0, -1));
  const parts = [writeTiles([...others, ...state.hand.slice(-1)]), ...state.melds.map(writeMeld)];
  if (state.tsumo) parts.push("t");
  if (state.riichi) parts.push("r".repeat(state.riichi));
  for (const [letters, name] of Object.entries(FLAGS)) if (state[name]) parts.push(letters);
  if (state.dora.length) parts.push("d" + writeTiles(state.dora));
  if (state.ura.length) parts.push("u" + writeTiles(state.ura));
  if (state.kita) parts.push(`k${state.kita}`);
  if (state.round + state.seat !== "EE") parts.push(`w${state.round}${state.seat}`);
  if (state.honba) parts.push(`h${state.honba}`);
  parts.push(...state.unread);
  const line = parts.filter(Boolean).join(" ");
  return state.hand.length || !line ? line : `${NO_TILES} ${line}`;
}

/** @param {Hand} state @param {Given} given @returns {Hand} */
export const withGiven = (state, given) => ({ ...state, ...given, riichi: Math.max(state.riichi, given.riichi || 0) });

/** @param {Hand} state @param {Given} given @returns {Hand} */
export function withoutGiven(state, given) {
  const own = Object.fromEntries(Object.entries(emptyHand()).filter(([name]) => name in given));
  return { ...state, ...own, riichi: state.riichi > (given.riichi || 0) ? state.riichi : 0 };
}

export const HAND_SIZE = 14;
/** Count how many of the fourteen there are; a kan counts as three, as any group. @param {Hand} state */
export const tilesHeld = (state) => state.hand.length + 3 * state.melds.length;

// ------------------------------------------------ the referee's line

const BRACKET = /\[[^[\]/]*\]?/g; // an unclosed one ends where the riichi begin
const HEAD = /^\s*(\d)\s*(?:(t)|r\s*(\d)?)?/i;
const LIABLE = /\s*p\s*\d\s*$/i;

/** @param {string} text */
const leading = (text) => text.length - text.trimStart().length;

/** @param {string} text @returns {TableLine} */
export function readTableLine(text) {
  const line = text.normalize("NFKC");
  const end = (line + "#").indexOf("#");
  const masked = line.slice(0, end).replace(BRACKET, (part) => "_".repeat(part.length));
  const body = (masked + "/").indexOf("/");
  const riichi = masked.slice(body + 1).replace(/\D/g, "");
  const head = HEAD.exec(masked.slice(0, body));
  if (!head) return { line, end, body, tsumo: null, riichi, complete: false, wins: [] };
  const wins = readWins(line, masked.slice(0, body), head);
  const tsumo = head[2] ? true : /r/i.test(head[0]) ? false : null;
  const complete = (tsumo || Boolean(head[3])) && wins.every((win) => win.seat);
  return { line, end, body, tsumo, riichi, complete, wins };
}

/**
 * @param {string} line
 * @param {string} masked the line up to its riichi, with all text in brackets replaced by "_"
 * @param {RegExpExecArray} head
 */
function readWins(line, masked, head) {
  /** @type {Win[]} */
  const wins = [];
  let begins = 0;
  for (const part of masked.split("+")) {
    /** @type {RegExpExecArray | null} */
    const seat = wins.length ? /^\s*(\d)/.exec(part) : head;
    wins.push(readWin(line, part, begins, seat));
    begins += part.length + 1;
  }
  return wins;
}

/** @param {string} line @param {string} part @param {number} begins @param {RegExpExecArray | null} seat @returns {Win} */
function readWin(line, part, begins, seat) {
  const after = seat ? seat[0].length : 0;
  const value = part.slice(after).replace(LIABLE, "");
  const from = begins + after + leading(value);
  const to = Math.max(from, begins + after + value.trimEnd().length);
  const tiles = /_/.test(value)
    ? line
        .slice(from, to)
        .replace(/^[^[]*\[|\].*$/g, "")
        .trim()
    : "";
  return { seat: seat ? seat[1] : "", begins, ends: begins + part.length, from, to, tiles };
}

/**
 * Return the index of the winner that is meant: the one at the caret, else the first without tiles.
 * @param {Pick<TableLine, "wins">} read
 * @param {number} caret
 */
export function chosenWin({ wins }, caret) {
  const here = wins.length > 1 ? wins.findIndex((win) => win.begins <= caret && caret <= win.ends) : 0;
  return here >= 0
    ? here
    : Math.max(
        0,
        wins.findIndex((win) => !win.tiles),
      );
}

/**
 * Put a hand line as the value of a winner; returns the line and where the caret goes. `deposit` says that the winner had riichi.
 * @param {TableLine} read
 * @param {number} at
 * @param {string} tiles
 * @param {boolean} deposit
 */
export function putTiles(read, at, tiles, deposit) {
  const { line, wins, body } = read;
  const { seat, from, to } = wins[at] || { seat: "", from: body, to: body };
  const before = line.slice(0, from).trimEnd();
  const bracket = `${before ? " " : ""}[${tiles}]`;
  const rest = line.slice(to);
  const put = withDeposit(before + bracket + (/^[\w#]/.test(rest) ? " " : "") + rest, deposit && seat);
  return { line: put, caret: read.complete ? readTableLine(put).end : before.length };
}

/** @param {string} line @param {string | false} seat @returns {string} */
function withDeposit(line, seat) {
  const { end, body, riichi } = readTableLine(line);
  if (!seat || riichi.includes(seat)) return line;
  const typed = line.slice(0, end).trimEnd();
  return `${typed}${body < typed.length ? "" : "/"}${seat}${end < line.length ? " " : ""}${line.slice(end)}`;
}
