"""Logs of Tenhou and mjai: each says the same game, the desk pays what was paid, and what is wrong has a name."""

import dataclasses
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from rules.books import load
from scoring.entries import Entry, Ron, Tsumo
from scoring.problems import InvalidInput, errors_of
from tests.online_logs.online_writers import NAMES, Events, judged, mjai, mjlog, simulated, tenhou
from tests.table_test import tabled
from tournament.online_logs.games import MAX_BYTES, GamePreview, judge_online_game, read_online_game, unpack_logs
from tournament.online_logs.readers import meld, read_tenhou_tile
from tournament.text.problems import problem_text

pytestmark = pytest.mark.whole_run

WRITERS = {"tenhou": tenhou, "mjlog": mjlog, "mjai": mjai}
GAMES = {f"{players}p-{at}": events for players in (4, 3) for at, events in enumerate(simulated(players))}


def judge(data: bytes, key: str = "tenhou-yonma") -> GamePreview:
    return judge_online_game(read_online_game(data), "log", load(key))


def plain(entry: Entry) -> Entry:
    """Return an entry without its tiles, and without what of it a log of Tenhou need not say."""
    if not isinstance(entry, Ron | Tsumo):
        return dataclasses.replace(entry, riichi=tuple(sorted(entry.riichi)))
    wins = tuple(
        dataclasses.replace(
            win, hand=None, fu=0 if win.han > 2 else win.fu, yaku=tuple(sorted({*(win.yaku or ())} - {"dora"}))
        )
        for win in entry.winners
    )
    return dataclasses.replace(entry, winners=wins, riichi=tuple(sorted(entry.riichi)))


def tiles_of(entry: Entry) -> list[Any]:
    """Return the hands of the winners; of a yakuman the XML does not say ippatsu, which adds nothing to it."""
    wins = entry.winners if isinstance(entry, Ron | Tsumo) else ()
    return [{**(win.hand or {}), **({"ippatsu": False} if win.yakuman else {})} for win in wins]


@pytest.mark.parametrize("game", GAMES)
def test_the_desk_pays_what_the_engine_paid(game: str) -> None:
    preview, _rules = judged(GAMES[game])
    assert [problem_text(problem) for problem in preview.all_problems] == []
    assert preview.ended
    assert preview.hands


@pytest.mark.parametrize("game", GAMES)
def test_every_format_tells_the_same_game(game: str) -> None:
    events = GAMES[game]
    wanted, rules = judged(events)
    marks = set()
    for write in WRITERS.values():
        read = read_online_game(write(events))
        found = judge_online_game(read, "log", rules)
        assert [problem_text(problem) for problem in found.all_problems] == []
        assert [plain(entry) for entry in found.entries] == [plain(entry) for entry in wanted.entries]
        assert read.names == NAMES[: rules.players]
        marks.add(read.mark)
    assert len(marks) == 1
    # Tenhou's XML has the tiles, too
    for one, other in zip(judge(mjlog(events), rules.key).entries, wanted.entries, strict=True):
        assert tiles_of(one) == tiles_of(other)


