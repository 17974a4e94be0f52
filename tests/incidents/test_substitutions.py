"""Substitutes: what can be written, what the register and the ranking say of it, and the event's file."""

import json
from typing import Any
from uuid import uuid4

import pytest

from rules.books import load
from scoring.entries import Totals
from tests.archive.archive_acts import empty_the_database
from tests.factories import (
    codes_of,
    codes_when,
    enter,
    fresh,
    make_account,
    make_event,
    round_of,
    seal_by_hand,
    set_ranked,
    sign,
    table_of,
    void,
    writer_of,
)
from tests.incidents.substitute_acts import FOUR, played, player, replace, results, totals
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.incidents.actions import (
    Replacement,
    check_substitute,
    name_substitute,
    put_substitute_in,
    take_substitute_out,
)
from tournament.incidents.models import Substitution
from tournament.incidents.queries import count_listed, effect_with, effect_without, list_substitutions
from tournament.penalties.actions import give_foul
from tournament.penalties.queries import Offence, list_penalties
from tournament.players.models import Person, Player
from tournament.rounds.actions import release_round
from tournament.standings.queries import Standings, read_standings
from tournament.tables.queries import get_table, load_tables

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    return played("ema-2025", FOUR, slug="played")


# ---------------------------------------------------------------- the register and what replaces it


def test_points_that_the_register_has_for_the_same_absence_are_not_taken_twice():
    event = make_event("wrc-2025", slug="cup", tables=1, rounds=1)
    table = table_of(event)
    offence = Offence(foul="late", minutes=11)
    given = give_foul(player=player(event, 2), table=table, offence=offence, client_id=uuid4(), by=writer_of(event))
    assert [row.points for row in given.rows] == [30_000]
    enter(table, Totals(scores=FOUR, leftover=0))
    sign(table)
    release_round(round_=round_of(event), by=writer_of(event))
    replace(event, 2, "before")
    assert totals(event)[2] == (3, -30_000)
    assert [row.points for row in list_penalties(event, load_tables(event))] == [30_000]


def test_what_being_replaced_costs_is_listed_with_the_penalties():
    event = played("wrc-2025", FOUR)
    replace(event, 3, "during", reason="left")
    (row,) = list_penalties(event, load_tables(event))
    assert (row.id, row.number, row.round, row.table, row.points, row.reason, row.by, row.replaced) == (
        None, 3, 1, 1, 30_000, "left", "Organiser", True,
    )  # fmt: skip


def test_under_ema_the_register_has_nothing_of_it(event: Event):
    replace(event, 3, "during")
    assert list_penalties(event, load_tables(event)) == []


# ---------------------------------------------------------------- who is not ranked


def test_who_is_not_ranked_plays_and_stands_in_no_ranking():
    event = played("ema-2025", FOUR, FOUR)
    set_ranked(player=player(event, 1), ranked=False, reason="house player", by=writer_of(event))
    # nobody was replaced: the others keep what they won against the house player
    standings = read_standings(event)
    assert [(row.number, row.rank, row.total) for row in standings.rows] == [
        (2, 1, 20_000),
        (3, 2, -20_000),
        (4, 3, -60_000),
    ]
    assert [(row.number, row.games) for row in standings.unranked] == [(1, 2)]
    assert results(event) == {1: 30_000, 2: 10_000, 3: -10_000, 4: -30_000}
    assert codes_when(lambda: replace(event, 1, "before")) == ["substitute.not_ranked"]


def test_ranking_somebody_again_brings_all_back(event: Event):
    before = read_standings(event)
    for ranked in (False, False, True):
        set_ranked(player=player(event, 2), ranked=ranked, reason="mistaken", by=writer_of(event))
    assert read_standings(event) == before
    rows = [json.loads(row.details)["fields"] for row in event.audit.order_by("-seq")[:2]]
    assert rows == [["ranked"], ["unranked"]]


def test_once_play_has_begun_ranking_needs_a_reason(event: Event):
    with pytest.raises(DomainError) as refusal:
        set_ranked(player=player(event, 2), ranked=False, by=writer_of(event))
    assert codes_of(refusal) == ["players.ranking_reason_missing"]


def test_the_federations_list_has_three_substitutes_at_most():
    event = make_event(tables=2, rounds=2)
    assert count_listed(event) == 8
    set_ranked(player=player(event, 8), ranked=False, by=writer_of(event))
    assert count_listed(event) == 8  # seven, and one who plays without being ranked
    for number, name in ((1, "Kay Fir"), (2, "Jo Elm"), (3, "Eve Ash"), (4, "")):
        replace(event, number, "before", name=name)
    replace(event, 1, "before", round_=2, name="kay fir")
    assert count_listed(event) == 7 + 3


