"""Break each value that a statement of the sources names, one at a time, and list the rows whose tests stay green.

tests/data/statements.toml says what shows each statement. For each rule, foul and step of the set-up that a row names,
a process of its own plays the book with another value and runs only the tests, and only the rows of their tables, that
the statement names. `python -m tools.broken_rules [WORDS…]`: only rows with one of these words in place, text or tests.
"""

import dataclasses
import functools
import inspect
import io
import os
import re
import sys
import tomllib
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import rules.books
import rules.foul_books
import rules.procedure
from rules.consistency import contradictions
from rules.fouls import Act, Case
from rules.ruleset import Ruleset

REPO = Path(__file__).resolve().parent.parent
STATEMENTS = REPO / "tests/data/statements.toml"
MARK = re.compile(r'^ *@pytest\.mark\.states\(((?:"\w+"(?:, )?)+)', re.MULTILINE)
OPTIONS = ("-q", "-x", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not nightly", "--no-header")
Named = dict[str, set[str]]  # texts of rows by the name of their test; "" for the whole test


class Break(NamedTuple):
    """One value of a book, what it becomes, and how to make it so in this process."""

    what: str
    make: Callable[[], None]


class Row(NamedTuple):
    """A row of statements.toml."""

    source: str
    book: str
    cells: dict[str, Any]

    @property
    def title(self) -> str:
        return f"{self.source} {self.cells['at']}: {self.cells['says']}"

    @property
    def named(self) -> Named:
        found: Named = {}
        for each in self.cells.get("by", ()):
            name, _, text = each.partition(": ")
            found.setdefault(name, set()).add(_plain(text))
        return found


def read_rows(path: Path = STATEMENTS) -> list[Row]:
    """Return every row of statements.toml, or of another file of this form."""
    sources = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Row(key, source["book"], cells) for key, source in sources.items() for cells in source["rows"]]


def breaks(row: Row) -> Iterator[Break]:
    """Yield a break for each rule, foul and step of the set-up that a row names."""
    book = row.book
    for field in row.cells.get("rule", {}):
        before = rules.books.load(book)
        after = _with_another(before, field)
        what = f"{field} {getattr(before, field)!r} -> {getattr(after, field)!r}"
        yield Break(what, functools.partial(_break, rules.books, "read_book", _with_rules, (book, after)))
    named = " ".join(each for each in row.cells.get("by", ()) if each.startswith(("foul", "listed")))
    for key in sorted(set(re.findall(r"\w+", named)) & set(rules.foul_books.catalogue(book).penalties)):
        yield Break(f"foul {key}", functools.partial(_break, rules.foul_books, "_filled", _with_foul, (book, key)))
    for step in row.cells.get("setup", {}):
        change = functools.partial(_break, rules.procedure, "procedure_of", _with_step, (book, step))
        yield Break(f"setup {step}", change)


def _with_another(before: Ruleset, field: str) -> Ruleset:
    """Return a rule set with another value of one rule: a legal one, if there is any."""
    from tests.rule_probes import PROBES
    from tests.test_every_rule_acts import _usual

    probe, value = PROBES[field], getattr(before, field)
    others = [other for other in probe.values or _usual(value, rules.books.FIELD_TYPES[field]) if other != value]
    made = [dataclasses.replace(before, **{**probe.along(before, other), field: other}) for other in others]
    return next((each for each in made if not any(contradictions(each))), made[0])


def _break(module: Any, name: str, change: Callable[..., Any], what: tuple[Any, ...]) -> None:
    """Let what a function of a module reads come back changed, in this process."""
    read = getattr(module, name)
    setattr(module, name, lambda given: change(given, read(given), *what))
    rules.books.load_book.cache_clear()


def _with_rules(path: Path, read: Any, book: str, after: Ruleset) -> Any:
    return dataclasses.replace(read, ruleset=after) if path.stem == book else read


def _with_foul(of: Ruleset, read: Any, book: str, key: str) -> Any:
    if of.key != book or key not in read.penalties:
        return read
    act: Act = "legal" if read.penalties[key].cases[0].acts == ("redeal",) else "redeal"
    penalty = dataclasses.replace(read.penalties[key], cases=(Case(acts=(act,)),))
    return dataclasses.replace(read, penalties={**read.penalties, key: penalty})


def _with_step(of: Ruleset, read: Any, book: str, step: str) -> Any:
    value = getattr(read.procedure, step)
    choices = typing.get_args(typing.get_type_hints(rules.procedure.Procedure)[step])
    other = next((each for each in choices if each != value), None) or value + 1
    broken = dataclasses.replace(read.procedure, **{step: other})
    return dataclasses.replace(read, procedure=broken) if of.key == book else read


# ---------------------------------------------------------------- the tests that a statement names


def _plain(text: object) -> str:
    """Return a row as it is compared: tables, Python and what is left of both have other blanks, bars and quotes."""
    joined = " ".join(map(str, text)) if isinstance(text, list) else str(text)
    return " ".join(re.sub(r"[|'\"()\[\]{},]", " ", re.sub(r"(?<=\d)_(?=\d)", "", joined)).split())


