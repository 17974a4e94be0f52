"""The shorthand, one typed line per entry: parse and write.

Seats are 1 to n, first East first. Spaces and case do not matter; full-width characters are allowed.

    2r3 340/2      player 2 wins by ron from player 3, 3 han 40 fu; player 2 had riichi
    2r3 340/23b    the same, and player 3 discarded the riichi tile: the own riichi stick goes back
    2r3 340+4 5    player 3 discards, 2 and 4 win: 3 han 40 fu, and 5 han
    1t 230         player 1 wins by tsumo, 2 han 30 fu
    1t y p3        a yakuman by tsumo, player 3 is liable
    2r3 5200       the payment instead of han and fu, without honba (see scoring.paid); 2t 1300-2600 by tsumo: from each
                   non-dealer, from the dealer; 1t =700 marks points where the number could be han and fu
    2r3 [340m567p66234s 777z d1m]    the tiles of player 2 as a hand line; they are counted (see scoring.win_tiles)
    d13/1          draw, 1 and 3 tenpai, 1 had riichi          d   nobody tenpai
    n2 d13         nagashi mangan of 2, 1 and 3 tenpai         n2c d13   the hand of 2 was closed
    c4             chombo of 4
    ak             abortive draw: ak nine terminals, aw four winds, ar four riichi, aq four kan, a3 three ron
    =+1000,-1000,0 reason      correction        *30000,42000,18000,0   final scores, and points nobody got
    … !5200        the announced total of the winner, over all payers on a tsumo; !5200+8000 for two winners
    … x2           the hand of player 2 is dead          … #words       a note
    … c2           each payer pays two chips (after a winner's value; *…c+3,-1,-2 with final scores)
    … e            the dealer ends the game with this hand, where the rules let him choose

A number of han without fu goes to 13; 14.0 says more.
"""

import re
import unicodedata
from dataclasses import replace
from typing import Any, NoReturn

from scoring.bare_han import MAX_BARE_HAN, bare_han_problem
from scoring.entries import Abort, Chombo, Correction, Draw, Entry, Nagashi, Ron, Totals, Tsumo, Win
from scoring.hand_line import read_hand_line, write_hand_line
from scoring.paid import Paid, PaidWin, write_payment
from scoring.problems import InvalidInput, ProblemType, printable_excerpt, unprintable
from scoring.strict_json import ENTRY_CONTROL_CHARACTER, ENTRY_TEXT_TOO_LONG
from scoring.value import MANGAN_HAN

SHORTHAND_EMPTY = ProblemType("shorthand.empty", "Nothing is typed yet.")
SHORTHAND_UNREADABLE = ProblemType("shorthand.unreadable", "'{part}' cannot be read (from character {at} on).")
SHORTHAND_ANNOUNCED = ProblemType(
    "shorthand.announced", "“{said}” cannot be what was announced: type one amount for each winner, 5200+8000 for two."
)

ABORTS = {
    "k": "kyuushu_kyuuhai",
    "w": "suufon_renda",
    "r": "suucha_riichi",
    "q": "suukaikan",
    "3": "sanchahou",
}
LIMITS = {"m": 5, "h": 6, "b": 8, "s": 11}
MAX_LINE = 300

