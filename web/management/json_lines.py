"""JSON Lines in, JSON Lines out: a bad line gets its answer and never stops the rest."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from scoring.problems import InvalidInput, Problem, error
from scoring.strict_json import MOST_CHARACTERS, parse
from web.management.words import say
from web.words.problem_json import problem_json

MOST_BYTES = 4 * MOST_CHARACTERS  # the longest line that can be short enough in characters
MOST_ID = 200
# an `id` in the beginning of a line that cannot be parsed as a whole
_ID_FIRST = re.compile(r'\s*\{\s*"id"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.){0,200}"|-?\d{1,18}(?=\s*[,}]))')

Found = tuple[int | None, Problem]  # the index of the entry, None for the line itself, and what is wrong with it
Answer = Callable[[dict[str, Any]], dict[str, Any]]


class LineRefused(Exception):  # noqa: N818  (a refusal is an answer, not a fault)
    """A line that cannot be answered as asked; it carries what is wrong, warnings among it, each with its place."""

    def __init__(self, found: Iterable[Found]) -> None:
        self.found = list(found)
        super().__init__(", ".join(problem.code for _, problem in self.found))


def answer_lines(source: BinaryIO, answer: Answer) -> Iterator[dict[str, Any]]:
    """Answer each line that is not blank: `answer` gets the object and gives its answer without `id` and `ok`.

    `answer` raises LineRefused or InvalidInput for what it cannot do.
    """
    for raw, whole in _lines(source):
        if raw.strip():
            yield _answer_line(raw, answer, whole=whole)


def _lines(source: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Yield each line and whether it is whole; of a line longer than can be read only the beginning is kept."""
    first = True
    while raw := source.readline(MOST_BYTES + 1):
        if first:
            raw, first = raw.removeprefix(b"\xef\xbb\xbf"), False
        whole = len(raw) <= MOST_BYTES or raw.endswith(b"\n")
        yield raw, whole
        while not whole and (rest := source.readline(MOST_BYTES)):
            whole = rest.endswith(b"\n")


def _answer_line(raw: bytes, answer: Answer, *, whole: bool) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        if whole or wrong.reason != "unexpected end of data":
            return refusal(None, [(None, error("json.not_text"))])
        text = raw[: wrong.start].decode("utf-8")  # the cut went through a character
    try:
        value = parse(text if whole else text + " " * MOST_CHARACTERS)
        line = _checked(value)
    except InvalidInput as wrong:
        return refusal(_id_of(text), [(None, problem) for problem in wrong.problems])
    except ValueError:  # a number of so many digits that Python itself refuses it
        return refusal(_id_of(text), [(None, error("json.number_too_large", value="", digits=MOST_CHARACTERS))])
    try:
        return {"id": line.get("id"), "ok": True, **answer(line)}
    except LineRefused as refused:
        return refusal(line.get("id"), refused.found)
    except InvalidInput as wrong:
        return refusal(line.get("id"), [(None, problem) for problem in wrong.problems])


def refusal(identity: Any, found: Iterable[Found]) -> dict[str, Any]:
    """Return the answer to a line that is refused: errors as problems, warnings beside them."""
    found = list(found)
    out = {"id": identity, "ok": False, "problems": [_as_json(at, p) for at, p in found if p.severity == "error"]}
    return out | warnings(found)


def warnings(found: Iterable[Found]) -> dict[str, Any]:
    """Return the warnings as they stand beside an answer; nothing where there are none."""
    listed = [_as_json(at, problem) for at, problem in found if problem.severity == "warning"]
    return {"warnings": listed} if listed else {}


def _as_json(at: int | None, problem: Problem) -> dict[str, Any]:
    return {**problem_json(problem, at=at), "message": say(problem)}


def _checked(value: Any) -> dict[str, Any]:
    """Return the line if it is an object with an `id` that can be echoed."""
    if not isinstance(value, dict):
        raise InvalidInput([error("entry.wrong_type", key="line", wanted="an object")])
    if not _is_id(value.get("id")):
        raise InvalidInput([error("line.wrong_id", most=MOST_ID)])
    return value


def _is_id(value: Any) -> bool:
    return value is None or type(value) is int or (isinstance(value, str) and len(value) <= MOST_ID)


def _id_of(text: str) -> Any:
    """Return the `id` of a line that strict parsing refused, where it can be made out all the same."""
    if len(text) <= MOST_CHARACTERS:
        try:
            value = json.loads(text, parse_int=_short_int, parse_float=float)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            identity = value.get("id")
            return identity if _is_id(identity) else None
    match = _ID_FIRST.match(text)
    try:
        return json.loads(match[1]) if match else None
    except ValueError:
        return None


def _short_int(text: str) -> int | float:
    return int(text) if len(text) < 19 else 0.0  # a float, which is no id
