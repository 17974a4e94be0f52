"""Write docs/rules from the books: one page a rule set and an index. Run it when a book or the words have changed.

It reads `rules/books` through the program, so that a page can say nothing that the program does not play.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
DOCS = REPO / "docs" / "rules"
sys.path.insert(0, str(REPO))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")  # words are English, as the settings say

from rules.books import Book, book_keys, load, load_book  # noqa: E402
from rules.ruleset import Ruleset, diff, rule_fields  # noqa: E402
from web.rules_wording import (  # noqa: E402
    SECTIONS,
    limit_lines,
    rule_gloss,
    rule_name,
    say_value,
)

# what a rule set is held against: the book that its table size is played by most
BESIDE = {4: "ema-2025", 3: "sanmatsuri-2026"}


def pages() -> dict[str, str]:
    """Return the text of every page by its name."""
    books = sorted((load_book(key) for key in book_keys()), key=lambda book: (-book.ruleset.players, book.ruleset.key))
    return {"README.md": _index(books), **{f"{book.ruleset.key}.md": _page(book) for book in books}}


def _index(books: Sequence[Book]) -> str:
    rows = [
        (
            f"[{book.ruleset.title}]({book.ruleset.key}.md)",
            str(book.ruleset.players),
            say_value("start_points", book.ruleset.start_points),
            say_value("uma", book.ruleset.uma),
            say_value("minutes", book.ruleset.minutes),
        )
        for book in books
    ]
    return _joined(
        "# Rule sets",
        "One page a rule set, with every rule, its value and where it stands. The pages are written from "
        "`rules/books/KEY.toml` by `scripts/write_rules_docs.py`, and a test holds them to it: change the book, then "
        "run the script.",
        _table(("rule set", "players", "start", "uma", "minutes"), rows),
        "Beside each value stands the clause of the book. **ours** means that the book is silent or contradicts "
        "itself: then the value is our reading, with its reason. An event may change every one of them: "
        "[Choose and change the rules](../organiser/rules.md).",
        "The same is on the desk's own pages, at `/rules/` and `/rules/KEY/`, with the difference of any two at "
        "`/rules/KEY/?against=OTHER`; and on the terminal: `python3 manage.py rules [KEY] [--diff OTHER] [--json]`.",
    )


def _page(book: Book) -> str:
    rules = book.ruleset
    parts = [f"# {rules.title}", f"{book.source}.", f"Key `{rules.key}` · [all rule sets](README.md)"]
    for section, title in SECTIONS.items():
        names = [field.name for field in rule_fields() if field.metadata["section"] == section]
        parts += [f"## {title}", _table(("rule", "value", "where it stands"), (_row(name, book) for name in names))]
    return _joined(*parts, *_beside(rules))


def _row(name: str, book: Book) -> tuple[str, str, str]:
    citation = book.citations[name]
    where = f"**ours:** {citation.text}" if citation.ours else citation.text
    return _named(name), _value(name, book.ruleset), where


def _named(name: str) -> str:
    said = _capital(rule_name(name))
    return f"**{said}**: {rule_gloss(name)}" if rule_gloss(name) else said


def _value(name: str, rules: Ruleset) -> str:
    value = getattr(rules, name)
    if name == "limits":
        return "<br>".join(f"{limit} from {han}: {base}" for limit, han, base in limit_lines(value))
    return say_value(name, value)


def _beside(rules: Ruleset) -> Iterator[str]:
    """Yield what differs from the book that a rule set is held against; nothing for that book itself."""
    other = load(BESIDE[rules.players])
    if other.key == rules.key:
        return
    yield f"## Beside {other.title}"
    rows = [(_named(each.field), _value(each.field, rules), _value(each.field, other)) for each in diff(rules, other)]
    yield _table(("rule", rules.title, other.title), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _joined(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Write all pages, and take away those of books that are gone."""
    import django

    django.setup()
    DOCS.mkdir(parents=True, exist_ok=True)
    written = pages()
    for path in DOCS.glob("*.md"):
        if path.name not in written:
            path.unlink()
    for name, text in written.items():
        (DOCS / name).write_text(text, encoding="utf-8")
    print(f"{len(written)} pages in {DOCS.relative_to(REPO)}")


if __name__ == "__main__":
    main()
