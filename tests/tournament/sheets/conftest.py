"""Each kind of sheet, made once for all tests of a run."""

import contextlib
import io
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from pypdf import PdfReader

from tests.tournament.sheets.samples import make_head, make_rounds, make_slips, make_standings
from tournament.sheets.alllast import all_last_pdf, all_last_values
from tournament.sheets.call_slip import call_slip_pdf, call_slip_values
from tournament.sheets.render import render_document
from tournament.sheets.report import report_sheets_pdf, report_values
from tournament.sheets.seating import seating_pdf, seating_values
from tournament.sheets.standings import standings_pdf, standings_values


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


def _make(kind: str, size: int) -> tuple[bytes, Any]:
    head, rounds = make_head(size), make_rounds(size)
    makers: dict[str, tuple[Callable[..., bytes], str, Callable[..., dict[str, Any]], tuple[Any, ...]]] = {
        "seating": (seating_pdf, "seating", seating_values, (rounds,)),
        "report": (report_sheets_pdf, "report_sheets", report_values, (rounds[0],)),
        "all-last": (all_last_pdf, "all_last", all_last_values, (rounds[0],)),
        "standings": (standings_pdf, "standings", standings_values, (make_standings(50), 3)),
        "call-slip": (call_slip_pdf, "call_slip", call_slip_values, (make_slips(size),)),
    }
    pdf, page, values, given = makers[kind]
    return pdf(head, *given), render_document(page, values(head, *given), head)


@pytest.fixture(scope="session")
def papers() -> Callable[[str, int], Paper]:
    """Make each sheet once for all tests of this run."""
    made: dict[tuple[str, int], Paper] = {}

    def paper(kind: str, size: int) -> Paper:
        if (kind, size) not in made:
            with listening() as complaints:
                data, layout = _make(kind, size)
            made[kind, size] = Paper(size, kind, PdfReader(io.BytesIO(data)), layout, tuple(complaints))
        return made[kind, size]

    return paper


@pytest.fixture(params=[3, 4], ids=["three players", "four players"])
def size(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(params=["seating", "report", "all-last", "standings", "call-slip"])
def paper(request: pytest.FixtureRequest, papers: Callable[[str, int], Paper], size: int) -> Paper:
    return papers(request.param, size)
