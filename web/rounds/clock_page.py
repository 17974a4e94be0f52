"""The clock put together for pages: full screen, the desk's controls, the bar at a table. It words, never decides."""

import datetime as dt
import uuid
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.time_limit import TimeLimit, hands_left
from tournament.compiled_queries import Prepared
from tournament.models import Event, Round
from tournament.selectors.rounds.clock import ClockRow, TimeRow, get_clock, hands_in_time, list_times
from tournament.selectors.rounds.rounds import Tile
from tournament.selectors.tables.tables import LoadedTable
from web.words.clock import say_extra_hands, say_left, say_left_shortly, say_minutes_left, say_up
from web.words.languages import said_in

QUICK_MINUTES = (2, 5, 10)


def wall_context(clock: ClockRow, second_language: str = "") -> dict[str, Any]:
    """Return what the full screen shows of a clock: what follows the signal, when it speaks, tables that end later."""
    ends = clock.ends_at
    speaks = [minutes for minutes in clock.signals if minutes < clock.minutes]
    return {
        "clock": clock,
        "up": say_up(clock.extra_hands),
        "up_second": said_in(second_language, lambda: say_up(clock.extra_hands)),
        "after": say_extra_hands(clock.extra_hands) if clock.minutes else "",
        "signals": [
            {"minutes": minutes, "words": say_minutes_left(minutes), "at": ends - dt.timedelta(minutes=minutes)}
            for minutes in speaks
            if ends
        ],
        "tables": later_tables(clock),
    }


def later_tables(clock: ClockRow) -> list[dict[str, Any]]:
    """List the tables that the clock lets play longer, by number, with their minutes and their own end."""
    return [
        {"number": number, "minutes": clock.extra_of(number), "ends_at": clock.ends_at_of(number)}
        for number in clock.tables()
        if clock.minutes
    ]


def controls_context(event: Event, round_: Round) -> dict[str, Any]:
    """Return what the desk's page of a round's clock shows: the clock, what can be done, and every minute given."""
    clock = get_clock(round_)
    address = [event.slug, round_.number]
    return {
        "round": round_,
        "clock": clock,
        "later": later_tables(clock),
        "can_start": round_.state == "published",
        "can_change": bool(round_.started_at and not round_.released_at),
        "times": [_time_item(event, row, clock) for row in list_times(round_)],
        "rulings": [each for each in clock.extras if each.id is None],
        "act_url": reverse("desk:clock", args=address),
        "signals": " ".join(str(minutes) for minutes in clock.signals),
        **more_time(event, round_.number),
    }


def time_bar(event: Event, table: LoadedTable, clock: ClockRow | None = None) -> dict[str, Any]:
    """Return what rounds/time_bar.html shows at a table: its clock, what may still be played, and the way to more."""
    found = clock or _clock_at(event, table)
    left = None if table.signed or table.state.ended else still_left(found, table.number, hands_in_time(table.lines))
    return {
        "clock": found,
        "time_ends_at": found.ends_at_of(table.number),
        "time_extra": [each for each in found.extras if each.table == table.number],
        "time_left": say_left(left),
        "time_over": left == 0,
        "time_bar_url": reverse("desk:time_bar", args=[event.slug, table.round, table.number]),
        "can_give_time": not found.released and not table.signed,
        **more_time(event, table.round),
    }


def more_time(event: Event, round_: int) -> dict[str, Any]:
    """Return what rounds/more_time.html needs to give minutes."""
    return {
        "time_url": reverse("desk:give_time", args=[event.slug, round_]),
        "time_id": str(uuid.uuid4()),
        "quick_minutes": QUICK_MINUTES,
    }


def tile_time(clock: ClockRow, tile: Tile) -> dict[str, Any]:
    """Return what a tile says of the time: what may still be played, minutes beyond the clock and its own signal."""
    going = tile.stage in ("playing", "waiting")
    left = still_left(clock, tile.number, tile.timed) if going else None
    extra = clock.extra_of(tile.number) if going and clock.minutes else 0
    return {
        "left": left,
        "extra": extra,
        "extra_words": _("+%(count)d min") % {"count": extra} if extra else "",
        "signals_at": clock.ends_at_of(tile.number) if extra else None,
    }


def tile_state(left: int | None, *, roomy: bool) -> tuple[str, str] | None:
    """Return icon and words of a tile whose time is up, in few words where many tables stand; None before."""
    if left is None:
        return None
    return ("sheet" if left == 0 else "last" if left == 1 else "time"), say_left(left) if roomy else say_left_shortly(
        left
    )


def still_left(clock: ClockRow, table: int, hands: tuple[Any, ...]) -> int | None:
    """Return how many hands a table may still end, None while its time is not up."""
    limit = TimeLimit(clock.ends_at_of(table), timezone.now(), hands)
    return hands_left(limit, clock.rules)


_ROUND = Prepared(lambda event, number: Round.objects.filter(event=event, number=number))


def _clock_at(event: Event, table: LoadedTable) -> ClockRow:
    [round_] = _ROUND(event.pk, table.round)
    round_.event = event
    return get_clock(round_)


def _time_item(event: Event, row: TimeRow, clock: ClockRow) -> dict[str, Any]:
    return {
        "row": row,
        "url": reverse("desk:table", args=[event.slug, clock.round, row.table]),
        "back_url": reverse("desk:take_time_back", args=[event.slug, clock.round, row.id]),
    }
