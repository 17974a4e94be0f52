"""Substitutes: what they cost and give, worked by hand from the books; then taken out, and everything is as before."""

import json
from typing import Any
from uuid import uuid4

import pytest

from rules.ruleset import load
from scoring.entries import Totals
from scoring.substitute import When
from tests.factories import enter, make_account, make_event, round_of, sign, table_of, void, writer_of
from tests.tournament.services.test_archive import empty_the_database
from tournament.models import Event, Person, Player, Substitution, Table
from tournament.refusal import Refused
from tournament.selectors.archive import get_event_file
from tournament.selectors.fouls import Offence
from tournament.selectors.penalties import list_penalties
from tournament.selectors.standings import Standings, read_standings
from tournament.selectors.substitutions import count_listed, effect_with, effect_without, list_substitutions
from tournament.selectors.tables import get_table, load_tables
from tournament.services.archive import import_event
from tournament.services.draw import release_round
from tournament.services.fouls import give_foul
from tournament.services.people import set_ranked
from tournament.services.substitutions import (
    Replacement,
    check_substitute,
    name_substitute,
    put_substitute_in,
    take_substitute_out,
)

pytestmark = pytest.mark.django_db


def codes_of(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refusal.value.problems]


def played(key: str, *scores: tuple[int, ...]) -> Event:
    """Return an event of one table whose rounds, all released, ended with these scores by player 1, 2, 3…"""
    event = make_event(key, slug="cup", tables=1, rounds=len(scores))
    for number, by_player in enumerate(scores, start=1):
        table = table_of(event, 1, round_=number)
        seats = table.seats.order_by("seat").values_list("player__number", flat=True)
        enter(table, Totals(scores=tuple(by_player[player - 1] for player in seats), leftover=0))
        sign(table)
        release_round(round_=round_of(event, number), by=writer_of(event))
    event.refresh_from_db()
    return event


def replace(event: Event, number: int, when: When, *, round_: int = 1, **fields: Any) -> Substitution:
    """Put a substitute in for a player."""
    wanted = {"reason": "fell ill", "name": "Kay Fir", **fields}
    return put_substitute_in(
        table=table_at(event, number, round_),
        player=player(event, number),
        replacement=Replacement(when=when, **wanted),
        client_id=uuid4(),
        by=writer_of(event),
    )[0]


def player(event: Event, number: int) -> Player:
    return event.players.select_related("event").get(number=number)


def table_at(event: Event, number: int, round_: int = 1) -> Table:
    """Return the table where a player sits in a round."""
    return Table.objects.select_related("round__event").get(
        round__event=event, round__number=round_, seats__player__number=number
    )


def results(event: Event, round_: int = 1) -> dict[int, int]:
    """Return the counted results of a round by player."""
    (table,) = load_tables(event, rounds=[round_])
    return dict(sorted((game.player.number, game.result) for game in table.seat_games))


def totals(event: Event) -> dict[int, tuple[int, int]]:
    """Return rank and total of each player in the standings."""
    return dict(sorted((row.number, (row.rank, row.total)) for row in read_standings(event).rows))


def export(event: Event) -> dict[str, Any]:
    """Return the event's file without what says what was done: the register of substitutes, the trail, the version."""
    content: dict[str, Any] = json.loads(get_event_file(event))["content"]
    del content["substitutions"], content["audit"], content["event"]["version"]
    return content


# ---------------------------------------------------------------- the books, worked by hand

FOUR = (45_000, 35_000, 25_000, 15_000)  # all start and return with 30,000: +15, +5, -5, -15 before uma
THREE = (50_000, 30_000, 10_000)  # +20, 0, -20 before uma

