"""The catalogues of translations: every text is in each, compiled as Babel does, placeholders and plurals fit."""

import gettext
import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo
from django.utils.translation import ngettext, override

from bootstrap import REPO
from scripts import catalogues as script
from web.server.catalogues import compiled, mo_bytes

pytestmark = pytest.mark.whole_run
LANGUAGES = ("ja", "de", "fr")  # which have every text; others may be drafts
ALL = script.LANGUAGES
# everything in these is read by players
PUBLIC = (
    "templates/public/",
    "templates/record/",
    "templates/stats/",
    "templates/access/",
    "templates/pages/base.html",
    "templates/4",
    "templates/5",
    "rules/",
)
# a sign between what a template fills in
IN_ENGLISH = re.compile(r"{%\s*(blocktranslate|comment).*?end\1\s*%}|{%\s*translate .*?%}", re.DOTALL)
SIGN = re.compile(r"(?<=[>}])[,:] (?=[\w{<])|\|join:\", \"")
SMALL = re.compile(r"\b(the|and|of|is|are|with|which|you|that)\b")  # a title has one or two
GLUED = re.compile(r"[a-zà-ÿ][.!?][A-ZÀ-Þ][a-zà-ÿ]+ ")  # two sentences without a space
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|</?\w+[^>]*>")


@pytest.fixture(scope="module")
def catalogues() -> dict[str, Any]:
    """Read each catalogue once."""
    return {code: script.load(code) for code in ALL}


@pytest.fixture(scope="module")
def said() -> set[tuple[Any, Any]]:
    """Collect the texts of the code, with their contexts."""
    return {(context, (text, plural) if plural else text) for context, text, plural in script.found()}


def messages(catalogue: Any) -> Iterator[tuple[Any, tuple[str, ...], tuple[str, ...]]]:
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
def test_no_translation_keeps_an_english_sentence(catalogues: dict[str, Any], code: str) -> None:
    translated = [text for _message, _texts, said in messages(catalogues[code]) for text in said]
    kept = [text for text in translated if len(SMALL.findall(text)) > 2 or GLUED.search(text)]
    assert kept == []


def read_mo(mo: bytes) -> dict[Any, str]:
    """Return the messages of a .mo file as Python's gettext reads them, without the header."""
    known: dict[Any, str] = vars(gettext.GNUTranslations(io.BytesIO(mo)))["_catalog"]
    return {key: text for key, text in known.items() if key}


@pytest.mark.parametrize("code", ALL)
def test_a_catalogue_is_compiled_as_babel_does(catalogues: dict[str, Any], code: str) -> None:
    babels = io.BytesIO()
    write_mo(babels, catalogues[code])
    ours = read_mo(mo_bytes(script.path_of(code).read_text(encoding="utf-8")))
    assert len(ours) > (3000 if code in LANGUAGES else 1500)
    theirs = read_mo(babels.getvalue())
    assert ours.items() <= theirs.items()
    assert ours == theirs or code not in LANGUAGES  # of a plural without translation Babel writes the English forms


def test_what_is_not_translated_is_not_compiled() -> None:
    po = """
msgid "whole"
msgstr "a\\t\\"b\\""
"\\n\\\\c"

#, python-format, fuzzy
msgid "guessed"
msgstr "x"

msgid "one"
msgid_plural "many"
msgstr[0] "x"
msgstr[1] ""

msgctxt "where"
msgid "whole"
msgstr "y"

#~ msgid "gone"
#~ msgstr "x"
"""
    assert read_mo(mo_bytes(po)) == {"whole": 'a\t"b"\n\\c', "where\x04whole": "y"}


def test_english_has_every_text_as_its_own_translation(tmp_path: Path) -> None:
    """Then no text is looked for in the catalogues of Django, which have none of ours."""
    found = compiled(REPO / "locale", tmp_path)
    own = read_mo((found / "en_GB" / "LC_MESSAGES" / "django.mo").read_bytes())
    wanted: dict[Any, str] = {}
    for context, text, plural in script.found():
        key = f"{context}\x04{text}" if context else text
        wanted |= {(key, 0): text, (key, 1): plural} if plural else {key: text}
    assert own == wanted
    with override("en-gb"):
        assert [ngettext("%(count)d minute", "%(count)d minutes", count) for count in (0, 1, 2)] == [
            "%(count)d minutes", "%(count)d minute", "%(count)d minutes"
        ]  # fmt: skip


def test_a_catalogue_is_compiled_again_when_its_source_changes(tmp_path: Path) -> None:
    source = tmp_path / "locale"
    po = source / "de" / "LC_MESSAGES" / "django.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid "a"\nmsgstr "one"\n')
    mo = po.with_suffix(".mo")
    assert compiled(source, tmp_path / "data") == source
    mo.write_bytes(b"kept")
    os.utime(mo, ns=(0, po.stat().st_mtime_ns))
    compiled(source, tmp_path / "data")
    assert mo.read_bytes() == b"kept"
    po.write_text('msgid "a"\nmsgstr "two"\n')
    os.utime(po, (0, 0))  # older than what was made of the one before: an archive keeps times
    compiled(source, tmp_path / "data")
    assert read_mo(mo.read_bytes()) == {"a": "two"}
    assert [path.name for path in po.parent.iterdir() if path not in (po, mo)] == []


