"""Late rounds: what a hand and a release cost the phones of a hall, counted in calls, early and late."""

import sys
from collections.abc import Callable, Iterable
from types import FrameType
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.entries import Entry, Tsumo, Win
from tests.factories import enter, make_event, play_round, round_of, table_of, writer_of
from tournament.events.actions import Publication, set_publication
from tournament.events.models import Event, Hold, LiveOthers, LiveTables
from tournament.pages.public_page import public_versions
from tournament.pages.streams import DRAWN, EVENT_STREAM, OFFERED, draw_part
from tournament.penalties.actions import give_penalty
from tournament.rounds.actions import start_round

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PLAYERS, LATE = range(1, 9), 7
YAKUMAN = Tsumo(winners=(Win(seat=1, yakuman=1, yaku=("kokushi_musou",)),))
LINES = ("1t 230", "2r3 340/2", "d13/1", "3t 340/3")


class Phone:
    """A phone that follows a player and shows one page, as a stream draws it."""

    def __init__(self, event: Event, number: int, address: str) -> None:
        self.client, self.address, self.seen = Client(headers={"HX-Request": "true"}), address, ""
        self.client.get(f"{reverse('public:phone', args=[event.slug])}?me={number}")

    def draw(self) -> bool:
        """Ask for the live part, and tell whether there was a new one."""
        answer = self.client.get(self.address, {"seen": self.seen})
        self.seen = answer.wsgi_request.META[DRAWN][1]
        return answer.status_code == 200


def make_hall(rounds: int, others: LiveOthers = LiveOthers.OWN) -> Event:
    """Make an event with all rounds but the last released, and that one in play, live for its own players."""
    event = make_event(tables=2, rounds=rounds)
    event.live_tables, event.live_others = LiveTables.HANDS, others
    event.save()
    for number in range(1, rounds):
        play_round(event, number, *LINES)
    start_round(round_=round_of(event, rounds), by=writer_of(event))
    return event


def phones_of(event: Event) -> list[Phone]:
    """Return a phone on the page of each player."""
    return [Phone(event, number, reverse("public:phone", args=[event.slug])) for number in PLAYERS]


