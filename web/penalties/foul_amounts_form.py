"""The amounts of a catalogue of fouls as an organiser types them: points, or P as in 20P. Mapped, not judged."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.fouls import Catalogue, amounts
from web.frame.tables import read_amount
from web.words.formatting import points


@dataclass(frozen=True, slots=True)
class AmountRow:
    """One amount: its field's name is its key. `typed` is what stands in the field, `error` that it cannot be read."""

    key: str
    section: str
    what: str
    when: str
    repeated: bool
    clause: str
    printed: int
    points: int
    typed: str
    error: bool

    @property
    def changed(self) -> bool:
        """Whether it is the event's own."""
        return self.points != self.printed


def read_amounts(fouls: Catalogue, printed: Mapping[str, int], fields: Mapping[str, str] | None) -> list[AmountRow]:
    """Return every amount of the event's catalogue, with what was typed for it; as it is now where nothing was."""
    now = amounts(fouls)
    return [_row(fouls, key, printed[key], now[key], (fields or {}).get(key)) for key in printed]


def _row(fouls: Catalogue, key: str, printed: int, now: int, typed: str | None) -> AmountRow:
    name, _dot, rest = key.partition(".")
    foul = next(foul for foul in fouls.fouls if foul.key == name)
    case_key = rest.removesuffix("repeated").removesuffix(".")
    case = next((case for case in fouls.penalties[name].cases if case.key == case_key), fouls.penalties[name].cases[0])
    read = now if typed is None else read_amount(typed)
    return AmountRow(
        key=key,
        section=foul.section_title,
        what=foul.what,
        when=case.when,
        repeated=rest.endswith("repeated"),
        clause=fouls.penalties[name].clause,
        printed=printed,
        points=now if read is None else read,
        typed=points(now) if typed is None else typed[:20],
        error=read is None,
    )
