"""The pages of docs/rules are what the script writes, and hold every value and clause of every book."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from rules.books import book_keys, load_book
from rules.ruleset import rule_fields
from web.rules_wording import rule_name, say_value

REPO = Path(__file__).resolve().parent.parent
DOCS = REPO / "docs" / "rules"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_rules_docs", REPO / "scripts" / "write_rules_docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_what_the_script_writes():
    committed = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    assert committed == script().pages(), "run scripts/write_rules_docs.py"


def test_there_is_a_page_for_every_book_and_the_index_leads_to_it():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert sorted(path.stem for path in DOCS.glob("*.md")) == sorted(["README", *book_keys()])
    assert [key for key in book_keys() if f"]({key}.md)" not in index] == []


@pytest.mark.parametrize("key", book_keys())
def test_a_page_holds_every_value_and_clause_of_its_book(key: str):
    book = load_book(key)
    page = (DOCS / f"{key}.md").read_text(encoding="utf-8").partition("## Beside ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in page.splitlines() if line.startswith("| ")
    ]
    found = {row[0].replace("*", "").partition(": ")[0].lower(): row[1:] for row in rows if len(row) == 3}
    wanted = {}
    for field in rule_fields():
        citation, value = book.citations[field.name], getattr(book.ruleset, field.name)
        said = "limits" if field.name == "limits" else say_value(field.name, value)
        wanted[rule_name(field.name).partition(": ")[0].lower()] = [
            said, f"**ours:** {citation.text}" if citation.ours else citation.text,
        ]  # fmt: skip
    limits = found["base value by han, from mangan on"]
    lines = limits[0].split("<br>")
    assert [line.split()[-1].replace(",", "") for line in lines] == [str(base) for _han, base in book.ruleset.limits]
    limits[0] = "limits"
    assert {name: found.get(name) for name in wanted} == wanted
