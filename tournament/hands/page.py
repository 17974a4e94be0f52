"""The context of the hand page: seats, the hand being typed, the hands of the table, the sheet."""

import json
import zlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.placement import places_of
from scoring.problems import Problem
from scoring.state import TableState
from tournament.accounts.queries import account_names
from tournament.alllast.queries import is_last_hand, is_over
from tournament.calls.models import RefereeCall
from tournament.calls.queries import get_open_call
from tournament.calls.views import call_bar
from tournament.events.models import Event
from tournament.hands.draft import Draft, preview_context, state_before
from tournament.hands.hooks import list_draft_hints
from tournament.hands.pad import cards_context
from tournament.pages.requests import Fields, wrong_seats
from tournament.pages.tables import entered_since, facts_of_table, hand_items
from tournament.penalties.foul_views import penalty_bar
from tournament.players.queries import get_presence
from tournament.rounds.missing import list_missing
from tournament.rounds.views import time_bar
from tournament.seating.queries import count_tables
from tournament.sheets.queries import get_signed_before
from tournament.tables.messages import names_at, short_names_at
from tournament.tables.queries import HandRow, LoadedTable, list_hands
from tournament.tables.round_queries import ClockRow, get_clock_at
from tournament.text.languages import join_and
from tournament.text.readback import hand_name, honba_and_sticks

STAMP_PARTS = 5
EARLY = 10  # minutes left from which signing asks


def page_context(event: Event, table: LoadedTable, draft: Draft, *, new_seq: int = 0) -> dict[str, Any]:
    """Return all that the hand page shows of a table; `new_seq` is the hand just entered. Three queries."""
    rows = list_hands(table)
    address = [event.slug, table.round, table.number]
    last = count_tables(event, table.round)
    clock, bar = get_clock_at(table), call_bar(table)
    lines = lines_context(event, table, clock)
    takes_hand = not table.signed and (not table.state.ended or draft.hand or draft.before)
    return {
        "title": _("Table %(number)d") % {"number": table.number},
        **_heads(table),
        "hands": hand_items(lines["action"], table, rows, new_seq),
        "replaced": next((row for row in rows if row.seq == (draft.before or draft.hand)), None),
        "draft": draft,
        "preview_url": reverse("desk:preview", args=address),
        "sign_url": reverse("desk:sign", args=address),
        "reopen_url": reverse("desk:reopen", args=address),
        "confirm_url": reverse("desk:confirm", args=address),
        "previous": table.number - 1 if 1 < table.number <= last else None,
        "next": table.number + 1 if table.number < last else None,
        "sheet": sheet_context(table),
        "counting": _counting_context(event, table, draft),
        "cards": cards_context(table, state_before(table, draft.before or draft.hand)) if takes_hand else None,
        **lines,
        "not_here": join_and([each.name for each in lines["missing"]]),
        **bar,
        **time_bar(event, table, clock),
        "sheet_early": minutes_early(table, clock),
        **_end(event, table, clock, bar["open_call"]),
        "facts": facts_of_table(event, table, lines["action"]),
        "between_url": reverse("desk:between", args=address),
        **preview_context(table, draft),
        "slips": list_draft_hints(event, table, draft),
    }


def lines_context(event: Event, table: LoadedTable, clock: ClockRow) -> dict[str, Any]:
    """Return the context of hands/table_lines.html; two queries."""
    return {
        "table": table,
        "action": reverse("desk:table", args=[event.slug, table.round, table.number]),
        "missing": list_missing(event, get_presence(event), [table], clock),
        **penalty_bar(event, table),
    }


def step_context(event: Event, table: LoadedTable, seen: str, *, by: str, address: str) -> dict[str, Any] | None:
    """Return what the last row of a table, a hand entered `by` somebody, changes on a page with the stamp `seen`.

    `address` is that of the page. None where it may change more: the page shows something else than the row before, or
    a sheet that was reopened.
    """
    clock = get_clock_at(table)
    end = _end(event, table, clock, get_open_call(table))
    now, _dot, rest = end["stamp"].partition(".")
    if not table.game.hands or table.sheet or seen != f"{int(now) - 1}.{rest}":
        return None
    hand, line = table.game.hands[-1], table.lines[-1]
    row = HandRow(len(table.items), line.seq, hand.entry, hand, 1, line.reason, by, line.at)
    ends_at = clock.ends_at_of(table.number)
    is_late = table.state.ended or (ends_at is not None and ends_at <= timezone.now())
    return {
        "event": event,
        "table": table,
        "before": seen,
        **_heads(table),
        "counting": _begins(table.state),
        "cards": not table.state.ended,
        "sheet": {**_sums(table), "ended": table.state.ended},
        "hand": hand_items(address, table, [row], row.seq)[0],
        **end,
        **(time_bar(event, table, clock) if is_late else {}),
        **(penalty_bar(event, table) if table.alone[1].dead else {}),
    }


def _end(event: Event, table: LoadedTable, clock: ClockRow, call: RefereeCall | None) -> dict[str, Any]:
    """Return what a table's page offers near the end of its game, and its stamp."""
    signs = event.phone_signing and table.played and not table.signed
    return {
        "phone_signing": signs and is_over(table, clock),
        "last_hand": is_last_hand(table, clock),
        "stamp": table_stamp(table, clock, call),
    }


def _heads(table: LoadedTable) -> dict[str, Any]:
    """Return what a table's page shows above its hands."""
    return {
        "now": hand_name(table.state),
        "honba_and_sticks": honba_and_sticks(table.state),
        "seats": seat_cards(table),
    }