def test_the_recorded_games_have_what_is_rare() -> None:
    seen: set[str] = set()
    for events in GAMES.values():
        for entry in judged(events)[0].entries:
            seen |= {entry.kind, *(["several"] if len(getattr(entry, "winners", ())) > 1 else [])}
            seen |= {getattr(entry, "reason", "")}
            for win in entry.winners if isinstance(entry, Ron | Tsumo) else ():
                melds = {str(meld["kind"]) for meld in (win.hand or {})["melds"]}
                seen |= melds | set(win.yaku or ()) | ({"kita"} if (win.hand or {})["kita"] else set())
    assert seen >= {
        *("ron", "tsumo", "draw", "abort", "several", "kyuushu_kyuuhai", "chi", "pon", "daiminkan", "shouminkan"),
        *("ankan", "kita", "riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "chiitoitsu", "pinfu"),
    }


# what others read of real calls (tests of kobalab/tenhou-log)
CALLS = {
    6207: ("chi", "340m"), 31767: ("chi", "406p"), 57735: ("chi", "067s"), 6697: ("pon", "055m"),
    20010: ("pon", "055p"), 34315: ("pon", "555s"), 48681: ("pon", "555z"), 6705: ("shouminkan", "0555m"),
    48689: ("shouminkan", "5555z"), 4609: ("daiminkan", "0555m"), 31746: ("daiminkan", "5555z"),
    22528: ("ankan", "0555s"), 31744: ("ankan", "5555z"),
}  # fmt: skip


@pytest.mark.parametrize("code", CALLS)
def test_the_number_of_a_real_call_is_read_as_others_read_it(code: int) -> None:
    kind, ids = meld(code)
    tiles = [read_tenhou_tile(each) for each in ids]
    assert (kind, "".join(each[0] for each in tiles) + tiles[0][1]) == CALLS[code]


def test_the_newest_call_is_first_and_the_liable_player_is_named() -> None:
    """A real AGARI as kobalab/tenhou-log has it: 555z, 666z from across, then 777z from the right; seat 1 is liable."""
    agari = (
        '<AGARI ba="1,0" hai="8,11,42,46,48" m="51785,50250,48650" machi="11" ten="40,32000,5" yakuman="39" '
        'doraHai="22" who="0" fromWho="2" paoWho="1" sc="404,323,125,-163,155,-160,316,0"/>'
    )
    game = f'<mjloggm><INIT seed="0,1,0,0,0,22" ten="404,125,155,316" oya="0" hai3="0"/>{agari}</mjloggm>'
    (hand,) = read_online_game(game.encode()).hands
    assert isinstance(hand.entry, Ron)
    (win,) = hand.entry.winners
    assert win.pao == 1
    assert [(each["tiles"], each["from"]) for each in (win.hand or {})["melds"]] == [
        ("5z5z5z", "across"),
        ("6z6z6z", "across"),
        ("7z7z7z", "right"),
    ]


# ---------------------------------------------------------------- what a game of other rules would have been


def shifted(events: Events, by: int) -> Events:
    """Return a game that began with other points."""
    return [
        {**each, "scores": [score + by for score in each["scores"]]} if "scores" in each else each for each in events
    ]


def test_rules_that_pay_otherwise_refuse_the_hand_by_name() -> None:
    preview = judge(mjai(shifted(simulated()[0], 5000)), "ema-2025")
    wrong = [hand for hand in preview.hands if hand.problems]
    assert not preview.is_sound
    (problem,) = errors_of(wrong[0].problems)
    assert problem.code.startswith(("log.other", "log.over", "hand.", "abort."))
    assert all(hand.hand is None for hand in preview.hands[wrong[0].number - 1 :])


def changed(change: Callable[[Events], None]) -> bytes:
    events = json.loads(json.dumps(simulated()[0]))
    change(events)
    return mjai(events)


def scores_of(hand: int, seat: int, points: int) -> Callable[[Events], None]:
    def change(events: Events) -> None:
        start = [event for event in events if event["type"] == "start_kyoku"][hand]
        start["scores"][seat] += points

    return change


def set_in(kind: str, at: int = 0, **values: Any) -> Callable[[Events], None]:
    def change(events: Events) -> None:
        [event for event in events if event["type"] == kind][at].update(values)

    return change


def from_hand(number: int) -> Events:
    """Return a game whose log begins with a later hand."""
    starts = [at for at, event in enumerate(GAME) if event["type"] == "start_kyoku"]
    return [GAME[0], *GAME[starts[number] :]]


HIDDEN: dict[str, Any] = {"tehais": [["?"] * 13, *[["1m"] * 13] * 3]}


GAME = simulated()[0]
DAMAGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "as it is": (lambda: mjai(GAME), ""),
    "packed": (lambda: gzip.compress(mjlog(GAME)), ""),
    "an address": (lambda: b"https://tenhou.net/6/#json=" + quote(tenhou(GAME).decode()).encode(), ""),
    "a list of events": (lambda: json.dumps(GAME).encode(), ""),
    "nothing": (lambda: b" \n", "import.file_empty"),
    "noise": (lambda: bytes(range(256)) * 9, "import.not_text"),
    "another file": (lambda: b'{"entries": []}', "log.unknown"),
    "another page": (lambda: b"<html><body>x</body></html>", "game.empty"),
    "an entity": (lambda: b'<!DOCTYPE x [<!ENTITY a "b">]><mjloggm>&a;</mjloggm>', "log.unknown"),
    "broken XML": (lambda: mjlog(GAME)[:-20], "log.unknown"),
    "broken JSON": (lambda: tenhou(GAME).replace(b"}", b""), "log.unknown"),
    "a broken line": (lambda: mjai(GAME)[:-9], "log.unknown"),
    "a broken pack": (lambda: gzip.compress(mjlog(GAME))[:200], "log.zip_broken"),
    "too large": (lambda: gzip.compress(b" " * (MAX_BYTES + 1)), "import.file_too_big"),
    "no finished hand": (lambda: mjai(GAME[:9]), "log.unfinished"),
    "no finished hand in XML": (lambda: re.sub(rb"<(AGARI|RYUUKYOKU) .*?/>", b"", mjlog(GAME)), "log.unfinished"),
    "no hand": (lambda: b'{"name": ["", "", "", ""], "log": []}', "game.empty"),
    "from the second hand on": (lambda: mjai(from_hand(1)), "log.mid_game"),
    "hidden hands": (lambda: changed(set_in("start_kyoku", **HIDDEN)), "log.hidden"),
    "what one player saw": (lambda: re.sub(rb" hai0=", b" hai=", mjlog(GAME)), "log.hidden"),
    "no seats": (lambda: json.dumps({"name": [], "log": [[]]}).encode(), "log.hand_unreadable"),
    "an odd yaku": (lambda: mjlog(GAME).replace(b'yaku="', b'yaku="99,1,'), "log.hand_unreadable"),
    "a huge number": (lambda: mjai(GAME).replace(b"25000", b"9" * 30), "log.hand_unreadable"),
    "other points": (lambda: mjai(shifted(GAME, 5000)), "game.other_start"),
    "a tile twice": (lambda: changed(set_in("dahai", pai="9z")), "log.hand_unreadable"),
    "other scores": (lambda: changed(scores_of(1, 0, 100)), "log.other_scores"),
    "another payment": (lambda: changed(set_in("hora", deltas=[1, 2, 3, -6])), "log.other_scores"),
    "another hand": (lambda: changed(set_in("start_kyoku", 1, honba=5)), "log.other_hand"),
    "other sticks": (lambda: changed(set_in("start_kyoku", 1, kyotaku=5)), "log.other_sticks"),
}  # fmt: skip


