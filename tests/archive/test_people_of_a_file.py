"""Another desk's event file: who agreed is the same person by EMA number, all others are asked."""

import pytest

from tests.factories import make_account, writer_of
from tests.seasons.evenings import play_evening
from tournament.accounts.models import Account
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.events.actions import delete_event
from tournament.events.models import Event
from tournament.people.actions import set_own_page, undo_link
from tournament.people.queries import Reason, list_humans, list_links, list_proposals
from tournament.players.actions import NewPlayer, change_player

pytestmark = [pytest.mark.django_db, pytest.mark.once]

HOME = ("Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik")
AWAY = ("A. Berg", "B. Sol", "Cy Lund", "Ede Holm")


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


def number(event: Event, place: int, ema: str) -> None:
    player = event.players.select_related("person").get(number=place)
    to = NewPlayer(player.person.preferred_name, ema_number=ema)
    change_player(player=player, to=to, ranked=True, by=writer_of(event))


def numbered(event: Event, *ema: str) -> Event:
    for place, each in enumerate(ema, start=1):
        number(event, place, each)
    event.refresh_from_db()
    return event


def played_by_one() -> dict[str, int]:
    return {human.name: len(human.events) for human in list_humans()}


def test_who_agreed_is_one_person_by_the_number_and_others_are_asked(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "04010002", "04010003", "")
    away = numbered(play_evening(2, AWAY), "04010001", "04010002", "04010003", "")
    set_own_page(person=home.players.get(number=1).person, agreed=True, by=by)
    written = get_event_file(away)
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    event = import_event(data=written.encode(), by=by)
    assert played_by_one() == {
        "A. Berg": 2, "Birk Sol": 1, "Cyan Lund": 1, "Dora Vik": 1, "B. Sol": 1, "Cy Lund": 1, "Ede Holm": 1,
    }  # fmt: skip
    asked = [tuple(human.name for human in each.humans) for each in list_proposals(list_humans())]
    assert asked[:2] == [("Birk Sol", "B. Sol"), ("Cyan Lund", "Cy Lund")]
    assert {each.reason for each in list_proposals(list_humans())[:2]} == {Reason.EMA_NUMBER}
    assert get_event_file(event) == written
    assert undo_link(seq=list_links()[0].seq, by=by)
    assert played_by_one()["Ana Berg"] == 1


def test_a_number_that_two_have_links_nobody(by: Account):
    home = numbered(play_evening(1, HOME), "04010001", "04010001", "", "")
    away = numbered(play_evening(2, AWAY), "04010001", "", "", "")
    for place in (1, 2):
        set_own_page(person=home.players.get(number=place).person, agreed=True, by=by)
    written = get_event_file(away)
    delete_event(event=away, name=away.name, reason="a trial", by=by)
    import_event(data=written.encode(), by=by)
    assert set(played_by_one().values()) == {1}
