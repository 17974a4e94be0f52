"""What a test types into the pages for sheets without hands, and what it reads there."""

from typing import Any
from uuid import uuid4

from scoring.paper_sheet import PaperSheet
from tests.factories import table_of, writer_of
from tests.pages.at_desk import table_url
from tests.pages.html_reader import text
from tournament.events.models import Event
from tournament.sheets.actions import enter_totals

RIGHT = ("45.2", "30000", "28,000", "16 800")
PILE = "/desk/cup/rounds/1/totals/"


def url(event: Event, table: int = 1, end: str = "") -> str:
    return table_url(event, table, end=f"totals/{end}")


def fields(*counts: str, **others: str) -> dict[str, str]:
    typed = {f"count-{seat}": count for seat, count in enumerate(counts)}
    return {"client_id": str(uuid4()), "expected_seq": "0", "numbers": "totals", **typed, **others}


def post(client: Any, event: Event, *counts: str, table: int = 1, follow: bool = False, **others: Any) -> Any:
    return client.post(url(event, table), fields(*counts, **others), follow=follow)


def gap(page: Any) -> str:
    return text(page, ".gap")


def type_first(event: Event, *counts: int, table: int = 1) -> None:
    """Let the organiser type a sheet first."""
    sheet = PaperSheet(counts, (0,) * len(counts))
    enter_totals(table=table_of(event, table), sheet=sheet, client_id=uuid4(), expected_seq=0, by=writer_of(event))
