"""Actions on an event and its settings: create, copy, change, archive, delete. Rules are in tournament.rulesets.

Each returns whether anything changed, and raises DomainError for an unknown value. Deletion is the one act before which
the append-only tables step aside.
"""

import contextlib
import dataclasses
import datetime as dt
import functools
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import connection, models, transaction
from django.utils.text import slugify

from rules.books import book_keys, load
from scoring.problems import Problem, ProblemType
from tournament.accounts.models import Account, Membership, Role
from tournament.calls.models import RefereeCall
from tournament.core.acts import Act, Group, Shown
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.heads import note_deleted
from tournament.core.limits import MAX_MAIL, MAX_TITLE
from tournament.core.models import AuditRow
from tournament.core.now import now
from tournament.core.settings import Goes, list_names, list_settings
from tournament.core.time_zones import MAX_ZONE, desk_time_zone, find_time_zone, same_hour, zone_of
from tournament.core.transaction import EventChange, check_length, event_transaction, require_text, seal_all_rows
from tournament.events.models import Event, Hold, Logo, Photo, Play, SecondPerson, SheetNumbers, Visibility
from tournament.events.queries import EVENT_RULES_UNKNOWN, count_what_goes
from tournament.incidents.models import Disqualification, Substitution
from tournament.penalties.models import Penalty
from tournament.players.models import Person
from tournament.publication.queries import read_public_view
from tournament.record.models import RecordHead
from tournament.rounds.models import TableTime
from tournament.rulesets.models import RuleSetVersion
from tournament.sheets.models import SheetCheck, SheetRow, TypedSheet
from tournament.signup.models import SignUpPage
from tournament.tables.models import LedgerEntry, Seat, Table
from tournament.text.names import clean_text, find_country
from tournament.wall.models import Announcement, Wall

MAX_EVENT_DAYS = 31
MAX_DAYS = 366  # from the event's date: catches a year typed wrongly, fits a league over a season

EVENT_NAME_MISSING = ProblemType("event.name_missing", "The event needs a name.")
EVENT_NAME_TOO_LONG = ProblemType("event.name_too_long", "The name is too long: at most {most} letters.")
EVENT_PLACE_TOO_LONG = ProblemType("event.place_too_long", "The place is too long: at most {most} letters.")
EVENT_VISIBILITY_UNKNOWN = ProblemType(
    "event.visibility_unknown", "Choose the visibility: draft, anyone with the link, or public."
)
EVENT_TIME_ZONE_UNKNOWN = ProblemType(
    "event.time_zone_unknown", "No time zone is called {zone}. Choose one of the list, such as Europe/Berlin."
)
EVENT_ROUNDS_OUT_OF_RANGE = ProblemType(
    "event.rounds_out_of_range", "{rounds} rounds is not possible; 1 to {most} are."
)
EVENT_DAYS_OUT_OF_RANGE = ProblemType(
    "event.days_out_of_range", "{days} days are not possible; 1 to {most} are, each with a round."
)
EVENT_COUNTRY_UNKNOWN = ProblemType(
    "event.country_unknown", "“{country}” is not a known country: write its name in English, or its code."
)
EVENT_MINUTES_OUT_OF_RANGE = ProblemType(
    "event.minutes_out_of_range", "{minutes} is not possible; 0 (no limit) to {most} are."
)
EVENT_EXISTS = ProblemType("event.exists", "There is an event at the address '{slug}' already.")
RULES_UNUSABLE = ProblemType("rules.unusable", "The rules cannot be used like this: {why}")
RULES_CONTRADICTION = ProblemType("rules.contradiction", "The rules cannot be used like this: {rule}: {why}.")
RULES_MOVED_ON = ProblemType(
    "rules.moved_on", "The rules were changed by somebody else meanwhile: check them, then send again."
)
RULES_UNCONFIRMED = ProblemType(
    "rules.unconfirmed", "What is entered would be scored differently under these rules: check it, then confirm."
)
RULES_FROZEN = ProblemType("rules.frozen", "Play has begun: changing a rule needs a reason, which players can read.")
RULES_PLAYERS_FIXED = ProblemType(
    "rules.players_fixed", "Seats are drawn: the number of players at a table can no longer change."
)

EVENT_CREATED = Act("event_created", "created the event")
RULES_CHANGED = Act(
    "rules_changed",
    "changed rules: {changes} ({reason})",
    groups=Group.RULES,
    without_reason="changed rules: {changes}",
)

MAX_ROUNDS = 1_000  # a league plays on; an own draw stops at 60
MAX_MINUTES = 600
OPEN_COLUMNS = {"rounds_planned": 1, "day_rounds": [], "timetable": [], "hold": Hold.NOTHING}  # of an open event
RESERVED_SLUGS = frozenset({"new", "backups", "rule-sets", "ema-list", "people", "seasons"})