def _cells(row: Any) -> list[Any]:
    """Return the cells of a row, of lists in it as well."""
    return [each for cell in row for each in _cells(cell)] if isinstance(row, tuple | list) else [row]


class Selection:
    """A plugin of pytest: keeps the tests of these names, and of their rows those that hold a text that is named."""

    def __init__(self, named: Named) -> None:
        self.named, self.run = named, 0

    def texts_of(self, marks: Iterable[Any]) -> set[str]:
        names = {name for mark in marks if mark.name == "states" for name in mark.args}
        return set().union(*(self.named[name] for name in names & set(self.named))) - {""}

    def choose(self, rows: list[Any], texts: set[str]) -> list[Any]:
        """Return the rows of which a cell is one of the texts, else those that hold one; all, where none does."""
        exact = [row for row in rows if texts & {_plain(cell) for cell in _cells(row)}]
        return exact or [row for row in rows if any(text in _plain(_cells(row)) for text in texts)] or rows

    def row_of(self, item: Any) -> str:
        """Return the name and the arguments of a test, as texts are compared."""
        return _plain([item.name, *(item.callspec.params.values() if hasattr(item, "callspec") else ())])

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        by_test: dict[Any, list[Any]] = {}
        for item in items:
            names = {name for mark in item.iter_markers("states") for name in mark.args}
            if names & set(self.named):
                by_test.setdefault((item.path, item.originalname), []).append(item)
        kept = []
        for found in by_test.values():
            texts = self.texts_of(found[0].iter_markers("states"))
            chosen = [item for item in found if any(text in self.row_of(item) for text in texts)]
            kept += chosen or found
        items[:] = kept
        self.run = len(kept)

    def pytest_collection_finish(self, session: Any) -> None:
        """Run what needs no database first: the first failure ends the run."""
        session.items.sort(key=lambda item: item.get_closest_marker("django_db") is not None)

    def tabled(self, names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Do as tests.table_test, with the rows that are named."""
        every = list(rows)

        def decorate(test: Callable[..., None]) -> Callable[..., None]:
            whole = self.plain_tabled(names, every)(test)

            @functools.wraps(whole)
            def chosen(*args: Any, **fixtures: Any) -> None:
                texts = self.texts_of(getattr(chosen, "pytestmark", ()))
                self.plain_tabled(names, self.choose(every, texts))(test)(*args, **fixtures)

            chosen.__signature__ = inspect.signature(whole)  # type: ignore[attr-defined]
            return chosen

        return decorate

    def install(self) -> None:
        import tests.table_test

        self.plain_tabled = tests.table_test.tabled
        tests.table_test.tabled = self.tabled


def stays_green(row: Row, make: Callable[[], None]) -> bool:
    """Run the tests that a row names in a process of its own, after `make`; return whether all of them pass."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    status = 1
    try:
        import pytest

        make()
        selection = Selection(row.named)
        selection.install()
        files = sorted({file for name in row.named for file in _files()[name]})
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            status = int(pytest.main([*OPTIONS, *files], plugins=[selection]))
        status = status or (0 if selection.run else 1)
    finally:
        os._exit(status)


def _import_tests(rows: Iterable[Row]) -> None:
    """Import what the tests of these rows import, once for all processes; each process imports the tests itself."""
    import pytest

    files = {file for row in rows for name in row.named for file in _files()[name]}
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        pytest.main([*OPTIONS, "--collect-only", *sorted(files)])
    for name in [name for name in sys.modules if re.fullmatch(r"tests(\..*)?", name)]:
        if name not in ("tests", "tests.conftest"):
            del sys.modules[name]


@functools.cache
def _files() -> dict[str, list[str]]:
    """Return the files with the tests of each name."""
    found: dict[str, list[str]] = {}
    for path in (REPO / "tests").rglob("test_*.py"):
        for names in MARK.findall(path.read_text(encoding="utf-8")):
            for name in re.findall(r"\w+", names):
                found.setdefault(name, []).append(str(path))
    return found


def main(words: list[str]) -> int:
    """Break what the rows with these words name, all without words; print the rows that stayed green.

    A word that ends in .toml is a file of rows to take instead of statements.toml.
    """
    files = [Path(word) for word in words if word.endswith(".toml")]
    words = [word for word in words if not word.endswith(".toml")]
    os.chdir(REPO)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    import django

    django.setup()
    rows = [row for row in read_rows(*files) if not words or any(word in f"{row.title} {row.cells}" for word in words)]
    found = [(row, each) for row in rows for each in breaks(row)]
    _import_tests(row for row, _ in found)
    silent = len(rows) - len({id(row) for row, _ in found})
    _say(f"{silent} of {len(rows)} rows name no value: what they say stands in code, or is seen at the table.")
    green = 0
    for number, (row, each) in enumerate(found, start=1):
        if stays_green(row, each.make):
            green += 1
            _say(f"GREEN  {row.title}  [{each.what}]  {', '.join(row.cells.get('by', ()))}")
        elif number % 25 == 0:
            _say(f"{number} of {len(found)} values broken, {green} stayed green")
    _say(f"{len(found)} values of {len({id(row) for row, _ in found})} rows broken: {green} rows stayed green.")
    return int(green > 0)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
