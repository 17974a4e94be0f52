"""Where else a season is shown: off until switched on, names as everybody sees them, framed only where it may be."""

import dataclasses
import datetime as dt
import json
import xml.etree.ElementTree as ET

import pytest
from django.test import Client
from icalendar import Calendar

from tests.factories import make_account, make_event, play_round, refused
from tests.pages.at_desk import client_of
from tests.seasons.evenings import link_all_names, play_evening
from tournament.accounts.models import Account
from tournament.core.models import AuditRow
from tournament.events.actions import publication_of, set_publication, set_timetable, show_results
from tournament.events.models import Event, Visibility
from tournament.privacy.actions import set_names_shown
from tournament.seasons.actions import CountedEvent, SeasonFacts, create_season, set_season_events
from tournament.seasons.models import Season
from tournament.seasons.queries import READY_MADE
from tournament.seasons.reach_actions import Reach, is_public_address, read_hook, read_hosts, set_reach

pytestmark = [pytest.mark.django_db, pytest.mark.once]

A, B, C, D, E = "Ana Berg", "Birk Sol", "Cyan Lund", "Dora Vik", "Ede Holm"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOOK = "https://chat.example.org/api/webhooks/7/much-too-secret"
ALL = Reach(feed=True, calendar=True, frame=("club.example.org", "blog.example.org:8443"), hook=HOOK)
PAGES = ("feed.atom", "season.ics", "frame/")


@pytest.fixture
def by() -> Account:
    return make_account("Owner", superuser=True)


@pytest.fixture
def club() -> list[Event]:
    events = [play_evening(1, (A, B, C, D), (A, C, B, D)), play_evening(2, (B, A, D, C)), play_evening(3, (B, C, E, D))]
    link_all_names()
    return events


@pytest.fixture
def season(club: list[Event], by: Account) -> Season:
    made = create_season(facts=SeasonFacts("Autumn", READY_MADE["sum"]), by=by)
    set_season_events(season=made, events=[CountedEvent(event.pk) for event in club], by=by)
    return made


def entries(client: Client) -> dict[str, ET.Element]:
    """Return the entries of the feed by title."""
    answer = client.get("/s/autumn/feed.atom")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    found = ET.fromstring(answer.content).findall("a:entry", ATOM)
    return {entry.findtext("a:title", "", ATOM): entry for entry in found}


# ---------------------------------------------------------------- off


def test_all_is_off_until_switched_on_and_each_part_alone(season: Season, by: Account, client: Client):
    assert [client.get(f"/s/autumn/{page}").status_code for page in PAGES] == [404, 404, 404]
    for number, part in enumerate(("feed", "calendar", "frame")):
        set_reach(season=season, reach=Reach(**{part: getattr(ALL, part)}), by=by)
        found = [client.get(f"/s/autumn/{page}").status_code for page in PAGES]
        assert found == [200 if at == number else 404 for at in range(3)]
    set_reach(season=season, reach=Reach(), by=by)
    assert season.reach == {}
    assert [client.get(f"/s/autumn/{page}").status_code for page in PAGES] == [404, 404, 404]


def test_a_draft_is_shown_nowhere_and_an_unlisted_season_to_no_search_engine(season: Season, by: Account):
    set_reach(season=season, reach=ALL, by=by)
    Season.objects.update(visibility=Visibility.UNLISTED)
    for page in PAGES:
        assert Client().get(f"/s/autumn/{page}")["X-Robots-Tag"] == "noindex"
    Season.objects.update(visibility=Visibility.DRAFT)
    for reader in (Client(), client_of(by)):
        assert [reader.get(f"/s/autumn/{page}").status_code for page in PAGES] == [404, 404, 404]


def test_the_page_of_the_season_leads_to_what_is_on(season: Season, by: Account, client: Client):
    client.get("/s/autumn/")  # which is kept
    assert "feed.atom" not in client.get("/s/autumn/").content.decode()
    set_reach(season=season, reach=ALL, by=by)
    said = client.get("/s/autumn/").content.decode()
    assert ("feed.atom" in said, "season.ics" in said, "much-too-secret" in said) == (True, True, False)


# ---------------------------------------------------------------- the feed


def test_the_feed_has_an_entry_for_each_event_and_who_leads(season: Season, by: Account, client: Client):
    set_reach(season=season, reach=ALL, by=by)
    found = entries(client)
    assert set(found) == {"evening-1: won by Ana Berg", "evening-2: won by Birk Sol", "evening-3: won by Birk Sol"}
    feed = ET.fromstring(client.get("/s/autumn/feed.atom").content)
    assert feed.findtext("a:subtitle", "", ATOM) == "Season: 1. Ana Berg +58.0"
    assert [link.get("rel") for link in feed.findall("a:link", ATOM)] == ["alternate", "self"]
    for entry in found.values():
        for part in ("id", "title", "updated", "summary"):
            assert len(entry.findall(f"a:{part}", ATOM)) == 1
    ids = [entry.findtext("a:id", "", ATOM) for entry in (*found.values(), feed)]
    assert (len(set(ids)), {each[:9] for each in ids}) == (4, {"urn:uuid:"})