def test_who_is_seated_without_being_ranked_and_plays_for_somebody_later_is_on_the_list_once():
    event = make_event(tables=2, rounds=2)
    guest = player(event, 8)
    set_ranked(player=guest, ranked=False, by=writer_of(event))
    table_of(event, 2, round_=2).seats.filter(player=guest).delete()
    table_of(event, 1, round_=2).seats.filter(player=guest).delete()
    replace(event, 1, "before", round_=2, name=guest.person.preferred_name)
    assert count_listed(event) == 7 + 1


# ---------------------------------------------------------------- what can be written


def test_a_substitution_says_who_when_and_from_which_hand():
    event = make_event(tables=1, rounds=1)
    table = table_of(event)
    for line in ("1t 230", "2r3 340/2", "d13"):
        enter(table, line)
    replace(event, 3, "during", hand=3, name="  Kay   Fir ")
    (row,) = list_substitutions(event)
    assert (row.number, row.name, row.when, row.hand, row.reason, row.by, row.cancelled) == (
        3, "Kay Fir", "during", 3, "fell ill", "Organiser", False,
    )  # fmt: skip
    void(table, 1)  # the hand after two others becomes the second
    assert list_substitutions(event)[0].hand == 2
    details = json.loads(event.audit.get(verb="substitute_put_in").details)
    assert details == {
        "player": 3, "rounds": [1], "table": 1, "when": "during", "seq": 3, "reason": "fell ill",
    }  # fmt: skip


def test_the_same_act_sent_twice_is_one():
    event = make_event(tables=1, rounds=2)
    by, client_id = writer_of(event), uuid4()
    wanted = Replacement(when="before", reason="ill", later=True)
    acts = [
        put_substitute_in(
            table=table_of(event), player=player(event, 2), replacement=wanted, client_id=client_id, by=by
        )
        for _ in range(2)
    ]
    assert acts[0] == acts[1]
    assert (len(acts[0]), Substitution.objects.count(), event.audit.filter(verb="substitute_put_in").count()) == (
        2,
        2,
        1,
    )
    with pytest.raises(DomainError) as refusal:
        put_substitute_in(
            table=table_of(event), player=player(event, 3), replacement=wanted, client_id=client_id, by=by
        )
    assert codes_of(refusal) == ["entry.client_id_used"]


def test_all_later_rounds_at_once_from_the_beginning():
    event = make_event(tables=1, rounds=3)
    enter(table_of(event, 1, round_=2), "1t 230")
    replace(event, 2, "before", round_=3, name="Jo Elm")
    replace(event, 2, "during", round_=1, later=True)
    rows = {(row.round, row.name, row.when) for row in list_substitutions(event)}
    assert rows == {(1, "Kay Fir", "during"), (2, "Kay Fir", "before"), (3, "Jo Elm", "before")}


def test_it_can_be_put_in_again_after_it_was_taken_out(event: Event):
    first = replace(event, 1, "before")
    take_substitute_out(substitution=first, reason="during", by=writer_of(event))
    take_substitute_out(substitution=first, reason="twice", by=writer_of(event))
    replace(event, 1, "during")
    assert [(row.when, row.cancelled, row.cancel_reason) for row in list_substitutions(event)] == [
        ("during", False, ""), ("before", True, "during"),
    ]  # fmt: skip
    assert results(event)[2] == 20_000
    assert event.audit.filter(verb="substitute_taken_out").count() == 1


REFUSED: list[tuple[int, dict[str, Any], list[str]]] = [
    (1, {"reason": " "}, ["substitute.reason_missing"]),
    (5, {}, ["substitute.not_at_table"]),
    (1, {"name": "birk"}, ["substitute.ranked_player"]),
    (1, {"name": "x" * 61}, ["substitute.name_too_long"]),
    (1, {"name": "hasel"}, ["substitute.plays_elsewhere"]),  # not ranked, but seated at table 2
    (1, {"name": "jo elm"}, ["substitute.plays_elsewhere"]),  # plays for player 6
    (2, {}, ["substitute.there_already"]),
    (1, {"when": "during", "hand": 3}, ["substitute.hand_unknown"]),
    (1, {"when": "during", "hand": 0}, ["substitute.hand_unknown"]),
]


