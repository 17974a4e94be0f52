"""Where else a season is shown: all off until switched on, checked as it is typed, on the trail without an address."""

import datetime as dt
import ipaddress
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act, Seals
from tournament.core.audit import append_audit, lock_audit_trail
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.events.models import Event, Visibility
from tournament.publication.queries import get_public_view
from tournament.seasons.models import PostState, Season, SeasonPost

SEASON_REACH_SET = Act("season_reach_set", "changed {fields} of the season {season}", Seals.OWN)
SEASON_POSTED = Act("season_posted", "sent the table of the season {season} to its webhook", Seals.OWN)
SEASON_HOST = ProblemType("season.host", "“{text}” is no name of a site, such as club.example.org.")
SEASON_HOOK = ProblemType(
    "season.hook", "The webhook is an address that begins with https:// and leads to a machine on the Internet."
)
SEASON_HOOK_OFF = ProblemType("season.hook_off", "The season has no webhook, or is a draft: nothing was sent.")

NEWS: Final = dt.timedelta(days=7)  # after its last day an event's results are nothing to tell by itself: old years
# what goes into a header or a request is printable ASCII; \Z, because $ lets a line break pass
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"(?:https?://)?((?:{LABEL}\.)+{LABEL}(?::\d{{1,5}})?)(?:/.*)?\Z")
HOOK = re.compile(rf"(https?)://({LABEL}(?:\.{LABEL})*)(?::\d{{1,5}})?(?:/[!-\"$-~]*)?\Z", re.IGNORECASE)
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # by which a network reaches any address of IPv4


class Reach(NamedTuple):
    """What is switched on: `frame` are the hosts that may have the table in a frame, `hook` a secret address.

    `teams` are the files of the table of teams.
    """

    feed: bool = False
    calendar: bool = False
    frame: tuple[str, ...] = ()
    hook: str = ""
    form: str = "discord"
    teams: bool = False


def read_reach(stored: Mapping[str, Any]) -> Reach:
    """Return what is switched on as it is stored."""
    hook = stored.get("hook") or {"url": "", "form": "discord"}
    on = bool(stored.get("feed")), bool(stored.get("calendar"))
    return Reach(*on, tuple(stored.get("frame", ())), hook["url"], hook["form"], bool(stored.get("teams")))


def read_hosts(text: str) -> tuple[str, ...]:
    """Read the sites that may show the table; an address gives its host. Raises DomainError with each that is none.

    >>> read_hosts("https://Club.example.org/league blog.example.org:8443")
    ('club.example.org', 'blog.example.org:8443')
    """
    found = {typed: HOST.match(typed.lower()) for typed in text.replace(",", " ").split()}
    if problems := [SEASON_HOST(text=typed[:60]) for typed, host in found.items() if not host]:
        raise DomainError(*problems)
    return tuple(dict.fromkeys(host[1] for host in found.values() if host))


def read_hook(url: str) -> str:
    """Return the address of a webhook, "" for none; raises DomainError. Its name is looked up when it is used."""
    if not url:
        return ""
    found = HOOK.match(url)
    if found and not settings.PRIVATE_HOOKS:
        numbers = re.fullmatch(r"[\d.]+", found[2])
        safe = found[1].lower() == "https" and "." in found[2] and (not numbers or is_public_address(found[2]))
        found = found if safe else None
    if found is None:
        raise DomainError(SEASON_HOOK())
    return url


def is_public_address(text: str) -> bool:
    """Tell whether an address is one of the Internet, and not one of this machine or its network.

    >>> [is_public_address(text) for text in ("1.1.1.1", "127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "fe80::1%e")]
    [True, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    inner = (found.ipv4_mapped or found.sixtofour) if isinstance(found, ipaddress.IPv6Address) else None
    return (inner or found).is_global and not found.is_multicast and found not in TRANSLATED


def set_reach(*, season: Season, reach: Reach, by: Account) -> bool:
    """Replace what is switched on; return whether anything is new. Raises DomainError for a webhook that may not be.

    What is released already is not sent to a new webhook; what waits is not sent when it is switched off.
    """
    read_hook(reach.hook)
    with transaction.atomic():
        lock_audit_trail(None)
        current = Season.objects.select_for_update().get(pk=season.pk)
        before = read_reach(current.reach)
        fields = [name for name in Reach._fields if getattr(before, name) != getattr(reach, name)]
        if not fields:
            return False
        if not reach.hook:
            current.posts.filter(state=PostState.WAITING).delete()
        elif not before.hook:
            add_posts(current, PostState.KNOWN)
        on = {"feed": reach.feed, "calendar": reach.calendar, "frame": reach.frame, "teams": reach.teams}
        hook = {"hook": {"url": reach.hook, "form": reach.form}} if reach.hook else {}
        season.reach = {name: value for name, value in on.items() if value} | hook
        season.save(update_fields=["reach"])
        append_audit(None, SEASON_REACH_SET, {"season": season.slug, "fields": fields}, by=str(by.uid), at=now())
    return True


def add_posts(season: Season, state: PostState, since: dt.date = dt.date.min) -> None:
    """Add a message for each newest release that has none, of public events that end from a day on; two queries."""
    known, at = set(season.posts.values_list("key", flat=True)), now()
    new: list[SeasonPost] = []
    for event in public_events(season):
        round_ = max(get_public_view(event).rounds, default=0)
        key = f"{event.slug}/{round_}"
        if round_ and key not in known and event.last_date >= since:
            new.append(SeasonPost(season=season, event=event, round=round_, key=key, state=state, at=at, next_at=at))
    SeasonPost.objects.bulk_create(new, ignore_conflicts=True)


def public_events(season: Season) -> list[Event]:
    """List the events of a season that everybody finds, the last first."""
    rows = season.events.filter(event__visibility=Visibility.PUBLIC).select_related("event")
    return [row.event for row in rows.reverse()]


def post_table(*, season: Season, client_id: UUID, by: Account) -> None:
    """Send the table of a season to its webhook soon, once for a client id; raises DomainError."""
    if not read_reach(season.reach).hook or season.visibility == Visibility.DRAFT:
        raise DomainError(SEASON_HOOK_OFF())
    with transaction.atomic():
        lock_audit_trail(None)
        facts = {"at": now(), "next_at": now()}
        row, made = SeasonPost.objects.get_or_create(season=season, key=str(client_id), defaults=facts)
        if made:
            append_audit(None, SEASON_POSTED, {"season": season.slug}, by=str(by.uid), at=row.at)
