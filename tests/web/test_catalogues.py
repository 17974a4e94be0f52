"""The catalogues of translations: every text is in each, .mo agree with .po, placeholders and plurals fit."""

import importlib.util
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from bootstrap import REPO

pytestmark = pytest.mark.whole_run
LANGUAGES = ("ja", "de", "fr")
# everything in these is read by players
PUBLIC = (
    "templates/public/",
    "templates/access/",
    "templates/base.html",
    "templates/4",
    "templates/5",
    "rules/",
)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|</?\w+[^>]*>")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """Load scripts/catalogues.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("catalogues_script", REPO / "scripts" / "catalogues.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def catalogues(script: ModuleType) -> dict[str, Any]:
    """Read each catalogue once."""
    return {code: script.load(code) for code in LANGUAGES}


@pytest.fixture(scope="module")
def said(script: ModuleType) -> set[tuple[Any, Any]]:
    """Collect the texts of the code, with their contexts."""
    return {(context, (text, plural) if plural else text) for context, text, plural in script.found()}


def messages(script: ModuleType, catalogue: Any) -> Iterator[tuple[Any, tuple[str, ...], tuple[str, ...]]]:
    """Yield each translated message with its texts and its translations, one for each plural form."""
    for message in catalogue:
        if message.id and script.is_whole(message):
            texts = (message.id,) if isinstance(message.id, str) else message.id
            yield message, tuple(texts), (message.string,) if isinstance(message.string, str) else message.string


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_catalogue_holds_exactly_the_texts_of_the_code(
    catalogues: dict[str, Any], said: set[tuple[Any, Any]], code: str
) -> None:
    kept = {(message.context, message.id) for message in catalogues[code] if message.id}
    assert kept == said, "run scripts/catalogues.py"


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_compiled_catalogue_is_made_of_the_readable_one(
    script: ModuleType, catalogues: dict[str, Any], code: str
) -> None:
    compiled = script.path_of(code).with_suffix(".mo").read_bytes()
    assert compiled == script.mo_bytes(catalogues[code]), "run scripts/catalogues.py"


@pytest.mark.parametrize("code", LANGUAGES)
def test_placeholders_and_tags_are_those_of_the_text(script: ModuleType, catalogues: dict[str, Any], code: str) -> None:
    wrong = []
    for message, texts, translations in messages(script, catalogues[code]):
        wanted = set(PLACEHOLDER.findall(texts[-1]))
        one = set(PLACEHOLDER.findall(texts[0]))
        for at, translation in enumerate(translations):
            given = set(PLACEHOLDER.findall(translation))
            if given != wanted and not (at == 0 and given == one):
                wrong.append((message.id, translation))
    assert wrong == []


@pytest.mark.parametrize("code", ["de", "fr"])  # Japanese parts words by signs alone
def test_spaces_around_a_text_are_kept(script: ModuleType, catalogues: dict[str, Any], code: str) -> None:
    wrong = [
        message.id
        for message, texts, translations in messages(script, catalogues[code])
        if [texts[0][:1].isspace(), texts[0][-1:].isspace()]
        != [translations[0][:1].isspace(), translations[0][-1:].isspace()]
    ]
    assert wrong == []


def test_what_one_language_translates_all_do(script: ModuleType, catalogues: dict[str, Any]) -> None:
    done = {
        code: {(message.context, message.id) for message, _texts, _said in messages(script, catalogue)}
        for code, catalogue in catalogues.items()
    }
    assert done["ja"] == done["de"]
    assert done["ja"] == done["fr"]


def test_what_players_read_is_translated_whole(script: ModuleType, catalogues: dict[str, Any]) -> None:
    left = [
        message.id
        for message in catalogues["ja"]
        if message.id
        and not script.is_whole(message)
        and any(place.startswith(PUBLIC) for place, _line in message.locations)
    ]
    assert left == []


def test_the_glossary_says_what_the_catalogues_say(catalogues: dict[str, Any]) -> None:
    glossary = (REPO / "docs" / "developer" / "glossary.md").read_text(encoding="utf-8")
    table = glossary.partition("## In the languages of the pages")[2]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:2] == "| "]
    said = []
    for english, *_words in rows[1:]:
        found = [catalogues[code].get(english).string for code in LANGUAGES]
        said.append([english, *(word if isinstance(word, str) else word[0] for word in found)])
    assert len(said) > 40
    assert rows[1:] == said


def test_a_table_of_words_and_a_template_are_read(script: ModuleType) -> None:
    code = 'KINDS: Words = {"a": "one", "b": {"c": ("two", "three" " four")}}\nOTHER = {"d": "five"}\n_("six")\n'
    assert [text for _context, text, _plural in script.found_in_code(code)] == ["one", "two", "three four", "six"]
    page = '{% load i18n %}{% translate "a" context "b" %}{% blocktranslate count n=n %}{{ n }} x{% plural %}{{ n }} y'
    found = list(script.found_in_template(page + "{% endblocktranslate %}{{ z|default:_('c') }}"))
    assert found == [("b", "a", None), (None, "%(n)s x", "%(n)s y"), (None, "c", None)]
