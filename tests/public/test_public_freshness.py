"""How public pages are kept and fetched again, whom a phone follows, and that nothing unreleased is on any of them."""

import re
import uuid
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from scoring.drill import KINDS
from scoring.entries import Correction
from tests.factories import (
    enter,
    make_event,
    play_round,
    rename_player,
    round_of,
    set_team,
    sign,
    table_of,
    writer_of,
)
from tests.pages.html_reader import text, texts
from tournament.accounts.actions import invite, use_link
from tournament.accounts.models import Role
from tournament.calls.actions import call_referee, close_call
from tournament.drill.actions import delete_drill, make_drill
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.players.actions import NewPlayer, add_players, remove_player
from tournament.rounds.actions import publish_rounds, release_round, start_round
from tournament.seating.actions import discard_draft, start_draft, stop_draft
from tournament.sheets.actions import reopen_table
from tournament.signup.settings import set_sign_up_page
from tournament.tables.actions import HandRequest, write_hand

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

PAGES = ("", "standings/", "players/1/", "rounds/", "rounds/1/", "display/")


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of two rounds, the first released and the second public."""
    event = make_event(slug="cup", tables=1, rounds=2)
    play_round(event, 1, "2r3 340/2")
    return event


def ask(client: Client, page: str, etag: str, slug: str = "cup") -> int:
    return client.get(f"/e/{slug}/{page}", headers={"If-None-Match": etag}).status_code


# ---------------------------------------------------------------- acts that show nothing


def close(event: Event, **said: Any) -> None:
    """Close the call of the second round, again where it is closed."""
    call = event.calls.first() or call_referee(
        table=table_of(event, round_=2), client_id=uuid.uuid4(), by=writer_of(event)
    )
    close_call(call=call, seen=call.ruling, by=writer_of(event), **said)


def offer(event: Event, **terms: Any) -> None:
    set_sign_up_page(event=event, terms=dict(**terms), by=writer_of(event))


def let_in(event: Event) -> None:
    use_link(token=invite(event=event, role=Role.REFEREE, name="Rita", by=writer_of(event)))


def enter_next(event: Event) -> None:
    enter(table_of(event, round_=2), "2r3 340/2")


def drill(event: Event) -> None:
    delete_drill(drill=make_drill(event=event, seed=5, count=5, kinds=KINDS, by=writer_of(event)), by=writer_of(event))


@pytest.mark.once
@pytest.mark.parametrize(
    ("before", "act", "shows"),
    [
        ({}, enter_next, False),
        ({}, close, False),
        ({}, partial(close, question="Noise?"), False),
        ({}, partial(close, ruling="Play on."), True),
        ({}, partial(close, ruling='"So', minutes=3), True),
        ({}, partial(close, question='"ruling":"x"'), False),
        ({"ruling": "Play on."}, close, True),
        ({"question": "Noise?"}, close, False),
        ({}, partial(offer, places=8), False),
        ({}, partial(offer, places=8, shown=True), True),
        ({}, let_in, False),
        ({}, drill, False),
    ],
)
def test_phones_fetch_again_what_an_act_shows_and_nothing_else(
    client: Client, event: Event, before: dict[str, str], act: Callable[[Event], None], shows: bool
):
    if before:
        close(event, **before)
    etags = {page: client.get(f"/e/cup/{page}")["ETag"] for page in PAGES[:5]}
    act(event)
    enter_next(event)  # acts that raise no version are seen with the next one
    assert {ask(client, page, etag) for page, etag in etags.items()} == {200 if shows else 304}


@pytest.mark.once
def test_a_search_for_seats_shows_on_no_phone(client: Client):
    event = make_event(slug="drawn", tables=2, rounds=3, published=False)
    etags = {page: client.get(f"/e/drawn/{page}")["ETag"] for page in ("", "standings/", "rounds/")}
    by = writer_of(event)
    draft = start_draft(event=event, seed=5, by=by)
    stop_draft(draft=draft, by=by)
    discard_draft(draft=draft, by=by)
    assert [ask(client, page, etag, "drawn") for page, etag in etags.items()] == [304, 304, 304]


# ---------------------------------------------------------------- kept pages


@pytest.mark.once
def test_a_page_that_the_browser_has_is_not_sent_again(client: Client, event: Event):
    for page in PAGES:
        first = client.get(f"/e/cup/{page}")
        assert (page, first["Cache-Control"]) == (page, "no-cache")
        assert {name.strip() for name in first["Vary"].split(",")} >= {"Cookie", "Accept-Language", "HX-Request"}, page
        again = client.get(f"/e/cup/{page}", headers={"If-None-Match": first["ETag"]})
        assert (page, again.status_code, again.content, again["ETag"]) == (page, 304, b"", first["ETag"])


@pytest.mark.once
def test_a_hand_at_a_table_that_is_not_released_changes_no_page_and_its_release_changes_every_one(
    client: Client, event: Event
):
    etags = {page: client.get(f"/e/cup/{page}")["ETag"] for page in PAGES}
    enter(table_of(event, round_=2), "1t 230")
    sign(table_of(event, round_=2))
    assert {page: ask(client, page, etag) for page, etag in etags.items()} == dict.fromkeys(PAGES, 304)
    release_round(round_=round_of(event, 2), by=writer_of(event))
    assert {page: ask(client, page, etag) for page, etag in etags.items()} == dict.fromkeys(PAGES, 200)


def test_a_correction_in_a_released_round_changes_the_page(client: Client, event: Event):
    page = "rounds/1/tables/1/"
    etag = client.get(f"/e/cup/{page}")["ETag"]
    table = table_of(event)
    reopen_table(table=table, reason="misread", by=writer_of(event))
    assert ask(client, page, etag) == 200  # it says that it is being corrected
    etag = client.get(f"/e/cup/{page}")["ETag"]
    wrong = table.ledger.get()
    better = Correction(deltas=(0, 2000, -2000, 0), reason="misread")
    write_hand(HandRequest(table, better, uuid.uuid4(), wrong.seq, hand=1), by=writer_of(event))
    assert ask(client, page, etag) == 200


def test_each_phone_has_a_page_of_its_own(client: Client, event: Event):
    etag = client.get("/e/cup/")["ETag"]
    client.get("/e/cup/?me=1")
    mine = client.get("/e/cup/", headers={"If-None-Match": etag})
    assert mine.status_code == 200
    assert mine["ETag"] != etag


def test_each_language_has_a_page_of_its_own(client: Client, event: Event, settings):
    settings.LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
    english, german = (client.get("/e/cup/", headers={"Accept-Language": code})["ETag"] for code in ("en-gb", "de"))
    assert english != german


def test_a_page_with_a_running_clock_is_always_sent_with_the_present_time(client: Client, event: Event):
    start_round(round_=round_of(event, 2), by=writer_of(event))
    assert "ETag" not in client.get("/e/cup/")
    assert "ETag" not in client.get("/e/cup/display/")
    assert "ETag" in client.get("/e/cup/standings/")


def test_public_pages_set_no_cookie_and_hold_no_token(client: Client, event: Event):
    for page in PAGES:
        answer = client.get(f"/e/cup/{page}")
        assert answer.cookies.keys() == set()
        assert b"X-CSRFToken" not in answer.content


# ---------------------------------------------------------------- the live part


@pytest.mark.once
def test_the_part_that_is_fetched_again_is_the_one_that_the_page_had(client: Client, event: Event):
    for page in (*PAGES, "rounds/1/tables/1/"):
        whole = client.get(f"/e/cup/{page}").content.decode()
        part = client.get(f"/e/cup/{page}", headers={"HX-Request": "true"})
        assert (page, part.status_code, part["Cache-Control"]) == (page, 200, "no-store")
        assert part.content.decode().strip() in whole, page
        assert part.content.decode().count('id="live"') == 1, page


def test_the_live_part_is_empty_while_nothing_has_changed(client: Client, event: Event):
    seen = _seen(client.get("/e/cup/").content.decode())
    enter(table_of(event, round_=2), "1t 230")
    asked = client.get(f"/e/cup/?seen={seen}", headers={"HX-Request": "true"})
    assert (asked.status_code, asked.content) == (204, b"")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    asked = client.get(f"/e/cup/?seen={seen}", headers={"HX-Request": "true"})
    assert asked.status_code == 200
    assert _seen(asked.content.decode()) != seen


def _seen(page: str) -> str:
    return page.partition('data-seen="')[2].partition('"')[0]


# ---------------------------------------------------------------- whom a phone follows


def test_a_phone_follows_whom_it_was_told_to(client: Client, event: Event):
    answer = client.get("/e/cup/?me=3")
    assert (answer.status_code, answer["Location"]) == (302, "/e/cup/")
    cookie = answer.cookies["me-cup"]
    assert (cookie["path"], cookie["max-age"], cookie["samesite"], cookie["httponly"]) == (
        "/e/cup/", 365 * 24 * 3600, "Lax", True,
    )  # fmt: skip
    assert texts(client.get("/e/cup/"), ".is-bottom") == ["South Cyan you"]
    assert text(client.get("/e/cup/"), "title") == "Cyan · Cup"


def test_a_phone_can_follow_another_player_or_nobody(client: Client, event: Event):
    client.get("/e/cup/?me=3")
    assert texts(client.get("/e/cup/?pick"), "h2") == ["Follow another player"]
    client.get("/e/cup/?me=1")
    assert text(client.get("/e/cup/"), "title") == "Akelei · Cup"
    client.get("/e/cup/?me=")
    assert text(client.get("/e/cup/"), "title") == "Cyan · Cup"
    client.get("/e/cup/?me=")
    assert text(client.get("/e/cup/"), "title") == "Cup"
    assert texts(client.get("/e/cup/"), ".note") == []


def test_a_phone_follows_several_and_changes_between_them_by_one_tap(client: Client, event: Event):
    client.get("/e/cup/?me=3")
    assert texts(client.get("/e/cup/"), ".followed") == []
    for number in (1, 2, 1):
        client.get("/e/cup/", {"me": number})
    page = client.get("/e/cup/")
    assert (text(page, "title"), texts(page, ".followed .name")) == ("Akelei · Cup", ["Akelei", "Birk", "Cyan"])
    assert re.findall(r'href="\?me=(\d)"(?: aria-current="true")?><b class="name"', page.text) == ["1", "2", "3"]
    assert page.text.count('aria-current="true"><b') == 1
    client.get("/e/cup/?me=")
    assert texts(client.get("/e/cup/"), ".followed .name") == ["Birk", "Cyan"]
    for number in range(1, 5):
        client.get("/e/cup/", {"me": number})
    assert len(texts(client.get("/e/cup/"), ".followed .name")) == 4
    assert client.cookies["me-cup"].value.count(".") == 3


@pytest.mark.once
def test_a_cookie_holds_a_dozen_players_and_leaves_out_who_is_not_there(client: Client, event: Event):
    client.get("/e/cup/?me=2")
    birk = client.cookies["me-cup"].value
    client.get("/e/cup/?me=1")
    akelei = client.cookies["me-cup"].value.partition(".")[0]
    client.cookies["me-cup"] = ".".join([akelei, "x", "99-00000000", birk, akelei, *[birk] * 40])
    assert texts(client.get("/e/cup/"), ".followed .name") == ["Akelei", "Birk"]
    client.cookies["me-cup"] = f"1-00000000.{birk}"  # whose page it was is gone: the phone asks, and keeps the others
    page = client.get("/e/cup/")
    assert (text(page, "title"), len(texts(page, ".note"))) == ("Cup", 1)
    assert texts(page, ".pick-names [aria-current]") == ["Birk 2"]
    other = Client()
    other.cookies["me-cup"] = "1-00000000"  # the page of the one phone is not the other's
    assert texts(other.get("/e/cup/"), ".pick-names [aria-current]") == []
    client.get("/e/cup/?me=1")
    assert texts(client.get("/e/cup/"), ".followed .name") == ["Akelei", "Birk"]


@pytest.mark.once
def test_a_number_that_nobody_has_follows_nobody(event: Event):
    for number in ("99", "-1", "abc", "٣", "1" * 400, "1.0", "1-2"):
        client = Client()
        client.get("/e/cup/", {"me": number})
        assert (number, text(client.get("/e/cup/"), "title")) == (number, "Cup")


@pytest.mark.once
def test_a_number_that_nobody_has_lets_go_of_nobody(client: Client, event: Event):
    client.get("/e/cup/?me=3")
    client.get("/e/cup/?me=1")
    for number in ("99", "x", "-1", "0", "1" * 400, "NOBODY"):
        answer = client.get("/e/cup/", {"me": number})
        assert (number, answer["Location"], [*answer.cookies]) == (number, "/e/cup/", [])
        assert (number, texts(client.get("/e/cup/"), ".followed .name")) == (number, ["Akelei", "Cyan"])
    client.cookies["me-cup"] = "1-00000000"  # nor of somebody who is gone: the phone goes on to ask
    client.get("/e/cup/?me=99")
    assert client.cookies["me-cup"].value == "1-00000000"


@pytest.mark.once
def test_a_cookie_that_is_not_ours_follows_nobody(event: Event):
    for cookie in ("", "x", "1", "1-", "1-00000000", "99-00000000", "9" * 3000, "\xd9\xa1-00000000"):
        client = Client()
        client.cookies["me-cup"] = cookie
        page = client.get("/e/cup/")
        assert (cookie, page.status_code, text(page, "title")) == (cookie, 200, "Cup")
        assert (cookie, text(client.get("/e/cup/standings/"), "title")) == (cookie, "Standings · Cup")


@pytest.mark.usefixtures("others_aside")
def test_where_numbers_have_moved_the_phone_asks_again_and_never_follows_somebody_else(client: Client):
    event = make_event(slug="cup", tables=1, published=False)
    event.rounds.all().delete()
    add_players(event=event, players=[NewPlayer("Zusatz")], by=writer_of(event))
    client.get("/e/cup/?me=3")
    remove_player(player=event.players.get(number=2), by=writer_of(event))
    page = client.get("/e/cup/")
    assert text(page, "title") == "Cup"
    assert texts(page, ".note") == [
        (
            "Warning The player that this phone followed is no longer in the list under that name and number. "
            "Choose again."
        )
    ]


def test_a_new_name_is_asked_for_once(client: Client, event: Event):
    client.get("/e/cup/?me=3")
    rename_player(player=event.players.get(number=3), name="Zyan", by=writer_of(event))
    assert text(client.get("/e/cup/"), "title") == "Cup"
    client.get("/e/cup/?me=3")
    assert text(client.get("/e/cup/"), "title") == "Zyan · Cup"


# ---------------------------------------------------------------- nothing unreleased

# Every figure that follows from the marker ends in these digits, as 53,457 or 38.457 on a page and as 53457 in JSON.
FIGURES = {"e": re.compile(r"\d[,.](457|543)\b"), "api": re.compile(r"\b\d*(457|543)\b")}
WORDS = re.compile("because-of-the-marker|penalty-of-the-marker")


def addresses(event: Event) -> list[str]:
    """List every address of an event that somebody without an account may ask for."""
    rounds = range(1, event.rounds_planned + 1)
    tables = [f"rounds/{r}/tables/{t}" for r in rounds for t in (1, 2)]
    pages = ["", "?pick", "?q=a", "standings/", "teams/", "recap/", "fouls/", "rules/", "rounds/", "display/"]
    pages += ["manifest.webmanifest", "worker.js", *(f"rounds/{r}/" for r in rounds)]
    pages += ["players/1/against/2/", "players/5/against/6/"]
    pages += [f"players/{number}/" for number in range(1, 9)] + [f"{table}/" for table in tables]
    api = ["version", "standings", *tables]
    return ["/", *(f"/e/cup/{page}" for page in pages), *(f"/api/v1/events/cup/{path}" for path in api)]


def found_on(client: Client, asked: Iterable[str], *, fragments: bool = False) -> set[str]:
    """Return the addresses whose answer holds a marker, asked for as page and, if wanted, as fragment."""
    found = set()
    for address in asked:
        for headers in ({}, {"HX-Request": "true"}) if fragments else ({},):
            shown = client.get(address, headers=headers).content.decode()
            figures = FIGURES["api" if address.startswith("/api/") else "e"]
            if figures.search(shown) or WORDS.search(shown):
                found.add(address)
    return found


# a phone that follows a player of the other table, in the nightly run others, too, and each in both ways; what follows
# player 1 or nobody and what htmx fetches is looked through in test_nothing_leaks
@pytest.mark.usefixtures("others_aside")
@pytest.mark.once
@pytest.mark.parametrize("follow", [(5,), pytest.param((None, 1, 5), marks=pytest.mark.nightly)])
def test_nothing_of_a_round_is_anywhere_before_its_release(follow: tuple[int | None, ...]):
    event = make_event(slug="cup", tables=2, rounds=3, published=False)
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    for each in event.players.all():
        set_team(player=each, team=f"Team {each.number % 2}", by=writer_of(event))
    play_round(event, 1, "2r3 340/2")
    start_round(round_=round_of(event, 2), by=writer_of(event))
    marker = Correction(deltas=(23457, -23457, 0, 0), reason="because-of-the-marker")
    for table in round_of(event, 2).tables.select_related("round__event"):
        enter(table, marker)
        sign(table)
    player = event.players.get(number=1)
    give_penalty(
        player=player,
        points=23457,
        reason="penalty-of-the-marker",
        client_id=uuid.uuid4(),
        round_=round_of(event, 2),
        by=writer_of(event),
    )
    phones: dict[int | None, Client] = {me: Client() for me in follow}
    for me, client in phones.items():
        if me:
            client.get(f"/e/cup/?me={me}")
    everywhere = addresses(event)
    found = {me: found_on(client, everywhere, fragments=me is None and 1 in phones) for me, client in phones.items()}
    assert {me: where for me, where in found.items() if where} == {}
    release_round(round_=round_of(event, 2), by=writer_of(event))
    after = {
        "/e/cup/standings/",
        "/e/cup/teams/",
        "/e/cup/display/",
        "/e/cup/players/1/",
        "/e/cup/rounds/2/",
        "/e/cup/rounds/2/tables/1/",
        "/e/cup/rounds/2/tables/2/",
        "/api/v1/events/cup/standings",
        "/api/v1/events/cup/rounds/2/tables/1",
    }
    assert after < set(everywhere)
    for me, client in phones.items():
        assert found_on(client, after | {"/e/cup/"}) == (after | {"/e/cup/"} if me else after), me


@pytest.mark.usefixtures("others_aside")
def test_seats_of_a_round_that_is_not_published_are_nowhere(client: Client):
    event = make_event(slug="cup", tables=1, rounds=3, published=False)
    publish_rounds(event=event, numbers=[1], by=writer_of(event))
    client.get("/e/cup/?me=1")
    assert texts(client.get("/e/cup/"), ".later") == []
    assert text(client.get("/e/cup/players/1/"), ".seats-ahead").count("Round") == 1
    assert client.get("/e/cup/rounds/2/").status_code == 404
    assert client.get("/api/v1/events/cup/rounds/2/tables/1").status_code == 404
