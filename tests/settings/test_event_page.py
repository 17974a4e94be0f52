"""An event as its members know it: edited, hidden, put away, copied, deleted; a draft is nowhere for others."""

import datetime as dt
import json

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from tests.archive.archive_acts import full_event
from tests.factories import fresh, make_account, make_event, play_round, writer_of
from tests.fixtures import own_event
from tests.pages.at_desk import HTMX, client_of, organiser, referee, values
from tests.pages.html_reader import text, texts
from tests.pages.test_audiences import addresses
from tests.pages.test_nothing_leaks import public_addresses
from tests.seasons.evenings import count_in_season
from tournament.accounts.models import Membership, Role
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_all
from tournament.core.models import AuditRow
from tournament.events.actions import Publication, set_contact, set_publication, set_visibility
from tournament.events.models import Event, Visibility
from tournament.players.models import Person
from tournament.tables.models import LedgerEntry

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

URL = "/desk/cup/settings/"
FACTS = {"name": "Autumn Cup", "date": "2026-10-03", "place": "Town hall", "rounds": "3"}
PASSWORD = "hanchan-desk-tests-only"


event = own_event(slug="cup", tables=1, rounds=2)


def owner(event: Event) -> Client:
    """Return the owner's client, who has a password and proved it just now."""
    account = writer_of(event)
    account.set_password(PASSWORD)
    account.save()
    return client_of(account)


# ---------------------------------------------------------------- edited


@pytest.mark.follows("before/event.md")
@pytest.mark.postgresql
def test_name_date_place_and_rounds_are_edited_and_the_address_stays(event: Event):
    client = organiser(event)
    page = client.get(URL)
    assert (values(page, "name"), values(page, "date"), values(page, "rounds")) == (["Cup"], ["2026-09-12"], ["2"])
    assert client.post(URL, FACTS)["Location"] == URL
    now = fresh(event)
    assert (now.slug, now.name, now.date, now.place, now.rounds_planned) == (
        "cup", "Autumn Cup", dt.date(2026, 10, 3), "Town hall", 3,
    )  # fmt: skip
    assert "Autumn Cup" in text(Client().get("/e/cup/"), "title")
    said = "changed the event (name: Autumn Cup; date: 2026-10-03; place: Town hall; rounds: 3)"
    assert said in text(client.get(f"{URL}trail/"), ".trail")
    client.post(URL, FACTS)
    assert fresh(event).version == now.version


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rounds": "1"}, "2 rounds are drawn already: there cannot be fewer."),
        ({"name": "x" * 121}, ""),
        ({"date": "soon"}, ""),
        ({"name": ""}, ""),
    ],
)
def test_what_cannot_be_saved_is_said_and_stays_typed(event: Event, fields: dict[str, str], said: str):
    answer = organiser(event).post(URL, FACTS | fields)
    assert (answer.status_code, values(answer, "place")) == (422, ["Town hall"])
    assert said in texts(answer, ".error") if said else texts(answer, ".error")
    assert fresh(event).name == "Cup"


@pytest.mark.postgresql
def test_rounds_cannot_change_what_is_held_back(event: Event):
    set_publication(event=event, publication=Publication(hold="last"), by=writer_of(event))
    for number in (1, 2):
        play_round(event, number, "1t 230")
    answer = organiser(event).post(URL, FACTS)
    assert "Results are held back: show them first, then change the number of rounds." in texts(answer, ".error")
    set_publication(event=event, publication=Publication(), by=writer_of(event))
    assert organiser(event).post(URL, FACTS).status_code == 302


# ---------------------------------------------------------------- who finds it


def answers(client: Client) -> set[int]:
    """Ask every public address with a marker of this event, whole and as a part, and send to those that take that."""
    asked = [url for url in public_addresses() if "/cup/" in url and not url.startswith("/s/")]  # a season stays
    assert len(asked) > 30
    found = {client.get(url, headers=headers).status_code for url in asked for headers in ({}, HTMX)}
    found |= {client.post(url).status_code for url in asked if client.get(url).status_code == 405}
    return found - {405}


