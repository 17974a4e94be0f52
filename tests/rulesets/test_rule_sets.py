"""Rule sets of the site: saved in versions, kept by events, deleted only when unused."""

import json
from typing import Any
from uuid import uuid4

import pytest

from rules.books import Book, load_book, parse_book
from rules.writing import book_toml
from scoring.entries import Draw
from tests.archive.archive_acts import empty_the_database
from tests.factories import DAY, codes_of, enter, fresh, make_account, make_event, table_of, writer_of
from tests.penalties.foul_acts import give, points
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.models import AuditRow
from tournament.events.actions import create_event
from tournament.events.models import Event
from tournament.rulesets.actions import (
    ConfirmationRequiredError,
    change_rules,
    changed_book,
    delete_rule_set,
    save_rule_set,
    take_newer_version,
)
from tournament.rulesets.models import RuleSet, RuleSetVersion
from tournament.rulesets.queries import (
    basis_of,
    get_newer_version,
    get_version,
    get_version_of,
    list_rule_changes,
    list_rule_sets,
    rules_with,
)

pytestmark = pytest.mark.django_db

BOOK = load_book("ema-2025")


def club(title: str = "Club rules", **values: Any) -> Book:
    return changed_book(BOOK, title=title, values={"minutes": 60, "bust": True, **values}, why="club")


def save(book: Book, rule_set: RuleSet | None = None, **values: Any) -> RuleSetVersion:
    seen = rule_set.versions.count() if rule_set else 0
    given: dict[str, Any] = {"rule_set": rule_set, "seen": seen, "client_id": uuid4(), "by": make_account(), **values}
    version = save_rule_set(book=book, **given)
    assert version is not None
    return version


def with_set(version: RuleSetVersion, slug: str = "cup") -> Event:
    return create_event(name="Cup", date=DAY, rules_key=version, rounds=2, slug=slug, by=make_account())


def test_a_set_is_saved_with_its_sources_and_on_the_trail():
    version = save(club(), note="for the winter")
    assert (version.rule_set.key, version.number, version.note) == ("club-rules", 1, "for the winter")
    assert version.book == club()
    assert (version.book.extends, version.ruleset.key) == ("ema-2025", "ema-2025")
    basis = basis_of(version.ruleset)
    assert basis is not None
    assert (basis.title, basis.changes) == ("EMA 2025", 2)
    row = AuditRow.objects.filter(event=None).latest("seq")
    assert (row.verb, json.loads(row.details)) == (
        "rule_set_saved",
        {"key": "club-rules", "title": "Club rules", "version": 1, "note": "for the winter"},
    )


def test_a_set_has_a_key_that_no_book_no_set_and_no_address_has():
    keys = [save(club(title)).rule_set.key for title in ("EMA 2025", "New", "東", "Club", "Club")]
    assert keys == ["ema-2025-2", "new-2", "rules", "club", "club-2"]


def test_sent_twice_it_is_saved_once_and_changed_meanwhile_it_is_refused():
    sent = uuid4()
    first = save(club(), client_id=sent)
    assert save(club(), client_id=sent) == first
    with pytest.raises(DomainError) as stale:
        save(club(minutes=90), client_id=sent)
    assert codes_of(stale) == ["form.stale"]
    with pytest.raises(DomainError) as moved:
        save(club(minutes=90), first.rule_set, seen=2)
    assert codes_of(moved) == ["rules.moved_on"]
    same: dict[str, Any] = {
        "rule_set": first.rule_set,
        "book": first.book,
        "seen": 1,
        "client_id": uuid4(),
        "by": make_account(),
    }
    assert save_rule_set(**same) is None
    assert RuleSetVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("title", "note", "code"),
    [(" ", "", "rules.title_missing"), ("x" * 121, "", "entry.text_too_long"), ("x", "y" * 301, "entry.text_too_long")],
)
def test_texts_that_cannot_be_kept_are_refused(title: str, note: str, code: str):
    with pytest.raises(DomainError) as error:
        save(club(title), note=note)
    assert codes_of(error) == [code]
    assert not RuleSet.objects.exists()


def test_contradictions_are_refused_each_with_its_field():
    with pytest.raises(DomainError) as error:
        club(players=3)
    assert {problem.params["rule"] for problem in error.value.problems} >= {"uma", "chii"}


def test_a_version_stays_as_it_is_and_an_event_keeps_it():
    first = save(club())
    event = with_set(first)
    second = save(club("Club rules 2027", minutes=90), first.rule_set)
    assert (event.ruleset.title, event.ruleset.minutes, event.rule_set_version) == ("Club rules", 60, 1)
    assert event.ruleset.key == "ema-2025"  # whose fouls it has
    assert get_version_of(event) == first
    assert get_newer_version(event) == second
    assert get_version("club-rules") == second
    assert get_version("club-rules", 1) == first
    assert [(own.key, own.newest, own.events) for own in list_rule_sets()] == [("club-rules", second, 1)]


