"""The desk in the event's language: no page of it keeps anything English, its problems and its trail are said in it.

Japanese shows what is left: there every Latin word stands out that no translator wrote. Whole catalogues do the rest.
"""

import datetime as dt
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.translation import override
from openpyxl import load_workbook

from scoring.drill import KINDS
from scoring.problems import Problem
from tests.factories import enter, make_account, make_event, play_round, table_of
from tests.pages.at_desk import client_of, organiser, values
from tests.pages.html_reader import texts
from tests.pages.languages_read import read
from tests.text.test_languages import names
from tournament.accounts.actions import get_site_organiser
from tournament.accounts.models import Account
from tournament.calls.actions import call_referee
from tournament.calls.models import RefereeCall
from tournament.core.time_zones import event_zone_label
from tournament.demo.sample import load_samples
from tournament.drill.actions import hand_in, make_drill
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, put_substitute_in
from tournament.incidents.models import Substitution
from tournament.penalties.models import Penalty
from tournament.signup.actions import NewSignUp, note_payment, sign_up
from tournament.signup.settings import set_sign_up_page
from tournament.tables.models import LedgerEntry, Seat
from tournament.text.acts import act_text
from tournament.text.numbers import date_text, points, signed_p
from tournament.text.problems import problem_text

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

CATALOGUE = Path(__file__).resolve().parent.parent.parent / "locale" / "ja" / "LC_MESSAGES" / "django.po"
SLUG = "sanmatsuri-sample"
# states of a page that its bare address does not show
ASKED = (
    "?round=1", "?round=4", "?q=zz", "?print", "tour/", "tour/?stop=3", "tour/?stop=4", "mishaps/?player=1",
    "wrong-person/?one=1&other=2&round=1&round=3&look=1",
    "seating/redraw/?look=1&seed=1", "penalties/give/?round=3&table=5&player=1&section=5",
    "penalties/give/?player=1&pick=late", "penalties/give/?player=1&pick=obstruction.first",
    "penalties/give/?player=1&pick=late.7", "rounds/3/tables/1/", "rounds/3/tables/5/", "rounds/3/tables/8/",
    "rounds/3/tables/4/?correct=2", "rounds/3/tables/4/?void=2", "rounds/3/tables/4/?before=2",
    "rounds/3/tables/8/totals/", "rounds/3/tables/4/preview/?line=1r2+340", "rounds/3/tables/4/preview/?line=1r2+190",
    "rounds/3/tables/8/totals/preview/?count-0=45200&count-1=30000&count-2=2",
)  # fmt: skip
FILES = (".pdf", ".xlsx", ".json", ".zip", "/ema/observer/")  # the observer's report is in English, as EMA reads it
WORD = re.compile(r"[A-Za-z][A-Za-z'’]+")
PLACE = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]+>")
KEYS = {"P", "Tab", "Shift", "EUR"}


def busy_event() -> Event:
    """Return a sample in mid-play in which somebody is replaced, and a referee called to the same table."""
    (event,) = load_samples(now=timezone.now(), only=[SLUG])
    by = get_site_organiser()
    seat = Seat.objects.get(round__event=event, round__number=3, table__number=4, seat=1)
    replaced = Replacement(when="before", reason="0815", name="Xaver")
    put_substitute_in(table=seat.table, player=seat.player, client_id=uuid4(), by=by, replacement=replaced)
    call_referee(table=seat.table, client_id=uuid4(), question="", by=by)
    drill = make_drill(event=event, seed=7, count=9, kinds=KINDS, by=by)
    hand_in(drill=drill, client_id=uuid4(), name="Xaver", answers="-" * 9, sender="")
    sign_somebody_up(event)
    return event


def sign_somebody_up(event: Event) -> None:
    """Open the sign-up of an event; one person comes and pays."""
    by = get_site_organiser()
    tomorrow = timezone.now() + dt.timedelta(days=1)
    terms = {"shown": True, "open": True, "places": 8, "fee": 4000, "closes_at": tomorrow}
    set_sign_up_page(event=event, terms=terms, by=by)
    new = NewSignUp("Xaver", "x@0815.de", minor=True, guardian="Xaver", guardian_mail="y@0815.de", guardian_agrees=True)
    row = sign_up(event=event, new=new, client_id=uuid4(), proven=True)
    note_payment(sign_up=row, amount=1250, client_id=uuid4(), by=by)


