"""Questions of public reports, disputes and rule texts, each answered by the command that it is put to.

A line of `tests/data/field` has `command`, `args`, `input`, `expect` and where it comes from. Keys of `expect` are
those of the answer; `handN.FIELD` is a field of hand N of `replay`; `yakuset` the names of the yaku in any order;
`sum_of_results` their sum; a text that begins with `null` stands for null.
"""

import io
import json
from typing import Any

import pytest

from rules.books import load
from scoring.problems import InvalidInput
from tests.conftest import DATA
from tournament.online_logs.games import judge_online_game, read_online_game
from web.management.commands.alllast import answer_all_last
from web.management.commands.replay import replay
from web.management.commands.score import score
from web.management.json_lines import answer_lines

FIELD = DATA / "field"


def cases_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIELD / name).read_text(encoding="utf-8").splitlines()]


def answer_of(case: dict[str, Any]) -> dict[str, Any]:
    line = case["input"]
    if case["command"] == "import_games":
        return {"ok": is_sound(line["file"])}
    answers = {"replay": replay, "alllast": answer_all_last, "score": lambda line: score(line, load(case["args"][1]))}
    (answer,) = answer_lines(io.BytesIO(json.dumps(line).encode()), answers[case["command"]])
    return answer


def is_sound(file: str) -> bool:
    try:
        game = read_online_game((FIELD / file).read_bytes())
    except InvalidInput:
        return False
    return judge_online_game(game, file, load("tenhou-yonma")).is_sound


def found(key: str, answer: dict[str, Any]) -> Any:
    """Return what the answer says under a key of `expect`."""
    if key == "yakuset":
        return sorted(name for name, _han in answer["yaku"])
    if key == "sum_of_results":
        return sum(answer["results"])
    at, _dot, field = key.removeprefix("hand").partition(".")
    return answer["hands"][int(at)][field] if field else answer[key]


def wanted(key: str, value: Any) -> Any:
    if isinstance(value, str) and value.startswith("null"):
        return None
    return sorted(value) if key == "yakuset" else value


@pytest.mark.parametrize("case", cases_of("review.jsonl") + cases_of("reports.jsonl"), ids=lambda case: str(case["id"]))
def test_the_desk_answers_as_the_source_does(case: dict[str, Any]) -> None:
    answer, expect = answer_of(case), case["expect"]
    assert answer["ok"] is expect.get("ok", True), answer.get("problems")
    assert {key: found(key, answer) for key in expect} == {key: wanted(key, value) for key, value in expect.items()}
