"""Verbs on the wall: which pages it shows and how long, the hall's network, and the prize giving step by step.

What the prize giving reveals is worked out by `selectors.prizes`; here only how far it has come is written.
"""

from collections.abc import Sequence
from typing import Any

from scoring.problems import error
from tournament.models import Account, Event, Wall, WallPage
from tournament.refusal import Refused
from tournament.selectors.public.wall import get_prizes
from tournament.services.core.writing import Change, writing

LEAST_SECONDS, MOST_SECONDS = 5, 120
MOST_NETWORK = 32
LEAST_PASSWORD, MOST_PASSWORD = 8, 63
MOST_PLACES = 1000


def set_wall_pages(*, event: Event, pages: Sequence[tuple[str, int]], by: Account) -> bool:
    """Set which pages the wall goes through, in order, and the seconds of each screen; return whether that is new.

    Raises Refused for no page, one that there is not or that is named twice, and for seconds that cannot be.
    """
    with writing(event, "wall_pages_set", by=by) as change:
        _check_pages(pages)
        wall = _wall(change)
        wanted = [{"page": page, "seconds": seconds} for page, seconds in pages]
        if wall.pages == wanted:
            change.nothing_new()
            return False
        wall.pages = wanted
        wall.save()
        change.details = {"pages": [page for page, _seconds in pages]}
    return True


def set_network(*, event: Event, network: str, password: str, by: Account) -> bool:
    """Set the hall's network, "" for none, and its password, "" for an open one; return whether that is new.

    The trail names the network and never its password. Raises Refused for what no network can be called.
    """
    with writing(event, "wall_network_set", by=by) as change:
        network = network.strip()
        if len(network.encode()) > MOST_NETWORK:
            raise Refused(error("wall.network_too_long", most=MOST_NETWORK))
        if password and not network:
            raise Refused(error("wall.network_missing"))
        if password and not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
            raise Refused(error("wall.password_length", least=LEAST_PASSWORD, most=MOST_PASSWORD))
        wall = _wall(change)
        if (wall.network, wall.network_password) == (network, password):
            change.nothing_new()
            return False
        wall.network, wall.network_password = network, password
        wall.save()
        change.details = {"network": network}
    return True


def begin_prizes(*, event: Event, top: int, by: Account) -> None:
    """Begin the prize giving, or begin it anew: nothing is revealed yet. `top` is the best places to reveal, 0 for all.

    From now on the wall shows nothing else. Raises Refused while no round is released, and for a number of places that
    cannot be.
    """
    with writing(event, "prizes_begun", by=by) as change:
        if not 0 <= top <= MOST_PLACES:
            raise Refused(error("prizes.top_out_of_range", top=top, most=MOST_PLACES))
        prizes = get_prizes(change.event)
        if not prizes.mark:
            raise Refused(error("prizes.nothing"))
        wall = _wall(change)
        before = (wall.prizes_open, wall.prizes_top, wall.prizes_step, wall.prizes_mark)
        if before == (True, top, 0, prizes.mark):
            change.nothing_new()
            return
        wall.prizes_open, wall.prizes_top, wall.prizes_step, wall.prizes_mark = True, top, 0, prizes.mark
        wall.save()
        change.details = {"top": top}


def show_prizes(*, event: Event, step: int, by: Account) -> None:
    """Reveal this many steps, the last place first: one more, one fewer, or none. Sent twice it does it once.

    Raises Refused where no prize giving is open, where there are not so many steps, and where the results have changed
    since it was begun.
    """
    with writing(event, "prizes_shown", by=by) as change:
        wall, prizes = _wall(change), get_prizes(change.event)
        if not prizes.open:
            raise Refused(error("prizes.not_open"))
        if prizes.moved:
            raise Refused(error("prizes.results_moved"))
        if not 0 <= step <= len(prizes.steps):
            raise Refused(error("prizes.step_out_of_range", step=step, most=len(prizes.steps)))
        if wall.prizes_step == step:
            change.nothing_new()
            return
        wall.prizes_step = step
        wall.save()
        change.details = {"step": step, "steps": len(prizes.steps)}


def end_prizes(*, event: Event, by: Account) -> None:
    """End the prize giving: the wall shows its pages again, and of the places what everybody may see."""
    with writing(event, "prizes_ended", by=by) as change:
        wall = _wall(change)
        if not wall.prizes_open:
            change.nothing_new()
            return
        wall.prizes_open, wall.prizes_step, wall.prizes_mark = False, 0, ""
        wall.save()


def _wall(change: Change) -> Wall:
    """Return the wall of the locked event, made where there is none; unsaved until the verb saves it."""
    return Wall.objects.filter(event=change.event).first() or Wall(event=change.event)


def _check_pages(pages: Sequence[tuple[str, Any]]) -> None:
    if not pages:
        raise Refused(error("wall.no_page"))
    names = [page for page, _seconds in pages]
    if len(set(names)) < len(names) or not set(names) <= set(WallPage.values):
        raise Refused(error("wall.page_unknown"))
    for _page, seconds in pages:
        if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            raise Refused(error("wall.seconds_out_of_range", seconds=seconds, least=LEAST_SECONDS, most=MOST_SECONDS))
