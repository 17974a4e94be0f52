"""A language without code: a folder in locale/ is one, incomplete it is a draft, and what it lacks is English."""

import datetime as dt
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override, trans_real
from fontTools.ttLib import TTFont

from bootstrap import REPO
from scripts import catalogues
from tests.factories import make_event, play_round, writer_of
from tests.pages.at_desk import organiser
from tests.pages.html_reader import texts
from tournament.core.errors import DomainError
from tournament.events.actions import set_languages
from tournament.events.models import Event
from tournament.privacy.queries import say_forgotten
from tournament.push.models import ToldPhone
from tournament.push.sender import PhoneMessage, message
from tournament.rulesets.messages import say_languages
from tournament.signup.messages import say_letter
from tournament.signup.models import Letter, SignUpPage
from tournament.text.languages import DESK_LANGUAGES, language_name, plural_text
from tournament.text.numbers import p, points
from web.server.catalogues import compiled, offered, translations

pytestmark = [pytest.mark.once, pytest.mark.whole_run]

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
TEXTS = '\nmsgid "Sign in"\nmsgstr "{}"\n\nmsgid "one"\nmsgid_plural "many"\nmsgstr[0] "{}"\nmsgstr[1] "{}"\n'


def language(folder: Path, name: str, *words: str, more: str = "") -> None:
    path = folder / name / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + TEXTS.format(*words) + more, encoding="utf-8")


def test_a_folder_is_a_language_with_its_own_name(tmp_path: Path) -> None:
    language(tmp_path, "sv", "Logga in", "en", "flera")
    language(tmp_path, "pt_BR", "Entrar", "", "")
    language(tmp_path, "tlh", "", "a", "b", more='\n#, fuzzy\nmsgid "c"\nmsgstr "d"\n')
    found = translations(tmp_path)
    assert [(each.code, each.name, each.done, each.texts, each.percent) for each in found] == [
        ("pt-br", "Português Brasileiro", 1, 2, 50),
        ("sv", "Svenska", 2, 2, 100),
        ("tlh", "Tlh", 1, 3, 33),
    ]
    assert offered(found, []) == [("sv", "Svenska")]
    assert offered(found, ["tlh"]) == [("sv", "Svenska"), ("tlh", "Tlh (draft)")]
    assert len(offered(found, ["all"])) == 3
    assert compiled(tmp_path, tmp_path / "data") == tmp_path


def test_a_new_folder_gets_every_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    (tmp_path / "sv" / "LC_MESSAGES").mkdir(parents=True)
    made = catalogues.updated("sv", catalogues.template())
    catalogues.path_of("sv").write_bytes(catalogues.po_text(made))
    (found,) = translations(tmp_path)
    assert (found.done, found.texts) == (0, next(each.texts for each in settings.TRANSLATIONS if each.code == "de"))


def test_a_guess_of_the_translators_program_stays_a_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    language(tmp_path, "sv", "Logga in", "en", "flera", more='\n#, fuzzy\nmsgid "Standings"\nmsgstr "Ställ"\n')
    made = catalogues.updated("sv", catalogues.template())
    by_text = {message.id: message for message in made}
    assert by_text["Standings"].fuzzy
    assert not catalogues.is_whole(by_text["Standings"])
    assert not by_text["Sign in"].fuzzy


def test_the_desk_has_every_language_that_is_offered() -> None:
    assert [code for code, _name in settings.LANGUAGES] == ["en-gb", "de", "fr", "ja"]
    assert {"en-gb", "de", "fr", "ja"} == DESK_LANGUAGES


POLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "%(count)s hand"
msgid_plural "%(count)s hands"
msgstr[0] "%(count)s rozdanie"
msgstr[1] "%(count)s rozdania"
msgstr[2] "%(count)s rozdań"

msgid "Standings"
msgstr "Klasyfikacja"

