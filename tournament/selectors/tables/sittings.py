"""Who played which hands: the player of a seat, or the substitute who took it over. Hands belong to who played them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.player_stats import Part
from tournament.models import Substitution
from tournament.selectors.tables.tables import LoadedTable

StandIns = Mapping[tuple[int, int], int]  # (a table's id, number of the replaced player) → number of the substitute


@dataclass(frozen=True, slots=True)
class Sitting:
    """Hands of a table from index `first` up to `last` (None: to the end) that one person played in a seat.

    `number` is None for who is no player of the event; `name` may be empty then.
    """

    table: LoadedTable
    seat: int
    number: int | None
    name: str
    first: int = 0
    last: int | None = None

    @property
    def part(self) -> Part:
        """The hands as the story counts them."""
        return Part(self.table.game, self.seat, self.first, self.last)

    @property
    def hands(self) -> range:
        """The indices of the hands."""
        return range(self.first, len(self.table.game.hands) if self.last is None else self.last)

    @property
    def whole(self) -> bool:
        """Whether the person played the game from the first hand to the last."""
        return self.first == 0 and self.last is None


def list_stand_ins(tables: Iterable[LoadedTable]) -> StandIns:
    """Return the substitutes who are players of the event, by table and replaced player; one query."""
    found = Substitution.objects.filter(table__in=[table.id for table in tables], cancelled_at=None)
    rows = found.exclude(substitute=None).values_list("table_id", "player__number", "substitute__number")
    return {(table, player): substitute for table, player, substitute in rows}


def sittings_of(table: LoadedTable, stand_ins: StandIns) -> list[Sitting]:
    """Return who played which hands of a table, seat by seat.

    A seat in which somebody took over at a hand that nobody noted down is left out: its hands are nobody's for sure.
    """
    sittings = []
    for player in table.seats:
        substitute = table.replaced.get(player.seat)
        if substitute is None:
            sittings.append(Sitting(table, player.seat, player.number, player.name))
            continue
        number = stand_ins.get((table.id, player.number))
        if substitute.when == "before":
            sittings.append(Sitting(table, player.seat, number, substitute.name))
            continue
        hand = table.first_hand_of(substitute)
        if hand is not None:
            sittings.append(Sitting(table, player.seat, player.number, player.name, 0, hand - 1))
            sittings.append(Sitting(table, player.seat, number, substitute.name, hand - 1))
    return sittings