def create_event(
    *,
    name: str,
    date: dt.date,
    rules_key: str | RuleSetVersion,
    rounds: int | Sequence[int],
    minutes: int | None = None,
    place: str = "",
    country: str = "",
    visibility: str = Visibility.PUBLIC,
    ema_certified: bool = False,
    slug: str = "",
    time_zone: str = "",
    by: Account,
) -> Event:
    """Create an event, owned by its maker, with its own copy of a book or of a version of a rule set of the site.

    `rounds` of an event of several days are those of each day. `country`: its name or code, "" for unknown. `minutes`
    replaces those of the rules. Without a `time_zone` it has the desk's.

    Raises DomainError for an invalid value and for an address that is taken.
    """
    slug = slug or make_slug(name, date)
    key = rules_key.rule_set.key if isinstance(rules_key, RuleSetVersion) else rules_key
    days = day_columns(rounds)
    problems = [*event_problems(name, place, **days), *slug_problems(slug), *_choice_problems(minutes, visibility)]
    if isinstance(rules_key, str) and key not in book_keys():
        problems.append(EVENT_RULES_UNKNOWN(key=key, known=tuple(book_keys())))
    if problems:
        raise DomainError(*problems)
    with transaction.atomic():
        at = now()
        event = Event.objects.create(
            slug=slug[:60],
            name=clean_text(name),
            date=date,
            place=clean_text(place),
            country=country_code(country),
            visibility=visibility,
            **days,
            ema_certified=ema_certified,
            time_zone=named_time_zone(time_zone, desk_time_zone()),
            created_at=at,
            **_rule_columns(rules_key, minutes),
        )
        Membership.objects.create(event=event, account=by, role=Role.OWNER)
        details = {"name": event.name, "rules": key}
        append_audit(event, EVENT_CREATED, details, by=str(by.uid), at=at, state=seal_all_rows(event))
    return event


def _rule_columns(source: str | RuleSetVersion, minutes: int | None) -> dict[str, Any]:
    """Return the fields of an event that hold its copy of the rules and say where it comes from."""
    if isinstance(source, RuleSetVersion):
        rules, origin = source.ruleset, {"rule_set_uid": source.rule_set.uid, "rule_set_version": source.number}
    else:
        rules, origin = load(source), {}
    if minutes is not None:
        rules = dataclasses.replace(rules, minutes=minutes)
    return {"rules": rules.as_json(), **origin}


def _choice_problems(minutes: int | None, visibility: str) -> list[Problem]:
    found = []
    if minutes is not None and not 0 <= minutes <= MAX_MINUTES:
        found.append(EVENT_MINUTES_OUT_OF_RANGE(minutes=minutes, most=MAX_MINUTES))
    if visibility not in Visibility.values:
        found.append(EVENT_VISIBILITY_UNKNOWN())
    return found


def make_slug(name: str, date: dt.date) -> str:
    """Return the address of a new event: its name, with the year where the name does not say it.

    >>> make_slug("Spring Cup", dt.date(2026, 5, 9)), make_slug("Spring 2026", dt.date(2026, 5, 9))
    ('spring-cup-2026', 'spring-2026')
    """
    words, year = slugify(name), f"{date:%Y}"
    return words if year in words.split("-") else f"{words}-{year}".strip("-")


def day_columns(rounds: int | Sequence[int]) -> dict[str, Any]:
    """Return the columns of an event's rounds: their number, and those of each day where it has several.

    >>> day_columns(8), day_columns([4, 3])
    ({'rounds_planned': 8, 'day_rounds': []}, {'rounds_planned': 7, 'day_rounds': [4, 3]})
    """
    days = [rounds] if isinstance(rounds, int) else list(rounds)
    return {"rounds_planned": sum(days), "day_rounds": days if len(days) > 1 else []}


def country_code(text: str) -> str:
    """Return the code of a country by its name or code, "" for none; raises DomainError for an unknown one."""
    found = find_country(text) if text.strip() else ""
    if found is None:
        raise DomainError(EVENT_COUNTRY_UNKNOWN(country=text.strip()[:40]))
    return found


