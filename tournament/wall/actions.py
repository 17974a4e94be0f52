"""Verbs on the wall: announcements, its pages, the hall's network, and the prize giving step by step.

What the prize giving reveals is computed by `selectors.public.prizes`; stored is only how far it has come.
"""

import dataclasses
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals, Shown
from tournament.core.errors import DomainError
from tournament.core.transaction import EventChange, event_transaction
from tournament.events.models import Event
from tournament.wall.models import Announcement, Wall, WallPage
from tournament.wall.queries import get_prizes

ANNOUNCEMENT_WRITTEN = Act("announcement_written", "announced “{title}”", Seals.OWN, Shown.WALL)
ANNOUNCEMENT_CHANGED = Act("announcement_changed", "changed the announcement “{title}”", Seals.OWN, Shown.WALL)
ANNOUNCEMENT_MOVED = Act(
    "announcement_moved", "moved the announcement “{title}” to place {position}", Seals.OWN, Shown.WALL
)
ANNOUNCEMENT_TAKEN_BACK = Act("announcement_taken_back", "took the announcement “{title}” back", Seals.OWN, Shown.WALL)
ANNOUNCEMENT_PUT_BACK = Act("announcement_put_back", "put the announcement “{title}” back", Seals.OWN, Shown.WALL)
WALL_PAGES_SET = Act("wall_pages_set", "set the screen rotation: {pages}", Seals.OWN, Shown.WALL)
WALL_NETWORK_SET = Act("wall_network_set", "set the network on the hall screen: {network}", Seals.OWN, Shown.WALL)
PRIZES_BEGUN = Act("prizes_begun", "began the prize giving ({top} places; 0 is all)", shown=Shown.WALL)
PRIZES_SHOWN = Act("prizes_shown", "revealed {step} of {steps} places", shown=Shown.WALL)
PRIZES_ENDED = Act("prizes_ended", "ended the prize giving", shown=Shown.WALL)

WALL_NO_PAGE = ProblemType("wall.no_page", "Choose at least one page for the hall screen.")
WALL_PAGE_UNKNOWN = ProblemType("wall.page_unknown", "The hall screen has no such page: load this one again.")
WALL_SECONDS_OUT_OF_RANGE = ProblemType(
    "wall.seconds_out_of_range", "{seconds} is not possible; {least} to {most} are."
)
WALL_NETWORK_MISSING = ProblemType("wall.network_missing", "A password needs the name of its network.")
WALL_NETWORK_TOO_LONG = ProblemType("wall.network_too_long", "The name of a network has at most {most} letters.")
WALL_PASSWORD_LENGTH = ProblemType(
    "wall.password_length", "A network's password has {least} to {most} characters; leave it empty for an open network."
)
PRIZES_NOTHING = ProblemType("prizes.nothing", "No round is released yet: there are no places to reveal.")
PRIZES_NOT_OPEN = ProblemType("prizes.not_open", "No prize giving is open: begin it first.")
PRIZES_RESULTS_MOVED = ProblemType(
    "prizes.results_moved",
    "The results have changed since the prize giving was begun. The hall screen shows no place: check the "
    "results, then start over.",
)
PRIZES_TOP_OUT_OF_RANGE = ProblemType("prizes.top_out_of_range", "{top} places is not possible; 0 (all) to {most} are.")
PRIZES_STEP_OUT_OF_RANGE = ProblemType("prizes.step_out_of_range", "There is no step {step}; there are {most}.")
ANNOUNCEMENT_TITLE_MISSING = ProblemType("announcement.title_missing", "An announcement needs a title.")
ANNOUNCEMENT_TITLE_TOO_LONG = ProblemType(
    "announcement.title_too_long", "A title has at most {most} letters: more cannot be read from a distance."
)
ANNOUNCEMENT_TEXT_TOO_LONG = ProblemType(
    "announcement.text_too_long", "The text has at most {most} letters: more cannot be read from a distance."
)
ANNOUNCEMENT_ENDS_BEFORE = ProblemType("announcement.ends_before", "It would end before it begins.")
ANNOUNCEMENT_TOO_MANY = ProblemType("announcement.too_many", "There are {most} announcements: change an old one.")

