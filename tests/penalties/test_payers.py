"""Who pays for a foul at a replaced seat: the substitute who did it, the player by a written act alone."""

import json
from uuid import uuid4

import pytest

from scoring.entries import Chombo, Draw
from tests.factories import codes_of, codes_when, enter, last_seq, make_event, round_of, sign, table_of, writer_of
from tests.fixtures import own_event
from tests.incidents.substitute_acts import player, replace, table_at
from tests.penalties.foul_acts import give, points
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.incidents.actions import take_substitute_out
from tournament.incidents.models import Substitution
from tournament.incidents.queries import effect_without
from tournament.penalties.actions import cancel_penalty, give_penalty, set_payer, set_payer_of_chombo
from tournament.penalties.models import Penalty
from tournament.penalties.queries import Offence, count_points, get_proposal, list_penalties
from tournament.players.actions import NewPlayer, add_late_player
from tournament.tables.queries import load_tables

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


event = own_event("ema-2025", slug="cup", tables=1, rounds=2)


def seat_of(event: Event, number: int) -> int:
    return table_at(event, number).seats.get(player__number=number).seat


def chombo(event: Event, *numbers: int) -> int:
    """Type a chombo of these players' seats; return the `seq` of its hand."""
    enter(table_of(event), Chombo(offenders=tuple(sorted(seat_of(event, each) for each in numbers))))
    return last_seq(table_of(event))


def listed(event: Event) -> list[tuple[int, str, str, int]]:
    """Return of each row under whom it stands: number, name, whom they play for, points."""
    return [(row.number, row.name, row.plays_for, row.points) for row in list_penalties(event, load_tables(event))]


def charge(event: Event, seq: int, number: int = 2, *, to_player: bool = True, reason: str = "agreed") -> None:
    set_payer_of_chombo(
        table=table_of(event),
        seq=seq,
        player=player(event, number),
        to_player=to_player,
        reason=reason,
        by=writer_of(event),
    )


@pytest.mark.states("payer_typed")
def test_a_typed_chombo_is_the_substitutes(event: Event):
    replace(event, 2, "before")
    chombo(event, 1, 2)
    assert points(event) == {1: 20_000}
    assert listed(event) == [(1, "Akelei", "", 20_000), (0, "Kay Fir", "Birk", 20_000)]


def test_a_chombo_before_the_substitute_came_is_the_players(event: Event):
    chombo(event, 2)
    replace(event, 2, "during", hand=2)
    chombo(event, 2)
    assert points(event) == {2: 20_000}
    assert [name for _, name, *_ in listed(event)] == ["Birk", "Kay Fir"]


def test_without_a_known_hand_what_was_entered_before_the_substitute_is_the_players(event: Event):
    chombo(event, 2)
    replace(event, 2, "during")
    chombo(event, 2)
    assert points(event) == {2: 20_000}


@pytest.mark.states("payer_foul")
@pytest.mark.parametrize("foul", ["riichi_no_deposit", "empty_win_shown", "false_tenpai"])
def test_a_foul_of_the_catalogue_is_the_substitutes(foul: str):
    event = make_event("wrc-2025", slug="cup", tables=1, rounds=2)
    replace(event, 2, "before")
    (row,) = give(event, 2, foul=foul).rows
    assert (row.player.number, row.substitution == Substitution.objects.get()) == (2, True)
    # being replaced costs 30,000 by WRC 12.3.9, and nothing else is the player's
    assert points(event) == {2: 30_000}
    assert (0, "Kay Fir", "Birk") in [row[:3] for row in listed(event)]


def test_being_late_is_the_players_own(event: Event):
    replace(event, 2, "before")
    give(event, 2, foul="late", minutes=7)
    assert points(event) == {2: 7_000}


def test_each_player_of_a_table_pays_but_the_replaced_one():
    event = make_event("rakkii-nomi-2026", slug="cup", tables=1, rounds=2)
    replace(event, 2, "before")
    give(event, 1, foul="report_sheet")
    assert points(event) == {1: 2_000, 2: 30_000, 3: 2_000, 4: 2_000}


def test_repeats_are_counted_by_who_did_it(event: Event):
    replace(event, 2, "before", name="")
    replace(event, 2, "before", round_=2, name="Kay Fir")
    kay = add_late_player(event=event, new=NewPlayer("Fay Kir"), ranked=False, by=writer_of(event))
    replace(event, 3, "before", name="Fay Kir")
    replace(event, 3, "before", round_=2, name="Fay Kir")
    first = give(event, 3, foul="riichi_no_deposit")
    assert first.rows[0].substitution is not None

    def time(number: int, round_: int) -> int:
        offence = Offence(foul="riichi_no_deposit")
        table = table_at(event, number, round_)
        return get_proposal(event, player(event, number), offence, table=table.pk).time

    assert (time(3, 1), time(3, 2), time(2, 1), time(2, 2)) == (2, 2, 1, 1)
    assert get_proposal(event, kay, Offence(foul="riichi_no_deposit")).time == 2
    assert get_proposal(event, player(event, 3), Offence(foul="riichi_no_deposit")).time == 1


def test_the_substitute_can_be_named_as_the_offender(event: Event):
    kay = add_late_player(event=event, new=NewPlayer("Kay Fir"), ranked=False, by=writer_of(event))
    replace(event, 2, "before")
    (row,) = give(event, kay.number, foul="riichi_no_deposit").rows
    assert (row.player.number, row.substitution is not None) == (2, True)
    assert listed(event)[0][:3] == (kay.number, "Kay Fir", "Birk")


