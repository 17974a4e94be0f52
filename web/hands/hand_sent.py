"""The answer to a hand that a laptop kept until the desk could be reached: JSON for static/js/outbox.js, in words.

The same address answers pages with pages. Nothing is decided here; what the sender may show is handed in as text.
"""

from django.http import HttpRequest, JsonResponse

from tournament.models import Event
from tournament.selectors.tables.tables import LoadedTable
from tournament.services.tables.hands import Entered, written_by
from web.frame.table_facts import facts_of_table
from web.hands.hand_page import Draft
from web.words.problems import say


def wants_json(request: HttpRequest) -> bool:
    """Whether the sender asked for JSON by name; a browser that takes anything did not."""
    return "application/json" in request.headers.get("Accept", "")


def written_json(event: Event, table: LoadedTable, entered: Entered, page: str, *, several: bool) -> JsonResponse:
    """Say that a hand is written; `seq` is the last row of this very act, which is what the next hand has seen.

    `several` says that the act may have written more than one row. What somebody else wrote since is in `last_seq` and
    not in `seq`: a hand that was typed behind this one did not see it. `facts` are for whoever types without network.
    """
    seq = written_by(entered.row.client_id, entered.row.table)[-1].seq if several else entered.row.seq
    answer = {"seq": seq, "last_seq": table.last_seq, "problems": [], "between": [], "page": page, "goes_on": False}
    return JsonResponse(answer | {"facts": facts_of_table(event, table)})


def refused_json(table: LoadedTable, draft: Draft, status: int, page: str, *, goes_on: bool = False) -> JsonResponse:
    """Say why a hand is not written, in words, and what came between; `client_id` is the one to send it under again.

    `goes_on` says that `page` is the next step of a correction that leaves later hands impossible.
    """
    names = [player.name for player in table.seats]
    answer = {
        "seq": 0,
        "last_seq": table.last_seq,
        "problems": [say(problem, names) for problem in draft.problems],
        "between": list(draft.between),
        "client_id": draft.client_id,
        "page": page,
        "goes_on": goes_on,
    }
    return JsonResponse(answer, status=status)