@tabled("damage", DAMAGED)
def test_damage_is_named_in_words(damage: str) -> None:
    make, wanted = DAMAGED[damage]
    try:
        found = errors_of(judge(make()).all_problems)
    except InvalidInput as refused:
        found = list(refused.problems)
    assert [problem.code for problem in found][:1] == ([wanted] if wanted else [])
    said = [problem_text(problem) for problem in found]
    assert not [text for text in said if re.search(r"\(\w+\)|\blog\.\w", text)]


def test_scores_that_differ_between_hands_are_of_the_hand_before() -> None:
    """The next hand's scores are compared when it begins: nothing is paid between two hands."""
    preview = judge(changed(scores_of(1, 0, 100)))
    assert [hand.number for hand in preview.hands if hand.problems] == [2]


def test_a_game_of_three_is_no_game_of_four() -> None:
    (problem,) = judge(mjai(simulated(3)[0]), "tenhou-yonma").problems
    assert problem_text(problem) == "3 players in the log; 4 in this event."


# ---------------------------------------------------------------- many in one file


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def test_a_zip_gives_its_logs_by_name() -> None:
    data = zipped({"b/2.json": b"two", "a/1.json": b"one", "a/": b"", "__MACOSX/a/1.json": b"x"})
    assert unpack_logs(data, "logs.zip") == [("1.json", b"one"), ("2.json", b"two")]
    assert unpack_logs(b"{}", "log.json") == [("log.json", b"{}")]


PACKED = {
    "broken": (lambda: zipped({"a": b"x" * 99})[:60], "log.zip_broken"),
    "empty": (lambda: zipped({}), "import.file_empty"),
    "nothing but folders": (lambda: zipped({"a/": b""}), "import.file_empty"),
    "too many": (lambda: zipped({f"{at}": b"" for at in range(501)}), "log.too_many"),
    "too large": (lambda: zipped({"a": b"\0" * (65 * 2**20)}), "log.too_many"),
}


@tabled("case", PACKED)
def test_a_zip_that_is_none_is_refused(case: str) -> None:
    make, wanted = PACKED[case]
    with pytest.raises(InvalidInput) as refused:
        unpack_logs(make(), "logs.zip")
    assert refused.value.problems[0].code == wanted