@pytest.mark.once
@pytest.mark.parametrize(("number", "fields", "codes"), REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_written(number: int, fields: dict[str, Any], codes: list[str]):
    event = make_event(tables=2, rounds=1)
    set_ranked(player=player(event, 8), ranked=False, by=writer_of(event))
    replace(event, 2, "before", name="")
    replace(event, 6, "before", name="Jo Elm")
    enter(table_of(event), "1t 230")
    event.refresh_from_db()
    version = event.version
    wanted = Replacement(**{"when": "before", "reason": "ill", **fields})
    with pytest.raises(DomainError) as refusal:
        check_substitute(table=table_of(event), player=player(event, number), replacement=wanted)
    assert codes_of(refusal) == codes
    with pytest.raises(DomainError) as refusal:
        put_substitute_in(
            table=table_of(event),
            player=player(event, number),
            replacement=wanted,
            client_id=uuid4(),
            by=writer_of(event),
        )
    assert codes_of(refusal) == codes
    event.refresh_from_db()
    assert (event.version, Substitution.objects.count()) == (version, 2)


def test_no_substitute_before_seats_are_published():
    event = make_event(tables=1, rounds=1, published=False)
    assert codes_when(lambda: replace(event, 1, "before")) == ["round.not_published"]


@pytest.mark.postgresql
def test_a_substitute_who_is_a_player_keeps_no_second_name_and_is_never_ranked():
    event = make_event(tables=1, rounds=2)
    absent = player(event, 4)
    table_of(event, 1, round_=2).seats.filter(player=absent).delete()
    set_ranked(player=absent, ranked=False, by=writer_of(event))
    substitution = replace(event, 1, "before", round_=2, name="distel")
    assert (substitution.substitute, substitution.name) == (absent, "")
    assert codes_when(lambda: set_ranked(player=absent, ranked=True, by=writer_of(event))) == ["players.is_substitute"]


@pytest.mark.postgresql
def test_a_name_is_given_later_and_the_trail_keeps_none():
    event = make_event(tables=1, rounds=1)
    substitution = replace(event, 1, "before", name="")
    name_substitute(substitution=substitution, name="Jo Elm", by=writer_of(event))
    name_substitute(substitution=substitution, name="Jo Elm", by=writer_of(event))
    assert [row.name for row in list_substitutions(event)] == ["Jo Elm"]
    assert event.audit.filter(verb="substitute_named").count() == 1
    assert "Jo Elm" not in "".join(event.audit.values_list("details", flat=True))
    with pytest.raises(DomainError) as refusal:
        name_substitute(substitution=substitution, name="Birk", by=writer_of(event))
    assert codes_of(refusal) == ["substitute.ranked_player"]


# ---------------------------------------------------------------- looked at before


def test_what_a_substitute_would_change_is_what_it_changes(event: Event):
    table = get_table(event, 1, 1)
    assert table is not None
    effect = effect_with(event, table, 1, "during")
    assert effect.counts  # signed, and no round is released
    assert [(change.before.result, change.after.result) for change in effect.seats] == [
        (30_000, -30_000), (10_000, 20_000), (-10_000, 0), (-30_000, -20_000),
    ]  # fmt: skip
    moves = {move.number: (move.rank_before, move.rank_after, move.total_after) for move in effect.moves}
    assert moves == {1: (1, 4, -30_000), 2: (2, 1, 20_000), 3: (3, 2, 0), 4: (4, 3, -20_000)}
    before: Standings = read_standings(event)
    replace(event, 1, "during")
    assert {number: (rank, total) for number, (_b, rank, total) in moves.items()} == totals(event)
    replaced = get_table(event, 1, 1)
    assert replaced is not None
    back = effect_without(fresh(event), replaced, 1)
    assert {move.number: move.total_after for move in back.moves} == {row.number: row.total for row in before.rows}


def test_a_table_that_is_not_signed_moves_no_rank_yet():
    event = make_event(tables=1, rounds=1)
    table = get_table(event, 1, 1)
    assert table is not None
    effect = effect_with(event, table, 1, "before")
    assert (effect.counts, effect.moves) == (False, ())


# ---------------------------------------------------------------- the file


def test_the_file_carries_substitutes_and_who_is_ranked_byte_by_byte():
    event = played("wrc-2025", FOUR, FOUR)
    set_ranked(player=player(event, 4), ranked=False, reason="house player", by=writer_of(event))
    take_substitute_out(substitution=replace(event, 2, "during"), reason="mistaken", by=writer_of(event))
    substitute = make_reserve(event, "Kay Fir")
    replace(event, 2, "before", round_=2)
    assert Substitution.objects.get(cancelled_at=None).substitute == substitute
    file, standings = get_event_file(event), read_standings(event)
    empty_the_database()
    made = import_event(data=file.encode(), by=make_account("Desk"))
    assert get_event_file(made) == file
    assert read_standings(made) == standings


def make_reserve(event: Event, name: str) -> Player:
    """Return a reserve who is not ranked and has no seat, as an imported event may have one."""
    person = Person.objects.create(preferred_name=name)
    made = Player.objects.create(event=event, person=person, number=event.players.count() + 1, ranked=False)
    seal_by_hand(event)
    return made


def test_books_that_know_substitutes_say_how():
    assert {key: load(key).substitute for key in ("ema-2025", "wrc-2025", "rakkii-nomi-2026", "sanmatsuri-2026")} == {
        "ema-2025": "ema", "wrc-2025": "wrc", "rakkii-nomi-2026": "wrc", "sanmatsuri-2026": "ema",
    }  # fmt: skip