def event_problems(name: str, place: str, rounds_planned: int, day_rounds: Sequence[int] = ()) -> list[Problem]:
    """List what is wrong with what an event is called and how long it is."""
    rounds = rounds_planned
    found = []
    if not name.strip():
        found.append(EVENT_NAME_MISSING())
    if len(name.strip()) > MAX_TITLE:
        found.append(EVENT_NAME_TOO_LONG(most=MAX_TITLE))
    if len(place.strip()) > MAX_TITLE:
        found.append(EVENT_PLACE_TOO_LONG(most=MAX_TITLE))
    if not 1 <= rounds <= MAX_ROUNDS:
        found.append(EVENT_ROUNDS_OUT_OF_RANGE(rounds=rounds, most=MAX_ROUNDS))
    if len(day_rounds) > MAX_EVENT_DAYS or any(count < 1 for count in day_rounds):
        found.append(EVENT_DAYS_OUT_OF_RANGE(days=len(day_rounds), most=MAX_EVENT_DAYS))
    return found


def named_time_zone(text: str, known: str) -> str:
    """Return the name of the zone that somebody typed, `known` for no other one.

    Raises DomainError for an unknown one.
    """
    if text.strip() in ("", known):
        return known
    found = find_time_zone(text)
    if found is None:
        raise DomainError(EVENT_TIME_ZONE_UNKNOWN(zone=text.strip()[:MAX_ZONE]))
    return found


def slug_problems(slug: str) -> list[Problem]:
    """Tell that an address is taken."""
    taken = slug in RESERVED_SLUGS or Event.objects.filter(slug=slug[:60]).exists()
    return [EVENT_EXISTS(slug=slug)] if taken else []


EVENT_ROUNDS_DRAWN = ProblemType("event.rounds_drawn", "{drawn} rounds are drawn already: there cannot be fewer.")
EVENT_ROUNDS_HELD = ProblemType(
    "event.rounds_held", "Results are held back: show them first, then change the number of rounds."
)
EVENT_DATE_FAR = ProblemType(
    "event.date_far", "This date is more than a year from the timetable: change the timetable first."
)

EVENT_PLAY_UNKNOWN = ProblemType("event.play_unknown", "Choose whether the event is played in rounds or open.")
EVENT_OPEN_HOLD = ProblemType("event.open_hold", "An open event has no last round whose results could be held back.")
EVENT_PLAY_FIXED = ProblemType(
    "event.play_fixed", "Seats are drawn: whether the event is played in rounds or open can no longer change."
)

EVENT_SECOND_ROUNDS = ProblemType(
    "event.second_rounds", "Only an open event has tables with another number of players."
)
EVENT_SECOND_SIZE = ProblemType(
    "event.second_size", "The event’s own rules and its second rule set would both be for tables of {players}."
)
EVENT_SECOND_USED = ProblemType(
    "event.second_used", "A table of {players} has sat down: its rules can no longer change."
)
EVENT_CHANGED = Act("event_changed", "changed the event ({changed})")
VISIBILITY_SET = Act("visibility_set", "set the visibility of the event: {visibility}")
PLAY_SET = Act("play_set", "set how the event is played: {play}")
SECOND_RULES_SET = Act("second_rules_set", "set the rules of tables of {size}: {rules}")
SECOND_RULES_ENDED = Act("second_rules_ended", "set that all tables play by the same rules")
EVENT_ARCHIVED = Act("event_archived", "archived the event")
EVENT_UNARCHIVED = Act("event_unarchived", "restored the event from the archive")
EVENT_COPIED = Act("event_copied", "created the event from the template {template}")


def set_details(
    *,
    event: Event,
    name: str,
    date: dt.date,
    place: str,
    rounds: int | Sequence[int],
    country: str | None = None,
    qualified: bool | None = None,
    time_zone: str = "",
    by: Account,
) -> bool:
    """Change what an event is called, when and where it is, and its rounds, as `create_event` takes them.

    Its address stays, and what is None. In another time zone ("" for the same one) the typed times keep their hours.
    What is public stays public where a round is held. Raises DomainError for an invalid value, for fewer rounds than
    are drawn, for a date far from the timetable, and for other rounds while results are held.
    """
    with event_transaction(event, EVENT_CHANGED, by=by) as change:
        current = change.event
        wanted: dict[str, Any] = {
            "name": " ".join(name.split()), "date": date, "place": " ".join(place.split()), **day_columns(rounds),
            "country": current.country if country is None else country_code(country),
            "qualified": current.qualified if qualified is None else qualified,
            "time_zone": named_time_zone(time_zone, current.time_zone),
        }  # fmt: skip
        changed = {key: value for key, value in wanted.items() if getattr(current, key) != value}
        if not changed:
            return change.mark_unchanged()
        problems = event_problems(name, place, **day_columns(rounds))
        drawn = current.rounds.count()
        if wanted["rounds_planned"] < drawn:
            problems.append(EVENT_ROUNDS_DRAWN(drawn=drawn))
        starts = [dt.datetime.fromisoformat(start) for start in current.timetable if start]
        if any(abs((start.date() - date).days) > MAX_DAYS for start in starts):
            problems.append(EVENT_DATE_FAR())
        seen = read_public_view(current)
        if "rounds_planned" in changed and seen.held:
            problems.append(EVENT_ROUNDS_HELD())
        if problems:
            raise DomainError(*problems)
        change.details = {"changed": {**changed, **({"date": date.isoformat()} if "date" in changed else {})}}
        if "time_zone" in changed:
            changed["timetable"] = change.details["starts"] = _keep_hours(change, changed["time_zone"])
        shown = max(seen.rounds, default=0)
        return change.set_event(**changed, shown_through=max(shown, current.shown_through))


