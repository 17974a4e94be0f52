"""Rule sets of the site by their pages: from a book, from a file with its errors, in versions, at an event."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rules.books import load_book, parse_book
from rules.writing import book_toml
from scoring.entries import Draw
from tests.factories import enter, make_account, make_event, make_rule_set, table_of
from tests.pages.at_desk import client_of, organiser, values
from tests.pages.html_reader import text, texts
from tests.rulesets.rules_fields import fields_of
from tournament.events.models import Event
from tournament.rulesets.actions import save_rule_set
from tournament.rulesets.models import RuleSet, RuleSetVersion

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

SETS = "/desk/rule-sets/"


@pytest.fixture
def client() -> Client:
    return client_of(make_account("Site", superuser=True))


def save(minutes: int = 60, rule_set: RuleSet | None = None, **values: Any) -> RuleSetVersion:
    return make_rule_set("Club rules", rule_set, note=f"{minutes} minutes", minutes=minutes, **values)


def post(client: Client, url: str, **changed: Any) -> Any:
    """Send a form of all rules as the page has it, with some fields changed."""
    return client.post(url, {**fields_of(client.get(url)), **changed})


def test_a_text_that_is_too_large_is_refused_and_few_of_many_errors_are_listed(client: Client):
    sent = {"client_id": str(uuid4()), "seen": "0", "note": ""}
    bomb = client.post(f"{SETS}file/", {**sent, "text": ".".join("a" * 20_000) + " = 1"})
    assert (bomb.status_code, texts(bomb, ".rule-line")) == (422, ["Line 1"])
    assert len(bomb.content) < 200_000
    many = client.post(f"{SETS}file/", {**sent, "text": "".join(f"[t{number}]\nx = 1\n" for number in range(80))})
    assert len(texts(many, ".rule-line")) == 50
    assert "Nothing was saved: 82 errors in the text." in text(many, ".problems")
    assert "… and 32 more" in text(many, ".problems")
    large = client.post(f"{SETS}file/", {**sent, "file": SimpleUploadedFile("large.toml", b"#" * 70_000)})
    assert (large.status_code, "The file is too large for a rule set." in large.text) == (422, True)


def heads(response: Any) -> list[str]:
    """Return the heads of the table of differences, the last one of a page."""
    return texts(response, "th")[texts(response, "th").index("Rule") :][:3]


def test_a_set_is_made_from_a_book_changed_in_versions_and_chosen_for_an_event(client: Client):
    assert "There is none yet." in texts(client.get(SETS), ".soft")
    made = post(client, f"{SETS}new/?from=wrc-2025", title="Club rules", minutes="60", reason="our hall")
    assert (made.status_code, made["Location"]) == (302, f"{SETS}club-rules/")
    assert text(client.get(made["Location"]), ".lead") == "version 1 · based on WRC 2025, 1 change · club-rules"
    changed = post(client, f"{SETS}club-rules/change/", minutes="90", reason="a longer day")
    assert changed.status_code == 302
    assert "version 2 · based on WRC 2025, 1 change" in text(client.get(SETS), ".rule-book")
    page = client.get("/desk/new/")
    assert "own/club-rules" in values(page, "rules_key")
    sent = {"name": "Cup", "date": "2026-11-01", "rules_key": "own/club-rules", "rounds": "2"}
    assert client.post("/desk/new/", sent).status_code == 302
    event = Event.objects.get(slug="cup-2026")
    assert (event.ruleset.minutes, event.rule_set_version) == (90, 2)
    assert text(client.get("/e/cup-2026/rules/"), ".lead").startswith(
        "Club rules · version 2 · based on WRC 2025, 1 change ·"
    )
    assert "version 2" in text(client.get(f"{SETS}club-rules/"), ".links")


def test_a_version_needs_a_note_and_one_that_changes_nothing_is_not_saved(client: Client):
    save()
    unsaid = post(client, f"{SETS}club-rules/change/", minutes="90")
    assert (unsaid.status_code, fields_of(unsaid)["minutes"]) == (422, "90")
    assert post(client, f"{SETS}club-rules/change/", reason="nothing")["Location"] == f"{SETS}club-rules/change/"
    assert RuleSetVersion.objects.count() == 1


def test_what_cannot_be_is_said_at_its_fields_and_nothing_is_lost(client: Client):
    answer = post(client, f"{SETS}new/?from=ema-2025", title="Odd", players="3", minutes="61")
    assert answer.status_code == 422
    assert texts(answer, ".rule-wrong")
    assert (fields_of(answer)["title"], fields_of(answer)["minutes"]) == ("Odd", "61")
    unnamed = post(client, f"{SETS}new/?from=ema-2025", title="  ")
    assert texts(unnamed, ".rule-wrong") == ["Name"]
    assert not RuleSet.objects.exists()


def test_sent_twice_a_new_set_is_there_once(client: Client):
    data = {**fields_of(client.get(f"{SETS}new/?from=ema-2025")), "title": "Club"}
    for _time in range(2):
        assert client.post(f"{SETS}new/?from=ema-2025", data)["Location"] == f"{SETS}club/"
    back = client.post(f"{SETS}new/?from=ema-2025", {**data, "minutes": "61"})
    assert back.status_code == 422
    assert RuleSetVersion.objects.count() == 1


@pytest.mark.follows("rule-sets.md")
def test_the_file_of_a_set_comes_in_again_and_its_errors_name_line_and_field(client: Client):
    version = save()
    file = client.get(f"{SETS}club-rules/rules.toml")
    assert file["Content-Disposition"] == 'attachment; filename="club-rules-1.toml"'
    written = file.content.decode()
    assert parse_book(written, key="ema-2025x", source="test").citations == version.book.citations
    wrong = written.replace("[placement]", "[placement]\nbast = { is = true, ours = 'x' }").replace(
        "minutes = { is = 60,", 'minutes = { is = "long",'
    )
    sent = {"client_id": str(uuid4()), "seen": "0", "note": ""}
    refused = client.post(f"{SETS}file/", {**sent, "text": wrong})
    assert refused.status_code == 422
    lines = wrong.splitlines()
    at = [next(n for n, line in enumerate(lines, 1) if line.startswith(start)) for start in ("bast", "minutes")]
    assert texts(refused, ".rule-line") == [f"Line {number}" for number in at]
    assert [lines[number - 1] for number in at] == texts(refused, "code")
    assert "bast" in text(refused, "textarea")
    upload = SimpleUploadedFile("club.toml", written.replace("Club rules", "Guests").encode())
    assert client.post(f"{SETS}file/", {**sent, "file": upload})["Location"] == f"{SETS}guests/"
    guests = RuleSet.objects.get(key="guests").versions.get()
    assert book_toml(guests.book) == written.replace("Club rules", "Guests")
    empty = client.post(f"{SETS}file/", {**sent, "text": " "})
    assert "Choose a file, or paste its text." in " ".join(texts(empty, ".error"))
    newer = client.post(f"{SETS}guests/file/", {**sent, "client_id": str(uuid4()), "seen": "1", "text": "title = 1"})
    assert texts(newer, ".rule-faults")


@pytest.mark.postgresql
def test_a_set_is_compared_with_books_sets_and_its_own_versions(client: Client):
    first = save()
    save(90, first.rule_set, bust=True)
    page = client.get(f"{SETS}club-rules/", {"against": "club-rules/1"})
    assert heads(page) == ["Rule", "Club rules, version 2", "Club rules, version 1"]
    assert texts(page, ".rule-value") == ["yes", "no", "90 minutes", "60 minutes"]
    book = client.get(f"{SETS}club-rules/", {"against": "ema-2025", "version": "1"})
    assert heads(book) == ["Rule", "Club rules", "EMA 2025"]
    assert client.get(f"{SETS}club-rules/", {"against": "nobody"}).status_code == 404
    assert client.get(f"{SETS}club-rules/", {"version": "3"}).status_code == 404


def test_a_set_is_deleted_only_while_no_event_has_it(client: Client):
    version = save()
    make_event(version, slug="cup")
    used = client.post(f"{SETS}club-rules/delete/", {"sure": "1"}, follow=True)
    assert "Events have this rule set: Cup." in " ".join(texts(used, "div"))
    save_rule_set(rule_set=None, book=load_book("wrc-2025"), client_id=uuid4(), by=make_account())
    asked = client.post(f"{SETS}wrc-2025-2/delete/").content.decode()
    assert "Delete the rule set “" in asked
    assert RuleSet.objects.count() == 2
    for _time in range(2):
        assert client.post(f"{SETS}wrc-2025-2/delete/", {"sure": "1"})["Location"] == SETS
    assert list(RuleSet.objects.values_list("key", flat=True)) == ["club-rules"]


@pytest.mark.postgresql
def test_an_event_is_offered_a_newer_version_and_takes_it_with_its_effects_shown():
    first = save(bust=True)
    event = make_event(first, slug="cup", tables=1)
    enter(table_of(event), Draw(tenpai=(0,)))
    save(60, first.rule_set, bust=True, noten_pool=6000)
    client = organiser(event)
    assert "There is a newer version of this rule set: 2." in text(client.get("/desk/cup/settings/rule-set/"), ".note")
    url = "/desk/cup/settings/rules/newer/"
    page = client.get(url)
    assert heads(page) == ["Rule", "This event", "version 2"]
    data = fields_of(page)
    assert client.post(url, data).status_code == 422
    shown = client.post(url, {**data, "reason": "agreed"})
    assert shown.status_code == 422
    assert "1 table would be scored differently" in text(shown, ".rule-effects")
    mark = shown.content.decode().partition('name="confirmed" value="')[2].partition('"')[0]
    done = client.post(url, {**data, "reason": "agreed", "confirmed": mark})
    assert (done.status_code, done["Location"]) == (302, "/desk/cup/settings/rule-set/")
    assert client.post(url, {**data, "reason": "agreed", "confirmed": mark}).status_code == 302
    settings = client.get("/desk/cup/settings/rule-set/")
    assert "Club rules · version 2 · based on EMA 2025, 3 changes" in " ".join(texts(settings, "p"))
    assert "took version 2 of Club rules" in text(client.get("/desk/cup/settings/trail/"), ".trail")
    assert "agreed" in text(client.get("/e/cup/rules/"), ".rule-changes")
