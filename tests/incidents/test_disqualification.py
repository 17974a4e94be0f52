"""Disqualification: out of ranking, files and later draws from then on, games kept, and back as it was."""

import json
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from openpyxl import load_workbook

from tests.factories import codes_of, codes_when, make_event, play_round, set_ranked, writer_of
from tests.incidents.substitute_acts import FOUR, played, player, results, totals
from tournament.api.answers import standings_json
from tournament.core.errors import DomainError
from tournament.ema.queries import list_ema_players
from tournament.ema.views import ema_context, read_ema_file
from tournament.events.models import Event
from tournament.exports.files import results_sheets
from tournament.incidents.actions import (
    DisqualificationReason,
    Replacement,
    disqualify,
    lift_disqualification,
    show_disqualification,
)
from tournament.incidents.models import Disqualification, Substitution
from tournament.incidents.queries import count_listed, moves_without, rank_moves
from tournament.pages.files import get_head
from tournament.pages.spreadsheets import make_book
from tournament.players.actions import return_player
from tournament.seating.queries import get_redraw_field
from tournament.standings.queries import list_disqualified, read_standings

pytestmark = [pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture
def event() -> Event:
    """Return an event of one table after a released round: players 1 to 4 by rank."""
    return played("ema-2025", FOUR)


def throw_out(event: Event, number: int = 1, *, client_id: UUID | None = None, **told: Any) -> Disqualification:
    verdict = DisqualificationReason(**{"reason": "marked tiles", "clause": "6.12", "shown": "reason", **told})
    return disqualify(
        player=player(event, number), verdict=verdict, client_id=client_id or uuid4(), by=writer_of(event)
    )


@pytest.mark.states("disqualified")
def test_a_player_is_out_of_the_ranking_and_the_others_keep_their_games(event: Event):
    before = results(event)
    throw_out(event)
    assert totals(event) == {2: (1, 10_000), 3: (2, -10_000), 4: (3, -30_000)}
    assert {number: result for number, result in results(event).items() if number != 1} == {
        number: result for number, result in before.items() if number != 1
    }
    (row,) = read_standings(event).unranked
    assert (row.name, row.games, row.disqualified, row.public_reason) == ("Akelei", 1, True, "marked tiles")


@pytest.mark.parametrize("number", [1, 2, 4, 7])
def test_what_is_foretold_of_the_ranking_comes_true(number: int):
    event = make_event(tables=2, rounds=1)
    play_round(event, 1, "2r3 340/2")  # the same at both tables: each rank is shared by two
    before = read_standings(event)
    foretold = moves_without(before, number)
    throw_out(event, number)
    assert foretold == rank_moves(before, read_standings(event))
    assert foretold != ()


def test_later_rounds_are_drawn_without_the_player(event: Event):
    throw_out(event)
    guest = next(guest for guest in get_redraw_field(event).guests if guest.number == 1)
    assert (guest.ranked, guest.withdrawn) == (False, True)


def test_the_federation_hears_nothing_of_the_player(event: Event):
    assert count_listed(event) == 4
    throw_out(event)
    standings = read_standings(event)
    assert ([row.name for row in list_ema_players(event, standings)], count_listed(event)) == (
        ["Birk", "Cyan", "Distel"],
        3,
    )
    warnings = ema_context(read_ema_file(event, standings))["warnings"]
    assert "Disqualified, and not in the file: Akelei." in warnings
    assert not any("Played and have no place" in said for said in warnings)


@pytest.mark.parametrize(
    ("shown", "public"),
    [
        ("nothing", []),
        ("name", [{"player": "Akelei", "reason": None}]),
        ("reason", [{"player": "Akelei", "reason": "marked tiles"}]),
    ],
)
def test_the_organiser_decides_what_is_public(event: Event, shown: str, public: list[Any]):
    row = throw_out(event, shown="nothing")
    show_disqualification(disqualification=row, shown=shown, by=writer_of(event))
    assert standings_json(event, read_standings(event)).get("disqualified", []) == public
    out = list_disqualified(read_standings(event))
    assert out == {"nothing": [], "name": ["Akelei"], "reason": ["Akelei (marked tiles)"]}[shown]
    head = get_head(event)
    book = load_workbook(BytesIO(make_book(results_sheets(head, (), (), disqualified=out), head.printed_at)))
    said = " ".join(str(cell.value) for line in book["Standings"].iter_rows(max_row=3) for cell in line if cell.value)
    assert ("Disqualified: Akelei" in said) == bool(out)
    with pytest.raises(DomainError) as refusal:
        show_disqualification(disqualification=row, shown="loudly", by=writer_of(event))
    assert codes_of(refusal) == ["disqualify.shown_unknown"]


@pytest.mark.states("disqualified_back")
def test_it_can_be_taken_back_and_all_is_as_before(event: Event):
    before = totals(event)
    row = throw_out(event)
    with pytest.raises(DomainError) as refusal:
        lift_disqualification(disqualification=row, reason="", by=writer_of(event))
    assert codes_of(refusal) == ["disqualify.reason_missing"]
    for _ in range(2):
        lift_disqualification(disqualification=row, reason="the wrong one", by=writer_of(event))
    back = player(event, 1)
    assert (totals(event), back.ranked, back.withdrawn_at) == (before, True, None)
    assert list(event.audit.order_by("seq").values_list("verb", flat=True))[-2:] == [
        "player_disqualified",
        "disqualification_lifted",
    ]


def test_it_needs_a_reason_and_is_done_once(event: Event):
    assert codes_when(lambda: throw_out(event, reason=" ")) == ["disqualify.reason_missing"]
    assert (Disqualification.objects.count(), player(event, 1).ranked) == (0, True)
    client_id = uuid4()
    assert throw_out(event, client_id=client_id) == throw_out(event, client_id=client_id)
    assert codes_when(lambda: throw_out(event)) == ["disqualify.already"]
    (details,) = event.audit.filter(verb="player_disqualified").values_list("details", flat=True)
    assert json.loads(details) == {"number": 1, "reason": "marked tiles", "shown": "reason"}


def test_ranking_and_seats_come_back_only_with_the_disqualification(event: Event):
    throw_out(event)
    for act in (
        lambda: set_ranked(player=player(event, 1), ranked=True, reason="sorry", by=writer_of(event)),
        lambda: return_player(player=player(event, 1), reason="sorry", by=writer_of(event)),
    ):
        with pytest.raises(DomainError) as refusal:
            act()
        assert codes_of(refusal) == ["players.disqualified"]
    assert totals(event)[2] == (1, 10_000)


@pytest.mark.states("disqualified_seats")
def test_a_substitute_takes_the_seats_that_are_left():
    from tests.factories import make_event, table_of

    event = make_event("ema-2025", slug="cup", tables=1, rounds=3)
    wanted = Replacement(when="before", reason="marked tiles", name="Kay Fir", later=True)
    client_id = uuid4()
    for _ in range(2):
        disqualify(
            player=player(event, 1),
            verdict=DisqualificationReason(reason="marked tiles"),
            client_id=client_id,
            table=table_of(event, 1, round_=2),
            replacement=wanted,
            by=writer_of(event),
        )
    rounds = Substitution.objects.filter(cancelled_at=None).values_list("table__round__number", flat=True)
    assert sorted(rounds) == [2, 3]


def test_a_substitute_can_follow_later(event: Event):
    from tests.incidents.substitute_acts import replace

    throw_out(event)
    assert replace(event, 1, "before").name == "Kay Fir"
