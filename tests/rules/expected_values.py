"""A short notation for penalties, so that a table written by hand can be held against a catalogue.

Cases are parted by ";", with their keys if there are several: "few: warning, again points 5P; many: chombo 30P". Acts
are joined by "+" in the order of ACTS, and P is 1,000 points; "chombo" without an amount is the event's. "again" is
what the second time costs. Brackets: the source has them.
"""

from collections.abc import Iterator

from rules.fouls import Case, Penalty


def cells_of(table: str) -> Iterator[tuple[str, list[str]]]:
    """Yield section and cells of each row; "## " begins a section, "# " a comment."""
    section = ""
    for line in table.strip().splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif not line.startswith("# "):
            yield section, line.split(" | ")


def stated(penalty: Penalty) -> str:
    """Write a penalty."""
    text = "; ".join(f"{case.key}: {_case(case)}" if case.key else _case(case) for case in penalty.cases)
    return f"({text})" if penalty.bracketed else text


def _case(case: Case) -> str:
    text = "+".join(case.acts) + ("" if case.event_chombo else _amount(case.points))
    text += f" to{_amount(case.most)}" if case.most else ""
    text += f" a minute to {case.units}" if case.per == "minute" else ""
    text += " from each" if case.each_player else ""
    if case.repeated:
        assert case.repeated.times == 2
        text += f", again {'+'.join(case.repeated.acts)}{_amount(case.repeated.points)}"
    return text


def _amount(points: int) -> str:
    return f" {points / 1000:g}P" if points else ""