def draw_all(phones: Iterable[Phone]) -> list[bool]:
    return [phone.draw() for phone in phones]


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions are called in some work."""
    calls = 0

    def note(_frame: FrameType, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def test_a_hand_draws_the_page_of_its_table_and_no_players_page():
    event = make_hall(2)
    own = dict(event.players.filter(seats__table__round__number=2).values_list("number", "seats__table__number"))
    pages = phones_of(event)
    tables = [
        Phone(event, number, reverse("public:table", args=[event.slug, 2, own[number]])) for number in sorted(own)
    ]
    for number in (1, 2):
        enter(table_of(event, number, round_=2), LINES[0])
    assert all(draw_all(pages))
    assert all(draw_all(tables))
    assert not any(draw_all(pages + tables))

    before = public_versions(event.slug, PLAYERS)
    enter(table_of(event, 1, round_=2), LINES[1])
    after = public_versions(event.slug, PLAYERS)
    assert [before[number] != after[number] for number in sorted(own)] == [own[number] == 1 for number in sorted(own)]
    assert not any(draw_all(pages))
    assert draw_all(tables) == [own[number] == 1 for number in sorted(own)]


def test_a_phone_waits_for_the_first_hand_on_the_page_of_its_table():
    event = make_hall(2)
    own, other = (reverse("public:table", args=[event.slug, 2, number]) for number in (1, 2))
    player = event.players.get(number=table_of(event, 1, round_=2).seats.get(seat=0).player.number)
    phone = Phone(event, player.number, own)
    assert phone.draw()
    give_penalty(
        player=player, client_id=uuid4(), points=1000, reason="late", round_=round_of(event, 1), by=writer_of(event)
    )
    assert phone.draw()
    refused = [phone.client.get(other), Client().get(own), Client().get(other)]
    enter(table_of(event, 1, round_=2), LINES[0])
    assert phone.draw()
    refused += [phone.client.get(other), Client().get(own)]
    assert {answer.status_code for answer in refused} == {404}


def test_no_table_waits_on_a_page_that_is_not_to_be_live():
    event = make_event(tables=1, rounds=2)
    event.live_tables, event.live_others, event.hold = LiveTables.HANDS, LiveOthers.ALL, Hold.LAST
    event.save()
    address = {number: reverse("public:table", args=[event.slug, number, 1]) for number in (1, 2)}
    assert Client().get(address[1]).status_code == 404  # not started
    for number in (1, 2):
        start_round(round_=round_of(event, number), by=writer_of(event))
    assert [Client().get(address[number]).status_code for number in (1, 2)] == [200, 404]
    set_publication(event=event, publication=Publication(live_tables=LiveTables.SIGNED), by=writer_of(event))
    assert Client().get(address[1]).status_code == 404


def costs(rounds: int, *moments: Entry, others: LiveOthers = LiveOthers.OWN) -> tuple[int, int]:
    """Return the calls of a hand's versions and pages, and of all pages after a public change.

    `moments` are hands of the other table before.
    """
    event = make_hall(rounds, others)
    phones, by = phones_of(event), writer_of(event)
    for entry in moments:
        enter(table_of(event, 2, round_=rounds), entry)
    for line in LINES[:2]:
        enter(table_of(event, round_=rounds), line)
        public_versions(event.slug, PLAYERS)
        draw_all(phones)
    enter(table_of(event, round_=rounds), LINES[2])
    hand = count_calls(lambda: (public_versions(event.slug, PLAYERS), draw_all(phones)))
    player = event.players.select_related("event").get(number=1)
    give_penalty(player=player, points=1000, reason="late", round_=round_of(event, 1), client_id=uuid4(), by=by)
    return hand, count_calls(lambda: draw_all(phones))


def test_a_late_round_costs_what_an_early_one_costs():
    costs(2)  # templates and queries are compiled
    early, late = costs(2), costs(LATE)
    assert late[0] <= 1.05 * early[0]
    assert late[1] <= 1.3 * early[1], (early, late)


@pytest.mark.parametrize("others", LiveOthers)
def test_a_yakuman_is_drawn_once_for_all_phones_and_not_again_for_a_hand_of_another_table(others: LiveOthers):
    costs(2, YAKUMAN, others=others)
    plain, moment = costs(2, others=others), costs(2, YAKUMAN, others=others)
    assert moment[0] <= 1.02 * plain[0]
    assert moment[1] <= 1.05 * plain[1]


def test_the_hands_of_a_table_are_drawn_once_for_its_phones_whatever_else_becomes_public():
    event = make_hall(2)
    by, own = writer_of(event), reverse("public:table", args=[event.slug, 2, 1])
    enter(table_of(event, 1, round_=2), YAKUMAN)
    seats = table_of(event, 1, round_=2).seats.values_list("player__number", flat=True)
    first, *others = [Phone(event, number, own) for number in seats]
    drawn = [count_calls(phone.draw) for phone in (first, *others)]
    assert max(drawn[1:]) <= 0.6 * drawn[0], drawn

    player = event.players.select_related("event").get(number=1)
    give_penalty(player=player, points=1000, reason="late", round_=round_of(event, 1), client_id=uuid4(), by=by)
    assert first.draw()
    again = [count_calls(phone.draw) for phone in others]
    assert max(again) <= 0.4 * drawn[0], (drawn, again)
    before, page = first.client.get(own).content, Phone(event, seats[0], own)
    enter(table_of(event, 1, round_=2), LINES[1])
    assert page.draw()
    assert first.client.get(own).content != before


def test_what_a_stream_sends_along_passes_no_middleware_and_draws_no_frame():
    event = make_hall(2)
    phone, other = phones_of(event)[:2]
    page = phone.client.get(f"{phone.address}?stream", headers={"Accept": EVENT_STREAM}).wsgi_request.META[OFFERED].page
    by, player = writer_of(event), event.players.select_related("event").get(number=1)
    calls = list[int]()
    for draw in (lambda: draw_part(page, ""), phone.draw, lambda: draw_part(page, ""), phone.draw):
        give_penalty(player=player, points=1000, reason="late", round_=round_of(event, 1), client_id=uuid4(), by=by)
        other.draw()  # what all pages share is read
        calls.append(count_calls(draw))
    assert calls[2] <= 0.9 * calls[3], calls
