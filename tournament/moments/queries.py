"""Yakuman that the public may see: of public rounds, and of live tables as far as a phone may look at them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from rules.ruleset import Ruleset
from scoring.check_win import MAX_HAN
from scoring.entries import Win
from scoring.value import limit_from_han
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.publication.names import names_mark
from tournament.publication.queries import (
    PublicView,
    by_public_state,
    by_public_states,
    by_version,
    get_public_view,
    keep,
    public_state,
)
from tournament.tables.models import LedgerEntry, Round
from tournament.tables.queries import LoadedTable, get_table, list_public_tables, prepare_public_tables


@dataclass(frozen=True, slots=True)
class YakumanHand:
    """A yakuman: `number` is that of its hand among those that count, from 1; `at` is when everybody could see it.

    `player` is the number of the winner, None for a substitute who is no player; `name` is "" for one without a name.
    """

    round: int
    table: int
    number: int
    seq: int
    last_seq: int
    player: int | None
    name: str
    win: Win
    rules: Ruleset
    at: datetime

    @property
    def key(self) -> str:
        """What tells it from any other of its event."""
        return f"{self.round}-{self.table}-{self.seq}-{self.win.seat}"

    @property
    def mark(self) -> str:
        """Its key with what moves with each correction of its hand, and of those before it."""
        return f"{self.key}.{self.last_seq}.{self.number}"


def list_yakuman(event: Event) -> tuple[YakumanHand, ...]:
    """Return the yakuman of the public rounds, the newest first; one query where there are any."""
    return by_public_state(event, "yakuman", lambda: _read_public(event))


def prepare_yakuman(events: Iterable[Event]) -> None:
    """Keep the public tables and yakuman of several events, for those that are asked for one by one next."""

    def read(missing: list[Event]) -> dict[int, tuple[YakumanHand, ...]]:
        released: defaultdict[int, dict[int, datetime | None]] = defaultdict(dict)
        for event, number, at in Round.objects.filter(event__in=missing).values_list("event", "number", "released_at"):
            released[event][number] = at
        return {event.pk: _read_public(event, released[event.pk]) for event in missing}

    events = list(events)
    prepare_public_tables(events)
    by_public_states(events, "yakuman", read)


def list_visible_yakuman(event: Event, follows: int | None) -> tuple[YakumanHand, ...]:
    """Return the yakuman that a phone which follows this player may see, None for nobody; the newest first."""
    found = [*_visible(*_get_live(event), follows), *list_yakuman(event)]
    return tuple(sorted(found, key=lambda each: each.at, reverse=True))


def live_yakuman_marks(event: Event, follow: Iterable[int | None]) -> Mapping[int | None, str]:
    """Return by followed player what moves with the yakuman of live tables."""
    live = _get_live(event)
    return {each: " ".join(found.mark for found in _visible(*live, each)) for each in follow}


def _visible(seen: PublicView, live: Iterable[YakumanHand], follows: int | None) -> list[YakumanHand]:
    found = list(live)
    shown = {(table.round, table.number) for table in seen.live_for(follows)} if found else set()
    return [each for each in found if (each.round, each.table) in shown]


def _get_live(event: Event) -> tuple[PublicView, tuple[YakumanHand, ...]]:
    seen = get_public_view(event)
    if not seen.live:
        return seen, ()
    return seen, by_version(event, f"live-yakuman:{names_mark()}", lambda: tuple(_read_live(event, seen)))


def _read_live(event: Event, seen: PublicView) -> Iterator[YakumanHand]:
    """Yield the yakuman of live tables, and read those again that have a new row.

    One query, and those of a table for each that may have one: each hand of a hall comes here.
    """
    mark = f"{public_state(event).mark} {event.live_tables}"
    kept = keep(f"yakuman {event.pk} {names_mark()}", dict[str, tuple[YakumanHand, ...]], mark=mark)
    moved = {(each.round, each.number): each.moved for each in seen.live if each.moved not in kept}
    rows = LedgerEntry.objects.filter(
        payload__regex="|".join(map(_written_pattern, event.rulesets.values())),
        table__round__event=event,
        table__round__number__in={round_ for round_, _number in moved},
        table__number__in={number for _round, number in moved},
    )
    may = set(rows.values_list("table__round__number", "table__number")) if moved else set()
    for place, key in moved.items():
        table = get_table(event, *place) if place in may else None
        signed = table.sheet.at if table and table.sheet and event.live_tables == LiveTables.SIGNED else None
        kept[key] = tuple(_yakuman_of(table, signed)) if table else ()
    for key in kept.keys() - {each.moved for each in seen.live}:
        del kept[key]
    for each in seen.live:
        yield from kept[each.moved]


def _written_pattern(rules: Ruleset) -> str:
    """Return a pattern that the JSON of each entry with a yakuman has, counted ones too, and few other entries."""
    counted = [str(han) for han in range(1, MAX_HAN + 1) if limit_from_han(han, rules) >= rules.yakuman_base]
    return '"yakuman"' + (f'|"han": ?({"|".join(counted)})[,}}]' if counted else "")


def _read_public(event: Event, released: Mapping[int, datetime | None] | None = None) -> tuple[YakumanHand, ...]:
    """Read those of public rounds: seen at once where everybody saw live hands, else since the release."""
    found = [each for table in list_public_tables(event) for each in _yakuman_of(table, None)]
    if found and not (event.live_tables == LiveTables.HANDS and event.live_others == LiveOthers.ALL):
        released = released or dict(Round.objects.filter(event=event).values_list("number", "released_at"))
        found = [replace(each, at=released[each.round] or each.at) for each in found]
    return tuple(sorted(found, key=lambda each: each.at, reverse=True))


def _yakuman_of(table: LoadedTable, since: datetime | None) -> Iterator[YakumanHand]:
    """Yield the yakuman that count at a table; seen since then, None for since each was entered."""
    if not table.results.yakuman:
        return
    entered = {line.seq: line.at for line in table.lines}
    items = [item for item in table.items if item.entry is not None]
    for index, win in table.results.yakuman:
        item = items[index]
        player, substitute = table.seats[win.seat], table.sitting(win.seat, item.seq)
        yield YakumanHand(
            round=table.round,
            table=table.number,
            number=index + 1,
            seq=item.seq,
            last_seq=item.last_seq,
            player=(substitute.person or None) if substitute else player.number,
            name=substitute.name if substitute else player.name,
            win=win,
            rules=table.rules,
            at=since or entered[item.seq],
        )