# key, replaced player, when, results of round 1 by player, what is off the player's total beside
BOOK: list[tuple[str, tuple[int, ...], int, When, list[int], int]] = [
    # E25 7.3: a substitute from the beginning takes a place; the others have the uma of theirs, +5, -5, -15, and the
    # replaced player -15,000 points and -15,000 uma
    ("ema-2025", FOUR, 1, "before", [-30_000, 5000 + 5000, -5000 - 5000, -15_000 - 15_000], 0),
    # E25 7.3: one who came in during the game takes none; the others have +15, +5, -5 in their order
    ("ema-2025", FOUR, 1, "during", [-30_000, 5000 + 15_000, -5000 + 5000, -15_000 - 5000], 0),
    ("ema-2025", FOUR, 4, "before", [15_000 + 15_000, 5000 + 5000, -5000 - 5000, -30_000], 0),
    ("ema-2025", FOUR, 4, "during", [15_000 + 15_000, 5000 + 5000, -5000 - 5000, -30_000], 0),
    ("ema-2025", FOUR, 2, "during", [15_000 + 15_000, -30_000, -5000 + 5000, -15_000 - 5000], 0),
    # WRC 12.3.9(2, 3): the seat is scored as any and not ranked; the player has nothing, and 30P
    ("wrc-2025", FOUR, 1, "before", [0, 5000 + 5000, -5000 - 5000, -15_000 - 15_000], 30_000),
    ("wrc-2025", FOUR, 3, "during", [15_000 + 15_000, 5000 + 5000, 0, -15_000 - 15_000], 30_000),
    # RK 4, the same by its own list: "30P point penalty, replacement"
    ("rakkii-nomi-2026", FOUR, 2, "before", [15_000 + 15_000, 0, -5000 - 5000, -15_000 - 15_000], 30_000),
    ("rakkii-nomi-2026", FOUR, 2, "during", [15_000 + 15_000, 0, -5000 - 5000, -15_000 - 15_000], 30_000),
    # three players, EMA 7.3 as we adapt it: before, the uma of their own places (15, 0, -15); during, +15 and 0
    ("sanmatsuri-2026", THREE, 1, "before", [-30_000, 0 + 0, -20_000 - 15_000], 0),
    ("sanmatsuri-2026", THREE, 1, "during", [-30_000, 0 + 15_000, -20_000 + 0], 0),
    ("sanmatsuri-2026", THREE, 2, "before", [20_000 + 15_000, -30_000, -20_000 - 15_000], 0),
    ("sanmatsuri-2026", THREE, 2, "during", [20_000 + 15_000, -30_000, -20_000 + 0], 0),
    ("sanmatsuri-2026", THREE, 3, "during", [20_000 + 15_000, 0 + 0, -30_000], 0),
]


@pytest.mark.parametrize(("key", "scores", "number", "when", "wanted", "off"), BOOK)
def test_results_and_totals_by_the_book_and_back(
    key: str, scores: tuple[int, ...], number: int, when: When, wanted: list[int], off: int
):
    # in the second round everybody has what they began with: all places are shared, no uma, 0
    event = played(key, scores, (30_000,) * len(scores))
    before, file = read_standings(event), export(event)
    substitution = replace(event, number, when)
    assert results(event) == dict(enumerate(wanted, start=1))
    sums = {each: result - (off if each == number else 0) for each, result in enumerate(wanted, start=1)}
    assert {each: total for each, (_rank, total) in totals(event).items()} == sums
    assert {row.number: row.penalties for row in read_standings(event).rows if row.penalties} == (
        {number: off} if off else {}
    )
    (row,) = (row for row in read_standings(event).rows if row.number == number)
    assert (row.results, row.games) == ((wanted[number - 1], 0), 2)
    take_substitute_out(substitution=substitution, reason="the wrong table", by=writer_of(event))
    assert (read_standings(event), export(event)) == (before, file)


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        # E25 7.3: 2 is left out, and the substitute for 4 is third of the three who are placed: +15 to 1, +5 to 3
        ("ema-2025", [15_000 + 15_000, -30_000, -5000 + 5000, -30_000]),
        ("wrc-2025", [15_000 + 15_000, 0, -5000 - 5000, 0]),
    ],
)
def test_two_players_of_one_table_are_replaced(key: str, wanted: list[int]):
    event = played(key, FOUR)
    replace(event, 2, "during")
    replace(event, 4, "before", name="Jo Elm")
    assert results(event) == dict(enumerate(wanted, start=1))


def test_every_session_that_is_missed_costs_again():
    # E25 7.3 "every session replaced": the first round -30,000, the second -30,000, the third own play
    event = played("ema-2025", FOUR, FOUR, FOUR)
    replace(event, 2, "before")
    replace(event, 2, "during", round_=2)
    assert totals(event)[2] == (3, -30_000 - 30_000 + 10_000)
    # player 1 kept first place: +30 each; of the three who were left in the second round 3 was second and 4 third
    assert [totals(event)[number][1] for number in (1, 3, 4)] == [
        90_000,
        -10_000 + 0 - 10_000,
        -30_000 - 20_000 - 30_000,
    ]


def test_a_game_that_somebody_else_played_parts_no_equal_totals():
    event = played("wrc-2025", FOUR)
    replace(event, 1, "before")
    standings = read_standings(event)
    assert [(row.number, row.total, row.rank, row.tie_break) for row in standings.rows] == [
        (2, 10_000, 1, None),
        (3, -10_000, 2, None),
        (4, -30_000, 3, "best_result"),  # player 1 has no game of their own
        (1, -30_000, 3, "best_result"),
    ]