def _keep_hours(change: EventChange, time_zone: str) -> list[str]:
    """Let what was typed show the same hours in another zone: the end of sign-up, and announcements that are to come.

    Return the new timetable.
    """
    event = change.event
    move = functools.partial(same_hour, before=zone_of(event), after=ZoneInfo(time_zone))
    for page in SignUpPage.objects.filter(event=event, closes_at__isnull=False):
        page.closes_at = page.closes_at and move(page.closes_at)
        page.save(update_fields=["closes_at"])
    for row in Announcement.objects.filter(event=event, shown_from__gt=change.at):
        row.shown_from, row.shown_until = move(row.shown_from), row.shown_until and move(row.shown_until)
        row.save(update_fields=["shown_from", "shown_until"])
    return [start and in_utc(move(dt.datetime.fromisoformat(start))) for start in event.timetable]


def set_visibility(*, event: Event, visibility: str, by: Account) -> bool:
    """Set who finds an event, a value of Visibility."""
    with event_transaction(event, VISIBILITY_SET, by=by) as change:
        if visibility not in Visibility.values:
            raise DomainError(EVENT_VISIBILITY_UNKNOWN())
        return change.set_event(visibility=visibility)


def set_play(*, event: Event, play: str, by: Account) -> bool:
    """Set how an event is played, a value of Play; an open one holds no results and has one day.

    Raises DomainError once a round is drawn.
    """
    with event_transaction(event, PLAY_SET, by=by) as change:
        if play not in Play.values:
            raise DomainError(EVENT_PLAY_UNKNOWN())
        if play == change.event.play:
            return change.mark_unchanged()
        if change.event.rounds.exists():
            raise DomainError(EVENT_PLAY_FIXED())
        change.details = {"play": play}
        return change.set_event(play=play, **(OPEN_COLUMNS if play == Play.OPEN else {"second_rules": {}}))


def set_second_rules(*, event: Event, rules: str | RuleSetVersion, by: Account) -> bool:
    """Set the rules of an open event's tables with another number of players, from a book or version; "" for none.

    Raises DomainError for an event in rounds, rules for as many players as its own, and once such a table sits down.
    """
    with event_transaction(event, SECOND_RULES_SET if rules else SECOND_RULES_ENDED, by=by) as change:
        if isinstance(rules, str) and rules not in ("", *book_keys()):
            raise DomainError(EVENT_RULE_SET_UNKNOWN(key=rules))
        second = _rule_columns(rules, None)["rules"] if rules else {}
        before = change.event.second_rules
        if second == before:
            return change.mark_unchanged()
        if not change.event.is_open:
            raise DomainError(EVENT_SECOND_ROUNDS())
        if second and second["players"] == change.event.ruleset.players:
            raise DomainError(EVENT_SECOND_SIZE(players=second["players"]))
        seated = Table.objects.filter(round__event=event).annotate(sitting=models.Count("seats"))
        if before and seated.filter(sitting=before["players"]).exists():
            raise DomainError(EVENT_SECOND_USED(players=before["players"]))
        change.details = {"size": second["players"], "rules": second["title"]} if second else {}
        return change.set_event(second_rules=second)


def set_archived(*, event: Event, archived: bool, by: Account) -> bool:
    """Put an event away in the list of events, or take it out again; return whether that was new."""
    with event_transaction(event, EVENT_ARCHIVED if archived else EVENT_UNARCHIVED, by=by) as change:
        if bool(change.event.archived_at) == archived:
            return change.mark_unchanged()
        change.details = {"archived": archived}
        return change.set_event(archived_at=change.at if archived else None)


