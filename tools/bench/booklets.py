"""How long booklets take beside one big WeasyPrint document of the same sheets, and what the desk feels meanwhile.

Booklets are this process's own time, but `ready` is the wait for the process that prints for the desk. The desk's pages
are measured from outside, while that process has a booklet.
"""

import re
import statistics
import time

from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client, override_settings

from tests.factories import make_account, make_event
from tests.paper.samples import make_head, make_rounds
from tournament.paper.handouts import player_cards_leaves
from tournament.paper.sheets import report_leaves
from tournament.paper.views import Press, State
from tournament.pdf.printers import printers
from tournament.pdf.render import Leaves, page_values, print_leaves
from tournament.pdf.render import _set as set_pages

TABLES, PLAYERS, ROUNDS = 60, 200, 8
ALONE = 20  # pages asked for while nothing is printed
ADDRESS = "http://192.168.178.20:8000/desk/rehearsal-of-the-desk/rounds/1/tables/%d/"
# the names of static files as they are: a bench collects none
PLAIN_FILES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
_SECTION = re.compile(r"<section[^>]*>(.*?)</section>", re.DOTALL)


def booklets_s(*, quick: bool = False) -> dict[str, object]:
    """Return seconds of report sheets and player cards, and the sheets' share of one document of whole pages."""
    tables, players = (1, 4) if quick else (TABLES, PLAYERS)
    played = make_rounds(4, tables=tables)[0]
    reports = report_leaves(make_head(4), played, {table.number: ADDRESS % table.number for table in played.tables})
    cards = player_cards_leaves(make_head(4), make_rounds(4, tables=players // 4, rounds=ROUNDS))
    cold = _printing(reports, tables)
    report, whole = _printing(reports, tables), _whole(reports, tables)
    card = _printing(cards, -(-players // 9))
    ready = _ready(reports, tables)
    return {
        "booklet_ratio_to_one_document": round(report / whole, 3),
        "booklet_reports_s": round(report, 2),
        "booklet_reports_ready_s": round(ready, 2),
        "booklet_reports_cold_s": round(cold, 2),
        "booklet_cards_s": round(card, 2),
        "booklet_one_document_s": round(whole, 2),
        "booklet_report_sheets": tables,
        "booklet_cards": players,
    }


@override_settings(STORAGES=settings.STORAGES | PLAIN_FILES)
def desk_while_printing_ms(*, quick: bool = False) -> dict[str, object]:
    """Return what the first page of the desk takes alone, and while a booklet of player cards is printed."""
    event = make_event("ema-2025", tables=4, rounds=1)
    client = Client(headers={"host": "localhost"})
    client.force_login(make_account("Bench of paper", superuser=True), "django.contrib.auth.backends.ModelBackend")
    address, press, head = f"/desk/{event.slug}/", Press(), make_head(4)
    cards = player_cards_leaves(head, make_rounds(4, tables=1 if quick else PLAYERS // 4, rounds=ROUNDS))
    _answer(client, address)
    alone = [_answer(client, address) for _ in range(5 if quick else ALONE)]
    press.start("cards", lambda told: printers.print(cards, head, told))
    meanwhile = [_answer(client, address)]
    while (booklet := press.look("cards")) and not booklet.over:
        time.sleep(0.3 if quick else 0)  # printing gives way to the desk: left the processor, it is over sooner
        meanwhile.append(_answer(client, address))
    printers.end()
    if booklet is None or booklet.state != State.DONE:
        raise RuntimeError(f"the booklet is not printed: {booklet}")
    return {
        "desk_page_ms": round(statistics.median(alone), 1),
        "desk_page_while_printing_ms": round(statistics.median(meanwhile), 1),
        "desk_page_while_printing_worst_ms": round(max(meanwhile), 1),
        "desk_pages_while_printing": len(meanwhile),
    }


def _answer(client: Client, address: str) -> float:
    start = time.perf_counter()
    answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answered {answer.status_code}")
    return (time.perf_counter() - start) * 1000


def _printing(leaves: Leaves, pages: int) -> float:
    start = time.process_time()
    printed = print_leaves(leaves, make_head(4))
    return _taken(start, printed.pages, pages)


def _ready(leaves: Leaves, pages: int) -> float:
    """Print as the desk does, in a process that is ready; return the shortest wait of some."""
    printers.print(leaves, make_head(4))
    waits = []
    for _again in range(4):
        start = time.perf_counter()
        printed = printers.print(leaves, make_head(4))
        waits.append(time.perf_counter() - start)
    printers.end()
    if printed.pages != pages:
        raise RuntimeError(f"{printed.pages} pages were printed instead of {pages}")
    return min(waits)


def _whole(leaves: Leaves, pages: int) -> float:
    """Print the same as one document each of whose pages carries the whole form."""
    start = time.process_time()
    values = {**leaves.portions[0], "sheets": [sheet for part in leaves.portions for sheet in part["sheets"]]}
    head = make_head(4)
    text = one_document(render_to_string(f"pdf/{leaves.page}.html", {**page_values(head), **values}))
    document = set_pages(text, head.paper)
    document.write_pdf()
    return _taken(start, len(document.pages), pages)


def one_document(text: str) -> str:
    """Put the form, which is the first section, into each of the sections that follow it.

    >>> one_document("<section>form</section> <section>a</section> <section>b</section>")
    '<section>forma</section> <section>formb</section>'
    """
    first = _SECTION.search(text)
    if first is None:
        raise ValueError("there is no form")
    rest = text[first.end() :].lstrip()
    return text[: first.start()] + re.sub(r"<section[^>]*>", lambda _found: f"{_opening(first[0])}{first[1]}", rest)


def _opening(section: str) -> str:
    return section[: section.index(">") + 1]


def _taken(start: float, pages: int, expected: int) -> float:
    if pages != expected:
        raise RuntimeError(f"{pages} pages were printed instead of {expected}")
    return time.process_time() - start
