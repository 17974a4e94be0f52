"""Pages for people who run events say what the screens say: words, ways, addresses, commands, letters, hands.

A screen's own words are in *one star*, letter for letter: → leads on from a tab or a section, … ends a text that goes
on, numbers and single capitals are examples.
"""

import html
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from django.core.management import get_commands
from django.urls import Resolver404, resolve

from bootstrap import REPO
from scoring.entries import Entry
from scoring.problems import InvalidInput
from scoring.shorthand import parse
from scripts.catalogues import found
from tournament.hall.views import FILTERS
from tournament.pages.permissions import SECTIONS

DOCS = REPO / "docs"
PAGES = sorted([*(DOCS / "organiser").rglob("*.md"), *(DOCS / "operate").glob("*.md"), DOCS / "players" / "index.md"])
ALL_PAGES = sorted([*DOCS.rglob("*.md"), *REPO.glob("*.md")])
CODE = re.compile(r"```.*?```|(?<=\n\n)(?: {4}[^\n]*\n)+|`[^`\n]*`", re.DOTALL)
NAMED = re.compile(r"(?<![*\w])\*(?!\*)([^*]+)(?<!\s)\*(?!\*)")
GAP = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
IN_A_GAP = r"(?:\d[\d.,–]*|[A-Z])"
IN_SETTINGS = re.compile(r"\*Settings(?:\*, \*| → )([^*→]+?)(?:\*| →)")
ADDRESS = re.compile(r"(?<![\w.…/])/(?:e|desk|api|calculator|drill|enter|login|account|rules|health)/[^`\s)\"',;<]*")
EXAMPLES = re.compile(r"(?<=/)(?:SLUG|EVENT|R|T|N|KEY)(?=/|$)")
KEY = re.compile(r"the key `([a-z])`|^`([a-z])` on|\b(Alt\+[A-Z])\b", re.MULTILINE)
OPEN = re.compile(r"[{*…\[<]")
MANAGE = re.compile(r"manage\.py ([a-z_]+)(?![\w./])")


def as_id(page: Path) -> str:
    """Name a page in a test's name."""
    return page.relative_to(REPO).as_posix()


def plain(words: str) -> str:
    """Return a text without markup, and without the signs at its end."""
    return " ".join(re.sub(r"<[^>]+>", "", html.unescape(words)).replace("’", "'").split()).strip(" .:?!,…")


@cache
def on_screens() -> frozenset[str]:
    """Return every text of the screens."""
    shown = ("tournament/", "web/", "templates/")
    marked = [forms for (_context, *forms), files in found().items() if any(file.startswith(shown) for file in files)]
    return frozenset(plain(text) for forms in marked for text in forms if text)


def fits(words: list[str], text: list[str]) -> bool:
    """Tell whether words are those of a text, with examples in its gaps.

    >>> fits("Use draw A".split(), "Use draw %(letter)s".split()), fits(["By", "hand"], ["%(who)s", "hand"])
    (True, False)
    """
    return len(words) == len(text) and all(
        word == said or (GAP.search(said) and re.fullmatch(IN_A_GAP.join(map(re.escape, GAP.split(said))), word))
        for word, said in zip(words, text, strict=True)
    )


def is_on_screen(name: str) -> bool:
    """Tell whether a screen says this, as a whole or, with … at its end, at the beginning of a text."""
    words = plain(name).split()
    texts = (text.split() for text in on_screens())
    return plain(name) in on_screens() or any(
        fits(words, plain(" ".join(text[: len(words)])).split() if name.endswith("…") else text) for text in texts
    )


def names_in(page: Path) -> Iterator[str]:
    """Yield what a page says in *one star*, each step of a way by itself."""
    for words in NAMED.findall(CODE.sub("`", page.read_text(encoding="utf-8")).replace("***", "*")):
        yield from filter(None, (step.strip() for step in " ".join(words.split()).split("→")))


def test_what_pages_name_is_on_a_screen() -> None:
    names = [(as_id(page), name) for page in PAGES for name in names_in(page)]
    assert len(names) > 400
    assert [(page, name) for page, name in names if not is_on_screen(name)] == []