MAX_TITLE = 80
MAX_TEXT = 300
MAX_ANNOUNCEMENTS = 100
MIN_SECONDS, MAX_SECONDS = 5, 120
MAX_NETWORK = 32
MIN_PASSWORD, MAX_PASSWORD = 8, 63
MAX_PLACES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementText:
    """An announcement: its texts, and when it is shown; None for from now on and for until the event ends."""

    title: str
    text: str = ""
    second_title: str = ""
    second_text: str = ""
    at_once: bool = False
    shown_from: dt.datetime | None = None
    shown_until: dt.datetime | None = None


def write_announcement(*, event: Event, words: AnnouncementText, client_id: UUID, by: Account) -> Announcement:
    """Add an announcement, last in the order. A known `client_id` changes nothing and returns its row.

    Raises DomainError without a title, for a text too long, an end before the start, and too many announcements.
    """
    with event_transaction(event, ANNOUNCEMENT_WRITTEN, by=by) as change:
        known = change.find_by_client_id(Announcement.objects, client_id, event_id=event.pk)
        if known:
            return known
        values = _values(words, change.at)
        there = change.event.announcements.count()
        if there >= MAX_ANNOUNCEMENTS:
            raise DomainError(ANNOUNCEMENT_TOO_MANY(most=MAX_ANNOUNCEMENTS))
        made = Announcement.objects.create(
            event=change.event,
            client_id=client_id,
            position=there + 1,
            written_by=change.by,
            written_at=change.at,
            **values,
        )
        change.details = {"title": made.title}
    return made


def change_announcement(*, announcement: Announcement, words: AnnouncementText, by: Account) -> bool:
    """Change what is announced or when; return whether that is new. Raises DomainError as for a new one."""
    with event_transaction(announcement.event, ANNOUNCEMENT_CHANGED, by=by) as change:
        current = _current(change, announcement)
        values = _values(words, current.shown_from)
        before = {key: getattr(current, key) for key in values}
        changed = {key: value for key, value in values.items() if before[key] != value}
        new = change.set_columns(current, **changed)
        change.details = {"title": current.title, "before": {key: str(before[key] or "") for key in changed}}
        return new


def move_announcement(*, announcement: Announcement, position: int, by: Account) -> None:
    """Move an announcement to a place in the order, counted from 1 among those not withdrawn."""
    with event_transaction(announcement.event, ANNOUNCEMENT_MOVED, by=by) as change:
        current = _current(change, announcement)
        rows = list(change.event.announcements.filter(taken_back_at=None))
        others = [row for row in rows if row.pk != current.pk]
        at = min(max(position, 1), len(others) + 1)
        wanted = [*others[: at - 1], current, *others[at - 1 :]]
        if [row.pk for row in wanted] == [row.pk for row in rows]:
            change.mark_unchanged()
            return
        for number, row in enumerate(wanted, start=1):
            row.position = number
        Announcement.objects.bulk_update(wanted, ["position"])
        change.details = {"title": current.title, "position": at}


def withdraw_announcement(*, announcement: Announcement, by: Account) -> None:
    """Take an announcement off the wall; the row stays, and can be restored."""
    with event_transaction(announcement.event, ANNOUNCEMENT_TAKEN_BACK, by=by) as change:
        current = _current(change, announcement)
        change.details = {"title": current.title}
        if current.taken_back_at:
            change.mark_unchanged()
        else:
            change.set_columns(current, taken_back_at=change.at, taken_back_by=change.by)


def restore_announcement(*, announcement: Announcement, by: Account) -> None:
    """Put a withdrawn announcement on the wall again, with its times as they were."""
    with event_transaction(announcement.event, ANNOUNCEMENT_PUT_BACK, by=by) as change:
        current = _current(change, announcement)
        change.details = {"title": current.title}
        change.set_columns(current, taken_back_at=None, taken_back_by="")


def _current(change: EventChange, announcement: Announcement) -> Announcement:
    return change.event.announcements.get(pk=announcement.pk)


def _values(words: AnnouncementText, begins: dt.datetime) -> dict[str, Any]:
    """Return the columns of an announcement, shown from `begins` by default; raises DomainError."""
    values = {key: _tidy(value) for key, value in dataclasses.asdict(words).items()}
    if not values["title"]:
        raise DomainError(ANNOUNCEMENT_TITLE_MISSING())
    if max(len(values["title"]), len(values["second_title"])) > MAX_TITLE:
        raise DomainError(ANNOUNCEMENT_TITLE_TOO_LONG(most=MAX_TITLE))
    if max(len(values["text"]), len(values["second_text"])) > MAX_TEXT:
        raise DomainError(ANNOUNCEMENT_TEXT_TOO_LONG(most=MAX_TEXT))
    values["shown_from"] = words.shown_from or begins
    if words.shown_until and words.shown_until <= values["shown_from"]:
        raise DomainError(ANNOUNCEMENT_ENDS_BEFORE())
    return values