def copy_event(
    *,
    event: Event,
    name: str,
    date: dt.date,
    place: str,
    rounds: int | Sequence[int],
    visibility: str,
    country: str | None = None,
    time_zone: str = "",
    roles: bool,
    by: Account,
) -> Event:
    """Create an event with the rules and settings of another, owned by its maker; with `roles` its people, too.

    Players, seats and results stay behind; the time zone stays where no other is named. Another owner becomes an
    organiser. Raises DomainError as `create_event`.
    """
    slug = make_slug(name, date)
    problems = [*event_problems(name, place, **day_columns(rounds)), *slug_problems(slug)]
    if visibility not in Visibility.values:
        problems.append(EVENT_VISIBILITY_UNKNOWN())
    if problems:
        raise DomainError(*problems)
    with transaction.atomic():
        at = now()
        made = Event.objects.create(
            **{name: getattr(event, name) for name in list_names(Event, Goes.COPY)}
            | {"time_zone": named_time_zone(time_zone, event.time_zone), **day_columns(rounds)}
            | {"prizes": {name: part for name, part in event.prizes.items() if name != "handed"}}
            | ({} if country is None else {"country": country_code(country)})
            | (OPEN_COLUMNS if event.is_open else {}),
            slug=slug[:60],
            name=" ".join(name.split()),
            date=date,
            place=" ".join(place.split()),
            visibility=visibility,
            created_at=at,
        )
        wall = Wall.objects.filter(event=event).first()
        if wall:
            Wall.objects.create(event=made, pages=wall.pages)
        for model in (Logo, Photo):
            for data in model.objects.filter(event=event).values(model.file_column):
                model.objects.create(event=made, **data)
        Membership.objects.create(event=made, account=by, role=Role.OWNER)
        if roles:
            people = event.memberships.exclude(role=Role.TABLE_DEVICE).exclude(account=by)
            for each in people:
                role = Role.ORGANISER if each.role == Role.OWNER else each.role
                Membership.objects.create(event=made, account=each.account, role=role)
        details = {"name": made.name, "rules": made.ruleset.key, "template": event.name}
        append_audit(made, EVENT_COPIED, details, by=str(by.uid), at=at, state=seal_all_rows(made))
    return made


PUBLICATION_SET = Act("publication_set", "set what the public sees: {publication}")
RESULTS_SHOWN = Act("results_shown", "showed the held results of rounds {rounds}")
TIMETABLE_SET = Act("timetable_set", "set when the rounds start: {starts}")
CLOCK_OPTIONS_SET = Act("clock_options_set", "set the clock's sound {sound}, and that it speaks at {signals} minutes")
SECOND_PERSON_SET = Act("second_person_set", "set who confirms signed sheets: {second_person}", shown=Shown.DESK)
SHEET_NUMBERS_SET = Act("sheet_numbers_set", "set what sheets are written in: {sheet_numbers}", shown=Shown.DESK)
LANGUAGES_SET = Act(
    "languages_set", "set the event's language {language} (second on the hall screen: {second_language})"
)
TEAMS_SET = Act("teams_set", "let the best {best} of each team count")
KEEP_MONTHS_SET = Act(
    "keep_months_set", "set that people’s data is kept for {months} months after the event", shown=Shown.DESK
)
KEEP_MONTHS_UNSET = Act("keep_months_unset", "set that people’s data is kept without limit", shown=Shown.DESK)
COMPARED_WITH_SET = Act("compared_with_set", "set the rule set that players compare with: {compared_with}")
HOUSE_RULES_SET = Act("house_rules_set", "set the house rules ({house_rules})")
CONTACT_SET = Act("contact_set", "set the contact of the event: {contact}")

TEAMS_BEST_OUT_OF_RANGE = ProblemType(
    "teams.best_out_of_range",
    "So many members cannot count: type a number from 0 (as many as the smallest team has) to {most}.",
    ("best",),
)
CLOCK_TOO_MANY_SIGNALS = ProblemType(
    "clock.too_many_signals", "That is too much: the clock says something at most {most} times, including the end."
)
CLOCK_SIGNAL_OUT_OF_RANGE = ProblemType(
    "clock.signal_out_of_range", "The clock can say something 0 to {most} minutes before the end."
)
TIMETABLE_TOO_MANY = ProblemType("timetable.too_many", "There are {rounds} rounds; more cannot have a start.")
TIMETABLE_FAR = ProblemType("timetable.far", "Round {round} on {date}: that is more than a year from the event's date.")
TIMETABLE_BACKWARDS = ProblemType(
    "timetable.backwards", "Round {round} would start before round {before} or together with it."
)
EVENT_SECOND_PERSON_UNKNOWN = ProblemType(
    "event.second_person_unknown", "Choose whether another person confirms sheets."
)
EVENT_RULE_SET_UNKNOWN = ProblemType("event.rule_set_unknown", "There is no rule set “{key}”.")
CONTACT_MAIL_UNUSABLE = ProblemType("contact.mail_unusable", "“{mail}” is not an email address.")
PRIVACY_MONTHS = ProblemType(
    "privacy.months", "Say for how many months after the event, from {least} to {most}, or leave it empty."
)
TOTALS_NUMBERS_UNKNOWN = ProblemType(
    "totals.numbers_unknown", "Choose whether sheets are in final scores or in differences."
)
EVENT_PUBLICATION_UNKNOWN = ProblemType(
    "event.publication_unknown", "Choose what the public sees from what is offered."
)
EVENT_LANGUAGE_UNKNOWN = ProblemType("event.language_unknown", "Choose a language that is in the list.")

