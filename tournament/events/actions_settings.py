"""Verbs on an event's settings. Each returns whether anything changed, and raises Refused for an unknown value."""

import contextlib
import dataclasses
import datetime as dt
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from rules.books import book_keys
from scoring.problems import Problem, ProblemType
from tournament.core.acts import Act, Shown
from tournament.core.errors import Refused
from tournament.core.limits import MOST_MAIL
from tournament.core.transaction import check_length, writing
from tournament.events.actions_events import MOST_ROUNDS
from tournament.models.access import Account
from tournament.models.event import Event, Hold, LiveOthers, LiveTables, SecondPerson, SheetNumbers
from tournament.publication.queries import read_seen

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

MOST_DAYS = 366  # from the event's date: catches a year typed wrongly, fits a league over a season
MOST_SIGNALS, MOST_SIGNAL_MINUTES = 5, 120
MOST_MEMBERS = 30
LEAST_MONTHS, MOST_MONTHS = 1, 120
MOST_HOUSE_RULES = 10_000  # characters in one language, two pages of paper
CONTACT = {"name": 120, "mail": MOST_MAIL, "phone": 60, "other": 300}  # the most characters of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What the public sees of an event, as its columns of the same names say."""

    live_tables: str = LiveTables.NOTHING
    live_others: str = LiveOthers.OWN
    hold: str = Hold.NOTHING
    show_needs: bool = False
    ema_certified: bool = False


def publication_of(event: Event) -> Publication:
    """Return what is set now."""
    return Publication(**{each.name: getattr(event, each.name) for each in dataclasses.fields(Publication)})


def set_publication(*, event: Event, publication: Publication, by: Account) -> bool:
    """Set what the public sees. Rounds that are public already stay public: a new hold begins after them."""
    with writing(event, PUBLICATION_SET, by=by) as change:
        known = (
            publication.live_tables in LiveTables.values
            and publication.live_others in LiveOthers.values
            and publication.hold in Hold.values
        )
        if not known:
            raise Refused(EVENT_PUBLICATION_UNKNOWN())
        before = dataclasses.asdict(publication_of(change.event))
        after = dataclasses.asdict(publication)
        changed = {name: value for name, value in after.items() if before[name] != value}
        if not changed:
            change.nothing_new()
            return False
        shown = max(read_seen(change.event).rounds, default=0)
        change.details = {"publication": changed}
        return change.set_event(**changed, shown_through=max(shown, change.event.shown_through))


def show_results(*, event: Event, by: Account) -> bool:
    """Show all results that are held; the hold of a round that is not released yet stays."""
    with writing(event, RESULTS_SHOWN, by=by) as change:
        held = read_seen(change.event).held_rounds
        if not held:
            change.nothing_new()
            return False
        change.details = {"rounds": list(held)}
        return change.set_event(shown_through=max(held))


def set_timetable(*, event: Event, starts: Sequence[dt.datetime | None], by: Account) -> bool:
    """Set when rounds are to start: aware moments from the first round on, None where not known.

    Raises Refused where a round would start before an earlier one, far from the event's date, or past its last round.
    """
    with writing(event, TIMETABLE_SET, by=by) as change:
        rounds = max(change.event.rounds_planned, change.event.rounds.count())
        problems = _start_problems(starts, change.event.date, rounds)
        if problems:
            raise Refused(*problems)
        timetable = [in_utc(start) if start else "" for start in starts]
        while timetable and not timetable[-1]:
            timetable.pop()
        change.details = {"starts": timetable}
        return change.set_event(timetable=timetable)


def in_utc(start: dt.datetime) -> str:
    """Return a start as the timetable keeps it."""
    return start.astimezone(dt.UTC).isoformat(timespec="minutes")


def _start_problems(starts: Sequence[dt.datetime | None], date: dt.date, rounds: int) -> list[Problem]:
    if len(starts) > min(rounds, MOST_ROUNDS):
        return [TIMETABLE_TOO_MANY(rounds=rounds)]
    found = []
    latest, before = 0, None
    for number, start in enumerate(starts, start=1):
        if start is None:
            continue
        if abs((start.date() - date).days) > MOST_DAYS:
            found.append(TIMETABLE_FAR(round=number, date=start.date().isoformat()))
        if before is not None and start <= before:
            found.append(TIMETABLE_BACKWARDS(round=number, before=latest))
        latest, before = number, start
    return found


