"""Each kind of sheet, made once for all tests of a run."""

import contextlib
import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pytest
from pypdf import PdfReader

from tests.tournament.sheets.every_kind import KINDS, leaves_of
from tests.tournament.sheets.samples import make_head
from tournament.sheets.render import print_leaves, render_document


@dataclass(frozen=True)
class Paper:
    """A sheet as it comes out of the printer, and as it was laid out."""

    size: int
    kind: str
    pdf: PdfReader
    layout: Any
    complaints: tuple[str, ...]

    @cached_property
    def texts(self) -> list[str]:
        return [page.extract_text() for page in self.pdf.pages]


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


@dataclass(frozen=True)
class Layout:
    """The laid-out pages of all portions, the form among them."""

    pages: tuple[Any, ...]


def _make(kind: str, size: int, paper: str) -> tuple[bytes, Layout]:
    head = replace(make_head(size), paper=paper)
    leaves = leaves_of(kind, head)
    pages = [page for values in leaves.portions for page in render_document(leaves.page, values, head).pages]
    return print_leaves(leaves, head).pdf, Layout(tuple(pages))


@pytest.fixture(scope="session")
def papers() -> Callable[..., Paper]:
    """Make each sheet once for all tests of this run."""
    made: dict[tuple[str, int, str], Paper] = {}

    def paper(kind: str, size: int, of: str = "a4") -> Paper:
        if (kind, size, of) not in made:
            with listening() as complaints:
                data, layout = _make(kind, size, of)
            made[kind, size, of] = Paper(size, kind, PdfReader(io.BytesIO(data)), layout, tuple(complaints))
        return made[kind, size, of]

    return paper


@pytest.fixture(params=[3, 4], ids=["three players", "four players"])
def size(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(params=KINDS)
def paper(request: pytest.FixtureRequest, papers: Callable[..., Paper], size: int) -> Paper:
    return papers(request.param, size)