def test_pages_for_players_name_what_their_language_shows() -> None:
    for code, quoted in (("de", NAMED), ("fr", NAMED), ("ja", re.compile("「(.+?)」"))):
        with (REPO / "locale" / code / "LC_MESSAGES" / "django.po").open("rb") as file:
            shown = {message.string for message in read_po(file, locale=code)}
        names = quoted.findall((DOCS / "players" / f"{code}.md").read_text(encoding="utf-8"))
        assert len(names) >= 3
        assert [name for name in names if name not in shown] == []


def test_a_name_that_no_screen_has_is_found() -> None:
    assert is_on_screen("Enter hand")
    assert is_on_screen("Make hand 5 void")
    assert is_on_screen("Recent actions…")
    assert not is_on_screen("Recent actions")
    assert not is_on_screen("Enter the hand")


def test_each_way_through_the_settings_leads_to_a_section() -> None:
    sections = {str(label) for _key, label, *_rest in SECTIONS} | {"Backups"}
    texts = {as_id(page): " ".join(page.read_text(encoding="utf-8").split()) for page in PAGES}
    ways = [(page, way.strip()) for page, text in texts.items() for way in IN_SETTINGS.findall(text)]
    assert len(ways) > 15
    assert [(page, way) for page, way in ways if way not in sections] == []


def is_address(written: str) -> bool:
    """Tell whether the program answers an address; its example names stand for any."""
    address = EXAMPLES.sub("1", written.partition("?")[0].rstrip("."))
    for tried in (address, f"{address}/"):
        with suppress(Resolver404):
            return bool(resolve(tried))
    return False


def addresses_in(page: Path) -> list[str]:
    """Return the addresses of a page that are written out."""
    found = ADDRESS.findall(page.read_text(encoding="utf-8"))
    return [each for each in found if not OPEN.search(each) and each.strip("/").partition("/")[2]]


def test_addresses_are_answered_and_commands_are_there() -> None:
    addresses = [(as_id(page), address) for page in ALL_PAGES for address in addresses_in(page)]
    commands = {name for page in ALL_PAGES for name in MANAGE.findall(page.read_text(encoding="utf-8"))}
    assert len(addresses) > 40
    assert [(page, address) for page, address in addresses if not is_address(address)] == []
    assert commands <= set(get_commands())


def test_keys_that_pages_name_are_declared_on_screens() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (REPO / "templates").rglob("*.html")]
    declared = {key for source in sources for key in re.findall(r'aria-keyshortcuts="([^"{]+)"', source)}
    named = {key for page in PAGES for keys in KEY.findall(page.read_text(encoding="utf-8")) for key in keys if key}
    assert {"Alt+P", "Alt+K", "e", "p"} <= named
    assert sorted(named - declared) == []


def test_the_letters_of_the_grid_are_those_of_its_filters() -> None:
    page = (DOCS / "organiser" / "during" / "round.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| `a` ")]
    assert re.findall(r"`(\w)`", row) == [letter for _key, letter, _words in FILTERS]
    assert row.split("|")[2].strip().split(" · ") == [str(words).lower() for _key, _letter, words in FILTERS]


def test_each_line_that_is_taught_can_be_typed() -> None:
    page = (DOCS / "organiser" / "during" / "hands.md").read_text(encoding="utf-8")
    taught = [line for row in re.findall(r"^\| (`.*?) \| ", page, re.MULTILINE) for line in re.findall(r"`(.+?)`", row)]
    assert len(taught) > 20
    ends = {line: line.removeprefix("… ").replace("[tiles]", "[34p]") for line in taught}
    ways = {line: [end, *(f"{hand}{end}" for hand in ("d ", "2r3 340", "2r3 340 "))] for line, end in ends.items()}
    assert [line for line, tries in ways.items() if not any(map(_is_hand, tries))] == []


def _is_hand(line: str) -> bool:
    with suppress(InvalidInput):
        return isinstance(parse(line), Entry)
    return False