# Digits are bounded everywhere: no number is larger than an entry may hold.
_BARE = r"\d{1,5}"
_HAN_FU = rf"(?P<han>\d{{1,3}})[h.](?P<fu>\d{{1,4}})|(?P<digits>{_BARE})"
_PAID = r"=?(?P<others>\d{3,6})-(?P<dealer>\d{3,6})|=(?P<paid>\d{3,6})"
_BESIDE = r"(?:p(?P<pao>[1-9]))?(?:c(?P<chips>\d\d?))?"
_VALUE = rf"(?:y(?P<yakuman>[1-9]?)|(?P<limit>[mhbs])|\[(?P<tiles>\d)\]|{_PAID}|{_HAN_FU}){_BESIDE}"
_WIN = re.compile(rf"(?P<seat>[1-9]){_VALUE}", re.ASCII)
_TSUMO = re.compile(rf"(?P<seat>[1-9])t{_VALUE}", re.ASCII)
_RON = re.compile(rf"(?P<seat>[1-9])r(?P<loser>[1-9]){_VALUE}", re.ASCII)
_TILES = re.compile(r"\[([^\[\]]*)\]")
_SEATS = re.compile(r"[1-9]*")
_NAGASHI = re.compile(r"n(?P<winners>[1-9]+)(?P<closed>c?)(?:d(?P<tenpai>[1-9]*))?")
_CORRECTION = re.compile(r"=\s*(?P<deltas>[-+]?\d{1,7}(?:\s*,\s*[-+]?\d{1,7})*)(?:\s+(?!,)(?P<reason>.*))?", re.ASCII)
_SAID = re.compile(r"!(\d{1,7}(?:\+\d{1,7})*)(?![\d+])", re.ASCII)
_TOTALS = re.compile(r"\*(?P<scores>-?\d{1,7}(?:,-?\d{1,7})+)(?:c(?P<chips>[-+]?\d{1,4}(?:,[-+]?\d{1,4})*))?", re.ASCII)


def whole_pattern() -> str:
    """Return a pattern, as scripts and Python read it, of a line that may be a whole hand; a correction has none.

    The line comes in lower case, without blanks, note and announcement, its tiles as `[0]`. Whether the hand exists is
    for `parse` and `check`.

    >>> [bool(re.fullmatch(whole_pattern(), line)) for line in ("2r3340/2", "2t1300-2600", "d", "6", "2r33", "2r334")]
    [True, True, True, False, False, False]
    """
    value = _VALUE.replace(_BARE, r"[5-9]|1[0-3]|\d{3,5}")
    wins = rf"[1-9](?:t{value}|r[1-9]{value}(?:\+[1-9]{value})*)"
    aborts = "".join(ABORTS)
    entry = rf"{wins}|d[1-9]*|c[1-9]+|a[{aborts}]|{_NAGASHI.pattern}|{_TOTALS.pattern}"
    return re.sub(r"\(\?P<\w+>", "(?:", rf"(?:{entry})e?(?:x[1-9]+)?(?:/[1-9]+b?)?")


def parse(line: str) -> Entry:
    """Return the entry of a line.

    Raises InvalidInput with the unreadable part and, if known, its position `at` from 1.

    >>> parse("2r3 340/2") == Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), riichi=(1,))
    True
    >>> parse("ｄ１３")
    Draw(riichi=(), dead=(), announced=None, note='', stops=False, tenpai=(0, 2))
    """
    plain = _plain(line)
    if not plain:
        raise InvalidInput([SHORTHAND_EMPTY()])
    typed, _, note = plain.partition("#")
    if typed.startswith("="):  # brackets in its reason are no tiles
        return _correction(typed, note.strip())
    numbered, tiles = _take_tiles(plain)
    typed, _, note = numbered.partition("#")
    joined, said = _take_said("".join(typed.lower().split()), typed)
    body, slash, after = joined.partition("/")
    riichi = after.removesuffix("b")
    if (slash and not riichi) or not _SEATS.fullmatch(riichi):
        _unreadable(typed, "/" + after)
    body, cross, dead = body.partition("x")
    if (cross and not dead) or not _SEATS.fullmatch(dead):
        _unreadable(typed, "x" + dead)
    common = {"riichi": _to_seats(riichi), "dead": _to_seats(dead), "note": note.strip(), "stops": body.endswith("e")}
    entry = _body(body.removesuffix("e"), typed, common)
    if riichi != after:
        entry = without_loser_riichi(entry) or _unreadable(typed, "/" + after)
    entry = replace(entry, announced=announced_for(entry, said)) if said else entry
    return _give_tiles(entry, tiles) if tiles and isinstance(entry, Ron | Tsumo) else entry


def announced_for(entry: Entry, said: str) -> dict[int, int]:
    """Return the announced change by seat for `5200`, or `5200+8000` for several winners in their order.

    Raises InvalidInput unless there are as many winners as amounts.

    >>> announced_for(parse("2r3 340+4 5"), "5200+8000")
    {1: 5200, 3: 8000}
    """
    winners = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    if not _SAID.fullmatch(f"!{said}") or said.count("+") + 1 != len(winners):
        raise InvalidInput([SHORTHAND_ANNOUNCED(said=printable_excerpt(said))])
    return {win.seat: int(points) for win, points in zip(winners, said.split("+"), strict=True)}