def addresses(event: Event) -> list[str]:
    """List every address of the desk that may be a page, filled with what the event has."""
    fill = {
        "slug": event.slug, "number": "1", "other": "2", "round_number": "3", "table_number": "4", "time_id": "1",
        "penalty_id": str(Penalty.objects.filter(event=event, cancelled_at=None)[0].pk),
        "substitution_id": str(Substitution.objects.get().pk), "call_id": str(RefereeCall.objects.get().pk),
        "drill_id": str(event.drills.get().pk), "letter_id": str(event.letters.get().pk),
    }  # fmt: skip
    found = [
        "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: fill.get(match[1], "1"), route)
        for route in routes(get_resolver())
        if route.startswith("desk/") and not route.endswith(FILES)
    ]
    return [*found, *(f"/desk/{event.slug}/{end}" for end in ASKED)]


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for part in resolver.url_patterns:
        route = before + str(part.pattern)
        if isinstance(part, URLPattern):
            yield route
        else:
            yield from routes(part, route)


def typed_by_people() -> set[str]:
    """Return what stands on the pages of the sample and is nobody's translation: names, and what somebody typed."""
    kept = [
        *Account.objects.values_list("display_name", flat=True),
        *LedgerEntry.objects.values_list("reason", flat=True),
        *(json.loads(payload).get("note", "") for payload in LedgerEntry.objects.values_list("payload", flat=True)),
        *(text for row in Penalty.objects.values_list("reason", "cancel_reason", "clause") for text in row),
        "Xaver",
        "x@0815.de",
        "y@0815.de",
        *(event_zone_label(event) for event in Event.objects.all()),
        str(settings.DATA_DIR),
    ]
    return names() | {text for text in kept if text}


def latin_of_translators() -> set[str]:
    """Return the Latin words of the Japanese catalogue: what translators left as it is, on purpose."""
    with CATALOGUE.open("rb") as file:
        said = [message.string for message in read_po(file) if message.id]
    whole = [text for each in said for text in ([each] if isinstance(each, str) else each)]
    return {word for text in whole for word in WORD.findall(PLACE.sub("", text))}


def said_at(client: Client, url: str) -> tuple[str, list[str]]:
    """Return language and texts of an address; nothing where it is no page of its own."""
    answer = client.get(url, headers={"Accept-Language": "ja"})
    if answer.status_code != 200 or "html" not in answer["Content-Type"]:
        return "", []
    return read(answer.content.decode())


def test_no_page_of_the_desk_keeps_anything_english() -> None:
    event = busy_event()
    Event.objects.update(language="ja")
    client = client_of(get_site_organiser())
    typed = re.compile("|".join(re.escape(each) for each in sorted(typed_by_people(), key=len, reverse=True)))
    allowed = latin_of_translators() | KEYS
    heard: dict[str, str] = {}  # text → where it stands first
    pages = 0
    for url in addresses(event):
        language, said = said_at(client, url)
        pages += bool(said)
        assert language in ("ja", ""), url
        for text in said:
            heard.setdefault(text, url)
    left = [(url, text) for text, url in heard.items() if not allowed.issuperset(WORD.findall(typed.sub("", text)))]
    assert sorted(left) == [], sorted(left)
    assert pages > 60


@pytest.mark.parametrize("language", ["ja", "de", "fr"])
def test_every_text_of_the_desk_is_translated(language: str) -> None:
    path = CATALOGUE.parent.parent.parent / language / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        found = [(message.id, message.string) for message in read_po(file) if message.id]
    assert len(found) > 2500
    assert [text for text, said in found if not (all(said) if isinstance(said, tuple) else said)] == []


# ---------------------------------------------------------------- which language


@pytest.mark.parametrize("language", ["en-gb", "ja", "de", "fr"])
def test_the_desk_follows_the_event_whatever_the_browser_speaks(language: str) -> None:
    event = make_event(slug="cup")
    Event.objects.update(language=language)
    client = organiser(event)
    for end in ("", "settings/", "rounds/1/tables/1/", "rounds/1/tables/1/preview/?line=1t+230"):
        answer = client.get(f"/desk/cup/{end}", headers={"Accept-Language": "fr" if language == "de" else "de"})
        shown, _said = read(answer.content.decode())
        assert (end, shown or language, answer["Content-Language"]) == (end, language, language)


def test_pages_of_no_event_follow_the_browser() -> None:
    event = make_event(slug="cup")
    Event.objects.update(language="ja")
    client = client_of(make_account(superuser=True))
    for url in ("/", "/account/", "/desk/new/"):
        shown, _said = read(client.get(url, headers={"Accept-Language": "fr"}).content.decode())
        assert (url, shown) == (url, "fr")
    assert event.language == "en-gb"


def test_the_language_of_one_answer_does_not_stay_for_the_next() -> None:
    make_event(slug="cup")
    other = make_event(slug="other")
    Event.objects.filter(slug="cup").update(language="ja")
    client = client_of(make_account(superuser=True))
    shown = [read(client.get(f"/desk/{slug}/").content.decode())[0] for slug in ("cup", "other", "cup")]
    assert (shown, other.language) == (["ja", "en-gb", "ja"], "en-gb")


