"""Players: added whole lists at a time, numbered without gaps, and called by one name everywhere."""

import pytest

from tests.factories import DAY, codes_of, make_account, make_event, rename_player, set_team, writer_of
from tournament.accounts.models import Account
from tournament.core.errors import DomainError
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.players.actions import NewPlayer, add_players, remove_last_players, remove_player
from tournament.players.models import Person
from tournament.players.queries import list_added_last, list_players

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def by() -> Account:
    return make_account()


@pytest.fixture
def event(by: Account) -> Event:
    return create_event(name="Cup", date=DAY, rules_key="ema-2025", rounds=2, by=by)


def test_players_are_numbered_on_and_keep_what_is_known_of_them(event: Event, by: Account):
    add_players(event=event, players=[NewPlayer("Akelei"), NewPlayer(" Birk ")], by=by)
    full = NewPlayer("桜井", legal_name="桜井 一", ema_number="99000001", country="JPN", club="東の会")
    add_players(event=event, players=[full], by=by)
    rows = [
        (row.number, row.name, row.legal_name, row.ema_number, row.country, row.club) for row in list_players(event)
    ]
    assert rows == [
        (1, "Akelei", "", "", "", ""),
        (2, "Birk", "", "", "", ""),
        (3, "桜井", "桜井 一", "99000001", "JPN", "東の会"),
    ]
    assert event.version == 2


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (["Cyan", " "], ["players.name_missing"]),
        (["Cyan", "cyan"], ["players.name_taken"]),
        (["Cyan", "AKELEI"], ["players.name_taken"]),
    ],
)
def test_a_list_with_one_bad_line_adds_nobody(event: Event, by: Account, names: list[str], codes: list[str]):
    add_players(event=event, players=[NewPlayer("Akelei")], by=by)
    with pytest.raises(DomainError) as refusal:
        add_players(event=event, players=[NewPlayer(name) for name in names], by=by)
    assert codes_of(refusal) == codes
    assert [row.name for row in list_players(event)] == ["Akelei"]
    assert Person.objects.count() == 1


def test_nobody_added_is_no_change(event: Event, by: Account):
    add_players(event=event, players=[], by=by)
    assert (event.version, event.audit.count()) == (0, 1)


def test_removing_somebody_closes_the_gap(event: Event, by: Account):
    added = add_players(event=event, players=[NewPlayer(name) for name in ("Akelei", "Birk", "Cyan")], by=by)
    remove_player(player=added[0], by=by)
    assert [(row.number, row.name) for row in list_players(event)] == [(1, "Birk"), (2, "Cyan")]


def test_the_list_is_closed_once_seats_are_drawn():
    event = make_event()
    by = writer_of(event)
    for attempt in (
        lambda: add_players(event=event, players=[NewPlayer("Late")], by=by),
        lambda: remove_player(player=event.players.all()[0], by=by),
    ):
        with pytest.raises(DomainError) as refusal:
            attempt()
        assert codes_of(refusal) == ["players.seats_drawn"]


def test_a_new_name_shows_at_once_and_the_old_one_is_not_kept(event: Event, by: Account):
    (player,) = add_players(event=event, players=[NewPlayer("Akelei")], by=by)
    rename_player(player=player, name=" Bryn ", by=by)
    assert [row.name for row in list_players(event)] == ["Bryn"]
    assert "Akelei" not in event.audit.latest("seq").details
    version = event.version
    rename_player(player=player, name="Bryn", by=by)
    assert event.version == version
    for name in ("", "x" * 61):
        with pytest.raises(DomainError) as refusal:
            rename_player(player=player, name=name, by=by)
        assert codes_of(refusal) == ["players.name_missing"]


def test_a_list_that_was_the_wrong_one_is_taken_back_whole(event: Event, by: Account):
    add_players(event=event, players=[NewPlayer("Akelei")], by=by)
    added = add_players(event=event, players=[NewPlayer(name) for name in ("Birk", "Cyan")], by=by)
    assert list_added_last(event, list_players(event)) == [2, 3]
    remove_last_players(event=event, numbers=[player.number for player in added], by=by)
    assert [(row.number, row.name) for row in list_players(event)] == [(1, "Akelei")]
    assert list_added_last(event, list_players(event)) == []


@pytest.mark.parametrize("numbers", [[], [1], [1, 2], [2], [3, 4]])
def test_only_the_end_of_the_list_is_taken_back(event: Event, by: Account, numbers: list[int]):
    add_players(event=event, players=[NewPlayer(name) for name in ("Akelei", "Birk", "Cyan")], by=by)
    with pytest.raises(DomainError) as refusal:
        remove_last_players(event=event, numbers=numbers, by=by)
    assert codes_of(refusal) == ["players.not_the_last"]
    assert len(list_players(event)) == 3


@pytest.mark.postgresql
def test_nothing_is_taken_back_once_the_list_was_changed_or_seats_are_drawn(event: Event, by: Account):
    add_players(event=event, players=[NewPlayer(name) for name in ("Akelei", "Birk")], by=by)
    rename_player(player=event.players.get(number=2), name="Birke", by=by)
    assert list_added_last(event, list_players(event)) == []
    drawn = make_event()
    with pytest.raises(DomainError) as refusal:
        remove_last_players(event=drawn, numbers=[8], by=writer_of(drawn))
    assert codes_of(refusal) == ["players.seats_drawn"]


def test_a_team_has_a_name_of_eighty_letters_at_most(event: Event, by: Account):
    add_players(event=event, players=[NewPlayer("Akelei")], by=by)
    player = event.players.get()
    with pytest.raises(DomainError) as refusal:
        set_team(player=player, team="x" * 81, by=by)
    assert (codes_of(refusal), event.players.get().team) == (["players.team_too_long"], "")
    set_team(player=player, team=f" {'x' * 40}  {'x' * 39} ", by=by)
    assert event.players.get().team == f"{'x' * 40} {'x' * 39}"
