"""Simulated games (tests/data/online-*.jsonl.xz) and what they look like as logs of each format.

The games are events of mjai; the value of each win comes from the desk's own reading of its tiles, which
`test_online_games` holds against the payments of the engine that simulated them.
"""

import json
import lzma
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from rules.books import load
from rules.ruleset import Ruleset
from scoring.entries import Abort, Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.value import base_of
from tests.conftest import DATA
from tournament.online_logs.games import GamePreview, judge_online_game, read_online_game
from tournament.online_logs.readers import TENHOU_ABORTS, YAKU, read_mjai_tile

Events = list[dict[str, Any]]
NAMES = ("crane_77", "riverstone", "Moss & Fir", "東風")
KEYS = {4: "tenhou-yonma", 3: "tenhou-sanma"}
_SUITS = {"m": 10, "p": 20, "s": 30, "z": 40}
_NUMBERS = {key: at for at, (_word, key) in reversed(list(enumerate(YAKU)))}
_WORDS = {key: word for word, key in reversed(YAKU)}
_LIMITS = ((8000, "役満"), (6000, "三倍満"), (4000, "倍満"), (3000, "跳満"), (2000, "満貫"))
_XML_ABORTS = {key: word for word, key in TENHOU_ABORTS.items() if word.isascii()}
_JSON_ABORTS = {key: word for word, key in reversed(TENHOU_ABORTS.items()) if not word.isascii()}


@cache
def simulated(players: int = 4) -> tuple[Events, ...]:
    """Return the recorded games of so many players."""
    text = lzma.decompress((DATA / f"online-{players}p.jsonl.xz").read_bytes()).decode()
    return tuple(json.loads(line) for line in text.splitlines())


def mjai(events: Events, names: Sequence[str] = NAMES) -> bytes:
    """Write a game as mjai logs are: an event a line, the names of the players in the first."""
    players = len([hand for hand in events[1]["tehais"] if hand])
    first = {**events[0], "names": list(names[:players])}
    return "\n".join(json.dumps(event, ensure_ascii=False) for event in [first, *events[1:]]).encode()


def judged(events: Events) -> tuple[GamePreview, Ruleset]:
    """Return a game as the desk judges it by the rules it was played by."""
    game = read_online_game(mjai(events))
    rules = load(KEYS[len(game.names)])
    return judge_online_game(game, "log", rules), rules


def _hands(events: Events) -> Iterator[tuple[Events, Entry]]:
    preview, _rules = judged(events)
    starts = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    for first, last, entry in zip(starts, [*starts[1:], len(events)], preview.entries, strict=True):
        yield events[first:last], entry


# ---------------------------------------------------------------- tenhou.net/6


def tenhou(events: Events, names: Sequence[str] = NAMES) -> bytes:
    """Write a game as the JSON of tenhou.net/6, without the calls, which no reader of values needs."""
    _preview, rules = judged(events)
    seats = [*names[: rules.players], *[""] * (4 - rules.players)]
    log = [_round(hand, entry, rules) for hand, entry in _hands(events)]
    whole = {"title": ["", ""], "name": seats, "rule": {"disp": "般南喰赤", "aka": 1}, "rate": [1500.5], "log": log}
    return json.dumps(whole, ensure_ascii=False).encode()


def _round(events: Events, entry: Entry, rules: Ruleset) -> list[Any]:
    start = events[0]
    kyoku = 4 * "ESWN".index(start["bakaze"]) + start["oya"]
    scores = [*start["scores"], 0][:4]
    dora = [_number(event["dora_marker"]) for event in events if "dora_marker" in event]
    seats: list[list[Any]] = []
    for seat in range(4):
        deal = start["tehais"][seat] if seat < rules.players else []
        draws = [_number(event["pai"]) for event in events if event["type"] == "tsumo" and event["actor"] == seat]
        seats += [[_number(name) for name in deal], draws, list(_discards(events, seat))]
    return [[kyoku, start["honba"], start["kyotaku"]], scores, dora, [], *seats, _result(events, entry, rules)]


def _discards(events: Events, seat: int) -> Iterator[int | str]:
    for before, event in zip([{}, *events], events, strict=False):
        if event["type"] == "dahai" and event["actor"] == seat:
            number = _number(event["pai"])
            yield f"r{number}" if before["type"] == "reach" else number


def _number(name: str) -> int:
    written = read_mjai_tile(name)
    digit, suit = written[0], written[1]
    return 50 + _SUITS[suit] // 10 if digit == "0" else _SUITS[suit] + int(digit)


def _result(events: Events, entry: Entry, rules: Ruleset) -> list[Any]:
    deltas = [[*each, 0][:4] for each in [event["deltas"] for event in events if event["type"] in ("hora", "ryukyoku")]]
    match entry:
        case Ron() | Tsumo():
            loser = entry.loser if isinstance(entry, Ron) else entry.winners[0].seat
            infos = [_info(win, loser, rules) for win in entry.winners]
            return ["和了", *(part for pair in zip(deltas, infos, strict=True) for part in pair)]
        case Abort():
            return [_JSON_ABORTS[entry.reason]]
        case Nagashi():
            return ["流し満貫", *deltas]
        case Draw() if len(entry.tenpai) in (0, rules.players):
            return ["全員聴牌" if entry.tenpai else "全員不聴"]
        case _:
            return ["流局", *deltas]