def _tidy(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


def set_wall_pages(*, event: Event, pages: Sequence[tuple[str, int]], by: Account) -> bool:
    """Set the wall's pages, in order, and the seconds of each screen; return whether that is new.

    Raises DomainError for no page, an unknown or repeated one, and for seconds out of range.
    """
    with event_transaction(event, WALL_PAGES_SET, by=by) as change:
        _check_pages(pages)
        change.details = {"pages": [page for page, _seconds in pages]}
        return _set_wall(change, pages=[{"page": page, "seconds": seconds} for page, seconds in pages])


def set_network(*, event: Event, network: str, password: str, by: Account) -> bool:
    """Set the hall's network, "" for none, and its password, "" for an open one; return whether that is new.

    The trail names the network and never its password. Raises DomainError for an impossible name or password.
    """
    with event_transaction(event, WALL_NETWORK_SET, by=by) as change:
        network = network.strip()
        if len(network.encode()) > MAX_NETWORK:
            raise DomainError(WALL_NETWORK_TOO_LONG(most=MAX_NETWORK))
        if password and not network:
            raise DomainError(WALL_NETWORK_MISSING())
        if password and not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
            raise DomainError(WALL_PASSWORD_LENGTH(least=MIN_PASSWORD, most=MAX_PASSWORD))
        change.details = {"network": network}
        return _set_wall(change, network=network, network_password=password)


def begin_prizes(*, event: Event, top: int, by: Account) -> None:
    """Begin or restart the prize giving with nothing revealed; `top` is the number of best places, 0 for all.

    From now on the wall shows nothing else. Raises DomainError while no round is released, and for `top` out of range.
    """
    with event_transaction(event, PRIZES_BEGUN, by=by) as change:
        if not 0 <= top <= MAX_PLACES:
            raise DomainError(PRIZES_TOP_OUT_OF_RANGE(top=top, most=MAX_PLACES))
        prizes = get_prizes(change.event)
        if not prizes.mark:
            raise DomainError(PRIZES_NOTHING())
        change.details = {"top": top}
        _set_wall(change, prizes_open=True, prizes_top=top, prizes_step=0, prizes_mark=prizes.mark)


def show_prizes(*, event: Event, step: int, by: Account) -> None:
    """Reveal this many steps, the last place first.

    Raises DomainError where no prize giving is open, for too many steps, and where the results changed since it began.
    """
    with event_transaction(event, PRIZES_SHOWN, by=by) as change:
        prizes = get_prizes(change.event)
        if not prizes.open:
            raise DomainError(PRIZES_NOT_OPEN())
        if prizes.moved:
            raise DomainError(PRIZES_RESULTS_MOVED())
        if not 0 <= step <= len(prizes.steps):
            raise DomainError(PRIZES_STEP_OUT_OF_RANGE(step=step, most=len(prizes.steps)))
        change.details = {"step": step, "steps": len(prizes.steps)}
        _set_wall(change, prizes_step=step)


def end_prizes(*, event: Event, by: Account) -> None:
    """End the prize giving: the wall shows its pages again, and the places that are public."""
    with event_transaction(event, PRIZES_ENDED, by=by) as change:
        _set_wall(change, prizes_open=False, prizes_step=0, prizes_mark="")


def _set_wall(change: EventChange, **values: Any) -> bool:
    """Set columns of the event's wall, whose row is made by the first change; return whether any was new."""
    wall = Wall.objects.filter(event=change.event).first() or Wall(event=change.event)
    if all(getattr(wall, name) == value for name, value in values.items()):
        return change.mark_unchanged()
    for name, value in values.items():
        setattr(wall, name, value)
    wall.save()
    return True


def _check_pages(pages: Sequence[tuple[str, Any]]) -> None:
    if not pages:
        raise DomainError(WALL_NO_PAGE())
    names = [page for page, _seconds in pages]
    if len(set(names)) < len(names) or not set(names) <= set(WallPage.values):
        raise DomainError(WALL_PAGE_UNKNOWN())
    for _page, seconds in pages:
        if not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise DomainError(WALL_SECONDS_OUT_OF_RANGE(seconds=seconds, least=MIN_SECONDS, most=MAX_SECONDS))
