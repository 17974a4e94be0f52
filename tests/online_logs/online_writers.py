"""Simulated games (tests/data/online-*.jsonl.xz) and what they look like as logs of each format.

The games are events of mjai; the value of each win comes from the desk's own reading of its tiles, which
`test_online_games` holds against the payments of the engine that simulated them.
"""

import json
import lzma
import random
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


def _deltas(events: Events) -> list[list[int]]:
    return [event["deltas"] for event in events if event["type"] in ("hora", "ryukyoku")]


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
    deltas = [[*each, 0][:4] for each in _deltas(events)]
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
    """Write a game as the XML of .mjlog."""
    _preview, rules = judged(events)
    players = "".join(f' n{seat}="{quote(name)}"' for seat, name in enumerate(names[: rules.players]))
    empty = ' n3=""' if rules.players == 3 else ""
    parts = ['<mjloggm ver="2.3">', '<GO type="9" lobby="0"/>', f"<UN{players}{empty}/>", '<TAIKYOKU oya="0"/>']
    for hand, entry in _hands(events):
        parts += _xml_hand(hand, entry, rules)
    return "\n".join([*parts, "</mjloggm>"]).encode()


def _xml_hand(events: Events, entry: Entry, rules: Ruleset) -> Iterator[str]:
    start = events[0]
    kyoku = 4 * "ESWN".index(start["bakaze"]) + start["oya"]
    ten = [score // 100 for score in [*start["scores"], 0][:4]]
    deals = {f"hai{seat}": _listed(_ids(start["tehais"][seat])) for seat in range(rules.players)}
    yield _element(
        "INIT", seed=f"{kyoku},{start['honba']},{start['kyotaku']},1,2,0", ten=_listed(ten), oya=start["oya"], **deals
    )
    for event in events:
        if event["type"] == "tsumo":
            yield f"<{'TUVW'[event['actor']]}{_ids([event['pai']])[0]}/>"
        elif event["type"] == "reach":
            yield _element("REACH", who=event["actor"], step=1)
        elif event["type"] == "reach_accepted":
            ten[event["actor"]] -= 10
            yield _element("REACH", who=event["actor"], ten=_listed(ten), step=2)
    wins = list(entry.winners) if isinstance(entry, Ron | Tsumo) else [None]
    for win, deltas in zip(wins, _deltas(events), strict=True):
        parts = [each // 100 for each in [*deltas, 0][:4]]
        sc = _listed([each for pair in zip(ten, parts, strict=True) for each in pair])
        ten = [score + part for score, part in zip(ten, parts, strict=True)]
        yield _agari(win, entry, sc, rules) if win else _ryuukyoku(entry, sc, rules)


def _agari(win: Win, entry: Entry, sc: str, rules: Ruleset) -> str:
    hand = win.hand or {}
    melds = [_meld_code(meld, win.seat, rules.players) for meld in hand["melds"]] + [0b100000 | 120 << 8] * hand["kita"]
    names = list(win.yaku or ())
    if win.yakuman:
        value = {"yakuman": _listed([_NUMBERS[name] for name in names])}
    else:
        worth = [(_NUMBERS[name], _han(name, win, rules)) for name in names]
        value = {"yaku": _listed([part for pair in worth for part in pair])}
    tiles = {"hai": _hand_ids(hand["tiles"]), "machi": _hand_ids(hand["win"]), "doraHai": _hand_ids(hand["dora"])}
    return _element(
        "AGARI",
        **{name: _listed(ids) for name, ids in tiles.items()},
        **({"m": _listed(melds)} if melds else {}),
        **({"doraHaiUra": _listed(_hand_ids(hand["ura"]))} if hand["ura"] else {}),
        ten=f"{win.fu},0,0",
        **value,
        who=win.seat,
        fromWho=entry.loser if isinstance(entry, Ron) else win.seat,
        sc=sc,
    )


def _ryuukyoku(entry: Entry, sc: str, rules: Ruleset) -> str:
    if isinstance(entry, Abort):
        return _element("RYUUKYOKU", type=_XML_ABORTS[entry.reason], sc=sc)
    kind = {"type": "nm"} if isinstance(entry, Nagashi) else {}
    tenpai = entry.tenpai if isinstance(entry, Draw | Nagashi) else ()
    return _element("RYUUKYOKU", **kind, sc=sc, **{f"hai{seat}": "0,1,2" for seat in tenpai})


def _meld_code(meld: dict[str, Any], seat: int, players: int) -> int:
    """Return a meld's number; which of its tiles was called is in no hand, so one is chosen."""
    ids = sorted(_hand_ids(meld["tiles"]))
    giver = seat + {None: 0, "right": 1, "across": 2, "left": players - 1}[meld["from"]]
    step = (giver % players - seat) % 4  # a game of three leaves the fourth seat empty
    called = random.Random(ids[0]).randrange(3)
    if meld["kind"] == "chi":
        first = ids[0] // 4
        base = 3 * (first // 9 * 7 + first % 9) + called
        return base << 10 | sum((each % 4) << (3 + 2 * at) for at, each in enumerate(ids)) | 4 | step
    kind = ids[0] // 4
    if meld["kind"] == "pon":
        (left,) = {4 * kind + copy for copy in range(4)} - set(ids)
        return (3 * kind + called) << 9 | (left % 4) << 5 | 8 | step
    if meld["kind"] == "shouminkan":
        return (3 * kind + called) << 9 | 16 | step
    return (4 * kind + called) << 8 | step


def _ids(names: Sequence[str]) -> list[int]:
    return _hand_ids("".join(read_mjai_tile(name) for name in names))


def _hand_ids(tiles: str) -> list[int]:
    """Return numbers of 136 for the tiles of a hand; the first of each five is the red one."""
    found: list[int] = []
    digits = ""
    for sign in tiles:
        if sign.isdigit():
            digits += sign
            continue
        for digit in digits:
            kind = 9 * "mpsz".index(sign) + (4 if digit == "0" else int(digit) - 1)
            five = digit == "5" and sign != "z"
            copies = [4 * kind] if digit == "0" else [4 * kind + copy for copy in range(int(five), 4)]
            # indicators and a hand are numbered apart, so a copy may be missing: the last one stands for it
            found.append(next((each for each in copies if each not in found), copies[-1]))
        digits = ""
    return found


def _listed(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _element(name: str, **attributes: Any) -> str:
    return f"<{name} {' '.join(f'{key}={quoteattr(str(value))}' for key, value in attributes.items())}/>"
