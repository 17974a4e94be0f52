"""Every code has a sentence, every placeholder a value: read from the source."""

import ast
import re
import string
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from bootstrap import REPO as ROOT
from scoring.problems import Problem
from tournament.core.acts import list_acts
from tournament.seating import errors as seating
from tournament.services.core.rate_limits import TooMany
from web.management import words
from web.words.ema import FOUND
from web.words.problems import SENTENCES, _worded, say
from web.words.trail import say_verb

pytestmark = pytest.mark.whole_run
ROOMS = ("rules", "scoring", "tournament", "web")
CODE = re.compile(r"[a-z][a-z_]*\.[a-z_]+")
NUMBERS = frozenset(("seat", "hand", "gap", "deposit", "player", "round", "table", "minutes", "seconds", "wait"))
FILES = (".csv", ".json", ".xlsx", ".html", ".py", ".svg", ".key", ".sealed", ".trusted")
ALL = {**SENTENCES, **words.SENTENCES}


@cache
def sources() -> list[tuple[Path, ast.Module]]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts]
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def texts_of(node: ast.expr) -> set[str]:
    """Return the texts that an expression may stand for: a constant, a choice of two, codes that a pattern makes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return texts_of(node.body) | texts_of(node.orelse)
    if isinstance(node, ast.JoinedStr):
        parts = (texts_of(part) if isinstance(part, ast.Constant) else set() for part in node.values)
        pattern = re.compile("".join(re.escape(part.pop()) if part else "[a-z_]+" for part in parts))
        return {code for code in ALL if pattern.fullmatch(code)} if "." in pattern.pattern[1:] else set()
    return set()


def keys_of(node: ast.expr | None, scope: ast.AST, seen: frozenset[str] = frozenset()) -> set[str]:
    """Return the keys of a dict display, or of the one that a name stands for in the same function.

    A name may stand in its own assignment (`fixed = {**fixed, 1: 2}`): those `seen` are not looked for again.
    """
    if isinstance(node, ast.Name):
        if node.id in seen:
            return set()
        return {
            key
            for each in ast.walk(scope)
            if isinstance(each, ast.Assign | ast.AnnAssign) and each.value
            for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
            if isinstance(target, ast.Name) and target.id == node.id
            for key in keys_of(each.value, scope, seen | {node.id})
        }
    if isinstance(node, ast.IfExp):
        return keys_of(node.body, scope, seen) | keys_of(node.orelse, scope, seen)
    if isinstance(node, ast.Dict):
        own = {text for key in node.keys if key for text in texts_of(key)}
        spread = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
        return own.union(*(keys_of(value, scope, seen) for value in spread))
    return set()


def provided() -> dict[str, set[str]]:
    """Return code → the names of all parameters that some call gives it."""
    found: dict[str, set[str]] = defaultdict(set)
    for _path, tree in sources():
        scopes: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
        for scope in scopes:
            for call in ast.walk(scope):
                if not isinstance(call, ast.Call):
                    continue
                said = {text for argument in call.args for text in texts_of(argument) if CODE.fullmatch(text)}
                if not said:
                    continue
                given = {keyword.arg for keyword in call.keywords if keyword.arg}
                for keyword in call.keywords:
                    given |= keys_of(keyword.value, scope) if keyword.arg is None else set()
                given = given.union(*(keys_of(argument, scope) for argument in call.args))
                for code in said:
                    found[code] |= given
    return found


@cache
def codes() -> dict[str, str]:
    """Return every code that stands anywhere in the source, with the file where it stands first."""
    areas = {code.partition(".")[0] for code in ALL}
    found: dict[str, str] = {}
    for path, tree in sources():
        if path.name in ("wording.py", "words.py"):
            continue
        for node in ast.walk(tree):
            for code in texts_of(node) if isinstance(node, ast.Constant | ast.JoinedStr) else ():
                if CODE.fullmatch(code) and code.partition(".")[0] in areas and not code.endswith(FILES):
                    found.setdefault(code, str(path.relative_to(ROOT)))
    return found


def placeholders(sentence: str) -> set[str]:
    return {name for _text, name, _spec, _how in string.Formatter().parse(sentence) if name}


def sample(name: str) -> int | str | tuple[int, ...] | tuple[str, ...]:
    """Return a value of the kind that a parameter of this name has."""
    if name == "readings":
        return ("3.30",)
    if name in ("given", "derived"):
        return ("E",)
    if name in ("seats", "tables", "numbers"):
        return (0, 1)
    return 1 if name in NUMBERS else "x"


def test_every_code_has_a_sentence():
    unsaid = {code: where for code, where in codes().items() if code not in ALL}
    assert unsaid == {}


def test_every_sentence_has_a_code_that_is_used():
    used = set(codes())
    assert sorted(set(SENTENCES) - used) == []


def test_every_placeholder_is_provided():
    given = provided()
    missing = {}
    for code, sentence in SENTENCES.items():
        if code in seating.SENTENCES:
            continue  # a SeatingError words itself as it is raised: it cannot lack anything
        worded = _worded({name: sample(name) for name in given.get(code, ())}, ())
        lacking = {name for name in placeholders(sentence) if name not in worded}
        if lacking:
            missing[code] = lacking
    assert missing == {}


def test_no_sentence_shows_a_code_or_a_missing_part():
    for code, sentence in SENTENCES.items():
        said = say(
            Problem(code, {name: sample(name) for name in placeholders(sentence) - {"hand_number", "gap_words"}})
        )
        assert not re.search(r"[{}]", said), said
        assert sentence[0] in "{“'" or said[0] == said[0].upper(), said
        assert said.rstrip("”").endswith((".", "?", "…", "x")), said


def test_no_sentence_has_one_minutes():
    twice = re.compile(r"\{(minutes|seconds)\} (more )?(minutes|seconds)")
    sentences = [*ALL.values(), *FOUND.values(), *(act.sentence for act in list_acts())]
    assert [said for said in sentences if twice.search(said)] == []


def test_minutes_and_waits_are_counted():
    assert say(Problem("sheet.early", {"minutes": 1})) == "This table has 1 minute left: tick that the game ends here."
    assert say(TooMany("demo.full", wait=61).problems[0]) == "Too many guests came in at once: wait 2 minutes."
    given = {"round": 1, "table": 2, "minutes": 1, "reason": "late"}
    assert say_verb("table_time_given", given) == "gave 1 minute more to round 1, table 2: late"


def test_the_seatings_sentences_are_the_desks():
    assert {code: SENTENCES[code] for code in seating.SENTENCES} == dict(seating.SENTENCES)


def test_why_a_later_hand_no_longer_fits_is_said_in_words():
    ended = Problem("hand.no_longer_fits", {"hand": 3, "because": "game.ended"})
    short = Problem("hand.no_longer_fits", {"hand": 4, "because": "riichi.short"})
    assert say(ended) == "Hand 3 would no longer fit: the game would be over before it."
    assert say(short) == (
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
    said = say(Problem("sheet.sum", {"total": 90_000 + gap, "gap": gap, "wanted": 90_000, "deposit": 1000}))
    assert said == f"The sheet sums to {90_000 + gap:,}, {words}; the table has 90,000."


def test_players_are_said_by_name_where_it_is_known():
    problem = Problem("sheet.totals_swapped", {"seats": (0, 2)})
    assert say(problem) == "The sheet has the right totals, but Player 1 and Player 3 are swapped."
    assert say(problem, ["Iris", "Mohn", "Rose"]) == (
        "The sheet has the right totals, but Iris (player 1) and Rose (player 3) are swapped."
    )


def test_a_code_without_a_sentence_is_never_lost():
    assert say(Problem("new.kind", {"seat": 1})) == "new.kind: seat 1"


# ---------------------------------------------------------------- the trail


def test_a_change_of_rules_is_said_with_both_values():
    details = {"changes": [{"field": "minutes", "before": 75, "after": 60}], "reason": "late start"}
    assert say_verb("rules_changed", details) == (
        "changed rules: minutes from the start to the signal: 60 minutes instead of 75 minutes (late start)"
    )
    assert say_verb("rules_changed", details | {"reason": ""}).endswith(" instead of 75 minutes")