def set_clock_options(*, event: Event, sound: bool, signals: Sequence[int], by: Account) -> bool:
    """Set whether the clock sounds, and at how many minutes left it signals; the end, 0, is always one of them."""
    with writing(event, CLOCK_OPTIONS_SET, by=by) as change:
        wanted = sorted({0, *signals}, reverse=True)
        if len(wanted) > MOST_SIGNALS:
            raise Refused(CLOCK_TOO_MANY_SIGNALS(most=MOST_SIGNALS))
        if any(not 0 <= minutes <= MOST_SIGNAL_MINUTES for minutes in wanted):
            raise Refused(CLOCK_SIGNAL_OUT_OF_RANGE(most=MOST_SIGNAL_MINUTES))
        change.details = {"sound": "on" if sound else "off", "signals": wanted}
        return change.set_event(clock_sound=sound, clock_signals=wanted)


def set_second_person(*, event: Event, second_person: str, by: Account) -> bool:
    """Set whether another person must confirm signed sheets, a value of SecondPerson."""
    with writing(event, SECOND_PERSON_SET, by=by) as change:
        if second_person not in SecondPerson.values:
            raise Refused(EVENT_SECOND_PERSON_UNKNOWN())
        return change.set_event(second_person=second_person)


def set_sheet_numbers(*, event: Event, numbers: str, by: Account) -> bool:
    """Set what the event's sheets are written in, a value of SheetNumbers."""
    with writing(event, SHEET_NUMBERS_SET, by=by) as change:
        if numbers not in SheetNumbers.values:
            raise Refused(TOTALS_NUMBERS_UNKNOWN())
        return change.set_event(sheet_numbers=numbers)


def set_languages(*, event: Event, language: str, second_language: str, by: Account) -> bool:
    """Set the event's language and the second one of its wall, "" for none."""
    with writing(event, LANGUAGES_SET, by=by) as change:
        offered = dict(settings.LANGUAGES)
        if language not in offered or second_language not in {"", *offered}:
            raise Refused(EVENT_LANGUAGE_UNKNOWN())
        second = "" if second_language == language else second_language
        return change.set_event(language=language, second_language=second)


def set_team_best(*, event: Event, best: int, by: Account) -> bool:
    """Set how many members of each team count, 0 for as many as the smallest has."""
    with writing(event, TEAMS_SET, by=by) as change:
        if not 0 <= best <= MOST_MEMBERS:
            raise Refused(TEAMS_BEST_OUT_OF_RANGE(best=best, most=MOST_MEMBERS))
        change.details = {"best": best}
        return change.set_event(team_best=best)


def set_keep_months(*, event: Event, months: int | None, by: Account) -> bool:
    """Set for how many months after its last day an event keeps its people's data, None for no end."""
    with writing(event, KEEP_MONTHS_SET if months is not None else KEEP_MONTHS_UNSET, by=by) as change:
        if months is not None and not LEAST_MONTHS <= months <= MOST_MONTHS:
            raise Refused(PRIVACY_MONTHS(least=LEAST_MONTHS, most=MOST_MONTHS))
        new = change.set_event(keep_months=months)
        change.details = {} if months is None else {"months": months}
        return new


def set_compared_with(*, event: Event, key: str, by: Account) -> bool:
    """Set the rule set that the event's rules are shown against beside its own: a key, "" for the one it modifies."""
    with writing(event, COMPARED_WITH_SET, by=by) as change:
        if key and key not in book_keys():
            raise Refused(EVENT_RULE_SET_UNKNOWN(key=key[:60]))
        return change.set_event(compared_with=key)


def set_house_rules(*, event: Event, texts: Mapping[str, str], by: Account) -> bool:
    """Set the event's house rules: plain text by the code of a language; what is empty is left out."""
    with writing(event, HOUSE_RULES_SET, by=by) as change:
        if not set(texts) <= {*dict(settings.LANGUAGES), *change.event.house_rules}:
            raise Refused(EVENT_LANGUAGE_UNKNOWN())
        wanted = {code: "\n".join(text.strip().splitlines()) for code, text in texts.items() if text.strip()}
        for code, text in wanted.items():
            check_length(f"house_rules_{code}", text, MOST_HOUSE_RULES)
        change.details = {"house_rules": wanted}
        return change.set_event(house_rules=wanted)


def set_contact(*, event: Event, contact: Mapping[str, str], by: Account) -> bool:
    """Set whom everybody may turn to: texts by the keys of CONTACT; what is empty is left out.

    Raises Refused for a text that is too long, and for a mail address that cannot be one.
    """
    with writing(event, CONTACT_SET, by=by) as change:
        wanted = {key: contact.get(key, "").strip() for key in CONTACT if contact.get(key, "").strip()}
        for key, text in wanted.items():
            check_length(key, text, CONTACT[key])
        if "mail" in wanted and not is_mail(wanted["mail"]):
            raise Refused(CONTACT_MAIL_UNUSABLE(mail=wanted["mail"]))
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
