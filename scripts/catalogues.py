"""Bring the catalogues of translations, locale/CODE/LC_MESSAGES/django.po, up to date with the texts of the code.

Run it after a marked text was added, changed or removed: new texts are added, vanished ones dropped. A code after the
command, in gettext's spelling (`pt_BR`), begins a language. Needs Babel, a development package. The desk compiles the
files itself: see web.server.catalogues.
"""

import ast
import io
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

REPO = Path(__file__).resolve().parent.parent
LOCALE = REPO / "locale"
LANGUAGES = tuple(sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po")))
CODE = ("scoring", "tournament", "web")
MARK = re.compile(r"_|plural_text|ProblemType|[np]?gettext(_lazy|_noop)?")
TABLE = "Words"  # a table with this annotation (tournament.text.languages.Words) holds texts as its values
TEXT = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
IN_TEMPLATE = re.compile(rf"\b(pgettext|ngettext|gettext|_)\(\s*({TEXT})(?:\s*,\s*({TEXT}))?", re.DOTALL)
WIDTH = 120

Key = tuple[str | None, str, str | None]  # context, text, its plural


def found_in_code(source: str) -> Iterator[Key]:
    """Yield what a module marks: calls of gettext and its kin, and values of tables annotated as Words."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and MARK.fullmatch(_name(node.func)):
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if texts:
                yield _key(_name(node.func), texts)
        elif isinstance(node, ast.AnnAssign) and TABLE in ast.unparse(node.annotation) and node.value is not None:
            yield from ((None, text, None) for text in _values(node.value))


def found_in_template(source: str) -> Iterator[Key]:
    """Yield what a template marks, as Django itself reads it."""
    from django.utils.translation.template import templatize

    for mark, first, second in IN_TEMPLATE.findall(templatize(source)):
        texts = [ast.literal_eval(text) for text in (first, second) if text]
        yield _key(mark, texts)


@cache
def found() -> dict[Key, list[str]]:
    """Return every marked text with the files that have it; reads the whole source, once."""
    places: dict[Key, list[str]] = defaultdict(list)
    for folder in CODE:
        for path in sorted((REPO / folder).rglob("*.py")):
            _collect(places, path, found_in_code(path.read_text(encoding="utf-8")))
    for path in sorted((REPO / "templates").rglob("*.html")):
        _collect(places, path, found_in_template(path.read_text(encoding="utf-8")))
    _collect(places, REPO / "rules" / "ruleset.py", ((None, text, None) for text in _rules()))
    _collect(places, REPO / "tournament" / "core" / "acts.py", ((None, text, None) for text in _acts()))
    # one entry serves a text that stands alone here and has a plural there: gettext takes the first form
    counted = {(context, text): (context, text, plural) for context, text, plural in places if plural}
    for context, text, plural in [key for key in places if key[2] is None and key[:2] in counted]:
        places[counted[context, text]] += places.pop((context, text, plural))
    return dict(places)


def template() -> Catalog:
    """Return all texts without translations."""
    blank = Catalog(domain="django", charset="utf-8", header_comment="")
    for context, text, plural in found():
        ids = (text, plural) if plural else text
        flags = ["python-format"] if re.search(r"%\(\w+\)[sd]", text) else []
        blank.add(ids, flags=flags, context=context)
    return blank


def path_of(code: str) -> Path:
    """Return where a language's catalogue lies."""
    return LOCALE / code / "LC_MESSAGES" / "django.po"


def load(code: str) -> Catalog:
    """Read a language's catalogue; an empty one where there is none yet."""
    path = path_of(code)
    if not path.exists():
        return Catalog(locale=code, domain="django", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code, domain="django")


def updated(code: str, blank: Catalog) -> Catalog:
    """Return a language's catalogue with exactly the texts of `blank`; translations of the same text are kept."""
    old = load(code)
    new = Catalog(
        locale=code, domain="django", charset="utf-8", project="Hanchan Desk", version="1",
        fuzzy=False, header_comment=f"# {code}: edit the translations here, then run scripts/catalogues.py",
    )  # fmt: skip
    for message in blank:
        if not message.id:
            continue
        first: Any = message.id if isinstance(message.id, str) else message.id[0]
        kept = old.get(first, message.context)
        known = kept.string if kept and isinstance(kept.string, str) == isinstance(message.id, str) else ""
        guessed = {"fuzzy"} if kept and kept.fuzzy else set[str]()
        new.add(message.id, known, flags=message.flags | guessed, context=message.context)
    return new


def po_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as the repository has it: by text, without dates and places, so that differences are small."""
    out = io.BytesIO()
    write_po(out, catalogue, width=WIDTH, no_location=True, sort_output=True, ignore_obsolete=True)
    dated = re.compile(
        rb'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-Msgid)'
    )
    return b"\n".join(line for line in out.getvalue().split(b"\n") if not dated.match(line))


def is_whole(message: Message) -> bool:
    """Tell whether a message is translated, every plural form of it, and not only guessed."""
    said = message.string or ""
    return not message.fuzzy and (bool(said) if isinstance(said, str) else all(said))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _key(mark: str, texts: list[str]) -> Key:
    if mark == "ProblemType":  # of scoring.problems: its code, then its sentence
        return None, texts[1], None
    if mark.startswith("pgettext"):
        return texts[0], texts[1], None
    return None, texts[0], texts[1] if mark.startswith(("ngettext", "plural_text")) else None


def _values(node: ast.expr) -> Iterator[str]:
    """Yield the texts among the values of a table, of tables in it and of tuples; keys are no texts."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and re.search(r"[^\W\d_]", node.value):
            yield node.value
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _values(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from _values(value)


def _rules() -> Iterable[str]:
    """Return what rules, yaku and rulings are called and say, and where a rule comes from (see `say_source`)."""
    from rules.foul_books import FOULS, read_fouls
    from rules.ruleset import rule_fields
    from rules.rulings import FILES, read_rulings
    from tournament.text.fouls import list_texts
    from tournament.text.hands import YAKU

    fouls = [read_fouls(path) for path in FOULS.glob("*.toml")]
    found = [part for field in rule_fields() for part in field.metadata["says"].split("; 0: ")]
    found += [name.replace("_", " ") for name in YAKU]
    found += [
        text for path in FILES.glob("*.toml") for each in read_rulings(path) for text in (each.question, each.sentence)
    ]
    rows = [row for each in fouls for row in each.rows.values()]
    found += [
        *(text for each in fouls for text in (each.derived, each.title, each.source)),
        *(text for row in rows for text in (row.penalty.ours, *list_texts(row))),
    ]
    return sorted({*filter(re.compile(r"[a-z]{2}|,\d{3}").search, (*found, *_sources()))})


def _sources() -> Iterator[str]:
    """Yield descriptions of the books, notes, and clauses in parts; not the headings of an event's document (S0)."""
    from rules.books import book_keys, load_book
    from rules.procedure import procedure_of
    from tournament.text.rules import INFERRED, INHERITED

    for book in map(load_book, book_keys()):
        yield book.source
        for each in (*book.citations.values(), *procedure_of(book.ruleset).citations.values()):
            note = each.text if each.ours else each.reading
            inherited = INHERITED.fullmatch(note)
            yield inherited[1] if inherited else note
            if not each.ours and "S0" not in each.text:
                place, _colon, words = each.text.partition(": ")
                yield from (place.removesuffix(INFERRED), words)


def _acts() -> Iterable[str]:
    """Return the sentences of the audit trail, which actions declare and the pages translate."""
    from tournament.core.acts import list_acts

    return [text for act in list_acts() for text in (act.sentence, act.without_reason) if text]


def _collect(places: dict[Key, list[str]], path: Path, keys: Iterable[Key]) -> None:
    for key in keys:
        name = path.relative_to(REPO).as_posix()
        if name not in places[key]:
            places[key].append(name)


def main() -> None:
    """Bring every catalogue up to date and begin those that are named, and say how much of it is translated."""
    sys.path.insert(0, str(REPO))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    import django

    django.setup()
    blank = template()
    for code in dict.fromkeys([*LANGUAGES, *sys.argv[1:]]):
        path = path_of(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = updated(code, blank)
        path.write_bytes(po_text(catalogue))
        done = sum(1 for message in catalogue if message.id and is_whole(message))
        print(f"{code}: {done} of {len(catalogue)} texts translated, {100 * done // len(catalogue)} %.")


if __name__ == "__main__":
    main()
