"""The report of a night: how each long form went, and its figures beside those of the night before."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.with_postgresql import NOT_HERE

LAST = "last.json"
TOLD = 0.2  # a figure that differs by more than a fifth is told; machines differ by less


@dataclass(frozen=True, slots=True)
class Night:
    """How a long form went: exit code, seconds, and the figures that it printed, by their path."""

    name: str
    code: int
    seconds: int
    figures: Mapping[str, float]

    @property
    def skipped(self) -> bool:
        """Whether this machine could not run it."""
        return self.code == NOT_HERE

    @property
    def failed(self) -> bool:
        return bool(self.code) and not self.skipped

    @property
    def went(self) -> str:
        return f"FAILED ({self.code})" if self.failed else "skipped" if self.skipped else "ok"


def figures_in(output: str) -> dict[str, float]:
    """Return the numbers of the JSON object that an output has, by path.

    >>> figures_in('warming up\\n{"hand": {"median": 15, "99 %": 40}, "well": true}\\n')
    {'hand.median': 15, 'hand.99 %': 40}
    """
    start = output.find("{\n") if "{\n" in output else output.find("{")
    with suppress(ValueError):
        found, _end = json.JSONDecoder().raw_decode(output[start:])
        return dict(_numbers(found, ()))
    return {}


def _numbers(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield ".".join(path), value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(inner, (*path, str(key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _numbers(inner, (*path, str(index)))


def read_last(folder: Path) -> dict[str, Any]:
    """Return how the forms of the night before went, by name."""
    last = folder / LAST
    return dict(json.loads(last.read_text(encoding="utf-8"))) if last.exists() else {}


def write_report(folder: Path, nights: Sequence[Night], before: Mapping[str, Any]) -> None:
    """Write report.md, compared with the night before, and last.json; forms that did not run keep their figures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.md").write_text("\n".join(report(nights, before)) + "\n", encoding="utf-8")
    now = {**before, **{night.name: asdict(night) for night in nights if not night.skipped}}
    (folder / LAST).write_text(json.dumps(now, indent=1), encoding="utf-8")


def report(nights: Sequence[Night], before: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    """Yield the lines of the report: how each form went, then the figures that moved.

    >>> before = {"load": {"figures": {"hand": 10, "preview": 5}}}
    >>> print("\\n".join(report([Night("load", 0, 60, {"hand": 15, "preview": 5})], before)))
    | form | went | seconds |
    |---|---|---|
    | load | ok | 60 |
    <BLANKLINE>
    | figure | before | now |
    |---|---|---|
    | load: hand | 10 | 15 |
    """
    yield "| form | went | seconds |\n|---|---|---|"
    yield from (f"| {night.name} | {night.went} | {night.seconds} |" for night in nights)
    yield "\n| figure | before | now |\n|---|---|---|"
    for night in nights:
        old = before.get(night.name, {}).get("figures", {})
        for name, figure in night.figures.items():
            if name not in old or abs(figure - old[name]) > TOLD * abs(old[name]):
                yield f"| {night.name}: {name} | {old.get(name, '')} | {figure} |"
