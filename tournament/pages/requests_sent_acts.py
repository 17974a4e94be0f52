"""Acts that a laptop sends several at a time (static/js/outbox.js): read them, do them in order, answer each."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import JsonResponse

from scoring.problems import InvalidInput
from tournament.core.errors import FORM_STALE, Refused
from tournament.pages.permissions_gateways import DeskRequest
from tournament.pages.requests_tables import UNPROCESSABLE, to_uuid
from tournament.text.problems_1 import say

MOST_ACTS = 50  # static/js/outbox_store.js sends no more at a time


@dataclass(frozen=True, slots=True)
class SentAct:
    """One act: the fields of its form, under the `client_id` that makes a repeat of it no second act."""

    client_id: uuid.UUID
    fields: Mapping[str, str]


def answer_acts(request: DeskRequest, do: Callable[[SentAct], object]) -> JsonResponse:
    """Do each act of `acts`, a JSON list of `[client_id, {field: text}]`; answer with the problems of each, in order.

    An act that is refused does not stop those after it. 422 for a list that cannot be read: then nothing is done.
    """
    try:
        acts = _read(request.POST.get("acts", ""))
    except InvalidInput as wrong:
        problems = [say(problem) for problem in wrong.problems]
        return JsonResponse({"problems": problems, "between": []}, status=UNPROCESSABLE)
    answers = [{"client_id": str(act.client_id), "problems": _problems_of(act, do)} for act in acts]
    return JsonResponse({"seq": 0, "answers": answers})


def _problems_of(act: SentAct, do: Callable[[SentAct], object]) -> list[str]:
    try:
        do(act)
    except (InvalidInput, Refused) as wrong:
        return [say(problem) for problem in wrong.problems]
    return []


def _read(text: str) -> list[SentAct]:
    try:
        listed: Any = json.loads(text)
        acts = [
            SentAct(to_uuid(str(client_id)), {str(k): str(v) for k, v in fields.items()})
            for client_id, fields in listed
        ]
    except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
        raise InvalidInput([FORM_STALE()]) from wrong
    if not 0 < len(acts) <= MOST_ACTS:
        raise InvalidInput([FORM_STALE()])
    return acts
