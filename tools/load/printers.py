"""Organisers who print booklet after booklet: each waits on the booklet's page, as a browser does, and opens the PDF.

`python -m tools.load.printers HOST PORT SLUG SESSION ORGANISERS SECONDS` prints one JSON object.
"""

import asyncio
import itertools
import json
import re
import sys
import time
from dataclasses import dataclass, field
from html import unescape

from tools.load.figures import percentiles
from tools.load.http import Answer, Connection

POLL = 0.4  # seconds: templates/paper/paper_booklet.html
PAUSE = 1.0  # seconds in which somebody looks for the next one
OK, LED, FOUND = 200, 204, 302
SHEETS = ("report-sheets", "player-cards", "result-sheets", "event-log", "all-last", "badges", "results", "table-signs")
MOVING = re.compile(r'hx-get="([^"]+)"')


@dataclass
class Tally:
    """Milliseconds that a booklet took from the first press of a button to its whole PDF, and what went wrong."""

    took: dict[str, list[float]] = field(default_factory=lambda: {"page": [], "booklet": []})
    failed: list[str] = field(default_factory=list)


async def organiser(number: int, server: tuple[str, int], slug: str, session: str, until: float, tally: Tally) -> None:
    """Print until it is time to stop: what was asked for is still waited for."""
    connection = Connection(*server)
    headers = {"Cookie": f"sessionid={session}"}
    kinds = itertools.product(("a4", "letter"), (1, 2), SHEETS)
    for paper, round_number, sheet in itertools.islice(itertools.cycle(kinds), number, None, 2):
        if time.perf_counter() > until:
            break
        start = time.perf_counter()
        try:
            address = f"/desk/{slug}/print/{sheet}/?round={round_number}&paper={paper}"
            await printed(connection, address, headers, tally)
            tally.took["booklet"].append((time.perf_counter() - start) * 1000)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as wrong:
            tally.failed.append(f"{sheet}: {type(wrong).__name__} {wrong}")
        await asyncio.sleep(PAUSE)
    connection.close()


async def printed(connection: Connection, address: str, headers: dict[str, str], tally: Tally) -> None:
    """Wait for a booklet as its page does; raises OSError where it does not come."""
    start = time.perf_counter()
    answer = await connection.ask("GET", address, headers)
    tally.took["page"].append((time.perf_counter() - start) * 1000)
    while answer.status == OK:
        match = MOVING.search(answer.body.decode())
        if match is None:
            raise OSError("the booklet broke off")
        await asyncio.sleep(POLL)
        answer = await connection.ask("GET", unescape(match[1]), {**headers, "HX-Request": "true"})
    pdf = await connection.ask("GET", led_to(answer), headers)
    if pdf.status != OK or not pdf.body.startswith(b"%PDF-"):
        raise OSError(f"its PDF answered {pdf.status}")


def led_to(answer: Answer) -> str:
    """Return where the booklet's page leads to; raises OSError where it leads nowhere."""
    if answer.status not in (LED, FOUND):
        raise OSError(f"its page answered {answer.status}: {answer.body[:200]!r}")
    return answer.headers.get("hx-redirect") or answer.headers["location"]


async def print_all(server: tuple[str, int], slug: str, session: str, organisers: int, seconds: float) -> Tally:
    """Let so many organisers print for so long."""
    tally, until = Tally(), time.perf_counter() + seconds
    await asyncio.gather(*(organiser(each, server, slug, session, until, tally) for each in range(organisers)))
    return tally


if __name__ == "__main__":
    host, port, event, key, people, lasting = sys.argv[1:7]
    seen = asyncio.run(print_all((host, int(port)), event, key, int(people), float(lasting)))
    told = {"booklets": len(seen.took["booklet"]), **percentiles(seen.took), "failed": seen.failed}
    sys.stdout.write(json.dumps(told) + "\n")
