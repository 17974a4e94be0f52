"""Verbs on what the public sees: set when results become public, and end a hold. They decide nothing about who sees it.

What follows from these settings is in `tournament.selectors.core.public`.
"""

import dataclasses
from dataclasses import dataclass

from scoring.problems import error
from tournament.models import Account, Event, Hold, LiveOthers, LiveTables
from tournament.refusal import Refused
from tournament.selectors.core.public import read_seen
from tournament.services.core.writing import writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What the public sees of an event, as its columns of the same names say."""

    live_tables: str = LiveTables.NOTHING
    live_others: str = LiveOthers.OWN
    hold: str = Hold.NOTHING
    show_needs: bool = False
    ema_certified: bool = False


def publication_of(event: Event) -> Publication:
    """Return what is set now."""
    return Publication(**{each.name: getattr(event, each.name) for each in dataclasses.fields(Publication)})


def set_publication(*, event: Event, publication: Publication, by: Account) -> bool:
    """Set what the public sees; return whether that is new.

    What the public has seen stays seen: a new hold begins after the rounds that are public already. Raises Refused for
    a value that there is not.
    """
    with writing(event, "publication_set", by=by) as change:
        _refuse_unknown(publication)
        before = dataclasses.asdict(publication_of(change.event))
        after = dataclasses.asdict(publication)
        changed = {name: value for name, value in after.items() if before[name] != value}
        if not changed:
            change.nothing_new()
            return False
        shown = max(read_seen(change.event).rounds, default=0)
        values = {**changed, "shown_through": max(shown, change.event.shown_through)}
        _set(change.event, values)
        change.event.save(update_fields=list(values))
        change.details = {"publication": changed}
    _set(event, values)
    return True


def show_results(*, event: Event, by: Account) -> bool:
    """Show the results that are held, all at once; return whether any were.

    Sent twice it shows them once. The hold of a round that is not released yet stays.
    """
    with writing(event, "results_shown", by=by) as change:
        held = read_seen(change.event).held_rounds
        if not held:
            change.nothing_new()
            return False
        change.event.shown_through = max(held)
        change.event.save(update_fields=["shown_through"])
        change.details = {"rounds": list(held)}
    event.shown_through = max(held)
    return True


def _refuse_unknown(publication: Publication) -> None:
    known = (
        publication.live_tables in LiveTables.values
        and publication.live_others in LiveOthers.values
        and publication.hold in Hold.values
    )
    if not known:
        raise Refused(error("event.publication_unknown"))


def _set(event: Event, values: dict[str, object]) -> None:
    for name, value in values.items():
        setattr(event, name, value)