def without_loser_riichi(entry: Entry) -> Entry | None:
    """Return a ron without the discarder's riichi, whose riichi stick goes back; None where there is none (E25 3.3.10).

    >>> without_loser_riichi(parse("2r3 340/23")) == parse("2r3 340/23b") == parse("2r3 340/2")
    True
    """
    if not isinstance(entry, Ron) or entry.loser not in entry.riichi:
        return None
    at = entry.riichi.index(entry.loser)
    return replace(entry, riichi=entry.riichi[:at] + entry.riichi[at + 1 :])


def write_announced(entry: Entry) -> str:
    """Write the announced changes as `announced_for` reads them; empty if they are not the winners' alone."""
    seats = [win.seat for win in entry.winners] if isinstance(entry, Ron | Tsumo) else []
    announced = entry.announced or {}
    if not announced or set(announced) != set(seats) or min(announced.values()) < 0:
        return ""
    return "+".join(str(announced[seat]) for seat in seats)


def _take_said(joined: str, typed: str) -> tuple[str, str]:
    """Return a line without its announcement (`!5200`, anywhere), and the announcement."""
    found = _SAID.search(joined)
    rest = joined[: found.start()] + joined[found.end() :] if found else joined
    if "!" in rest:
        _unreadable(typed, rest[rest.index("!") :])
    return rest, found[1] if found else ""


def _take_tiles(plain: str) -> tuple[str, list[str]]:
    """Return a line with its hand lines replaced by their numbers, and the hand lines; a note keeps its brackets.

    >>> _take_tiles("2r3 [123m456p11z] #[x]")
    ('2r3 [0] #[x]', ['123m456p11z'])
    """
    typed, sign, note = plain.partition("#")
    tiles: list[str] = []

    def number(match: "re.Match[str]") -> str:
        tiles.append(match[1])
        return f"[{len(tiles) - 1}]"

    return _TILES.sub(number, typed) + sign + note, tiles


def _give_tiles(entry: Ron | Tsumo, tiles: list[str]) -> Entry:
    """Give each winner the hand line with the number that is in place of his value."""
    winners = tuple(
        win if win.hand is None else replace(win, hand=read_hand_line(tiles[win.hand["tiles"]]))
        for win in entry.winners
    )
    return replace(entry, winners=winners)


def _plain(line: str) -> str:
    """Return the line in NFKC with single blanks; raises InvalidInput if too long or unprintable."""
    if len(line) > MAX_LINE:
        raise InvalidInput([ENTRY_TEXT_TOO_LONG(key="line", most=MAX_LINE)])
    plain = " ".join(unicodedata.normalize("NFKC", line).replace("−", "-").split())
    if len(plain) > MAX_LINE:  # NFKC can make eighteen characters of one
        raise InvalidInput([ENTRY_TEXT_TOO_LONG(key="line", most=MAX_LINE)])
    if unprintable(plain):
        raise InvalidInput([ENTRY_CONTROL_CHARACTER(key="line")])
    return plain


def write(entry: Entry) -> str:
    """Return the line that `parse` reads back as this entry.

    Yaku names and announcements for others than the winners have no shorthand. Tiles replace their value.

    >>> write(Ron(loser=2, winners=(Win(seat=1, han=3, fu=40),), riichi=(1,)))
    '2r3 340/2'
    """
    dead = " x" + write_seats(entry.dead) if entry.dead else ""
    riichi = "/" + write_seats(entry.riichi) if entry.riichi else ""
    said = f" !{write_announced(entry)}" if write_announced(entry) else ""
    note = f" #{entry.note}" if entry.note else ""
    stops = " e" if entry.stops else ""
    return _write_body(entry) + stops + dead + riichi + said + note


