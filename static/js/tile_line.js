// The hand line and the state of a picker, each made of the other. Pure functions; the server judges every line.
//
// A state: { hand, melds, dora, ura, tsumo, riichi, ippatsu, rinshan, chankan, haitei, houtei, first, kita, honba, round, seat,
// unread }. Tiles are texts like "0p". The last tile of `hand` is the winning one. A meld is { kind, tiles, from }, kind chi, pon,
// daiminkan, shouminkan or ankan, from "", "<", "^" or ">". What cannot be read is kept in `unread` and written back.

const SUITS = "mpsz";
const FLAGS = { i: "ippatsu", rin: "rinshan", chan: "chankan", hai: "haitei", hou: "houtei", first: "first" };
const NO_TILES = "-"; // stands for the concealed tiles while there are none

export const RED = "0";
export const suitOf = (tile) => tile[1];
export const rankOf = (tile) => (tile[0] === RED ? 5 : Number(tile[0]));
export const kindOf = (tile) => rankOf(tile) + suitOf(tile);
export const isRed = (tile) => tile[0] === RED;

export function emptyHand() {
  return {
    hand: [], melds: [], dora: [], ura: [], tsumo: false, riichi: 0, ippatsu: false, rinshan: false, chankan: false,
    haitei: false, houtei: false, first: false, kita: 0, honba: 0, round: "E", seat: "E", unread: [],
  };
}

const place = (tile) => SUITS.indexOf(suitOf(tile)) * 20 + rankOf(tile) * 2 + (isRed(tile) ? 1 : 0);

export const inOrder = (tiles) => [...tiles].sort((one, other) => place(one) - place(other));

// "456m22p" → ["4m", "5m", "6m", "2p", "2p"]; null for what is not tiles
export function readTiles(text) {
  const tiles = [];
  for (const [part, digits, suit] of text.matchAll(/(\d+)([mpsz])|./gs)) {
    if (!digits || (suit === "z" && /[089]/.test(digits))) return part ? null : tiles;
    for (const digit of digits) tiles.push(digit + suit);
  }
  return tiles;
}

// tiles as they stand, a suit named once for neighbours of one suit
export function writeTiles(tiles) {
  return tiles.map((tile, at) => (suitOf(tile) === (tiles[at + 1] || "  ")[1] ? tile[0] : tile)).join("");
}

function readMeld(token) {
  const [, sign, text, from] = /^([x+]?)([0-9mpsz]+)([<^>]?)$/.exec(token) || [];
  const tiles = text && readTiles(text);
  if (!tiles || (tiles.length !== 3 && tiles.length !== 4)) return null;
  const same = tiles.every((tile) => kindOf(tile) === kindOf(tiles[0]));
  if (tiles.length === 3) return sign ? null : { kind: same ? "pon" : "chi", tiles: inOrder(tiles), from };
  if (!same) return null;
  return { kind: { x: "ankan", "+": "shouminkan" }[sign] || "daiminkan", tiles: inOrder(tiles), from };
}

function writeMeld(meld) {
  const sign = { ankan: "x", shouminkan: "+" }[meld.kind] || "";
  return sign + writeTiles(inOrder(meld.tiles)) + (meld.from || "");
}

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

export function readLine(text) {
  const state = emptyHand();
  const [first = "", ...rest] = text.trim().split(/\s+/);
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

// what is given from outside (round, seat, tsumo, honba, riichi: any of them) stands in the state and not in the line
export const withGiven = (state, given) => ({ ...state, ...given, riichi: Math.max(state.riichi, given.riichi || 0) });

export function withoutGiven(state, given) {
  const empty = emptyHand();
  const own = Object.fromEntries(Object.keys(given).map((name) => [name, empty[name]]));
  return { ...state, ...own, riichi: state.riichi > (given.riichi || 0) ? state.riichi : 0 };
}

// how much of fourteen there is; a group counts as three, a quad too
export const tilesHeld = (state) => state.hand.length + 3 * state.melds.length;
export const HAND_SIZE = 14;