def test_what_is_typed_stays_what_is_typed() -> None:
    event = make_event(slug="cup")
    Event.objects.update(language="de")
    enter(table_of(event), "1t 230")
    page = organiser(event).get("/desk/cup/rounds/1/tables/1/?correct=1")
    assert "1t 230" in values(page, "line")


# ---------------------------------------------------------------- problems and the trail


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("sheet.sum", {"total": 89_000, "gap": -1000, "wanted": 90_000, "deposit": 1000},
         "Das Blatt ergibt 89.000, 1.000 zu wenig (ein Riichi-Stab?); der Tisch hat 90.000."),
        ("win.fu_impossible", {"fu": 20, "han": 1, "how": "ron", "possible": (30, 40, 50)},
         "20 Fu gehen nicht mit 1 Han durch Ron; möglich sind 30, 40 und 50."),
        ("tiles.other_way_to_win", {"given": "tsumo", "entered": "ron"},
         "Die Steine sind als Tsumo angegeben; die Hand ist als Ron eingegeben."),
        ("tiles.other_winds", {"seat": 1, "given": ("E", "E"), "derived": ("E", "S")},
         "Spieler 2: Die Steine kommen mit Runden- und Platzwind O und O; in dieser Hand sind es O und S."),
        ("payment.announced_differs",
         {"seat": 0, "announced": 1000, "computed": 1300, "causes": ("honba_forgotten",)},
         "Der Tisch sagte 1.000 für Spieler 1 an; die Hand zahlt 1.300 (wurden die Honba vergessen?)."),
        ("entry.wrong_type", {"key": "han", "wanted": "a whole number"}, "„han“ muss sein: eine ganze Zahl."),
        ("schedule.number_missing", {"where": "B3", "column": "table"}, "B3: Es fehlt: Tisch."),
        ("seating.player_twice", {"round": 2, "player": 7}, "Runde 2: Spieler 7 sitzt zweimal."),
    ],
)  # fmt: skip
def test_words_in_a_sentence_are_of_its_language(code: str, params: dict[str, Any], said: str) -> None:
    with override("de"):
        assert problem_text(Problem(code, params)) == said


@pytest.mark.parametrize(
    ("verb", "details", "said"),
    [
        ("second_person_set", {"second_person": "blind"},
         "legte fest, wer abgezeichnete Blätter bestätigt: eine andere Person, die blind eingibt"),
        ("seats_swapped",
         {"players": [1, 3], "round": 2, "tables": [4], "hands": "stay", "reason": "x"},
         "änderte die Sitze der Spieler 1 und 3, Runde 2, Tisch 4; Hände bleiben: x"),
        ("link_created", {"role": "referee"}, "erstellte einen Link für die Rolle Schiedsrichter"),
        ("penalty_given", {"player": 3, "points": 20000, "reason": "x"}, "gab Spieler 3 20.000 Strafpunkte: x"),
        ("rules_changed", {"changes": [{"field": "minutes", "before": 75, "after": 60}], "reason": ""},
         "änderte Regeln: Minuten vom Start bis zum Signal: 60 Minuten statt 75 Minuten"),
        ("call_closed", {"round": 1, "table": 2, "ruling": ""}, "schloss den Ruf von Runde 1, Tisch 2 ab"),
        ("timetable_set", {"starts": ["2026-09-12T09:00+00:00", ""]},
         "legte fest, wann die Runden beginnen: 12. September 10:00; –"),
    ],
)  # fmt: skip
def test_the_trail_is_said_whole_in_its_language(verb: str, details: dict[str, Any], said: str) -> None:
    with override("de"), timezone.override("Europe/London"):
        assert act_text(verb, details) == said


def test_what_a_round_lacks_is_one_sentence() -> None:
    event = make_event(slug="cup", tables=4)
    Event.objects.update(language="ja")
    for number in (1, 2, 4):
        enter(table_of(event, number), "1t 230")
    page = organiser(event).get("/desk/cup/")
    assert texts(page, ".grid-missing") == ["3卓はまだ局の入力なし；1、2、4卓が対局中。"]


# ---------------------------------------------------------------- paper and files


def test_paper_and_files_follow_the_event() -> None:
    event = make_event(slug="cup")
    Event.objects.update(language="de")
    play_round(event, 1, "1t 230")
    client = organiser(event)
    book = load_workbook(io.BytesIO(client.get("/desk/cup/export/results.xlsx").content))
    assert (book.sheetnames, book.worksheets[0]["B3"].value) == (
        ["Rangliste", "Nach Runden", "Nach Tischen", "Hände", "Strafen", "Statistik"],
        "Name",
    )
    with override("de"):
        assert (points(120_000), signed_p(-15_000), date_text(event.date)) == (
            "120.000",
            "−15,0",
            "12. September 2026",
        )