def _body(body: str, typed: str, common: dict[str, Any]) -> Entry:
    if body.startswith("d") and _SEATS.fullmatch(body[1:]):
        return Draw(tenpai=_to_seats(body[1:]), **common)
    if body.startswith("c") and _SEATS.fullmatch(body[1:]):
        return Chombo(offenders=_to_seats(body[1:]), **common)
    if body.startswith("a"):
        reason = ABORTS.get(body[1:]) or _unreadable(typed, body)
        return Abort(reason=reason, **common)
    if match := _NAGASHI.fullmatch(body):
        winners, tenpai = _to_seats(match["winners"]), _to_seats(match["tenpai"] or "")
        return Nagashi(winners=winners, tenpai=tenpai, closed=bool(match["closed"]), **common)
    if match := _TOTALS.fullmatch(body):
        *scores, leftover = (int(number) for number in match["scores"].split(","))
        chips = tuple(int(number) for number in (match["chips"] or "").split(",") if number)
        return Totals(scores=tuple(scores), leftover=leftover, chips=chips, **common)
    if match := _TSUMO.fullmatch(body):
        return Tsumo(winners=(_win(match),), **common)
    return _ron(body, typed, common)


def _ron(body: str, typed: str, common: dict[str, Any]) -> Entry:
    first, *others = body.split("+")
    match = _RON.fullmatch(first)
    if not match:
        _unreadable(typed, first)
    more = [_WIN.fullmatch(other) or _unreadable(typed, other) for other in others]
    return Ron(loser=int(match["loser"]) - 1, winners=tuple(_win(found) for found in [match, *more]), **common)


def _correction(typed: str, note: str) -> Entry:
    match = _CORRECTION.fullmatch(typed)
    if not match:
        _unreadable(typed, typed)
    deltas = tuple(int(number) for number in match["deltas"].split(","))
    return Correction(deltas=deltas, reason=(match["reason"] or "").strip(), note=note)


def _win(match: "re.Match[str]") -> Win:
    seats = {"seat": int(match["seat"]) - 1, "pao": int(match["pao"]) - 1 if match["pao"] else None}
    common: dict[str, Any] = {**seats, "chips": int(match["chips"]) if match["chips"] else None}
    if match["yakuman"] is not None:
        return Win(yakuman=int(match["yakuman"] or 1), **common)
    if match["tiles"]:
        return Win(hand={"tiles": int(match["tiles"])}, **common)
    if match["limit"]:
        return Win(han=LIMITS[match["limit"]], **common)
    if paid := tuple(int(match[name]) for name in ("others", "dealer", "paid") if match[name]):
        return PaidWin(paid=paid, **common)
    if match["han"]:
        return Win(han=int(match["han"]), fu=int(match["fu"]), **common)
    if _is_paid(match["digits"]):
        return PaidWin(paid=(int(match["digits"]),), **common)
    han, fu = _split(match["digits"])
    if han > MAX_BARE_HAN:
        raise InvalidInput([bare_han_problem(match["digits"], tsumo=match.re is _TSUMO)])
    return Win(han=han, fu=fu, **common)


def _split(digits: str) -> tuple[int, int]:
    """Split digits into han and fu: 340 is 3 han 40, 1110 is 1 han 110, 1130 is 11 han 30, one or two are han.

    >>> [_split(digits) for digits in ("340", "1110", "1130", "4120", "13")]
    [(3, 40), (1, 110), (11, 30), (4, 120), (13, 0)]
    """
    if len(digits) <= 2:
        return int(digits), 0
    fu_digits = 3 if _long_fu(digits) else 2
    return int(digits[:-fu_digits]), int(digits[-fu_digits:])


def _is_paid(digits: str) -> bool:
    """Return whether a number is points: it ends in 00 that are no fu, or fu of a limit hand.

    700 is never 7 han and 7100 never 7 han 100 fu: who types the payment would enter another hand.

    >>> [digits for digits in ("500", "1000", "1100", "1200", "3900", "12000", "7100") if _is_paid(digits)]
    ['500', '1000', '1200', '3900', '12000', '7100']
    """
    return len(digits) >= 3 and digits[-2:] == "00" and not (_long_fu(digits) and int(digits[:-3]) < MANGAN_HAN)


