"""Drafts of a draw: searched without a lock, stopped, taken and thrown away; and what a wish comes to."""

import datetime as dt
import json
import threading
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from tests.factories import DAY, codes_of, make_account, name_of
from tournament.accounts.models import Account
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players
from tournament.players.models import Person
from tournament.rounds.actions import publish_rounds
from tournament.seating.actions import (
    MAX_DRAFTS,
    Progress,
    discard_draft,
    discard_draw,
    draw_seats,
    restart_draft,
    run_draft,
    search_in_background,
    start_draft,
    stop_draft,
    take_draft,
)
from tournament.seating.models import DrawDraft
from tournament.seating.plan import ALWAYS, DrawWishes, read_asked, read_drawn
from tournament.seating.queries import DraftRow, get_field, list_drafts
from tournament.seating.search.schedule import shuffle_players
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

SOON = 30  # seconds, after which a test gives up


@pytest.fixture
def by() -> Account:
    return make_account()


def event_of(players: int, by: Account, *, rounds: int = 3, clubs: int = 4) -> Event:
    """Return an event without a draw, its players in as many clubs in turn."""
    event = create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=rounds, by=by)
    people = [NewPlayer(name_of(index), club=f"Club {index % clubs}") for index in range(players)]
    add_players(event=event, players=people, by=by)
    return event


def searched(
    event: Event, by: Account, *, seed: int = 5, asked: DrawWishes | None = None, way: str = "full"
) -> DrawDraft:
    """Return a draft whose search is over."""
    draft = start_draft(event=event, seed=seed, asked=asked or DrawWishes(), way=way, by=by)
    run_draft(draft)
    draft.refresh_from_db()
    return draft


def row_of(draft: DrawDraft, *, later: dt.timedelta = dt.timedelta(0)) -> DraftRow:
    event = Event.objects.get(pk=draft.event_id)
    rows = list_drafts(event, fingerprint=get_field(event).fingerprint, at=now() + later)
    return next(row for row in rows if row.id == draft.pk)


def seats_of(event: Event) -> list[tuple[int, int, int, int]]:
    found = Seat.objects.filter(round__event=event).order_by("round__number", "table__number", "seat")
    return list(found.values_list("round__number", "table__number", "seat", "player__number"))


def verbs_of(event: Event) -> list[str]:
    return list(event.audit.order_by("seq").values_list("verb", flat=True))[2:]


def test_a_draft_changes_nothing_until_it_is_taken(by: Account):
    event = event_of(16, by)
    draft = searched(event, by)
    assert (draft.state, draft.share, event.rounds.count()) == ("done", 1000, 0)
    take_draft(draft=draft, by=by)
    taken = seats_of(event)
    assert sorted(player for round_, _, _, player in taken if round_ == 1) == list(range(1, 17))
    event.refresh_from_db()
    assert (event.seed, row_of(draft).taken, verbs_of(event)) == (5, True, ["draft_started", "seats_drawn"])
    draw_seats(event=event, seed=5, by=by)
    assert seats_of(event) == taken
    assert row_of(draft).taken is False


def test_the_command_repeats_the_numbers_that_the_seed_deals(by: Account):
    event = event_of(16, by)
    draft = searched(event, by, seed=77)
    out = StringIO()
    call_command("seat", players=16, table_size=4, rounds=3, seed=77, json=True, stdout=out)
    people = shuffle_players(range(1, 17), 77)
    rounds = json.loads(out.getvalue())["rounds"]
    assert draft.rounds == [[[people[number] for number in table] for table in tables] for tables in rounds]


def test_wishes_are_met_for_the_people_they_name(by: Account):
    event = event_of(16, by)
    asked = DrawWishes(clubs=1, fixed=((7, 2),), families=((1, 2),), together=((2, (3, 4)),), seeds=(5, 6, 9, 16))
    draft = searched(event, by, asked=asked)
    report = row_of(draft).report
    assert report is not None
    met = {wish.key: wish.missed for wish in report.wishes}
    assert {key: met[key] for key in ("clubs", "fixed", "families", "together-2", "seeds")} == {
        "clubs": 0, "fixed": 0, "families": 0, "together-2": 0, "seeds": 0,
    }  # fmt: skip
    assert all(7 in tables[1] for tables in draft.rounds)
    assert not any({1, 2} <= set(table) for tables in draft.rounds for table in tables)
    assert any({3, 4} <= set(table) for table in draft.rounds[1])
    assert all(len({who % 4 for who in table}) == 4 for table in draft.rounds[0])
    event.refresh_from_db()
    assert read_asked(event.wishes) == asked


def test_a_wish_that_no_draw_can_meet_says_why(by: Account):
    event = event_of(8, by, rounds=2, clubs=2)
    draft = searched(event, by, asked=DrawWishes(order=("clubs",), clubs=ALWAYS))
    report = row_of(draft).report
    assert report is not None
    (clubs,) = [wish for wish in report.wishes if wish.key == "clubs"]
    assert (clubs.missed, clubs.least, clubs.why) == (8, 8, "group_larger_than_tables")


