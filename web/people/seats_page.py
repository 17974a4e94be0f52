"""The page of two players in each other's seats put together: whom to choose, who was chosen, what each would have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.problems import InvalidInput, error
from scoring.state import WINDS
from tournament.replay import Plan, effects_of, first_unfit
from tournament.selectors.tables.tables import LoadedTable
from web.hands.hand_form import Fields

HANDS = ("stay", "follow")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of the two players, where the desk has them now."""

    table: LoadedTable
    seat: int

    @property
    def number(self) -> int:
        """The player's number in the event."""
        return self.table.seats[self.seat].number

    @property
    def name(self) -> str:
        """The name that pages show."""
        return self.table.seats[self.seat].name

    def write(self) -> str:
        """Write it as a form carries it: table, seat and player."""
        return f"{self.table.number}:{self.seat}:{self.number}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players and what the hands do."""

    one: Chosen
    other: Chosen
    hands: str

    @property
    def plan(self) -> Plan:
        """What happens to the hands: nothing where they stay."""
        return Plan(exchanged=(self.one.seat, self.other.seat)) if self.hands == "follow" else Plan()


def read_choice(fields: Fields, table: LoadedTable, tables: Sequence[LoadedTable]) -> Swap:
    """Read who was chosen and what the hands do; raises InvalidInput for anything but two players of this round."""
    seats = [int(text) for text in fields.getlist("seat") if text.isascii() and text.isdigit() and len(text) < 3]
    chosen = [Chosen(table, seat) for seat in sorted(set(seats)) if seat < len(table.seats)]
    away = fields.get("from", "")
    chosen += [
        Chosen(each, player.seat)
        for each in tables
        for player in each.seats
        if str(player.number) == away and each.id != table.id
    ]
    if len(chosen) != 2:
        raise InvalidInput([error("seats.choose_two", chosen=len(chosen))])
    # without hands, and between two tables, there is nothing to choose
    only_stay = not table.items or chosen[1].table.id != table.id
    return _swap(chosen[0], chosen[1], fields.get("hands", "") or ("stay" if only_stay else ""))


def read_swap(fields: Fields, tables: Sequence[LoadedTable]) -> tuple[Swap, tuple[int, int]]:
    """Read what a page sends back, with the numbers of the players that it showed; raises InvalidInput."""
    found = [_read_sitting(fields.get(name, ""), tables) for name in ("one", "other")]
    (one, first), (other, second) = found
    return _swap(one, other, fields.get("hands", "")), (first, second)


def _read_sitting(text: str, tables: Sequence[LoadedTable]) -> tuple[Chosen, int]:
    parts = [int(part) for part in text.split(":") if part.isascii() and part.isdigit() and len(part) < 7]
    table = next((each for each in tables if len(parts) == 3 and each.number == parts[0]), None)
    if table is None or parts[1] >= len(table.seats):
        raise InvalidInput([error("form.stale")])
    return Chosen(table, parts[1]), parts[2]


def _swap(one: Chosen, other: Chosen, hands: str) -> Swap:
    if hands not in HANDS:
        raise InvalidInput([error("seats.choose_hands")])
    if hands == "follow" and one.table.id != other.table.id:
        raise InvalidInput([error("seats.two_tables")])
    return Swap(one, other, hands)


def choice_context(table: LoadedTable, tables: Sequence[LoadedTable], fields: Fields) -> dict[str, Any]:
    """Return what people/seats.html shows: the players of this table, those of all others, and what is chosen."""
    ticked, away = fields.getlist("seat"), fields.get("from", "")
    elsewhere = [
        {
            "player": player.number,
            "table": each.number,
            "number": player.seat + 1,
            "name": player.name,
            "chosen": str(player.number) == away,
        }
        for each in tables
        if each.id != table.id
        for player in each.seats
    ]
    here = [
        {
            "seat": player.seat,
            "number": player.seat + 1,
            "name": player.name,
            "wind": WINDS[player.seat],
            "chosen": str(player.seat) in ticked,
        }
        for player in table.seats
    ]
    return {
        "table": table,
        "here": here,
        "elsewhere": elsewhere,
        "hands": fields.get("hands", ""),
        "has_hands": bool(table.items),
    }


def moves_of(swap: Swap, plan: Plan) -> list[Mapping[str, Any]]:
    """Return the two players with seat and points now and then; None where a hand fits no longer."""
    return [_move(swap, plan, was, to) for was, to in ((swap.one, swap.other), (swap.other, swap.one))]


def _move(swap: Swap, plan: Plan, was: Chosen, to: Chosen) -> Mapping[str, Any]:
    score, then = was.table.state.scores[was.seat], _then(swap, plan, to)
    return {
        "name": was.name,
        "was": _place(was),
        "becomes": _place(to),
        "score": score,
        "then": then,
        "difference": None if then is None else then - score,
    }


def _place(chosen: Chosen) -> str:
    return _("table %(table)d, seat %(seat)d") % {"table": chosen.table.number, "seat": chosen.seat + 1}


def _then(swap: Swap, plan: Plan, to: Chosen) -> int | None:
    if swap.hands == "stay":
        return to.table.state.scores[to.seat]
    if first_unfit(to.table.items, plan, to.table.rules):
        return None
    after = [effect.after for effect in effects_of(to.table.items, plan, to.table.rules) if effect.after]
    return after[-1][to.seat] if after else to.table.state.scores[to.seat]