def test_a_newer_version_keeps_what_was_changed_for_the_event_alone():
    first = save(club())
    event = with_set(first)
    change_rules(event=event, values={"chombo_points": 5000, "minutes": 45}, reason="", by=writer_of(event))
    second = save(club("Club 2", minutes=90, noten_pool=6000), first.rule_set)
    event = fresh(event)
    after = rules_with(event, second)
    assert (after.minutes, after.noten_pool, after.chombo_points) == (90, 6000, 5000)
    assert take_newer_version(event=event, number=2, reason="", by=writer_of(event))
    event = fresh(event)
    assert event.ruleset == after
    assert (event.ruleset.title, event.rule_set_version, get_newer_version(event)) == ("Club 2", 2, None)
    assert not take_newer_version(event=event, number=2, reason="", by=writer_of(event))
    assert event.audit.filter(verb="rule_set_taken").count() == 1


def test_once_play_has_begun_a_newer_version_needs_a_reason_and_its_effects_confirmed():
    first = save(club())
    event = make_event(first, tables=1)
    enter(table_of(event), Draw(tenpai=(0,)))
    save(club(noten_pool=6000), first.rule_set)
    event = fresh(event)
    given: dict[str, Any] = {"event": event, "number": 2, "by": writer_of(event)}
    with pytest.raises(DomainError) as frozen:
        take_newer_version(reason="", **given)
    assert codes_of(frozen) == ["rules.frozen"]
    with pytest.raises(ConfirmationRequiredError) as unconfirmed:
        take_newer_version(reason="agreed", **given)
    assert take_newer_version(reason="agreed", confirmed=unconfirmed.value.effects.mark, **given)
    (change,) = list_rule_changes(fresh(event))
    assert (change.reason, [one.field for one in change.changes]) == ("agreed", ["noten_pool"])


def test_a_newer_version_changes_given_penalties_only_where_that_is_chosen():
    first = save(club())
    event = make_event(first, tables=1)
    give(event, 1, foul="noten_riichi")
    save(club(chombo_points=25_000), first.rule_set)
    event = fresh(event)
    taken: dict[str, Any] = {"event": event, "number": 2, "reason": "agreed", "by": writer_of(event)}
    with pytest.raises(ConfirmationRequiredError) as asked:
        take_newer_version(**taken)
    assert take_newer_version(**taken, confirmed=asked.value.with_given.mark, given=True)
    assert points(fresh(event)) == {1: 25_000}


def test_a_newer_version_that_contradicts_the_events_own_changes_is_refused():
    first = save(club(bust=False))
    event = with_set(first)
    change_rules(event=event, values={"extra_rounds": 1, "target_points": 30_000}, reason="", by=writer_of(event))
    save(club(bust=False, rounds=4), first.rule_set)
    with pytest.raises(DomainError) as error:
        take_newer_version(event=fresh(event), number=2, reason="", by=writer_of(event))
    assert codes_of(error) == ["rules.contradiction"]
    assert fresh(event).rule_set_version == 1


def test_a_set_is_deleted_only_when_no_event_has_it():
    version, by = save(club()), make_account()
    with_set(version)
    with pytest.raises(DomainError) as error:
        delete_rule_set(rule_set=version.rule_set, by=by)
    assert error.value.problems[0].params["events"] == ("Cup",)
    unused = save(club("Other")).rule_set
    assert delete_rule_set(rule_set=unused, by=by)
    assert not delete_rule_set(rule_set=unused, by=by)
    assert [own.key for own in list_rule_sets()] == ["club-rules"]
    assert AuditRow.objects.filter(event=None, verb="rule_set_deleted").count() == 1


def test_a_restored_event_names_its_set_where_there_is_none():
    event = with_set(save(club()))
    written = get_event_file(event)
    empty_the_database()
    RuleSet.objects.all().delete()
    restored = import_event(data=written.encode(), by=make_account())
    assert (restored.ruleset.title, restored.rule_set_version) == ("Club rules", 1)
    assert (get_version_of(restored), get_newer_version(restored)) == (None, None)
    assert get_event_file(restored) == written


def test_a_set_from_a_file_without_a_book_stands_alone():
    text = book_toml(load_book("sanmatsuri-2026"))  # with values that are the book's in part
    version = save(parse_book(text, key="", source="test"))
    assert version.ruleset.key == version.rule_set.key == "sanmatsuri-2026-2"
    assert basis_of(version.ruleset) is None
    assert book_toml(version.book) == text
