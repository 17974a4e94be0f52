// The referee's line, as far as tiles go into it: who wins how, where each winner's value stands, and how a hand line is put there.
// Pure functions. The notation is scoring/shorthand.py's; whether a line can be sent, the server says.

const BRACKET = /\[[^[\]/]*\]?/g; // an unclosed one ends where the riichi begin
const HEAD = /^\s*(\d)\s*(?:(t)|r\s*(\d)?)?/i;
const LIABLE = /\s*p\s*\d\s*$/i;

const leading = (text) => text.length - text.trimStart().length;

// { line, end: where the words of the note begin, body: where the riichi begin, tsumo: null where it is not said, riichi: seats as
// typed, complete: whether all is said but values, wins }; a win is { seat: "" where it is not said, begins, from, to, tiles }:
// `from` to `to` is its value, `tiles` what stands in its brackets
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

function readWins(line, masked, head) {
  const wins = [];
  let begins = 0;
  for (const part of masked.split("+")) {
    const seat = wins.length ? /^\s*(\d)/.exec(part) : head;
    wins.push(readWin(line, part, begins, seat));
    begins += part.length + 1;
  }
  return wins;
}

function readWin(line, part, begins, seat) {
  const after = seat ? seat[0].length : 0;
  const value = part.slice(after).replace(LIABLE, "");
  const from = begins + after + leading(value);
  const to = Math.max(from, begins + after + value.trimEnd().length);
  const tiles = /_/.test(value) ? line.slice(from, to).replace(/^[^[]*\[|\].*$/g, "").trim() : "";
  return { seat: seat ? seat[1] : "", begins, ends: begins + part.length, from, to, tiles };
}

// which winner is meant: where the caret stands, else the first without tiles
export function chosenWin({ wins }, caret) {
  const here = wins.length > 1 ? wins.findIndex((win) => win.begins <= caret && caret <= win.ends) : 0;
  return here >= 0 ? here : Math.max(0, wins.findIndex((win) => !win.tiles));
}

// the line with a hand line as this winner's value, and where the next key belongs; `deposit`: he had riichi
export function putTiles(read, at, tiles, deposit) {
  const { line, wins, body } = read;
  const { seat, from, to } = wins[at] || { seat: "", from: body, to: body };
  const before = line.slice(0, from).trimEnd();
  const bracket = `${before ? " " : ""}[${tiles}]`;
  const rest = line.slice(to);
  const put = withDeposit(before + bracket + (/^[\w#]/.test(rest) ? " " : "") + rest, deposit && seat);
  return { line: put, caret: read.complete ? readTableLine(put).end : before.length };
}

function withDeposit(line, seat) {
  const { end, body, riichi } = readTableLine(line);
  if (!seat || riichi.includes(seat)) return line;
  const typed = line.slice(0, end).trimEnd();
  return `${typed}${body < typed.length ? "" : "/"}${seat}${end < line.length ? " " : ""}${line.slice(end)}`;
}
