"""What the last hand adds: a phone's page changes with what its player needs."""

from collections.abc import Mapping, Sequence

from tournament.core.hooks import LIVE_MARKS
from tournament.events.models import Event


def _mark(event: Event, numbers: Sequence[int | None]) -> Mapping[int | None, str]:
    from tournament.alllast.queries import needs_marks

    return needs_marks(event, numbers)


LIVE_MARKS.append(_mark)
