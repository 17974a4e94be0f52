"""Results kept of signed tables: equal to fresh ones whatever is corrected, and a release costs its own round."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scoring.game import fold
from scoring.player_stats import part_stats
from tests.factories import (
    correct,
    enter,
    enter_all,
    fresh,
    last_seq,
    make_event,
    play_round,
    round_of,
    rows_of,
    sign,
    table_of,
    void,
    writer_of,
)
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.core.sealed_rows import changes, digest, read_sealed_rows, row_digests
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.penalties.actions import cancel_penalty, give_foul, give_penalty
from tournament.penalties.queries import Offence
from tournament.privacy.actions import set_names_shown
from tournament.public.queries import get_story
from tournament.publication.names import read_for_public
from tournament.rounds.actions import release_round
from tournament.seating.seat_actions import SeatAssignment, swap_seats
from tournament.sheets.actions import reopen_table
from tournament.standings.queries import (
    get_rank_history,
    get_released_standings,
    get_standings,
    get_standings_after,
)
from tournament.stats.queries import get_hand_story, get_meeting, get_recap, get_records
from tournament.tables.queries import signed_results
from tournament.tables.table_queries import LedgerLine

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LINES = ("1t 230", "2r3 340/2", "d13/1", "4r1 5", "3t 340/3", "d", "c2", "c14", "1r2 y", "2r1 230+3 340/23")
PLAYED = (LINES[:6], LINES[3:9])
NUMBERS = range(1, 9)
AT_HANDS = ("correct", "void", "enter", "reopen", "sign", "forget")
AT_SEATS = ("penalty", "foul", "cancel", "swap", "follow", "before", "during", "hide")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(AT_HANDS + AT_SEATS),
        st.integers(0, 3),
        st.integers(0, 9),
    ),
    min_size=2,
    max_size=12,
)


class Hall:
    """An event of two released rounds at two tables, in which things are put right."""

    def __init__(self) -> None:
        self.event = make_event(tables=2, rounds=2)
        for number, lines in enumerate(PLAYED, start=1):
            play_round(self.event, number, *lines)
        self.by = writer_of(self.event)

    def do(self, act: str, at: int, which: int) -> None:
        """Do one thing at one of the four tables; a refusal is no change."""
        table = table_of(self.event, at % 2 + 1, round_=at // 2 + 1)
        roots = [row.seq for row in rows_of(table) if row.supersedes is None]
        hand, seat = roots[which % len(roots)], table.seats.get(seat=which % 4)
        once: dict[str, Any] = {"client_id": uuid4(), "by": self.by}
        match act:
            case "correct":
                correct(table, hand, LINES[which])
            case "void":
                void(table, hand)
            case "enter":
                enter(table, LINES[which])
            case "reopen":
                reopen_table(table=table, reason="x", by=self.by)
            case "sign":
                sign(table)
            case "penalty":
                round_ = round_of(self.event, which) if which in (1, 2) else None
                give_penalty(player=seat.player, points=1000 * which, reason="x", round_=round_, **once)
            case "foul":
                fouls = ("noten_riichi", "report_sheet")
                offence, seq = Offence(foul=fouls[which % 2]), last_seq(table)
                give_foul(player=seat.player, table=table, offence=offence, expected_seq=seq, **once)
            case "cancel":
                for penalty in self.event.penalties.filter(cancelled_at=None)[:1]:
                    cancel_penalty(penalty=penalty, reason="x", by=self.by)
            case "swap" | "follow":
                sitting = [
                    SeatAssignment(table, each, table.seats.get(seat=each).player.number) for each in (0, which % 3 + 1)
                ]
                seen: Any = {table.number: last_seq(table)}
                hands: Any = "stay" if act == "swap" else "follow"
                swap_seats(one=sitting[0], other=sitting[1], hands=hands, expected=seen, reason="x", **once)
            case "before" | "during":
                when: Any = act
                new = Replacement(
                    when=when, hand=which % 4 + 1 if act == "during" else None, name="Kay Fir", reason="x"
                )
                put_substitute_in(table=table, player=seat.player, replacement=new, **once)
            case "hide":
                set_names_shown(event=self.event, numbers=[seat.player.number], shown=which > 4, by=self.by)
            case "forget":
                signed_results.cache_clear()  # it can be deleted at any time

    def answers(self) -> list[Any]:
        """Return all that is read from the results of tables."""
        event = fresh(self.event)
        with read_for_public(lambda: "No. {number}"):
            return [
                get_standings(event),
                get_standings_after(event, 1),
                get_released_standings(event),
                get_recap(event),
                get_records(event),
                get_meeting(event, 1, 2),
                *(
                    (get_story(event, each), get_rank_history(event, each), get_hand_story(event, each))
                    for each in NUMBERS
                ),
            ]


@settings(max_examples=8, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(acts=ACTS)
def test_kept_answers_are_fresh_ones_whatever_is_put_right(acts: list[tuple[str, int, int]]):
    hall = Hall()
    hall.answers()
    for act in acts:
        try:
            hall.do(*act)
        except DomainError:
            continue
        kept = hall.answers()
        cache.clear()
        signed_results.cache_clear()
        assert kept == hall.answers(), act


# ---------------------------------------------------------------- growth


def count_calls(work: Callable[[], object], *functions: Any) -> tuple[int, ...]:
    """Return how often each of these functions is called in some work."""
    found: Counter[Any] = Counter()

    def note(frame: FrameType, event: str, _what: object) -> None:
        if event == "call":
            found[frame.f_code] += 1

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return tuple(found[each.__code__] for each in functions)


def show_player(event: Event) -> None:
    Client().get(f"/e/{event.slug}/players/1/")


def release_and_show(event: Event, number: int) -> None:
    release_round(round_=round_of(event, number), by=writer_of(event))
    show_player(event)


TABLES, ROUNDS = 2, 5


def test_a_release_costs_its_own_round_and_a_correction_its_own_table():
    event, found = make_event(tables=TABLES, rounds=ROUNDS), []
    signed_results.cache_clear()
    for number in range(1, ROUNDS + 1):
        for table in round_of(event, number).tables.select_related("round__event"):
            enter_all(table, *LINES[:4])
            sign(table)
        found.append(count_calls(partial(release_and_show, event, number), fold, part_stats, LedgerLine.__new__))
    assert found == [(TABLES, 4 * TABLES, 4 * TABLES)] * ROUNDS

    give_penalty(player=event.players.get(number=1), points=1000, reason="late", client_id=uuid4(), by=writer_of(event))
    assert count_calls(partial(show_player, event), fold, part_stats) == (0, 0)

    table = table_of(event, 2, round_=2)
    reopen_table(table=table, reason="misheard", by=writer_of(event))
    correct(table, 1, "1t 130")
    sign(table)
    assert count_calls(partial(show_player, event), fold, part_stats) == (1, 4)

    cache.clear()
    assert count_calls(partial(show_player, event), fold, part_stats) == (0, 0)


def test_a_release_seals_its_own_round_as_a_comparison_of_all_rows_would_with_the_same_number_of_queries():
    event, found = make_event(tables=TABLES, rounds=ROUNDS), []
    for number in range(1, ROUNDS + 1):
        for table in round_of(event, number).tables.select_related("round__event"):
            enter_all(table, *LINES[:4])
            sign(table)
        before, work = sealed(event), partial(release_round, round_=round_of(event, number), by=writer_of(event))
        with CaptureQueriesContext(connection) as asked:
            found.append((*count_calls(work, digest), len(asked)))
        event.refresh_from_db()
        state = json.loads(AuditRow.objects.filter(event=event).latest("seq").state)
        written = {f"standings {number}", "head"}
        assert {key: state[key] for key in state.keys() - written} == changes(before, sealed(event))
        assert written <= state.keys()
    assert found[1:] == [found[1]] * (ROUNDS - 1), found  # the first has no standings before it


def sealed(event: Event) -> dict[str, str]:
    return row_digests(event.record_salt, read_sealed_rows(event.pk))
