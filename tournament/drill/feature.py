"""What the drill adds: its pages, and the deletion of old drills."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.urls import path

from tournament.core.hooks import HOUSEKEEPING, Housekeeping
from tournament.pages.hooks import Addresses


def list_addresses() -> Addresses:
    """Return the addresses; imports the views."""
    from tournament.drill import questions as answers
    from tournament.drill import views as crew
    from tournament.drill import views as practice

    return Addresses(
        site=[
            path("drill/", practice.drill, name="drill"),
            path("drill/sheet.pdf", practice.sheet, name="drill_sheet"),
        ],
        public=[
            path("drill/", practice.event_drill, name="drill"),
            path("drill/sheet.pdf", practice.event_sheet, name="drill_sheet"),
            path("drill/<str:token>/", answers.answer, name="crew_drill"),
        ],
        desk=[
            path("<slug:slug>/drills/", crew.drills, name="drills"),
            path("<slug:slug>/drills/<int:drill_id>/", crew.crew_drill, name="drill"),
            path("<slug:slug>/drills/<int:drill_id>/sheet.pdf", crew.crew_sheet, name="drill_sheet"),
        ],
    )


def _list_due() -> Iterator[dict[str, Any]]:
    from tournament.drill.actions import list_old_drills

    for slug, drills in Counter(list_old_drills().values_list("event__slug", flat=True)).items():
        yield {"event": slug, "drills": drills}


def _forget() -> None:
    from tournament.drill.actions import forget_old_drills

    forget_old_drills()


HOUSEKEEPING.append(Housekeeping(_list_due, _forget))