MAX_SIGNALS, MAX_SIGNAL_MINUTES = 5, 120
MAX_MEMBERS = 30
MIN_MONTHS, MAX_MONTHS = 1, 120
MAX_HOUSE_RULES = 10_000  # characters in one language, two pages of paper
CONTACT = {"name": 120, "mail": MAX_MAIL, "phone": 60, "other": 300}  # the most characters of each


# What the public sees of an event: a value for each setting of that page, by default that of a new event
Publication: Any = dataclasses.make_dataclass(
    "Publication",
    [(each.name, object, each.column.get_default()) for each in list_settings(Event, "publication")],
    frozen=True,
    kw_only=True,
)


def publication_of(event: Event) -> Any:
    """Return the `Publication` that is set now."""
    return Publication(**{each.name: getattr(event, each.name) for each in dataclasses.fields(Publication)})


def set_publication(*, event: Event, publication: Any, by: Account) -> bool:
    """Set what the public sees, a `Publication`. Rounds that are public stay public: a new hold begins after them."""
    with event_transaction(event, PUBLICATION_SET, by=by) as change:
        after = dataclasses.asdict(publication)
        if any(after[each.name] not in each.options for each in list_settings(Event, "publication")):
            raise DomainError(EVENT_PUBLICATION_UNKNOWN())
        if change.event.is_open and after["hold"] != Hold.NOTHING:
            raise DomainError(EVENT_OPEN_HOLD())
        before = dataclasses.asdict(publication_of(change.event))
        changed = {name: value for name, value in after.items() if before[name] != value}
        if not changed:
            return change.mark_unchanged()
        shown = max(read_public_view(change.event).rounds, default=0)
        change.details = {"publication": changed}
        return change.set_event(**changed, shown_through=max(shown, change.event.shown_through))


def show_results(*, event: Event, by: Account) -> bool:
    """Show all results that are held; the hold of a round that is not released yet stays."""
    with event_transaction(event, RESULTS_SHOWN, by=by) as change:
        held = read_public_view(change.event).held_rounds
        if not held:
            return change.mark_unchanged()
        change.details = {"rounds": list(held)}
        return change.set_event(shown_through=max(held))


def set_timetable(*, event: Event, starts: Sequence[dt.datetime | None], by: Account) -> bool:
    """Set when rounds are to start: aware moments from the first round on, None where not known.

    Raises DomainError where a round would start before an earlier one, far from the event's date, or past its last
    round.
    """
    with event_transaction(event, TIMETABLE_SET, by=by) as change:
        rounds = max(change.event.rounds_planned, change.event.rounds.count())
        problems = _start_problems(starts, change.event.date, rounds)
        if problems:
            raise DomainError(*problems)
        timetable = [in_utc(start) if start else "" for start in starts]
        while timetable and not timetable[-1]:
            timetable.pop()
        change.details = {"starts": timetable}
        return change.set_event(timetable=timetable)


def in_utc(start: dt.datetime) -> str:
    """Return a start as the timetable keeps it."""
    return start.astimezone(dt.UTC).isoformat(timespec="minutes")


def _start_problems(starts: Sequence[dt.datetime | None], date: dt.date, rounds: int) -> list[Problem]:
    if len(starts) > min(rounds, MAX_ROUNDS):
        return [TIMETABLE_TOO_MANY(rounds=rounds)]
    found = []
    latest, before = 0, None
    for number, start in enumerate(starts, start=1):
        if start is None:
            continue
        if abs((start.date() - date).days) > MAX_DAYS:
            found.append(TIMETABLE_FAR(round=number, date=start.date().isoformat()))
        if before is not None and start <= before:
            found.append(TIMETABLE_BACKWARDS(round=number, before=latest))
        latest, before = number, start
    return found