def test_an_entry_keeps_its_id_and_moves_with_a_release(season: Season, club: list[Event], by: Account, client: Client):
    set_reach(season=season, reach=ALL, by=by)
    before = entries(client)["evening-2: won by Birk Sol"]
    Event.objects.filter(pk=club[1].pk).update(name="Second & last <b>")
    club[1].rounds.update(released_at=dt.datetime(2030, 1, 1, tzinfo=dt.UTC))
    client.defaults["HTTP_HOST"] = "127.0.0.1"
    after = entries(client)["Second & last <b>: won by Birk Sol"]
    assert after.findtext("a:id", "", ATOM) == before.findtext("a:id", "", ATOM)
    assert dt.datetime.fromisoformat(after.findtext("a:updated", "", ATOM)).year == 2030
    assert "Second &amp; last &lt;b&gt;" in after.findtext("a:summary", "", ATOM)


def test_the_newest_round_of_an_event_under_way_names_who_is_first(
    season: Season, club: list[Event], client: Client, by: Account
):
    set_reach(season=season, reach=ALL, by=by)
    Event.objects.filter(pk=club[0].pk).update(rounds_planned=4)
    assert "evening-1, after round 2: first Ana Berg" in entries(client)


# ---------------------------------------------------------------- leaks


def everywhere(client: Client) -> str:
    return "".join(client.get(f"/s/autumn/{page}").content.decode() for page in PAGES)


def test_nobody_hidden_is_named(season: Season, club: list[Event], by: Account):
    set_reach(season=season, reach=ALL, by=by)
    assert B in everywhere(Client())
    player = club[0].players.get(person__preferred_name=B)
    set_names_shown(event=club[0], numbers=[player.number], shown=False, by=by)
    for reader in (Client(), client_of(by)):
        said = everywhere(reader)
        assert (B in said, "Sol" in said, "Player 1" in said) == (False, False, True)


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.UNLISTED])
def test_an_event_that_not_everybody_finds_is_not_told_of(
    season: Season, club: list[Event], by: Account, visibility: Visibility
):
    set_reach(season=season, reach=ALL, by=by)
    Event.objects.filter(pk=club[2].pk).update(visibility=visibility, name="Secret evening", place="Secret hall")
    for reader in (Client(), client_of(by)):
        said = everywhere(reader)
        assert ("Secret" in said, "evening-3" in said, "evening-2" in said) == (False, False, True)


def test_held_results_are_not_told(season: Season, club: list[Event], by: Account, client: Client):
    set_reach(season=season, reach=ALL, by=by)
    held = make_event(slug="held", tables=1, rounds=2, by=by)
    set_publication(event=held, publication=dataclasses.replace(publication_of(held), hold="last"), by=by)
    play_round(held, 1, "2r1 330")
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in (*club, held)], by=by)
    before = entries(client)
    assert sum(title.startswith("Held, after round 1: first ") for title in before) == 1
    play_round(held, 2, "3r1 340")
    held.rounds.filter(number=2).update(released_at=dt.datetime(2032, 1, 1, tzinfo=dt.UTC))
    assert (list(entries(client)), "2032" in everywhere(client)) == (list(before), False)
    show_results(event=held, by=by)
    assert sum(title.startswith("Held: won by ") for title in entries(client)) == 1


# ---------------------------------------------------------------- the calendar