def _info(win: Win, loser: int, rules: Ruleset) -> list[Any]:
    names = list(win.yaku or ())
    if win.yakuman:
        pao = win.seat if win.pao is None else win.pao
        return [win.seat, loser, pao, "役満", *(f"{_WORDS[name]}(役満)" for name in names)]
    worth = {name: _han(name, win, rules) for name in names}
    dora = win.han - sum(worth.values())
    said = [f"{_WORDS[name]}({han}飜)" for name, han in worth.items()] + ([f"ドラ({dora}飜)"] if dora else [])
    base = base_of(win.han, win.fu, rules)
    limit = next((word for least, word in _LIMITS if base >= least), "")
    return [win.seat, loser, win.seat, f"{limit or f'{win.fu}符{win.han}飜'}{base}点", *said]


def _han(name: str, win: Win, rules: Ruleset) -> int:
    hand = win.hand or {}
    closed = all(meld["kind"] == "ankan" for meld in hand["melds"])
    return int(getattr(rules, name)[0 if closed else 1])


# ---------------------------------------------------------------- mjlog


def mjlog(events: Events, names: Sequence[str] = NAMES) -> bytes:
    """Write a game as the XML of .mjlog: each tile by its number of 136, calls as they are made.

    As real logs have it: AGARI lists the melds newest first, an added kan in the place of its pon; `hai` is the
    concealed part in order, with the winning tile; `paoWho` is there only where somebody is liable; `ba` counts the
    sticks of this hand; the last element of a game has `owari`.
    """
    _preview, rules = judged(events)
    players = "".join(f' n{seat}="{quote(name)}"' for seat, name in enumerate(names[: rules.players]))
    empty = ' n3=""' if rules.players == 3 else ""
    parts = ['<mjloggm ver="2.3">', '<GO type="9" lobby="0"/>', f"<UN{players}{empty}/>", '<TAIKYOKU oya="0"/>']
    for hand, entry in _hands(events):
        parts += _XmlHand(hand, entry, rules).elements()
    parts[-1] = parts[-1].replace("/>", ' owari="0,0.0,0,0.0,0,0.0,0,0.0"/>')
    return "\n".join([*parts, "</mjloggm>"]).encode()