msgid "Take back"
msgstr ""
"""


@pytest.fixture
def with_draft(settings: Any, tmp_path: Path) -> None:
    """Offer a Polish draft in a locale folder of its own, as HANCHAN_DRAFT_LANGUAGES=all does."""
    path = tmp_path / "pl" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(POLISH, encoding="utf-8")
    settings.LOCALE_PATHS = [*settings.LOCALE_PATHS, compiled(tmp_path, tmp_path)]
    settings.TRANSLATIONS = [*settings.TRANSLATIONS, *translations(tmp_path)]
    settings.LANGUAGES = [("en-gb", "English"), *offered(settings.TRANSLATIONS, ["all"])]


def test_what_a_draft_lacks_is_english_text_by_text(with_draft: None) -> None:
    with override("pl"):
        assert [plural_text("%(count)s hand", "%(count)s hands", count) % {"count": count} for count in (1, 3, 5)] == [
            "1 rozdanie", "3 rozdania", "5 rozdań",
        ]  # fmt: skip
        assert (points(12300), p(45100)) == ("12\N{NO-BREAK SPACE}300", "45,1")
        assert [trans_real.gettext(text) for text in ("Take back", "Standings")] == ["Take back", "Klasyfikacja"]


@pytest.mark.django_db
def test_a_phone_reads_a_draft_and_the_desk_stays_english(with_draft: None) -> None:
    event = make_event(tables=1, slug="cup")
    set_languages(event=event, language="pl", second_language="de", by=writer_of(event))
    play_round(event, 1, "1t 230")
    page = Client().get("/e/cup/standings/").content.decode()
    assert '<html lang="pl"' in page
    assert "Klasyfikacja" in page
    assert "Polski (draft)" in page
    desk = organiser(event).get("/desk/cup/settings/languages/")
    assert '<html lang="en-gb"' in desk.content.decode()
    rows = [texts(desk, "td")[at : at + 3] for at in range(0, 12, 3)]
    assert [row[0] for row in rows] == ["Deutsch", "Français", "日本語", "Polski"]
    assert [row[2] for row in rows] == ["complete", "complete", "complete", "draft"]
    assert rows[0][1] == "100 %"
    with pytest.raises(DomainError):
        set_languages(event=event, language="tlh", second_language="", by=writer_of(event))


def test_paper_and_cards_have_the_letters_of_every_latin_language() -> None:
    """Hold the bundled fonts against what the translations are written with; Japanese has a font of its own."""
    for name in ("Inter-Regular", "Inter-Bold"):
        known = set(TTFont(REPO / "static" / "fonts" / f"{name}.ttf").getBestCmap())
        for code in ("de", "fr"):
            said = "".join(str(message.string) for message in catalogues.load(code) if message.id)
            assert {sign for sign in said if sign.isalpha() and ord(sign) < 0x2000 and ord(sign) not in known} == set()
    assert all(ord(sign) in known for sign in "ąćęłńóśźżĄĆĘŁŃÓŚŹŻàèéìòù„”«»")


# ---------------------------------------------------------------- a stored language that is offered no longer


@pytest.fixture
def stored() -> Event:
    """Return an event in play that was set to Polish and Italian while both were offered."""
    event = make_event(tables=1, slug="cup")
    play_round(event, 1, "1t 230")
    Event.objects.update(language="pl", second_language="it")
    event.refresh_from_db()
    return event


PAGES = ("", "standings/", "rounds/1/", "players/1/", "display/", "display/standings/", "display/codes/", "clock/")


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_public_pages_and_the_wall_of_such_an_event_are_english(client: Client, stored: Event, page: str) -> None:
    answer = client.get(f"/e/cup/{page}", headers={"Cookie": f"{settings.LANGUAGE_COOKIE_NAME}=pl"})
    assert answer.status_code == 200
    assert '<html lang="en-gb"' in answer.content.decode()
    assert texts(answer, ".second") == []


@pytest.mark.django_db
def test_the_desk_of_such_an_event_names_its_languages_and_sets_others(stored: Event) -> None:
    client = organiser(stored)
    assert client.get("/desk/cup/settings/for-players/").status_code == 200
    client.post("/desk/cup/settings/languages/", {"language": "fr", "second_language": ""})
    client.post("/desk/cup/settings/languages/", {"language": "de", "second_language": ""})
    stored.refresh_from_db()
    assert stored.language == "de"
    assert say_languages({"pl": "…", "de": "…", "en-gb": "…"}) == "English, Deutsch, Polski"
    assert (language_name("pl"), language_name("it"), language_name("")) == ("Polski", "Italiano", "\N{EN DASH}")


@pytest.mark.django_db
def test_a_player_who_is_deleted_from_such_an_event_has_an_english_name(stored: Event) -> None:
    assert say_forgotten(stored, 3) == "Deleted player 3"


@pytest.mark.django_db
def test_the_copy_of_such_an_event_is_english(stored: Event) -> None:
    zipped = organiser(stored).get("/desk/cup/export/site.zip?languages=all").content
    with zipfile.ZipFile(io.BytesIO(zipped)) as site:
        names = site.namelist()
        assert '<html lang="en-gb"' in site.read("index.html").decode()
    assert {name.partition("/")[0] for name in names if name.endswith("/index.html")} >= {"de", "fr", "ja"}
    assert not [name for name in names if name.startswith(("pl/", "en-gb/"))]


@pytest.mark.django_db
def test_letters_and_messages_of_such_a_language_are_english(stored: Event) -> None:
    letter = Letter(event=stored, kind=Letter.Kind.LINK, language="pl")
    assert say_letter(letter, SignUpPage(event=stored), open_fee=0, reference="").subject == "Cup: your link to sign up"
    phone = ToldPhone(language="pl")
    starts = timezone.now() + dt.timedelta(minutes=3)
    told = json.loads(message(PhoneMessage(event=stored, phone=phone, round=1, table=1, seat=0, starts=starts)))
    assert (told["lang"], told["title"]) == ("en-gb", "Round 1 · Table 1, East")