def _long_fu(digits: str) -> bool:
    """Return whether the last three digits are fu: 100 and 110 always, 120 to 140 from 4 han (see scoring.fu)."""
    han, fu = digits[:-3], digits[-3:]
    return bool(han) and (fu in ("100", "110") or (fu in ("120", "130", "140") and int(han) >= 4))


def _unreadable(typed: str, part: str) -> NoReturn:
    """Raise InvalidInput for a part (without blanks) with its position in the line as typed."""
    letters = [(at, letter) for at, letter in enumerate(typed.lower(), start=1) if letter != " "]
    start = max("".join(letter for _, letter in letters).find(part), 0)
    at = letters[start][0] if letters else 1
    raise InvalidInput([SHORTHAND_UNREADABLE(part=printable_excerpt(part or typed), at=at)])


def _to_seats(digits: str) -> tuple[int, ...]:
    return tuple(int(digit) - 1 for digit in digits)


def write_seats(seats: tuple[int, ...]) -> str:
    """Write seats as digits from 1."""
    return "".join(str(seat + 1) for seat in seats)


def _write_body(entry: Entry) -> str:
    match entry:
        case Ron():
            first, *others = entry.winners
            more = "".join(f"+{win.seat + 1} {_write_win(win)}" for win in others)
            return f"{first.seat + 1}r{entry.loser + 1} {_write_win(first)}{more}"
        case Tsumo():
            return f"{entry.win.seat + 1}t {_write_win(entry.win)}"
        case Draw():
            return "d" + write_seats(entry.tenpai)
        case Nagashi():
            tenpai = " d" + write_seats(entry.tenpai) if entry.tenpai else ""
            return "n" + write_seats(entry.winners) + "c" * entry.closed + tenpai
        case Abort():
            return "a" + next(letter for letter, reason in ABORTS.items() if reason == entry.reason)
        case Chombo():
            return "c" + write_seats(entry.offenders)
        case Correction():
            return "=" + ",".join(f"{delta:+}" for delta in entry.deltas) + " " + entry.reason
        case Totals():
            chips = " c" + ",".join(f"{each:+}" for each in entry.chips) if entry.chips else ""
            return "*" + ",".join(str(score) for score in (*entry.scores, entry.leftover)) + chips
    raise TypeError(f"no shorthand for {type(entry).__name__}")


def _write_win(win: Win) -> str:
    pao = "" if win.pao is None else f" p{win.pao + 1}"
    chips = "" if win.chips is None else f" c{win.chips}"
    return write_value(win) + pao + chips


def write_value(win: Win) -> str:
    """Write what a win is worth: tiles, points, yakuman, or han and fu.

    >>> write_value(Win(seat=1, han=3, fu=40, pao=2)), write_value(Win(seat=1, yakuman=2))
    ('340', 'y2')
    """
    if win.hand is not None:
        double = 2 if win.hand.get("riichi") == 2 else 0
        return f"[{write_hand_line({**win.hand, **_KNOWN_AT_THE_TABLE, 'riichi': double})}]"
    if isinstance(win, PaidWin):
        return write_paid(win.paid)
    if win.yakuman:
        return "y" + (str(win.yakuman) if win.yakuman > 1 else "")
    return f"{win.han}{win.fu or ''}" if _plainly(win) else f"{win.han}.{win.fu}"


def write_paid(paid: Paid) -> str:
    """Write a payment, with `=` where the bare number would be han and fu.

    >>> write_paid((3900,)), write_paid((500,)), write_paid((7100,)), write_paid((1300, 2600))
    ('3900', '=500', '=7100', '1300-2600')
    """
    text = write_payment(paid)
    bare = len(text) in (4, 5) and _is_paid(text) and not _long_fu(text)
    return text if len(paid) > 1 or bare else f"={text}"


# not written with tiles: the table knows it
_KNOWN_AT_THE_TABLE = {"tsumo": False, "honba": 0, "round_wind": "E", "seat_wind": "E"}


def _plainly(win: Win) -> bool:
    """Return whether han and fu written side by side read back the same."""
    digits = f"{win.han}{win.fu or ''}"
    if win.han > MAX_BARE_HAN or not (digits.isascii() and len(digits) <= 5):
        return False
    return not _is_paid(digits) and _split(digits) == (win.han, win.fu)
