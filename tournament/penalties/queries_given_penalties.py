"""What the penalties that were given cost now, and what they would cost under other rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.fouls import Case, Catalogue
from rules.ruleset import Ruleset
from tournament.models.event import Event
from tournament.models.referee import Penalty, PenaltyKind
from tournament.penalties.queries_fouls import get_catalogue
from tournament.penalties.queries_penalties import list_penalties
from tournament.tables.queries_kept_amounts import amounts_at
from tournament.tables.queries_tables import LoadedTable
from tournament.tables.rows import PenaltyRow


@dataclass(frozen=True, slots=True)
class GivenPenalty:
    """A penalty that stands: whose, why, and its points now and under other rules.

    `id` is its row in the register, 0 for a chombo that was only typed as a hand and for a replacement; `stored` are
    the points of that row then.
    """

    id: int
    number: int
    name: str
    round: int | None
    table: int | None
    reason: str
    before: int
    after: int
    stored: int = 0

    @property
    def changes(self) -> bool:
        """Whether it would cost another amount."""
        return self.before != self.after


def list_given(event: Event, tables: Sequence[LoadedTable], rules: Ruleset) -> list[GivenPenalty]:
    """List the penalties that stand with their points under other rules; three queries and one for names."""
    register = {row.pk: row for row in Penalty.objects.filter(event=event, cancelled_at=None)}
    now, then = get_catalogue(event), get_catalogue(event, rules)
    rows = [row for row in list_penalties(event, tables) if not row.cancelled]
    found = [_given(row, register.get(row.id or 0), now, then, rules) for row in rows]
    return [*found, *_replaced(tables, rules)]


def _given(row: PenaltyRow, stored: Penalty | None, now: Catalogue, then: Catalogue, rules: Ruleset) -> GivenPenalty:
    after = _of_hand(row, rules) if stored is None else _of_register(row.points, stored, now, then, rules)
    ledger = rules.chombo_points if row.kind == PenaltyKind.CHOMBO else 0
    place = (row.number, row.name, row.round, row.table, row.reason)
    return GivenPenalty(row.id or 0, *place, before=row.points, after=after, stored=after - ledger)


def _of_hand(row: PenaltyRow, rules: Ruleset) -> int:
    return rules.replaced_points if row.replaced else rules.chombo_points


def _of_register(points: int, stored: Penalty, now: Catalogue, then: Catalogue, rules: Ruleset) -> int:
    """Return what a penalty of the register would cost: what the rules take for its foul, else what it costs now."""
    case, other = _case(now, stored), _case(then, stored)
    if stored.amount_reason or case is None:
        return points
    if stored.kind == PenaltyKind.CHOMBO and "chombo" not in case.acts:
        return rules.chombo_points  # as the referee decided
    if (
        other is None
        or "points" not in dict(other.taken)
        or stored.kind not in (PenaltyKind.CHOMBO, PenaltyKind.POINTS)
    ):
        return points
    if case.per == "minute":
        return other.amount(stored.minutes) if stored.minutes else points
    return other.points


def _case(fouls: Catalogue, stored: Penalty) -> Case | None:
    penalty = fouls.penalties.get(stored.foul)
    return next((case for case in penalty.cases if case.key == stored.case), None) if penalty else None


def _replaced(tables: Iterable[LoadedTable], rules: Ruleset) -> Iterator[GivenPenalty]:
    """Yield the seats whose result is what being replaced costs (E25 7.3); elsewhere it is a penalty of the list."""
    for table in tables:
        for seat, each in table.replaced.items() if table.rules.substitute == "ema" else ():
            player = table.seats[seat]
            points = amounts_at(table.rules, table.kept, each.at).replaced_points
            place = (player.number, player.name, table.round, table.number, each.reason)
            yield GivenPenalty(0, *place, before=points, after=rules.replaced_points)