@pytest.mark.usefixtures("others_aside")
def test_a_draft_is_nowhere_for_others_and_everywhere_for_its_members(event: Event):
    stranger, other = Client(), organiser(make_event(slug="other", tables=1, rounds=1))
    count_in_season(event)
    assert "Cup" in text(stranger.get("/"), "main")
    member = referee(event)
    organiser(event).post(f"{URL}visibility/", {"visibility": "draft"})
    for client in (stranger, other):
        assert answers(client) == {404}
        assert [url for url in addresses("anyone") if b"/e/cup/" in client.get(url).content] == []
    page = member.get("/e/cup/standings/")
    assert (page.status_code, page["Cache-Control"], page["X-Robots-Tag"]) == (200, "private, no-cache", "noindex")
    assert member.get("/api/v1/events/cup/").status_code == 200
    assert answers(stranger) == {404}  # what a member read is in no cache
    organiser(event).post(f"{URL}visibility/", {"visibility": "public"})
    assert "Cup" in text(stranger.get("/"), "main")
    assert stranger.get("/e/cup/").status_code == 200


def test_an_unlisted_event_opens_by_its_link_and_no_list_names_it(event: Event):
    set_visibility(event=event, visibility=Visibility.UNLISTED, by=writer_of(event))
    assert "Cup" not in text(Client().get("/"), "main")
    page = Client().get("/e/cup/")
    assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex")
    assert "X-Robots-Tag" not in Client().get("/")


def test_nonsense_changes_nothing(event: Event):
    client = organiser(event)
    page = client.post(f"{URL}visibility/", {"visibility": "secret"}, follow=True)
    assert texts(page, ".note") == ["Error Choose the visibility: draft, anyone with the link, or public."]
    assert referee(event).post(f"{URL}visibility/", {"visibility": "draft"}).status_code == 404
    assert fresh(event).visibility == Visibility.PUBLIC


def test_the_files_of_an_event_carry_who_finds_it(event: Event):
    set_visibility(event=event, visibility=Visibility.DRAFT, by=writer_of(event))
    facts = json.loads(get_event_file(fresh(event)))["content"]["event"]
    assert (facts["visibility"], facts["archived_at"]) == ("draft", None)


# ---------------------------------------------------------------- put away


@pytest.mark.postgresql
def test_an_archived_event_stands_below_the_list_until_it_is_taken_out(event: Event):
    client = organiser(event)
    client.post(f"{URL}archive/", {"archived": "yes"})
    page = Client().get("/")
    assert texts(page, "summary") == ["Archive: 1 event"]
    assert Client().get("/e/cup/").status_code == 200
    client.post(f"{URL}archive/", {"archived": "no"})
    assert texts(Client().get("/"), "summary") == []


# ---------------------------------------------------------------- copied


@pytest.mark.postgresql
def test_a_template_gives_rules_settings_and_roles_and_nobody_who_played(event: Event):
    by = writer_of(event)
    set_contact(event=event, contact={"name": "Ada"}, by=by)
    set_publication(event=event, publication=Publication(live_tables="hands"), by=by)
    rita = make_account("Rita")
    Membership.objects.create(event=event, account=rita, role=Role.REFEREE)
    runs = make_account("Runs the desk", superuser=True)
    client, url = client_of(runs), "/desk/new/?copy=cup"
    page = client.get(url)
    assert (values(page, "name"), values(page, "rounds")) == (["Cup"], ["2"])
    sent = {**FACTS, "visibility": "draft", "roles": "on"}
    assert client.post(url, sent)["Location"] == "/desk/autumn-cup-2026/players/"
    made = Event.objects.get(slug="autumn-cup-2026")
    assert (made.contact, made.live_tables, made.rules, made.visibility) == (
        {"name": "Ada"}, "hands", event.rules, "draft",
    )  # fmt: skip
    assert (made.players.count(), made.rounds.count(), made.rules_frozen_at, made.drawn) == (0, 0, None, {})
    roles = dict(made.memberships.values_list("account__display_name", "role"))
    assert roles == {"Runs the desk": "owner", "Organiser": "organiser", "Rita": "referee"}
    assert client.post(url, sent).status_code == 422
    client.post(url, {**FACTS, "name": "Other"})
    assert Event.objects.get(slug="other-2026").memberships.count() == 1


