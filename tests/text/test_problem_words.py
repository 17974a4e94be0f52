"""Every problem is raised with its fields and can be worded, every act of the trail has its words."""

import ast
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeGuard

import pytest

from bootstrap import REPO as ROOT
from scoring.problems import DERIVED, PROBLEM_TYPES, CommandProblemType, Problem, ProblemType
from tournament.core.acts import import_declarations, list_acts
from tournament.core.rate_limits import RateLimitedError
from tournament.demo.views import DEMO_FULL
from tournament.ema.messages import FOUND
from tournament.text.acts import act_text
from tournament.text.problems import problem_text

pytestmark = pytest.mark.whole_run
ROOMS = ("rules", "scoring", "tournament", "web")
CODE = re.compile(r"[a-z][a-z_]*\.[a-z_]+")
NUMBERS = frozenset(("seat", "hand", "gap", "deposit", "player", "round", "table", "minutes", "seconds", "wait"))
ADDS = {
    "add": {"where"},
    "RateLimitedError": {"wait"},
    "require_text": set[str](),
    "renew": set[str](),
}  # they make it of a type
FILES = (".csv", ".json", ".xlsx", ".html", ".py", ".svg", ".key", ".sealed", ".trusted")

import_declarations()


@cache
def sources() -> list[tuple[Path, ast.Module]]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts]
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def texts_of(node: ast.expr) -> set[str]:
    """Return the texts that an expression may stand for: a constant, or a choice of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    return texts_of(node.body) | texts_of(node.orelse) if isinstance(node, ast.IfExp) else set()


def kinds_of(node: ast.expr, module: ModuleType | None) -> list[ProblemType]:
    """Return the types that a called expression may be: a name of its module, a choice of two, `.warning` of either."""
    if isinstance(node, ast.IfExp):
        return [*kinds_of(node.body, module), *kinds_of(node.orelse, module)]
    if isinstance(node, ast.Attribute) and node.attr == "warning":
        return kinds_of(node.value, module)
    found = getattr(module, node.id, None) if isinstance(node, ast.Name) else None
    return [found] if isinstance(found, ProblemType) else []


def sample(name: str) -> int | str | tuple[int, ...] | tuple[str, ...]:
    """Return a value of the kind that a parameter of this name has."""
    if name == "readings":
        return ("3.30",)
    if name in ("given", "derived"):
        return ("E",)
    if name in ("seats", "tables", "numbers"):
        return (0, 1)
    return 1 if name in NUMBERS else "x"


def test_every_call_gives_the_fields_of_its_type():
    calls, wrong = 0, {}
    for path, tree in sources():
        module = sys.modules.get(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and module):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            given = {keyword.arg for keyword in call.keywords} | ADDS.get(name, set())
            makers = call.args if name in ADDS else [call.func]
            for kind in (kind for maker in makers for kind in kinds_of(maker, module)):
                calls += 1
                if None not in given and given != kind.fields:  # None is a spread: such a call fails as it is made
                    wrong[f"{path.relative_to(ROOT)}:{call.lineno}"] = (kind.code, given)
    assert (wrong, calls > 800) == ({}, True)


def test_every_code_that_the_source_names_is_declared():
    areas = {code.partition(".")[0] for code in PROBLEM_TYPES}
    named = {str(node.value) for _path, tree in sources() for node in ast.walk(tree) if is_code(node)}
    assert {code for code in named if code.partition(".")[0] in areas} - set(PROBLEM_TYPES) == set()


def is_code(node: ast.AST) -> TypeGuard[ast.Constant]:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and bool(CODE.fullmatch(text)) and not text.endswith(FILES)


def test_every_declared_problem_is_used_by_the_name_of_its_code():
    names = {node for _path, tree in sources() for node in ast.walk(tree) if isinstance(node, ast.Name)}
    loaded = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    assert {code.replace(".", "_").upper() for code in PROBLEM_TYPES} - loaded == set()


def test_a_code_is_declared_once():
    declared = ProblemType("game.ended", PROBLEM_TYPES["game.ended"].sentence)  # the same again: a module loaded twice
    assert declared == PROBLEM_TYPES["game.ended"]
    with pytest.raises(ValueError, match=r"game\.ended is declared twice"):
        ProblemType("game.ended", "Something else.")


def test_no_sentence_shows_a_code_or_a_missing_part():
    for kind in (kind for kind in PROBLEM_TYPES.values() if not isinstance(kind, CommandProblemType)):
        said = problem_text(kind(**{name: sample(name) for name in kind.fields}))
        assert not re.search(r"[{}]", said), said
        assert [place for place in (*kind.fields, *DERIVED) if f"({place})" in said] == [], said
        assert kind.sentence[0] in "{“'" or said[0] == said[0].upper(), said
        assert said.rstrip("”").endswith((".", "?", "…", "x")), said


def test_no_sentence_has_one_minutes():
    twice = re.compile(r"\{(minutes|seconds)\} (more )?(minutes|seconds)")
    sentences = [kind.sentence for kind in PROBLEM_TYPES.values()]
    assert [
        said for said in (*sentences, *(act.sentence for act in list_acts()), *FOUND.values()) if twice.search(said)
    ] == []


def test_minutes_and_waits_are_counted():
    assert (
        problem_text(Problem("sheet.early", {"minutes": 1}))
        == "This table has 1 minute left: tick that the game ends here."
    )
    assert (
        problem_text(RateLimitedError(DEMO_FULL, wait=61).problems[0])
        == "Too many guests came in at once: wait 2 minutes."
    )
    given = {"round": 1, "table": 2, "minutes": 1, "reason": "late"}
    assert act_text("table_time_given", given) == "gave 1 minute more to round 1, table 2: late"


def test_why_a_later_hand_no_longer_fits_is_said_in_words():
    ended = Problem("hand.no_longer_fits", {"hand": 3, "because": "game.ended"})
    short = Problem("hand.no_longer_fits", {"hand": 4, "because": "riichi.short"})
    assert problem_text(ended) == "Hand 3 would no longer fit: the game would be over before it."
    assert problem_text(short) == (
        "Hand 4 would no longer fit: a player with riichi in it would have too few points for the riichi stick."
    )


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (-1000, "short by 1,000 (one riichi stick?)"),
        (-2000, "short by 2,000 (riichi sticks or borrowed points?)"),
        (-100, "short by 100"),
        (10_000, "over by 10,000 (borrowed points counted twice?)"),
        (300, "over by 300"),
    ],
)
def test_a_gap_is_said_in_words(gap: int, words: str):
    said = problem_text(Problem("sheet.sum", {"total": 90_000 + gap, "gap": gap, "wanted": 90_000, "deposit": 1000}))
    assert said == f"The sheet sums to {90_000 + gap:,}, {words}; the table has 90,000."


def test_players_are_said_by_name_where_it_is_known():
    problem = Problem("sheet.totals_swapped", {"seats": (0, 2)})
    assert problem_text(problem) == "The sheet has the right totals, but Player 1 and Player 3 are swapped."
    assert problem_text(problem, ["Iris", "Mohn", "Rose"]) == (
        "The sheet has the right totals, but Iris (player 1) and Rose (player 3) are swapped."
    )


def test_a_code_without_a_sentence_is_never_lost():
    assert problem_text(Problem("new.kind", {"seat": 1})) == "new.kind: seat 1"


# ---------------------------------------------------------------- the trail


def test_a_change_of_rules_is_said_with_both_values():
    details = {"changes": [{"field": "minutes", "before": 75, "after": 60}], "reason": "late start"}
    assert act_text("rules_changed", details) == (
        "changed rules: minutes from the start to the signal: 60 minutes instead of 75 minutes (late start)"
    )
    assert act_text("rules_changed", details | {"reason": ""}).endswith(" instead of 75 minutes")