def test_the_calendar_has_the_events_also_those_to_come(season: Season, club: list[Event], by: Account, client: Client):
    coming = make_event(slug="coming", rounds=2, published=False, by=by, time_zone="Europe/London")
    Event.objects.filter(pk=coming.pk).update(date=dt.date(2026, 9, 29), place="Old\nhall")
    coming.refresh_from_db()
    starts = [dt.datetime(2026, 9, 29, hour, tzinfo=dt.UTC) for hour in (17, 19)]
    set_timetable(event=coming, starts=starts, by=by)
    congress = make_event(slug="congress", rounds=4, published=False, by=by)
    Event.objects.filter(pk=congress.pk).update(date=dt.date(2026, 10, 3), day_rounds=[2, 2])
    events = [*club, coming, congress]
    set_season_events(season=season, events=[CountedEvent(event.pk) for event in events], by=by)
    set_reach(season=season, reach=ALL, by=by)
    answer = client.get("/s/autumn/season.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = {str(each["uid"]): each for each in Calendar.from_ical(answer.content).walk("VEVENT")}
    assert len(found) == 5
    timed = found["autumn-coming@hanchan-desk"]
    assert (timed.decoded("dtstart"), str(timed["location"])) == (starts[0], "Old hall")
    minutes = coming.ruleset.minutes
    assert timed.decoded("duration") == dt.timedelta(hours=2, minutes=minutes + 15 if minutes else 90)
    whole = found["autumn-congress@hanchan-desk"]
    assert (whole.decoded("dtstart"), whole.decoded("duration")) == (dt.date(2026, 10, 3), dt.timedelta(days=2))
    assert found["autumn-evening-1@hanchan-desk"].decoded("duration") == dt.timedelta(days=1)


# ---------------------------------------------------------------- the frame


def test_only_the_frame_may_be_framed_and_only_by_the_named_hosts(season: Season, by: Account, client: Client):
    set_reach(season=season, reach=ALL, by=by)
    answer = client.get("/s/autumn/frame/")
    policy = [each.strip() for each in answer["Content-Security-Policy"].split(";")]
    assert "frame-ancestors 'self' club.example.org blog.example.org:8443" in policy
    assert ("X-Frame-Options" in answer, "default-src 'none'" in policy) == (False, True)
    said = answer.content.decode()
    assert (A in said, "<form" in said, "<script" in said, "csrf" in said) == (True, False, False, False)
    for page in ("", "how/", "feed.atom", "season.ics", "season.json"):
        other = client.get(f"/s/autumn/{page}")
        assert other["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    set_reach(season=season, reach=ALL._replace(frame=()), by=by)
    gone = client.get("/s/autumn/frame/")
    assert (gone.status_code, gone["X-Frame-Options"]) == (404, "DENY")


def test_hosts_are_checked_when_they_are_typed():
    assert read_hosts("Club.example.org,\nhttps://blog.example.org:8443/league club.example.org") == (
        "club.example.org",
        "blog.example.org:8443",
    )
    bad = (
        "*",
        "'none'",
        "https:",
        "a.example;script-src",
        "*.example.org",
        "ex ample",
        "me@club.example",
        "x",
        "a..b",
        "[::1",
    )
    for text in bad:
        if text == "a.example;script-src":
            with refused("season.host"):
                read_hosts(text)
            continue
        with refused(*["season.host"] * len(text.split())):
            read_hosts(text)


# ---------------------------------------------------------------- the desk


def test_the_organiser_switches_it_on_and_errors_keep_what_was_typed(season: Season, by: Account):
    desk, page = client_of(by), "/desk/seasons/autumn/reach/"
    form = {"feed": "on", "frame": "club.example.org\nnot/a host*", "hook": "http://127.0.0.1/x", "form": "discord"}
    answer = desk.post(page, form)
    said = answer.content.decode()
    assert (answer.status_code, "host*" in said, "http://127.0.0.1/x" in said) == (422, True, True)
    assert "begins with https://" in said
    season.refresh_from_db()
    assert season.reach == {}
    form |= {"frame": "club.example.org", "hook": HOOK}
    assert desk.post(page, form).status_code == 302
    assert desk.post(page, form).status_code == 302
    season.refresh_from_db()
    assert season.reach == {
        "feed": True,
        "frame": ["club.example.org"],
        "hook": {"url": HOOK, "form": "discord"},
    }
    assert HOOK in desk.get(page).content.decode()
    rows = AuditRow.objects.filter(verb="season_reach_set")
    assert [json.loads(row.details)["fields"] for row in rows] == [["feed", "frame", "hook"]]


def test_the_webhook_is_a_secret_of_who_runs_the_desk(season: Season, by: Account, club: list[Event]):
    set_reach(season=season, reach=ALL, by=by)
    assert "much-too-secret" not in "".join(map(str, AuditRow.objects.values_list("details", flat=True)))
    for reader in (Client(), client_of(make_account("Other"))):
        for page in ("/s/autumn/", "/s/autumn/season.json", *(f"/s/autumn/{each}" for each in PAGES)):
            assert "much-too-secret" not in reader.get(page).content.decode()
        assert reader.get("/desk/seasons/autumn/reach/").status_code in {302, 404}


@pytest.mark.parametrize(
    "url",
    ["http://chat.example.org/x", "https://127.0.0.1/x", "https://10.0.0.8/x", "https://localhost/x", "ftp://a.example/",
     "https://me@chat.example.org/", "https://chat.example.org/a b", "https://chat.example.org/a\r\nX: y", "https://[::1]/",
     "https://169.254.169.254/latest", "https://999.1.1.1/", "https://", "//chat.example.org/"],
)  # fmt: skip
def test_a_webhook_leads_to_the_internet_by_https(url: str):
    with refused("season.hook"):
        read_hook(url)


def test_a_webhook_may_lead_to_the_hall_where_the_operator_allows_it(settings):
    settings.PRIVATE_HOOKS = True
    read_hook("http://10.0.0.8:8080/x?y=1")
    settings.PRIVATE_HOOKS = False
    read_hook("https://chat.example.org/x?y=1")
    read_hook("https://1.1.1.1:8443/x")


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "100.64.0.1", "224.0.0.1", "::1", "fd00::1", "64:ff9b::7f00:1", "::ffff:127.0.0.1"]
)
def test_addresses_of_the_machine_and_its_network_are_not_public(address: str):
    assert not is_public_address(address)