def minutes_early(table: LoadedTable, clock: ClockRow) -> int:
    """Return the whole minutes that a game still has; 0 where it is over, or its time is nearly up or not limited."""
    ends_at = clock.ends_at_of(table.number)
    if ends_at is None or table.signed or table.state.ended:
        return 0
    minutes = (ends_at - timezone.now()) // timedelta(minutes=1)
    return minutes if minutes >= EARLY else 0


def sheet_context(table: LoadedTable, typed: Fields | None = None, problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """Return what the sheet panel shows: the sum, the riichi sticks left, each seat's game with what was typed for it.

    A row is (game, typed, whether `problems` name its seat).
    """
    wrong = wrong_seats(problems)
    rows = [
        (game, typed.get(f"total-{game.player.seat}", "")[:20] if typed else "", game.player.seat in wrong)
        for game in table.seat_games
    ]
    return {
        **_sums(table),
        "ended": table.state.ended,
        "signed_at": table.sheet.at if table.sheet and table.signed else None,
        "rows": sorted(rows, key=lambda row: row[0].place or len(rows) + 1) if table.signed else rows,
        "typed_leftover": typed.get("leftover", "")[:20] if typed else "",
        "signed_before": _signed_before(table),
    }


def _sums(table: LoadedTable) -> dict[str, Any]:
    """Return the points of a table as its hands make them, and as they must be."""
    return {
        "wanted": table.rules.start_points * table.rules.players,
        "sum": sum(table.state.scores),
        "leftover": table.state.sticks * table.rules.riichi_deposit,
        "hands": len(table.game.hands),
    }


def _signed_before(table: LoadedTable) -> list[tuple[str, int, int, int]]:
    """Return by seat the name, the total signed before the table was reopened, the total now and the difference."""
    if table.sheet is None or table.signed:
        return []
    before = get_signed_before(table.id)
    rows = zip(names_at(table), before.totals if before else (), table.final.scores, strict=False)
    return [(name, was, now, now - was) for name, was, now in rows]


def _counting_context(event: Event, table: LoadedTable, draft: Draft) -> dict[str, Any]:
    """Return what static/calculator/count_dialog.js needs: names, winds and honba as the draft's hand begins."""
    state = state_before(table, draft.hand)
    address = [event.slug, table.round, table.number]
    words = {
        "round": _("{wind} round"),
        "seat": _("{wind} seat"),
        "honba": _("Honba: {count}"),
        "no_hand": _("No complete hand yet"),
    }
    return {
        "count_url": reverse("desk:count", args=address),
        "slip_url": reverse("desk:call_slip", args=address),
        **_begins(state),
        "names": json.dumps(short_names_at(table)),
        "words": json.dumps(words),
    }


def _begins(state: TableState) -> dict[str, Any]:
    """Return the state in which a hand begins, as the hand line has it."""
    return {"round": state.round_wind, "winds": state.winds, "honba": state.honba}


def seat_cards(table: LoadedTable) -> list[dict[str, Any]]:
    """Return the players at the table with wind, score and place now."""
    state, scores = table.state, table.final.scores if table.signed else table.state.scores
    places, winds = places_of(scores, table.rules), state.winds
    return [
        {
            "number": player.seat + 1,
            "name": name,
            "wind": winds[player.seat],
            "score": scores[player.seat],
            "place": places[player.seat] if table.game.hands else None,
            "tied": places.count(places[player.seat]) > 1,
            "dealer": player.seat == state.dealer and not (state.ended or table.signed),
        }
        for player, name in zip(table.seats, names_at(table), strict=True)
    ]


# ---------------------------------------------------------------- changes since the page was made


def table_stamp(table: LoadedTable, clock: ClockRow, call: RefereeCall | None) -> str:
    """Return the state of a table as its page shows it, in five parts: ledger, sheet, second person, seats, bars."""
    extra = [each for each in clock.extras if each.table == table.number]
    side = (call and (call.pk, call.answered_at), extra, clock.ends_at_of(table.number), table.ready_at)
    parts = (
        table.last_seq,
        table.sheet.seq if table.sheet else 0,
        table.check.id if table.check else 0,
        _checksum((table.seats, table.substitutes)),
        _checksum(side),
    )
    return ".".join(str(part) for part in parts)


def changes_since(table: LoadedTable, since: int, seen: str, now: str) -> list[str]:
    """Say what changed after a page that showed the row `since` and the stamp `seen`: hands, then the rest."""
    before, after = [*seen.split("."), *[""] * STAMP_PARTS][:STAMP_PARTS], now.split(".")
    _ledger, sheet, check, seats, bars = (old != new for old, new in zip(before, after, strict=True))
    words = entered_since(table, since) if since < table.last_seq else []
    if sheet and table.sheet:
        signer = account_names([table.sheet.by]).get(table.sheet.by) or _("Somebody")
        said = _("%(name)s signed the table.") if table.signed else _("%(name)s reopened it.")
        words.append(said % {"name": signer})
    if check and table.check:
        words.append(_("The sheet is confirmed.") if table.check.confirmed else _("The sheet was sent back."))
    if seats:
        words.append(_("Who sits here has changed."))
    if bars:
        words.append(_("A call or the time of this table has changed."))
    return words


def _checksum(value: object) -> int:
    return zlib.crc32(repr(value).encode())
