"""`manage.py rules`: Print the rule sets, one with the source of each value, or the difference of two.

It reads the books, or a file or a rule set of the site that is named. People get words, as on the pages; programs get
the plain values.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from rules.books import Book, Citation, book_keys, load_book
from rules.ruleset import Difference, RulesetError, diff, rule_fields
from rules.writing import book_toml
from tournament.text.rules import SECTIONS, rule_gloss, rule_name, say_value
from web.management.base import DeskCommand, text_table
from web.management.json_lines import NAMED_OR_FILE, named_book


class Command(DeskCommand):
    """Rule sets, with sources."""

    help = """Without KEY, lists the keys of the books. With KEY, prints the rule set, where each value comes from and
    what it says; `--diff OTHER` prints only what differs. KEY and OTHER name a book, a rule set of the site, or a file
    ending in .toml, whose errors are named by line and field; `--toml` prints a rule set as such a file. With --json: a
    list of keys; {"key", "title", "source", "fields": [{"section", "name", "value", "clause", "ours", "says"}...]},
    where either `clause` cites the book or `ours` gives the reason of our own reading, and the other is null; {"here",
    "there", "differences": [{"field", "here", "there"}...]}."""
    uses_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the key, the other key and the form of the output."""
        parser.add_argument("key", nargs="?", metavar="KEY", help=f"{NAMED_OR_FILE}; without it the keys of all books")
        parser.add_argument("--diff", metavar="OTHER", help="show what is different in this rule set")
        parser.add_argument("--toml", action="store_true", help="the rule set as a file that can be changed and read")
        parser.add_argument("--json", action="store_true", help="one JSON value instead of a table")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print what was asked for."""
        key, other, as_json = options["key"], options["diff"], options["json"]
        if key is None and other is not None:
            raise CommandError("--diff compares two rule sets: say which, as in `rules ema-2025 --diff wrc-2025`.")
        try:
            if key is None:
                self._print_keys(as_json=as_json)
            elif other is None:
                self._print_book(named_book(key), as_json=as_json, as_toml=options["toml"])
            else:
                self._print_difference(named_book(key), named_book(other), as_json=as_json)
        except RulesetError as wrong:
            raise CommandError(f"{wrong}.") from wrong

    def _print_keys(self, *, as_json: bool) -> None:
        if as_json:
            self.write_json(book_keys())
            return
        self._print(["key", "title"], [[key, load_book(key).ruleset.title] for key in book_keys()])

    def _print_book(self, book: Book, *, as_json: bool, as_toml: bool) -> None:
        if as_toml:
            self.stdout.write(book_toml(book), ending="")
            return
        if as_json:
            self.write_json(book_json(book))
            return
        self.stdout.write(f"{book.ruleset.title} ({book.ruleset.key})\n{book.source}")
        fields = book_json(book)["fields"]
        for section, title in SECTIONS.items():
            self.stdout.write(f"\n{title}")
            rows = [_row(field) for field in fields if field["section"] == section]
            self._print(rows[0], rows[1:])

    def _print_difference(self, here: Book, there: Book, *, as_json: bool) -> None:
        differences = diff(here.ruleset, there.ruleset)
        if as_json:
            self.write_json(difference_json(here, there, differences))
        elif differences:
            rows = [
                [each.field, say_value(each.field, each.here), say_value(each.field, each.there)]
                for each in differences
            ]
            self._print(["field", here.ruleset.key, there.ruleset.key], rows)
        else:
            self.stdout.write(f"{here.ruleset.key} and {there.ruleset.key} are the same.")

    def _print(self, heads: list[str], rows: list[list[str]]) -> None:
        for line in text_table(heads, rows):
            self.stdout.write(line)


def book_json(book: Book) -> dict[str, Any]:
    """Return a rule set with the source of every value, in the order of reading."""
    values = book.ruleset.as_json()
    return {
        "key": book.ruleset.key,
        "title": book.ruleset.title,
        "source": book.source,
        "fields": [
            {
                "section": field.metadata["section"],
                "name": field.name,
                "value": values[field.name],
                **_source(book.citations[field.name]),
                "says": field.metadata["says"],
            }
            for field in rule_fields()
        ],
    }


def difference_json(here: Book, there: Book, differences: list[Difference]) -> dict[str, Any]:
    """Return the fields on which two rule sets disagree."""
    return {
        "here": here.ruleset.key,
        "there": there.ruleset.key,
        "differences": [{"field": each.field, "here": each.here, "there": each.there} for each in differences],
    }


def _source(citation: Citation) -> dict[str, str | None]:
    """Return the clause of a value, or why it is ours; beside a clause what of the value is our own reading."""
    clause, ours = (None, citation.text) if citation.ours else (citation.text, None)
    return {"clause": clause, "ours": ours, "ours_in_part": citation.reading or None}


def _origin(field: dict[str, Any]) -> str:
    ours = field["ours"] or field["ours_in_part"]
    return "; ".join(each for each in (field["clause"], ours and f"ours: {ours}") if each)


def _row(field: dict[str, Any]) -> list[str]:
    """Return a field as a line of a table: its name, what it is, its value in words, where that comes from."""
    name = field["name"]
    return [name, rule_gloss(name) or rule_name(name), say_value(name, field["value"]), _origin(field)]