class _XmlHand:
    """One hand as it is written: who holds which tile by its number, and the numbers of the melds in order."""

    def __init__(self, events: Events, entry: Entry, rules: Ruleset) -> None:
        start = events[0]
        self.events, self.entry, self.rules = events, entry, rules
        self.unseen = {kind: [4 * kind + copy for copy in range(4)] for kind in range(34)}
        self.kyoku = 4 * "ESWN".index(start["bakaze"]) + start["oya"]
        self.honba, self.sticks = start["honba"], start["kyotaku"]
        self.ten = [score // 100 for score in [*start["scores"], 0][:4]]
        self.dora = [self.new(start["dora_marker"])]
        self.hands = [sorted(map(self.new, start["tehais"][seat])) for seat in range(rules.players)]
        self.melds: list[list[tuple[int, int]]] = [[] for _ in range(rules.players)]  # kind of tile, number
        self.drawn = self.discarded = -1

    def new(self, name: str) -> int:
        """Return the number of a tile that was not seen before."""
        kind, red = _kind(name)
        copies = self.unseen[kind]
        copies.sort(key=lambda each: (_red(each) is not red, each))
        return copies.pop(0)

    def out(self, seat: int, name: str) -> int:
        """Take a tile out of a hand; the one just drawn, if it is such a one."""
        kind, red = _kind(name)
        fitting = [each for each in self.hands[seat] if each // 4 == kind and _red(each) is red]
        found = self.drawn if self.drawn in fitting else fitting[0]
        self.hands[seat].remove(found)
        return found

    def elements(self) -> Iterator[str]:
        """Yield the elements of the hand."""
        deals = {f"hai{seat}": _listed(hand) for seat, hand in enumerate(self.hands)}
        none = {"hai3": ""} if self.rules.players == 3 else {}
        seed = f"{self.kyoku},{self.honba},{self.sticks},1,2,{self.dora[0]}"
        yield _element("INIT", seed=seed, ten=_listed(self.ten), oya=self.events[0]["oya"], **deals, **none)
        wins = iter(self.entry.winners if isinstance(self.entry, Ron | Tsumo) else ())
        for event in self.events:
            seat = event.get("actor", 0)
            match event["type"]:
                case "tsumo":
                    self.drawn = self.new(event["pai"])
                    self.hands[seat].append(self.drawn)
                    yield f"<{'TUVW'[seat]}{self.drawn}/>"
                case "dahai":
                    self.discarded = self.out(seat, event["pai"])
                    yield f"<{'DEFG'[seat]}{self.discarded}/>"
                case "reach":
                    yield _element("REACH", who=seat, step=1)
                case "reach_accepted":
                    self.ten[seat] -= 10
                    self.sticks += 1
                    yield _element("REACH", who=seat, ten=_listed(self.ten), step=2)
                case "dora":
                    self.dora.append(self.new(event["dora_marker"]))
                    yield _element("DORA", hai=self.dora[-1])
                case "chi" | "pon" | "daiminkan" | "kakan" | "ankan" | "kita" | "nukidora" as kind:
                    yield _element("N", who=seat, m=self.call(kind, seat, event))
                case "hora":
                    yield self.agari(next(wins), event)
                case "ryukyoku":
                    yield self.ryuukyoku(event)

    def call(self, kind: str, seat: int, event: dict[str, Any]) -> int:
        """Take a call and return its number."""
        if kind in ("kita", "nukidora"):
            self.discarded = self.out(seat, "N")
            self.melds[seat].append((self.discarded // 4, self.discarded << 8 | 0b100000))
            return self.melds[seat][-1][1]
        if kind == "kakan":
            added = self.discarded = self.out(seat, event["pai"])
            at, (_tile, pon) = next(each for each in enumerate(self.melds[seat]) if each[1][0] == added // 4)
            self.melds[seat][at] = (added // 4, pon ^ 0b11000)  # the same number but for its kind
            return self.melds[seat][at][1]
        own = [self.out(seat, name) for name in event["consumed"]]
        called = max(own) if kind == "ankan" else self.discarded
        tiles = sorted(own if kind == "ankan" else [*own, called])
        step = 0 if kind == "ankan" else (event["target"] - seat) % 4  # three players leave the fourth seat empty
        first = tiles[0] // 4
        if kind == "chi":
            base = 3 * (first // 9 * 7 + first % 9) + tiles.index(called)
            code = base << 10 | sum(each % 4 << (3 + 2 * at) for at, each in enumerate(tiles)) | 4 | step
        elif kind == "pon":
            (left,) = {4 * first + copy for copy in range(4)} - set(tiles)
            code = (3 * first + tiles.index(called)) << 9 | left % 4 << 5 | 8 | step
        else:
            code = called << 8 | step
        self.melds[seat].append((first, code))
        return code

    def ba(self) -> str:
        """Return honba and sticks on the table at the end."""
        return f"{self.honba},{self.sticks}"

    def pay(self, deltas: Sequence[int]) -> str:
        """Return each seat's score and what it gets, and pay it."""
        parts = [each // 100 for each in [*deltas, 0][:4]]
        told = _listed([each for pair in zip(self.ten, parts, strict=True) for each in pair])
        self.ten = [score + part for score, part in zip(self.ten, parts, strict=True)]
        return told

    def agari(self, win: Win, event: dict[str, Any]) -> str:
        """Return the element of a win."""
        tsumo = event["target"] == win.seat
        machi = self.drawn if tsumo else self.discarded
        names = list(win.yaku or ())
        worth = [(_NUMBERS[name], _han(name, win, self.rules)) for name in names if not win.yakuman]
        value = {"yaku": _listed([part for pair in worth for part in pair])} if worth else {}
        ura = [self.new(name) for name in event.get("ura_markers") or event.get("uradora_markers") or ()]
        melds = [number for _tile, number in reversed(self.melds[win.seat])]
        ba, self.sticks = self.ba(), 0
        return _element(
            "AGARI",
            ba=ba,
            hai=_listed(sorted({*self.hands[win.seat], machi})),
            **({"m": _listed(melds)} if melds else {}),
            machi=machi,
            ten=f"{win.fu},{sum(each for each in event['deltas'] if each > 0)},0",
            **value,
            **({"yakuman": _listed([_NUMBERS[name] for name in names])} if win.yakuman else {}),
            doraHai=_listed(self.dora),
            **({"doraHaiUra": _listed(ura)} if ura else {}),
            who=win.seat,
            fromWho=event["target"],
            **({"paoWho": win.pao} if win.pao is not None else {}),
            sc=self.pay(event["deltas"]),
        )

    def ryuukyoku(self, event: dict[str, Any]) -> str:
        """Return the element of a draw."""
        entry = self.entry
        ba, sc = self.ba(), self.pay(event.get("deltas", [0] * 4))
        if isinstance(entry, Abort):
            return _element("RYUUKYOKU", type=_XML_ABORTS[entry.reason], ba=ba, sc=sc)
        kind = {"type": "nm"} if isinstance(entry, Nagashi) else {}
        tenpai = entry.tenpai if isinstance(entry, Draw | Nagashi) else ()
        shown = {f"hai{seat}": _listed(sorted(self.hands[seat])) for seat in sorted(tenpai)}
        return _element("RYUUKYOKU", **kind, ba=ba, sc=sc, **shown)


def _kind(name: str) -> tuple[int, bool]:
    """Return a tile's number of 34, and whether it is a red five."""
    digit, suit = tuple(read_mjai_tile(name))
    return 9 * "mpsz".index(suit) + (int(digit) or 5) - 1, digit == "0"


def _red(number: int) -> bool:
    return number in (16, 52, 88)


def _listed(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _element(name: str, **attributes: Any) -> str:
    return f"<{name} {' '.join(f'{key}={quoteattr(str(value))}' for key, value in attributes.items())}/>"