# ---------------------------------------------------------------- deleted


def delete(client: Client, **fields: str):
    sent = {"word": "Cup", "reason": "a trial", "again-password": PASSWORD, **fields}
    return client.post(f"{URL}delete/", sent)


def append_only_holds() -> bool:
    """Tell whether the database still refuses to delete from the ledger and the trail."""
    found = []
    for model in (LedgerEntry, AuditRow):
        table = model._meta.db_table
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f'DELETE FROM "{table}"')
        found.append(table)
    return len(found) == 2


@pytest.mark.follows("before/event.md")
@pytest.mark.only_on("sqlite")  # a dump of PostgreSQL does not see what this test has not committed
@pytest.mark.usefixtures("others_aside")
def test_a_full_event_is_deleted_with_all_that_it_has_and_nothing_else(tmp_path, settings):
    settings.DATA_DIR, settings.BACKUP_TO = tmp_path, ()
    event, other = full_event(), make_event(slug="other", tables=1, rounds=1)
    play_round(other, 1, "1t 230")
    client = owner(event)
    gone = text(client.get(f"{URL}delete/", headers={"Accept-Language": "en"}), "main")
    assert str(event.players.count()) in gone
    people = Person.objects.filter(players__event=event).count()
    before = Person.objects.count()
    answer = delete(client)
    assert (answer.status_code, answer.get("Location")) == (302, "/"), text(answer, "main")
    assert not Event.objects.filter(slug="cup").exists()
    assert Person.objects.count() == before - people
    last = AuditRow.objects.filter(event=None).latest("seq")
    details = json.loads(last.details)
    assert (last.verb, details["name"], details["reason"], details["players"]) == (
        "event_deleted", "Cup", "a trial", people,
    )  # fmt: skip
    assert list((tmp_path / "backups").glob("*"))
    assert not verify_all().problems
    assert append_only_holds()
    assert client.get("/e/cup/").status_code == 404


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"word": "Cub"}, 422, "Error To delete the event, type its name: Cup."),
        ({"reason": " "}, 422, "Error To delete the event needs a reason."),
        ({"again-password": "wrong"}, 403, ""),
    ],
)
def test_a_deletion_needs_the_name_a_reason_and_the_password(
    event: Event, tmp_path, settings, fields: dict[str, str], status: int, said: str
):
    settings.DATA_DIR, settings.BACKUP_TO = tmp_path, ()
    answer = delete(owner(event), **fields)
    assert answer.status_code == status
    assert said in texts(answer, ".note") or not said
    assert not list(tmp_path.glob("backups/*.tar*"))
    assert fresh(event).name == "Cup"


@pytest.mark.postgresql
def test_nothing_is_deleted_without_a_backup(event: Event, tmp_path, settings):
    file = tmp_path / "a file where the folder should be"
    file.write_text("")
    settings.DATA_DIR, settings.BACKUP_TO = file, ()
    answer = delete(owner(event))
    assert answer.status_code == 422
    assert "Error No backup could be made, so nothing is deleted. See the page of backups." in texts(answer, ".note")
    assert fresh(event).name == "Cup"


def test_only_the_owner_deletes(event: Event):
    account = make_account("Second")
    Membership.objects.create(event=event, account=account, role=Role.ORGANISER)
    assert client_of(account).get(f"{URL}delete/").status_code == 404