def set_clock_options(*, event: Event, sound: bool, signals: Sequence[int], by: Account) -> bool:
    """Set whether the clock sounds, and at how many minutes left it signals; the end, 0, is always one of them."""
    with event_transaction(event, CLOCK_OPTIONS_SET, by=by) as change:
        wanted = sorted({0, *signals}, reverse=True)
        if len(wanted) > MAX_SIGNALS:
            raise DomainError(CLOCK_TOO_MANY_SIGNALS(most=MAX_SIGNALS))
        if any(not 0 <= minutes <= MAX_SIGNAL_MINUTES for minutes in wanted):
            raise DomainError(CLOCK_SIGNAL_OUT_OF_RANGE(most=MAX_SIGNAL_MINUTES))
        change.details = {"sound": "on" if sound else "off", "signals": wanted}
        return change.set_event(clock_sound=sound, clock_signals=wanted)


def set_second_person(*, event: Event, second_person: str, by: Account) -> bool:
    """Set whether another person must confirm signed sheets, a value of SecondPerson."""
    with event_transaction(event, SECOND_PERSON_SET, by=by) as change:
        if second_person not in SecondPerson.values:
            raise DomainError(EVENT_SECOND_PERSON_UNKNOWN())
        return change.set_event(second_person=second_person)


def set_sheet_numbers(*, event: Event, numbers: str, by: Account) -> bool:
    """Set what the event's sheets are written in, a value of SheetNumbers."""
    with event_transaction(event, SHEET_NUMBERS_SET, by=by) as change:
        if numbers not in SheetNumbers.values:
            raise DomainError(TOTALS_NUMBERS_UNKNOWN())
        return change.set_event(sheet_numbers=numbers)


def set_languages(*, event: Event, language: str, second_language: str, by: Account) -> bool:
    """Set the event's language and the second one of its wall, "" for none."""
    with event_transaction(event, LANGUAGES_SET, by=by) as change:
        offered = dict(settings.LANGUAGES)
        if language not in offered or second_language not in {"", *offered}:
            raise DomainError(EVENT_LANGUAGE_UNKNOWN())
        second = "" if second_language == language else second_language
        return change.set_event(language=language, second_language=second)


def set_team_best(*, event: Event, best: int, by: Account) -> bool:
    """Set how many members of each team count, 0 for as many as the smallest has."""
    with event_transaction(event, TEAMS_SET, by=by) as change:
        if not 0 <= best <= MAX_MEMBERS:
            raise DomainError(TEAMS_BEST_OUT_OF_RANGE(best=best, most=MAX_MEMBERS))
        change.details = {"best": best}
        return change.set_event(team_best=best)


def set_keep_months(*, event: Event, months: int | None, by: Account) -> bool:
    """Set for how many months after its last day an event keeps its people's data, None for no end."""
    with event_transaction(event, KEEP_MONTHS_SET if months is not None else KEEP_MONTHS_UNSET, by=by) as change:
        if months is not None and not MIN_MONTHS <= months <= MAX_MONTHS:
            raise DomainError(PRIVACY_MONTHS(least=MIN_MONTHS, most=MAX_MONTHS))
        new = change.set_event(keep_months=months)
        change.details = {} if months is None else {"months": months}
        return new


def set_compared_with(*, event: Event, key: str, by: Account) -> bool:
    """Set the rule set that the event's rules are shown against beside its own: a key, "" for the one it modifies."""
    with event_transaction(event, COMPARED_WITH_SET, by=by) as change:
        if key and key not in book_keys():
            raise DomainError(EVENT_RULE_SET_UNKNOWN(key=key[:60]))
        return change.set_event(compared_with=key)


def set_house_rules(*, event: Event, texts: Mapping[str, str], by: Account) -> bool:
    """Set the event's house rules: plain text by the code of a language; what is empty is left out."""
    with event_transaction(event, HOUSE_RULES_SET, by=by) as change:
        if not set(texts) <= {*dict(settings.LANGUAGES), *change.event.house_rules}:
            raise DomainError(EVENT_LANGUAGE_UNKNOWN())
        wanted = {code: "\n".join(text.strip().splitlines()) for code, text in texts.items() if text.strip()}
        for code, text in wanted.items():
            check_length(f"house_rules_{code}", text, MAX_HOUSE_RULES)
        change.details = {"house_rules": wanted}
        return change.set_event(house_rules=wanted)


def set_contact(*, event: Event, contact: Mapping[str, str], by: Account) -> bool:
    """Set whom everybody may turn to: texts by the keys of CONTACT; what is empty is left out.

    Raises DomainError for a text that is too long, and for a mail address that cannot be one.
    """
    with event_transaction(event, CONTACT_SET, by=by) as change:
        wanted = {key: contact.get(key, "").strip() for key in CONTACT if contact.get(key, "").strip()}
        for key, text in wanted.items():
            check_length(key, text, CONTACT[key])
        if "mail" in wanted and not is_mail(wanted["mail"]):
            raise DomainError(CONTACT_MAIL_UNUSABLE(mail=wanted["mail"]))
        change.details = {"contact": wanted}
        return change.set_event(contact=wanted)


