"""What yakuman add: pages with live tables change with those of them that they may show."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from tournament.core.hooks import LIVE_MARKS
from tournament.events.models import Event
from tournament.pages.hooks import PHONE_CONTEXT

SHOWN = 3  # of those that came last: after a release there may be several


def _mark(event: Event, numbers: Sequence[int | None]) -> Mapping[int | None, str]:
    from tournament.moments.queries import live_yakuman_marks

    return live_yakuman_marks(event, numbers)


def _phone(_request: HttpRequest, event: Event, number: int | None) -> Mapping[str, Any]:
    from tournament.moments.messages import draw_moments
    from tournament.moments.queries import list_visible_yakuman

    return {"moments": draw_moments(event, list_visible_yakuman(event, number)[:SHOWN])}


LIVE_MARKS.append(_mark)
PHONE_CONTEXT.append(_phone)