@pytest.mark.parametrize(
    ("key", "own", "off"), [("ema-2025", -30_000, 0), ("sanmatsuri-2026", -30_000, 0), ("wrc-2025", 0, 30_000)]
)
def test_a_game_that_nobody_could_play_costs_the_others_nothing(key: str, own: int, off: int):
    # one draw with nobody tenpai stands for it: all keep the start, share all places and so have no uma (EMA 3.7.1)
    event = make_event(key, tables=1, rounds=1)
    enter(table_of(event), "d #not played")
    sign(table_of(event))
    release_round(round_=round_of(event), by=writer_of(event))
    replace(event, 2, "before", name="")
    assert results(event) == {number: own if number == 2 else 0 for number in range(1, load(key).players + 1)}
    assert totals(event)[2] == (load(key).players, own - off)


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


def test_under_ema_the_register_has_nothing_of_it():
    event = played("ema-2025", FOUR)
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
    with pytest.raises(Refused) as refusal:
        replace(event, 1, "before")
    assert codes_of(refusal) == ["substitute.not_ranked"]


def test_ranking_somebody_again_brings_all_back():
    event = played("ema-2025", FOUR)
    before = read_standings(event)
    for ranked in (False, False, True):
        set_ranked(player=player(event, 2), ranked=ranked, reason="mistaken", by=writer_of(event))
    assert read_standings(event) == before
    assert list(event.audit.order_by("-seq").values_list("verb", flat=True)[:2]) == ["player_ranked", "player_unranked"]


def test_once_play_has_begun_ranking_needs_a_reason():
    event = played("ema-2025", FOUR)
    with pytest.raises(Refused) as refusal:
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
    with pytest.raises(Refused) as refusal:
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


def test_it_can_be_put_in_again_after_it_was_taken_out():
    event = played("ema-2025", FOUR)
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
    with pytest.raises(Refused) as refusal:
        check_substitute(table=table_of(event), player=player(event, number), replacement=wanted)
    assert codes_of(refusal) == codes
    with pytest.raises(Refused) as refusal:
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
    with pytest.raises(Refused) as refusal:
        replace(event, 1, "before")
    assert codes_of(refusal) == ["round.not_published"]


def test_a_substitute_who_is_a_player_keeps_no_second_name_and_is_never_ranked():
    event = make_event(tables=1, rounds=2)
    absent = player(event, 4)
    table_of(event, 1, round_=2).seats.filter(player=absent).delete()
    set_ranked(player=absent, ranked=False, by=writer_of(event))
    substitution = replace(event, 1, "before", round_=2, name="distel")
    assert (substitution.substitute, substitution.name) == (absent, "")
    with pytest.raises(Refused) as refusal:
        set_ranked(player=absent, ranked=True, by=writer_of(event))
    assert codes_of(refusal) == ["players.is_substitute"]


def test_a_name_is_given_later_and_the_trail_keeps_none():
    event = make_event(tables=1, rounds=1)
    substitution = replace(event, 1, "before", name="")
    name_substitute(substitution=substitution, name="Jo Elm", by=writer_of(event))
    name_substitute(substitution=substitution, name="Jo Elm", by=writer_of(event))
    assert [row.name for row in list_substitutions(event)] == ["Jo Elm"]
    assert event.audit.filter(verb="substitute_named").count() == 1
    assert "Jo Elm" not in "".join(event.audit.values_list("details", flat=True))
    with pytest.raises(Refused) as refusal:
        name_substitute(substitution=substitution, name="Birk", by=writer_of(event))
    assert codes_of(refusal) == ["substitute.ranked_player"]


# ---------------------------------------------------------------- looked at before


def test_what_a_substitute_would_change_is_what_it_changes():
    event = played("ema-2025", FOUR)
    table = get_table(event, 1, 1)
    assert table is not None
    effect = effect_with(event, table, 1, "during")
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
    back = effect_without(event, replaced, 1)
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
    return Player.objects.create(event=event, person=person, number=event.players.count() + 1, ranked=False)


def test_books_that_know_substitutes_say_how():
    assert {key: load(key).substitute for key in ("ema-2025", "wrc-2025", "rakkii-nomi-2026", "sanmatsuri-2026")} == {
        "ema-2025": "ema", "wrc-2025": "wrc", "rakkii-nomi-2026": "wrc", "sanmatsuri-2026": "ema",
    }  # fmt: skip