ONE_BOX_WITHOUT_DOTS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(mail: str) -> str:
    """Return the box that an email address most likely leads to, to tell whether two are one.

    >>> mailbox_of("A.da+Cup@GoogleMail.com"), mailbox_of("a.da@example.org"), mailbox_of("ada@M\u00fcller.example")
    ('ada@gmail.com', 'a.da@example.org', 'ada@xn--mller-kva.example')
    """
    name, _at, domain = unicodedata.normalize("NFKC", mail).strip().casefold().rpartition("@")
    with contextlib.suppress(UnicodeError):
        domain = domain.rstrip(".").encode("idna").decode()
    name = name.strip('"').partition("+")[0]
    if domain in ONE_BOX_WITHOUT_DOTS:
        name, domain = name.replace(".", ""), ONE_BOX_WITHOUT_DOTS[domain]
    return f"{name}@{domain}"


def is_mail(text: str) -> bool:
    """Tell whether a text can be an email address."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


RELAY_END_FIRST = ProblemType("relay.end_first", "A relay shows this event: take it down there first.")
EVENT_NAME_NOT_TYPED = ProblemType("event.name_not_typed", "To delete the event, type its name: {name}.")
EVENT_DELETION_REASON_MISSING = ProblemType("event.deletion_reason_missing", "To delete the event needs a reason.")

EVENT_DELETED = Act("event_deleted", "deleted the event {name}: {reason}")

APPEND_ONLY = (LedgerEntry, SheetCheck, SheetRow, TypedSheet, RecordHead, AuditRow)


def delete_event(*, event: Event, name: str, reason: str, by: Account) -> None:
    """Delete an event, with a row in the site's trail that says what went.

    Raises DomainError where `name` is not the event's, and without a reason.
    """
    with transaction.atomic():
        current = Event.objects.select_for_update().get(pk=event.pk)
        why = check_deletion(event=current, name=name, reason=reason)
        gone = count_what_goes(current)
        details = {"slug": current.slug, "name": current.name, "reason": why, **gone}
        with triggers_aside():
            delete_rows(current)
        at = now()
        append_audit(None, EVENT_DELETED, details, by=str(by.uid), at=at)
        note_deleted(current.slug, at)


def check_deletion(*, event: Event, name: str, reason: str) -> str:
    """Return the reason as it is kept; raises DomainError as `delete_event`, which somebody may ask before a backup."""
    if " ".join(name.split()).casefold() != " ".join(event.name.split()).casefold():
        raise DomainError(EVENT_NAME_NOT_TYPED(name=event.name))
    if event.other_address:  # the relay would show it for ever
        raise DomainError(RELAY_END_FIRST())
    return require_text(reason, EVENT_DELETION_REASON_MISSING)


def delete_rows(event: Event) -> None:
    """Delete from the leaves up: much of it is protected by what points at it."""
    tables = {"table__round__event": event}
    people = list(event.players.values_list("person", flat=True))
    devices = list(event.devices.values_list("account", flat=True))
    Penalty.objects.filter(event=event).delete()
    for rows in (
        LedgerEntry.objects.filter(**tables),
        SheetCheck.objects.filter(sheet__table__round__event=event),
        SheetRow.objects.filter(**tables),
        TypedSheet.objects.filter(**tables),
        RecordHead.objects.filter(event=event),
        AuditRow.objects.filter(event=event),
    ):
        models.QuerySet.delete(rows)  # their own delete() refuses, as it must elsewhere
    for model in (Substitution, Disqualification, RefereeCall):
        model.objects.filter(event=event).delete()
    TableTime.objects.filter(**tables).delete()
    Seat.objects.filter(round__event=event).delete()
    event.delete()
    Person.objects.filter(pk__in=people, players=None).delete()
    Account.objects.filter(pk__in=devices).delete()


@contextlib.contextmanager
def triggers_aside() -> Iterator[None]:
    """Let rows of the append-only tables be deleted within this transaction; a broken one puts the triggers back."""
    with connection.cursor() as cursor:
        tables = [model._meta.db_table for model in APPEND_ONLY]
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks to come cannot be altered
            for table in tables:
                cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
            yield
            for table in tables:
                cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
            return
        cursor.execute("SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        triggers = [(name, sql) for name, sql, table in cursor.fetchall() if table in tables]
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        yield
        for _name, sql in triggers:
            cursor.execute(sql)