def by_hand(event: Event, number: int, round_: int | None) -> Penalty:
    return give_penalty(
        player=player(event, number),
        points=5_000,
        reason="spilt tea",
        client_id=uuid4(),
        round_=round_of(event, round_) if round_ else None,
        by=writer_of(event),
    )


def test_a_penalty_by_hand_for_the_round_is_the_substitutes(event: Event):
    replace(event, 2, "before")
    by_hand(event, 2, 1)
    by_hand(event, 2, 2)
    by_hand(event, 2, None)
    assert points(event) == {2: 10_000}
    assert [row[1] for row in listed(event)] == ["Kay Fir", "Birk", "Birk"]


@pytest.mark.states("payer_charge")
def test_only_a_written_act_charges_the_replaced_player(event: Event):
    replace(event, 2, "before")
    seq = chombo(event, 2)
    penalty = by_hand(event, 2, 1)
    assert codes_when(lambda: charge(event, seq, reason=" ")) == ["penalty.charge_reason_missing"]
    charge(event, seq)
    charge(event, seq)
    set_payer(penalty=penalty, to_player=True, reason="agreed before play", by=writer_of(event))
    assert points(event) == {2: 25_000}
    rows = list_penalties(event, load_tables(event))
    assert {(row.name, row.done_by, row.charge_reason) for row in rows} == {
        ("Birk", "Kay Fir", "agreed"),
        ("Birk", "Kay Fir", "agreed before play"),
    }
    details = [json.loads(row.details) for row in event.audit.filter(verb="penalty_charged").order_by("seq")]
    assert [(row["player"], row["payer"], row["reason"]) for row in details] == [
        (2, "player", "agreed"),
        (2, "player", "agreed before play"),
    ]
    charge(event, seq, to_player=False, reason="no, not agreed")
    assert points(event) == {2: 5_000}
    assert verify_event(event).problems == []


def test_a_foul_can_be_charged_as_it_is_given(event: Event):
    replace(event, 2, "before")
    (row,) = give(event, 2, foul="riichi_no_deposit", charge="they had agreed so").rows
    assert (row.charge_reason, row.charged_by) == ("they had agreed so", str(writer_of(event).uid))


def test_what_was_charged_before_stays_until_the_organiser_acts(event: Event):
    """A substitution of an earlier version does not answer for fouls: finished events keep their numbers."""
    replace(event, 2, "before")
    Substitution.objects.update(answers=False)
    seq = chombo(event, 2)
    Penalty.objects.filter(pk=by_hand(event, 2, 1).pk).update(substitution=None)
    assert points(event) == {2: 25_000}
    charge(event, seq, to_player=False, reason="Kay Fir did it")
    set_payer(penalty=Penalty.objects.get(points=5_000), to_player=False, reason="Kay Fir did it", by=writer_of(event))
    assert points(event) == {}
    assert [row[1] for row in listed(event)] == ["Kay Fir", "Kay Fir"]


def test_a_cancelled_chombo_leaves_the_ledger_too(event: Event):
    replace(event, 2, "before")
    charge(event, chombo(event, 1, 2))
    cancel_penalty(penalty=Penalty.objects.get(), reason="no chombo", by=writer_of(event))
    assert points(event) == {1: 20_000}


def test_nobody_replaced_nobody_to_charge(event: Event):
    seq = chombo(event, 2)
    for number, wanted in ((1, "penalty.no_such_chombo"), (2, "penalty.nobody_replaced")):
        with pytest.raises(DomainError) as refusal:
            charge(event, seq, number)
        assert codes_of(refusal) == [wanted]


def test_taken_out_the_game_with_its_fouls_is_the_players_own_and_that_is_shown_first(event: Event):
    table = table_of(event)
    row = replace(event, 2, "before")
    chombo(event, 2)
    by_hand(event, 2, 1)
    enter(table, Draw())
    sign(table)
    assert points(event) == {}
    (loaded,) = load_tables(event, rounds=[1])
    shown = {move.number: (move.total_before, move.total_after) for move in effect_without(event, loaded, 2).moves}
    assert shown[2] == (-30_000, -25_000)
    take_substitute_out(substitution=row, reason="was there after all", by=writer_of(event))
    assert points(event) == {2: 25_000}
    assert [each[1] for each in listed(event)] == ["Birk", "Birk"]


def test_a_penalty_at_a_table_that_is_not_counted_is_the_players_once_the_substitute_is_taken_out(event: Event):
    row = replace(event, 2, "before")
    by_hand(event, 2, 1)
    assert count_points(event, []) == {}
    take_substitute_out(substitution=row, reason="was there after all", by=writer_of(event))
    assert count_points(event, []) == {2: 5_000}


def test_one_penalty_for_an_absence_is_for_one_round_of_it():
    event = make_event("wrc-2025", slug="cup", tables=1, rounds=2)
    give(event, 2, at=None, foul="late", minutes=11)
    replace(event, 2, "before")
    assert points(event) == {2: 30_000}
    replace(event, 2, "before", round_=2)
    assert points(event) == {2: 60_000}
    assert [row[3] for row in listed(event)] == [30_000, 30_000]
