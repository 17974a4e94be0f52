"""What is drawn once for all phones: made once, made again when it must be, and never given to the wrong ones."""

import threading

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import enter, fresh, make_event, play_round, round_of, sign, table_of, writer_of
from tests.pages.html_reader import text, texts
from tournament.events.models import Event, LiveOthers, LiveTables
from tournament.publication import queries as kept
from tournament.publication.queries import keep
from tournament.rounds.actions import release_round, start_round

pytestmark = pytest.mark.whole_run


def test_it_is_made_once_however_many_ask_at_once():
    made: list[int] = []
    start = threading.Barrier(8)

    def make() -> int:
        made.append(1)
        return 7

    def ask() -> None:
        start.wait()
        found.append(keep("a", make))

    found: list[int] = []
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, made) == ([7] * 8, [1])


def test_it_is_forgotten_with_djangos_cache():
    assert keep("a", lambda: 1) == 1
    assert keep("a", lambda: 2) == 1
    cache.clear()
    assert keep("a", lambda: 3) == 3


def test_what_could_not_be_made_is_tried_again():
    with pytest.raises(ZeroDivisionError):
        keep("a", lambda: 1 // 0)
    assert keep("a", lambda: 4) == 4


def test_it_keeps_nothing_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept, "MOST", 2)
    for name in ("a", "b", "a", "c"):
        keep(name, name.lower)
    assert [keep(name, lambda: "again") for name in ("a", "c")] == ["a", "c"]
    assert keep("b", lambda: "again") == "again"


# ---------------------------------------------------------------- pages


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    event = make_event(slug="cup", tables=2, rounds=2)
    play_round(event, 1, "2r3 340/2")
    return event


@pytest.fixture
def event(db: None, made: Event) -> Event:
    return fresh(made)


def phone(number: int, language: str = "en-gb") -> Client:
    client = Client(headers={"Accept-Language": language})
    client.get(f"/e/cup/?me={number}")
    return client


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_the_second_phone_of_a_player_costs_one_question(event: Event, django_assert_num_queries, headers):
    first, second = phone(5), phone(5)
    shown = first.get("/e/cup/", headers=headers).content
    with django_assert_num_queries(1):
        again = second.get("/e/cup/", headers=headers).content
    assert texts_of(again) == texts_of(shown)


def texts_of(page: bytes) -> str:
    """Return a page without the time at which it was sent."""
    head, _, tail = page.decode().partition('data-server-now="')
    return head + tail.partition('"')[2]


def test_no_phone_gets_what_another_follows_or_another_language(event: Event):
    phones = [phone(1), phone(2), phone(1, "de"), Client()]
    for _ in range(2):
        titles = [text(each.get("/e/cup/"), "title") for each in phones]
        assert titles == ["Akelei · Cup", "Birk · Cup", "Akelei · Cup", "Cup"]
        assert [texts(each.get("/e/cup/"), ".my-place") for each in phones] == [
            ["My place =3 0.0 After round 1 of 2"],
            ["My place =1 +20.2 After round 1 of 2"],
            ["Mein Platz =3 0,0 Nach Runde 1 von 2"],
            [],
        ]


def test_no_phone_gets_the_scores_of_a_table_as_another_sees_them(event: Event):
    seats = sorted(table_of(event, 1).seats.values_list("player__number", flat=True))
    others = event.players.exclude(number__in=seats).values_list("number", flat=True)
    phones = [*map(phone, seats), phone(others[0]), Client(), phone(seats[0], "de")]
    for _ in range(2):
        shown = [texts(each.get("/e/cup/rounds/1/tables/1/"), ".final .is-mine .tag") for each in phones]
        assert shown == [["you"]] * 4 + [[], [], ["Sie"]]
    own = [each.get("/e/cup/rounds/1/tables/1/").text.partition("is-mine")[2] for each in phones[:4]]
    assert [f"/players/{number}/" in page.partition("</tr>")[0] for number, page in zip(seats, own, strict=True)] == [
        True
    ] * 4


def test_a_live_table_says_so_until_its_round_is_released(event: Event):
    event.live_tables, event.live_others = LiveTables.HANDS, LiveOthers.ALL
    event.save()
    start_round(round_=round_of(event, 2), by=writer_of(event))
    for number in (1, 2):
        enter(table_of(event, number, round_=2), "1t 230")
        sign(table_of(event, number, round_=2))
    said = "The round is not released yet"
    assert said in Client().get("/e/cup/rounds/2/tables/1/").text
    release_round(round_=round_of(event, 2), by=writer_of(event))
    after = Client().get("/e/cup/rounds/2/tables/1/")
    assert after.status_code == 200
    assert said not in after.text


def test_a_kept_page_is_sent_with_the_present_time_and_goes_when_the_event_moves_on(event: Event, time_machine):
    mine = phone(1)
    time_machine.move_to("2026-09-12 10:00:00Z", tick=False)
    assert 'data-server-now="1789207200000"' in mine.get("/e/cup/").content.decode()
    time_machine.move_to("2026-09-12 10:00:05Z", tick=False)
    assert 'data-server-now="1789207205000"' in mine.get("/e/cup/").content.decode()
    start_round(round_=round_of(event, 2), by=writer_of(event))
    assert "Time left" in text(mine.get("/e/cup/"), ".round-clock")


def test_what_was_public_is_gone_with_the_next_state(event: Event):
    mine = phone(1)
    before = text(mine.get("/e/cup/"), ".my-place")
    play_round(event, 2, "1t 230")
    after = text(mine.get("/e/cup/"), ".my-place")
    assert (before, after) == (
        "My place =3 0.0 After round 1 of 2",
        "My final place =3 =same place −6.0 Final, after 2 rounds",
    )


def test_public_pages_are_packed_and_the_desk_is_not(event: Event):
    packed = {"Accept-Encoding": "gzip, deflate"}
    for address in ("/e/cup/", "/e/cup/standings/", "/e/cup/rounds/1/"):
        for headers in (packed, packed | {"HX-Request": "true"}):
            answer = Client().get(address, headers=headers)
            assert answer["Content-Encoding"] == "gzip"
            assert "Accept-Encoding" in answer["Vary"]
            assert len(answer.content) < 4000
    desk = Client()
    desk.force_login(writer_of(event), backend="django.contrib.auth.backends.ModelBackend")
    assert "Content-Encoding" not in desk.get("/desk/cup/", headers=packed)
