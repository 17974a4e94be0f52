"""`replay`: real games hand by hand, and any line that anybody may send."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bootstrap import REPO
from scoring.strict_json import MAX_CHARACTERS
from tests.shared_fixtures import program_environment
from web.management.json_lines import BYTES_OF_A_CHARACTER

pytestmark = pytest.mark.whole_run

Lines = Callable[..., list[Any]]


def game(*entries: object, rules: str = "ema-2025", **more: object) -> dict[str, object]:
    return {"id": "g", "rules": rules, "entries": list(entries), **more}


RON = {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}], "riichi": [1]}
DRAW = {"kind": "draw", "tenpai": [0, 1], "riichi": [0]}


@pytest.mark.parametrize("name", ["games-4p", "games-3p", "games-3p-engine"])
def test_every_hand_of_real_games_agrees(cases: Path, run_lines: Lines, name: str):
    truths = [json.loads(line) for line in (cases / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = run_lines("replay", *({"rules": truth["rules"], **truth["game"]} for truth in truths))
    assert [answer["id"] for answer in answers] == [truth["game"]["id"] for truth in truths]
    for truth, answer in zip(truths, answers, strict=True):
        assert {key: answer[key] for key in truth["expect"]} == truth["expect"], answer["id"]
        assert answer["ok"] is True


def test_a_finished_game_is_answered_in_the_form_of_the_contract(run_lines: Lines):
    (answer,) = run_lines("replay", game(RON, DRAW, ended=True))
    assert answer == {
        "id": "g",
        "ok": True,
        "hands": [
            {
                "round_wind": "E", "kyoku": 1, "honba": 0, "sticks": 0, "dealer": 0,
                "deltas": [0, 5200, -5200, 0], "scores": [30000, 35200, 24800, 30000],
            },
            {
                "round_wind": "E", "kyoku": 2, "honba": 0, "sticks": 0, "dealer": 1,
                "deltas": [500, 1500, -1500, -1500], "scores": [30500, 36700, 23300, 28500],
            },
        ],
        "scores": [30500, 37700, 23300, 28500],
        "leftover": 0,
        "places": [2, 1, 4, 3],
        "uma": [5000, 15000, -15000, -5000],
        "results": [5500, 22700, -21700, -6500],
    }  # fmt: skip


def test_a_game_that_goes_on_has_scores_and_no_places(run_lines: Lines):
    (answer,) = run_lines("replay", game(RON, DRAW))
    assert answer["scores"] == [30500, 36700, 23300, 28500]
    assert [answer[key] for key in ("leftover", "places", "uma", "results")] == [None] * 4


def test_a_game_that_the_rules_end_is_over_whatever_the_line_says(run_lines: Lines):
    (answer,) = run_lines("replay", game(*[{"kind": "draw", "tenpai": []}] * 8, ended=False))
    assert answer["places"] == [1, 1, 1, 1]


def test_start_replaces_the_starting_points(run_lines: Lines):
    (answer,) = run_lines("replay", game(RON, start=25000, ended=True))
    assert answer["scores"] == [25000, 30200, 19800, 25000]
    assert answer["results"][1] == 30200 - 30000 + 15000


def test_points_that_stay_on_the_table_are_leftover_where_the_rules_say_so(run_lines: Lines):
    (answer,) = run_lines("replay", game(DRAW, rules="wrc-2025", ended=True))
    assert (answer["leftover"], sum(answer["scores"])) == (1000, 119_000)


def test_totals_that_leave_points_to_nobody_against_the_book_are_refused_with_two_ways(run_lines: Lines):
    totals = {"kind": "totals", "scores": [35_000, 35_000, 25_000, 24_000], "leftover": 1_000}
    lost, ema, sanma = run_lines(
        "replay",
        game(totals, rules="wrc-2025"),
        game(totals),
        game({"kind": "totals", "scores": [29_000] * 3, "leftover": 3_000}, rules="sanmatsuri-2026"),
    )
    assert (lost["scores"], lost["leftover"]) == ([35_000, 35_000, 25_000, 24_000], 1_000)
    assert [(p["code"], p["at"]) for p in (*ema["problems"], *sanma["problems"])] == [
        ("totals.leftover_has_owner", 0)
    ] * 2
    assert ema["problems"][0]["message"] == (
        "1,000 points of riichi sticks cannot stay with nobody: these rules give them to the first place. Either enter "
        "35,500 for Player 1 and Player 2, with 0 left over, or, where the event plays that nobody gets them, have an "
        "organiser change that rule first."
    )


def test_a_warning_stands_beside_and_stops_nothing(run_lines: Lines):
    (answer,) = run_lines("replay", game(RON, {"kind": "draw", "tenpai": [0], "riichi": [3]}))
    assert answer["ok"] is True
    (warning,) = answer["warnings"]
    assert (warning["code"], warning["params"], warning["at"]) == ("draw.riichi_noten", {"seat": 3}, 1)
    assert warning["message"] == "Player 4 had riichi but is not tenpai: a dead hand, or a chombo?"


def test_an_impossible_entry_is_refused_with_its_index(run_lines: Lines):
    bad = {"kind": "ron", "loser": 1, "winners": [{"seat": 1, "han": 1, "fu": 37}]}
    (answer,) = run_lines("replay", game(RON, {"kind": "draw", "tenpai": [0], "riichi": [3]}, bad, RON))
    assert set(answer) == {"id", "ok", "problems", "warnings"}
    assert [(p["code"], p["at"]) for p in answer["problems"]] == [
        ("win.winner_is_discarder", 2),
        ("win.fu_impossible", 2),
    ]
    assert answer["problems"][0]["message"] == "Player 2 cannot win by ron from their own discard."
    assert [(p["code"], p["at"]) for p in answer["warnings"]] == [("draw.riichi_noten", 1)]


def test_all_unreadable_entries_are_named_at_once(run_lines: Lines):
    (answer,) = run_lines("replay", game({"kind": "roll"}, RON, {"kind": "draw", "tenpai": [True]}, 7))
    assert [(p["code"], p["at"]) for p in answer["problems"]] == [
        ("entry.unknown_kind", 0),
        ("entry.wrong_type", 2),
        ("entry.wrong_type", 3),
        ("entry.missing_key", 3),
    ]


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ({"id": "g"}, ["entry.missing_key", "entry.missing_key"]),
        ({"id": "g", "rules": "house", "entries": []}, ["event.rules_unknown"]),
        ({"id": "g", "rules": "../ema-2025", "entries": []}, ["event.rules_unknown"]),
        ({"id": "g", "rules": 7, "entries": []}, ["entry.wrong_type"]),
        ({"id": "g", "rules": "ema-2025", "entries": {}}, ["entry.wrong_type"]),
        ({"id": "g", "rules": "ema-2025", "entries": [RON] * 201}, ["entry.list_too_long"]),
        ({"id": "g", "rules": "ema-2025", "entries": [], "start": -1}, ["entry.wrong_type"]),
        ({"id": "g", "rules": "ema-2025", "entries": [], "start": True}, ["entry.wrong_type"]),
        ({"id": "g", "rules": "ema-2025", "entries": [], "ended": 1}, ["entry.wrong_type"]),
        ({"id": "g", "rules": "ema-2025", "entries": [], "dealer": 1}, ["entry.derived_key"]),
        ({"id": "g", "rules": "ema-2025", "entries": [], "secret": 1}, ["entry.unknown_key"]),
        (b'{"id": "g", "rules": "ema-2025", "entries": [{"kind": "draw", "tenpai": [NaN]}]}', ["json.not_a_number"]),
        (b'{"id": "g", "rules": "ema-2025", "entries": [1.0]}', ["json.float"]),
        (b'{"id": "g", "entries": [' + b"9" * 10_001 + b"]}", ["json.number_too_large"]),
        (b'{"id": "g", "entries": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", ["json.too_deep"]),
        (b'{"id": "g", "id": "g"}', ["json.duplicate_key"]),
        (b'{"id": "g", "entries": "' + b"x" * 10_000_000 + b'"}', ["json.too_long"]),
        (b'{"id": "g", "entries": "' + "東".encode() * 4_000_000 + b'"}', ["json.too_long"]),
    ],
    ids=lambda value: repr(value)[:60],
)
@pytest.mark.django_db
def test_a_bad_line_keeps_its_id_and_stops_no_other(run_lines: Lines, line: object, codes: list[str]):
    before, answer, after = run_lines("replay", game(RON), line, game(RON, ended=True))
    assert (before["ok"], after["ok"]) == (True, True)
    assert set(answer) == {"id", "ok", "problems"}
    assert (answer["id"], answer["ok"]) == ("g", False)
    assert [problem["code"] for problem in answer["problems"]] == codes
    assert all(set(problem) == {"code", "message", "params", "at"} for problem in answer["problems"])


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (b"\xff\xfe\x00\x01", ["json.not_text"]),
        (b"\x00", ["json.not_json"]),
        (b"not json", ["json.not_json"]),
        (b"[]", ["entry.wrong_type"]),
        (b"null", ["entry.wrong_type"]),
        (b'{"id": 1.5}', ["json.float"]),
        (b'{"id": [1]}', ["line.wrong_id"]),
        (b'{"id": true}', ["line.wrong_id"]),
        (b'{"id": "' + b"x" * 201 + b'"}', ["line.wrong_id"]),
    ],
)
def test_a_line_without_a_usable_id_is_answered_with_null(run_lines: Lines, line: bytes, codes: list[str]):
    (answer,) = run_lines("replay", line)
    assert (answer["id"], [problem["code"] for problem in answer["problems"]]) == (None, codes)


@pytest.mark.parametrize("identity", ["a", "東", "", 7, -1, None])
def test_an_id_comes_back_as_it_was(run_lines: Lines, identity: object):
    (answer,) = run_lines("replay", {"id": identity, "rules": "ema-2025", "entries": []})
    assert (answer["id"], answer["ok"]) == (identity, True)


def test_blank_lines_and_a_byte_order_mark_are_passed_over(run_lines: Lines):
    line = json.dumps(game(RON)).encode()
    answers = run_lines("replay", b"\xef\xbb\xbf" + line, b"", b"  \t", b"\r", line + b"\r")
    assert [answer["ok"] for answer in answers] == [True, True]


def test_a_line_as_long_as_the_reader_takes_is_cut_nowhere(run_lines: Lines):
    """The line after one of any length around the limit is read whole."""
    most = BYTES_OF_A_CHARACTER * MAX_CHARACTERS
    for length in (most - 1, most, most + 1, 2 * most + 1):
        answers = run_lines("replay", b"x" * length, game(RON))
        assert [answer["ok"] for answer in answers] == [False, True]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(garbage=st.binary(max_size=300))
def test_no_garbage_stops_the_line_after_it(run_lines: Lines, garbage: bytes):
    *_, last = run_lines("replay", garbage, game(RON))
    assert last["ok"] is True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(["kind", "loser", "winners", "tenpai", "riichi", "deltas", "offenders", "reason", "scores"])
VALUES = (
    st.sampled_from(["ron", "tsumo", "draw", "chombo", "totals", [0], [{"seat": 0, "han": 1, "fu": 30}], 1, 9]) | JSON
)


@settings(max_examples=3 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entries=st.lists(st.dictionaries(KEYS, VALUES, max_size=5), max_size=4),
    key=st.sampled_from(["ema-2025", "tenhou-sanma"]),
)
def test_whatever_the_entries_there_is_one_answer(run_lines: Lines, entries: list[Any], key: str):
    (answer,) = run_lines("replay", game(*entries, rules=key))
    assert answer["ok"] is ("problems" not in answer)
    if answer["ok"]:
        assert len(answer["hands"]) == len(entries)
    else:
        assert all(problem["message"] for problem in answer["problems"])


def test_as_a_program_it_needs_no_database_and_speaks_utf_8(tmp_path: Path):
    environment = program_environment(tmp_path, PYTHONIOENCODING="ascii")
    given_lines = json.dumps(game(RON, id="東")).encode() + b"\n\xff\n" + json.dumps(game(id="\ud800")).encode()
    done = subprocess.run(
        [sys.executable, "manage.py", "replay"],
        cwd=REPO,
        env=environment,
        input=given_lines,
        capture_output=True,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [(answer["id"], answer["ok"]) for answer in answers] == [("東", True), (None, False), ("\ud800", True)]
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.glob("*.sqlite3")) == []