def test_a_program_that_may_not_write_beside_itself_compiles_into_the_data(tmp_path: Path) -> None:
    source, data = tmp_path / "locale", tmp_path / "data"
    shutil.copytree(REPO / "locale", source, ignore=shutil.ignore_patterns("*.mo"))
    for code in ALL:
        (source / code / "LC_MESSAGES" / "django.mo").mkdir()  # which no file can replace
    assert compiled(source, data) == data
    assert read_mo((data / "de" / "LC_MESSAGES" / "django.mo").read_bytes())


@pytest.mark.parametrize("code", ALL)
def test_placeholders_and_tags_are_those_of_the_text(catalogues: dict[str, Any], code: str) -> None:
    wrong = []
    for message, texts, translations in messages(catalogues[code]):
        wanted = set(PLACEHOLDER.findall(texts[-1]))
        one = set(PLACEHOLDER.findall(texts[0]))
        for at, translation in enumerate(translations):
            given = set(PLACEHOLDER.findall(translation))
            # a language of one form says the number in it, whatever it is
            if given != wanted and not (at == 0 and given == one and len(translations) > 1):
                wrong.append((message.id, translation))
    assert wrong == []


@pytest.mark.parametrize("code", [code for code in ALL if code != "ja"])  # Japanese parts words by signs alone
def test_spaces_around_a_text_are_kept(catalogues: dict[str, Any], code: str) -> None:
    wrong = [
        message.id
        for message, texts, translations in messages(catalogues[code])
        if not texts[0].startswith((": ", "; "))  # French has a space before them
        and [texts[0][:1].isspace(), texts[0][-1:].isspace()]
        != [translations[0][:1].isspace(), translations[0][-1:].isspace()]
    ]
    assert wrong == []


def test_a_template_writes_no_comma_or_colon_of_one_language_between_its_parts() -> None:
    """`{% comma %}`, `{% colon %}` and `|join_commas` know the language."""
    found = {
        path.name: SIGN.findall(IN_ENGLISH.sub("%}", path.read_text("utf-8")))
        for path in (REPO / "templates").rglob("*.html")
    }
    assert {name: signs for name, signs in found.items() if signs} == {}


# Punctuation of another script: half-width beside Japanese letters; in French, without its no-break space.
FOREIGN = {
    "ja": re.compile(r"[\u3040-\u9fff）」][,:;?!](?![0-9])|[\u3040-\u9fff）」]\(|\([^()]*[\u3040-\u9fff]"),
    "fr": re.compile(r"(?<![\u00a0\u202f\d]):\s|(?<=[^\u00a0\u202f])[;?!](?=\s|$)|«[^\u00a0]|[^\u00a0]»"),
}
TYPED = re.compile(r"“[^”]*[:,] [^”]*”|: \d+: ")  # quotes what is typed, letter for letter


@pytest.mark.parametrize("code", list(FOREIGN))
def test_punctuation_is_that_of_the_language(catalogues: dict[str, Any], code: str) -> None:
    wrong = [
        text
        for message in catalogues[code]
        if message.id and not TYPED.search(str(message.id))
        for text in ([message.string] if isinstance(message.string, str) else message.string)
        if FOREIGN[code].search(re.sub(r"%\(\w+\)[sd]|\{\w+\}", "1", text))
    ]
    assert wrong == []


def test_what_one_language_translates_all_do(catalogues: dict[str, Any]) -> None:
    done = {
        code: {(message.context, message.id) for message, _texts, _said in messages(catalogue)}
        for code, catalogue in catalogues.items()
        if code in LANGUAGES
    }
    assert done["ja"] == done["de"]
    assert done["ja"] == done["fr"]


def test_what_players_read_is_translated_whole(catalogues: dict[str, Any]) -> None:
    public = {
        (context, (text, plural) if plural else text)
        for (context, text, plural), places in script.found().items()
        if any(place.startswith(PUBLIC) for place in places)
    }
    assert len(public) > 300
    left = [
        message.id
        for message in catalogues["ja"]
        if (message.context, message.id) in public and not script.is_whole(message)
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


def test_a_table_of_words_and_a_template_are_read() -> None:
    code = 'KINDS: Words = {"a": "one", "b": {"c": ("two", "three" " four")}}\nOTHER = {"d": "five"}\n_("six")\n'
    assert [text for _context, text, _plural in script.found_in_code(code)] == ["one", "two", "three four", "six"]
    page = '{% load i18n %}{% translate "a" context "b" %}{% blocktranslate count n=n %}{{ n }} x{% plural %}{{ n }} y'
    found = list(script.found_in_template(page + "{% endblocktranslate %}{{ z|default:_('c') }}"))
    assert found == [("b", "a", None), (None, "%(n)s x", "%(n)s y"), (None, "c", None)]
