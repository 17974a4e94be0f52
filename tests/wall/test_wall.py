"""The wall's settings, and the prize giving: from last to first, once for each press, and never with other results."""

from uuid import uuid4

import pytest

from tests.factories import codes_of, codes_when, make_event, play_round, writer_of
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.actions import Publication, set_publication, show_results
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.standings.queries import get_standings
from tournament.wall.actions import begin_prizes, end_prizes, set_network, set_wall_pages, show_prizes
from tournament.wall.queries import get_prizes, get_wall

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Make an event of one round: Birk first, two who share second, Cyan last; its results are held."""
    event = make_event(tables=1, rounds=1)
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
    play_round(event, 1, "2r3 340/2")
    return event


def begin(event: Event, top: int = 0) -> None:
    begin_prizes(event=event, top=top, by=writer_of(event))


def show(event: Event, step: int) -> None:
    show_prizes(event=event, step=step, by=writer_of(event))


def revealed(event: Event) -> list[tuple[int, bool, list[str]]]:
    event.refresh_from_db()
    return [(step.place, step.shared, [row.name for row in step.rows]) for step in get_prizes(event).revealed]


PLACES = [(1, False, ["Birk"]), (2, True, ["Akelei", "Distel"]), (4, False, ["Cyan"])]


def test_places_are_revealed_from_last_to_first_and_back(event: Event):
    begin(event)
    shown = []
    for step in (0, 1, 2, 3, 2, 0):
        show(event, step)
        shown.append(revealed(event))
    assert shown == [[], PLACES[2:], PLACES[1:], PLACES, PLACES[1:], []]


def test_while_they_are_revealed_the_public_still_sees_none(event: Event):
    begin(event)
    show(event, 3)
    event.refresh_from_db()
    assert get_standings(event).rounds == ()
    show_results(event=event, by=writer_of(event))
    event.refresh_from_db()
    assert get_standings(event).rounds == (1,)
    assert revealed(event) == PLACES


@pytest.mark.once
@pytest.mark.parametrize(("top", "places"), [(1, [1]), (2, [1, 2]), (3, [1, 2]), (0, [1, 2, 4])])
def test_the_best_alone_are_revealed_where_that_is_wanted(event: Event, top: int, places: list[int]):
    begin(event, top)
    event.refresh_from_db()
    assert [step.place for step in reversed(get_prizes(event).steps)] == places


def test_a_press_that_is_sent_twice_reveals_one_place(event: Event):
    begin(event)
    show(event, 1)
    version = Event.objects.get(pk=event.pk).version
    show(event, 1)
    assert (Event.objects.get(pk=event.pk).version, revealed(event)) == (version, PLACES[2:])


def test_results_that_change_meanwhile_take_every_place_off_the_wall(event: Event):
    begin(event)
    show(event, 2)
    player = event.players.get(number=2)
    give_penalty(player=player, points=50_000, reason="late", client_id=uuid4(), by=writer_of(event))
    assert revealed(event) == []
    assert codes_when(lambda: show(event, 3)) == ["prizes.results_moved"]
    begin(event)
    show(event, 1)
    assert [names for _place, _shared, names in revealed(event)] == [["Birk"]]


def test_before_it_begins_and_after_it_ends_nothing_is_revealed(event: Event):
    assert codes_when(lambda: show(event, 1)) == ["prizes.not_open"]
    begin(event)
    show(event, 1)
    end_prizes(event=event, by=writer_of(event))
    end_prizes(event=event, by=writer_of(event))
    assert revealed(event) == []
    verbs = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("verb", flat=True))
    assert verbs[-3:] == ["prizes_begun", "prizes_shown", "prizes_ended"]


def test_what_cannot_be_is_refused(event: Event):
    begin(event)
    for step in (-1, 4):
        with pytest.raises(DomainError) as refusal:
            show(event, step)
        assert codes_of(refusal) == ["prizes.step_out_of_range"]
    for top in (-1, 1001):
        with pytest.raises(DomainError) as refusal:
            begin(event, top)
        assert codes_of(refusal) == ["prizes.top_out_of_range"]
    assert codes_when(lambda: begin(make_event(rounds=1))) == ["prizes.nothing"]


def test_pages_are_set_in_order_and_only_when_they_are_new():
    event = make_event(rounds=1)
    pages = [("standings", 20), ("clock", 9)]
    assert set_wall_pages(event=event, pages=pages, by=writer_of(event)) is True
    assert set_wall_pages(event=event, pages=pages, by=writer_of(event)) is False
    assert get_wall(event).pages == [{"page": "standings", "seconds": 20}, {"page": "clock", "seconds": 9}]


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([], "wall.no_page"),
        ([("weather", 10)], "wall.page_unknown"),
        ([("clock", 10), ("clock", 10)], "wall.page_unknown"),
        ([("clock", 4)], "wall.seconds_out_of_range"),
        ([("clock", 121)], "wall.seconds_out_of_range"),
    ],
)
def test_pages_that_cannot_be_are_refused(pages: list[tuple[str, int]], code: str):
    event = make_event(rounds=1)
    assert codes_when(lambda: set_wall_pages(event=event, pages=pages, by=writer_of(event))) == [code]


def test_the_trail_names_the_network_and_not_its_password():
    event = make_event(rounds=1)
    assert set_network(event=event, network=" Hall ", password="eastwind13", by=writer_of(event)) is True
    assert set_network(event=event, network="Hall", password="eastwind13", by=writer_of(event)) is False
    row = AuditRow.objects.filter(event=event).order_by("-seq")[0]
    assert (row.verb, row.details) == ("wall_network_set", '{"network":"Hall"}')


@pytest.mark.parametrize(
    ("network", "password", "code"),
    [
        ("x" * 33, "", "wall.network_too_long"),
        ("雀" * 11, "", "wall.network_too_long"),
        ("", "eastwind13", "wall.network_missing"),
        ("Hall", "short", "wall.password_length"),
        ("Hall", "x" * 64, "wall.password_length"),
    ],
)
def test_a_network_that_cannot_be_is_refused(network: str, password: str, code: str):
    event = make_event(rounds=1)
    with pytest.raises(DomainError) as refusal:
        set_network(event=event, network=network, password=password, by=writer_of(event))
    assert codes_of(refusal) == [code]