@pytest.mark.postgresql
def test_a_search_says_how_far_it_is_and_ends_when_asked(by: Account, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournament.seating.actions.PAUSE", 0.0)
    event = event_of(16, by)
    draft = start_draft(event=event, seed=5, asked=DrawWishes(), by=by)
    progress = Progress(draft)
    progress.tell(None, 140)
    assert (row_of(draft).state, row_of(draft).share, progress.stopped()) == ("searching", 140, False)
    stop_draft(draft=draft, by=by)
    stop_draft(draft=draft, by=by)
    progress.tell(None, 150)
    assert (row_of(draft).stop_asked, progress.stopped()) == (True, True)
    assert verbs_of(event) == ["draft_started", "draft_stopped"]
    discard_draft(draft=draft, by=by)
    assert not progress.rows.exists()


def test_a_search_that_was_stopped_keeps_what_it_had_and_says_so(by: Account):
    event = event_of(20, by, rounds=12)
    draft = start_draft(event=event, seed=5, asked=DrawWishes(), by=by)
    stop_draft(draft=draft, by=by)
    run_draft(draft)
    draft.refresh_from_db()
    assert (draft.state, row_of(draft).cut_short, len(draft.rounds)) == ("stopped", True, 12)
    take_draft(draft=draft, by=by)
    event.refresh_from_db()
    drawn = read_drawn(event.drawn)
    assert drawn is not None
    assert drawn.cut_short


@pytest.mark.postgresql
def test_a_search_whose_process_died_can_be_made_again_and_a_late_one_writes_nothing(by: Account):
    event = event_of(16, by)
    late = start_draft(event=event, seed=5, asked=DrawWishes(), by=by)
    assert row_of(late, later=dt.timedelta(seconds=29)).state == "searching"
    assert row_of(late, later=dt.timedelta(seconds=31)).state == "interrupted"
    DrawDraft.objects.filter(pk=late.pk).update(seen_at=now() - dt.timedelta(seconds=31))
    again = restart_draft(draft=late, by=by)
    run_draft(late)  # the thread that was thought dead
    assert row_of(again).state == "searching"
    run_draft(again)
    assert row_of(again).state == "done"


def test_a_draft_that_is_done_is_not_searched_again(by: Account):
    event = event_of(8, by)
    draft = searched(event, by)
    again = restart_draft(draft=draft, by=by)
    assert (again, again.state, again.attempt) == (draft, "done", draft.attempt)
    assert verbs_of(event) == ["draft_started"]


@pytest.mark.django_db(transaction=True)
def test_a_thread_searches_a_draft_once_what_made_it_is_written(by: Account):
    before = {*threading.enumerate()}
    with transaction.atomic():
        draft = start_draft(event=event_of(8, by), seed=1, asked=DrawWishes(), by=by)
        search_in_background(draft)
        assert {*threading.enumerate()} == before
    (search,) = {*threading.enumerate()} - before
    search.join(SOON)
    draft.refresh_from_db()
    assert (search.is_alive(), draft.state) == (False, "done")


def test_one_search_at_a_time_and_not_too_many_drafts(by: Account):
    event = event_of(8, by)
    draft = start_draft(event=event, seed=1, asked=DrawWishes(), by=by)
    with pytest.raises(DomainError) as refusal:
        start_draft(event=event, seed=2, asked=DrawWishes(), by=by)
    assert codes_of(refusal) == ["draft.searching"]
    with pytest.raises(DomainError) as refusal:
        take_draft(draft=draft, by=by)
    assert codes_of(refusal) == ["draft.not_done"]
    run_draft(draft)
    for seed in range(2, MAX_DRAFTS + 1):
        searched(event, by, seed=seed)
    with pytest.raises(DomainError) as refusal:
        searched(event, by, seed=99)
    assert codes_of(refusal) == ["draft.too_many"]
    discard_draft(draft=draft, by=by)
    with pytest.raises(DomainError) as refusal:
        take_draft(draft=draft, by=by)
    assert codes_of(refusal) == ["draft.gone"]


def test_a_draft_for_other_players_cannot_be_taken(by: Account):
    event = event_of(8, by)
    draft = searched(event, by)
    add_players(event=event, players=[NewPlayer(f"New {index}") for index in range(4)], by=by)
    assert row_of(draft).stale
    with pytest.raises(DomainError) as refusal:
        take_draft(draft=draft, by=by)
    assert codes_of(refusal) == ["draw.players_changed"]


def test_nothing_is_drawn_once_seats_are_published(by: Account):
    event = event_of(8, by)
    draft = searched(event, by)
    take_draft(draft=draft, by=by)
    publish_rounds(event=event, numbers=[1], by=by)
    before = seats_of(event)
    for attempt in (lambda: take_draft(draft=draft, by=by), lambda: searched(event, by)):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["draw.already_published"]
    assert seats_of(event) == before


@pytest.mark.postgresql
def test_substitutes_come_and_go_with_the_draw(by: Account):
    event = event_of(10, by)
    plain, other = (searched(event, by, seed=seed, way="substitutes") for seed in (1, 2))
    assert (plain.substitutes, sorted(who for table in plain.rounds[0] for who in table)) == (2, list(range(1, 13)))
    for draft in (plain, other):
        take_draft(draft=draft, by=by)
        assert list(event.players.filter(ranked=False).values_list("number", "person__preferred_name")) == [
            (11, "Substitute 1"), (12, "Substitute 2"),
        ]  # fmt: skip
    assert not any({11, 12} <= set(table) for tables in other.rounds for table in tables)
    discard_draw(event=event, by=by)
    assert (event.players.count(), Person.objects.count()) == (10, 10)


@pytest.mark.once
def test_who_rests_has_no_seat_in_that_round(by: Account):
    event = event_of(9, by)
    draft = searched(event, by, way="rests")
    take_draft(draft=draft, by=by)
    for number, resting in enumerate(draft.resting, start=1):
        seated = sorted(player for round_, _, _, player in seats_of(event) if round_ == number)
        assert sorted([*seated, *resting]) == list(range(1, 10))
        assert len(resting) == 1
    report = row_of(draft).report
    assert report is not None
    assert (report.figures.rests_least, report.figures.rests_most) == (0, 1)


@pytest.mark.parametrize(
    ("players", "way", "asked", "codes"),
    [
        (10, "full", DrawWishes(), ["seating.not_a_multiple"]),
        (3, "full", DrawWishes(), ["seating.too_few"]),
        (10, "other_tables", DrawWishes(), ["draw.way_unknown"]),
        (8, "rests", DrawWishes(), ["seating.way_closed"]),
        (8, "full", DrawWishes(families=((1, 9),), fixed=((2, 3),)), ["wish.players_unknown", "wish.table_unknown"]),
        (8, "full", DrawWishes(fixed=tuple((who, 1) for who in range(1, 6))), ["wish.table_full"]),
        (8, "full", DrawWishes(fixed=((1, 1), (1, 2))), ["wish.two_tables"]),
        (8, "full", DrawWishes(rooms=((1, 2, "A"), (2, 2, "B"))), ["wish.rooms_overlap"]),
        (8, "full", DrawWishes(rooms=((2, 1, "A"),)), ["wish.room_tables"]),
        (8, "full", DrawWishes(clubs=4), ["wish.round_unknown"]),
        (8, "full", DrawWishes(together=((1, (1, 2)), (1, (2, 3)))), ["wish.together_twice"]),
        (8, "full", DrawWishes(together=((9, (1, 2, 3, 4, 5)),)), ["wish.round_unknown", "wish.group_too_large"]),
        (8, "full", DrawWishes(shared=10), ["wish.shared_out_of_range"]),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_it_is_searched(
    by: Account, players: int, way: str, asked: DrawWishes, codes: list[str]
):
    event = event_of(players, by)
    with pytest.raises(DomainError) as refusal:
        start_draft(event=event, seed=1, asked=asked, way=way, by=by)
    assert (codes_of(refusal), DrawDraft.objects.count()) == (codes, 0)


def test_a_search_whose_players_left_meanwhile_fails_in_words(by: Account):
    event = event_of(8, by)
    draft = start_draft(event=event, seed=1, asked=DrawWishes(), by=by)
    add_players(event=event, players=[NewPlayer("Late")], by=by)
    run_draft(draft)
    row = row_of(draft)
    assert (row.state, row.problem and row.problem.code) == ("failed", "seating.not_a_multiple")


@pytest.mark.parametrize("known", ["0" * 64, "f" * 64])
def test_a_search_for_other_players_than_it_was_asked_for_fails_in_words(by: Account, known: str):
    draft = start_draft(event=event_of(8, by), seed=1, asked=DrawWishes(), by=by)
    draft.fingerprint = known
    draft.save(update_fields=["fingerprint"])
    run_draft(draft)
    row = row_of(draft)
    assert (row.state, row.problem and row.problem.code) == ("failed", "draw.players_changed")


def test_wishes_and_what_was_drawn_are_in_the_file_of_the_event(by: Account):
    event = event_of(10, by)
    asked = DrawWishes(clubs=1, rooms=((1, 2, "Hall"),))
    take_draft(draft=searched(event, by, asked=asked, way="substitutes"), by=by)
    event.refresh_from_db()
    file = get_event_file(event)
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")
    again = import_event(data=file.encode(), by=by)
    assert get_event_file(again) == file
    drawn = read_drawn(again.drawn)
    assert drawn is not None
    assert (read_asked(again.wishes), drawn.players, drawn.substitutes) == (asked, 10, (11, 12))
