"""Each kind of sheet, made once for all tests of a run."""

import contextlib
import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.paper.every_kind import leaves_of
from tests.paper.samples import make_head
from tests.shared_fixtures import made_once, run_folder
from tournament.pdf import render
from tournament.tables.rows import EventHead


@dataclass(frozen=True)
class Paper:
    """A sheet as it comes out of the printer."""

    size: int
    kind: str
    pdf: PdfReader

    @cached_property
    def texts(self) -> list[str]:
        return [page.extract_text() for page in self.pdf.pages]


@dataclass(frozen=True)
class Layout:
    """The laid-out pages of all portions, the form among them, and what WeasyPrint said of them meanwhile."""

    pages: tuple[Any, ...]
    complaints: tuple[str, ...]


def page_texts(pdf: bytes) -> list[str]:
    """Return the text of each page, white space as one blank."""
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


@contextlib.contextmanager
def listening() -> Iterator[list[str]]:
    """Gather what WeasyPrint warns of meanwhile: a rule that it ignores, a file that it cannot get."""
    heard: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("weasyprint")
    logger.addHandler(handler)
    yield heard
    logger.removeHandler(handler)


def lay_out(kind: str, size: int, paper: str) -> Layout:
    """Lay a sheet out, for its boxes."""
    head = replace(make_head(size), paper=paper)
    return lay_leaves_out(leaves_of(kind, head), head)


def lay_leaves_out(leaves: render.Leaves, head: EventHead) -> Layout:
    """Lay leaves out, for their boxes."""
    with listening() as complaints:
        pages = [page for part in leaves.portions for page in render.render_document(leaves.page, part, head).pages]
    return Layout(tuple(pages), tuple(complaints))


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int, Callable[[], bytes]], Path]:
    """Keep each PDF for all tests of this run: gives its file, printed by the last argument where it is not there."""
    room = run_folder(tmp_path_factory)

    def kept(kind: str, size: int, printed: Callable[[], bytes]) -> Path:
        folder = made_once(room, f"{kind} for {size}", lambda folder: put(folder / "sheet.pdf", printed()))
        return folder / "sheet.pdf"

    return kept


def put(file: Path, data: bytes) -> None:
    """Write a file."""
    file.write_bytes(data)


@pytest.fixture(scope="session")
def papers(shelf: Callable[[str, int, Callable[[], bytes]], Path]) -> Callable[[str, int], Paper]:
    """Print each sheet once for all tests of this run that read it."""

    @cache
    def paper(kind: str, size: int) -> Paper:
        head = make_head(size)
        file = shelf(kind, size, lambda: render.print_leaves(leaves_of(kind, head), head).pdf)
        return Paper(size, kind, PdfReader(file))

    return paper


@pytest.fixture
def printed(shelf: Callable[[str, int, Callable[[], bytes]], Path]) -> Callable[[str, int], tuple[Paper, Layout]]:
    """Print a sheet, and give beside it what was printed as it was laid out: laying it out takes most of the time."""

    def sheet(kind: str, size: int) -> tuple[Paper, Layout]:
        head, documents, lay = make_head(size), [], render._set

        def noting(*asked: Any) -> Any:
            documents.append(lay(*asked))
            return documents[-1]

        leaves = leaves_of(kind, head)
        with pytest.MonkeyPatch.context() as patch, listening() as complaints:
            patch.setattr(render, "_set", noting)
            data = render.print_leaves(leaves, head).pdf
        assert len(documents) == len(leaves.portions), "letters that no font has: it was printed twice"
        pages = tuple(page for document in documents for page in document.pages)
        shelf(kind, size, lambda: data)
        return Paper(size, kind, PdfReader(io.BytesIO(data))), Layout(pages, tuple(complaints))

    return sheet


@pytest.fixture(params=[3, 4], ids=["three players", "four players"])
def size(request: pytest.FixtureRequest) -> int:
    return int(request.param)
