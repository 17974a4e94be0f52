"""Where else a season is shown: all off until switched on, checked as it is typed, on the trail without an address."""

import datetime as dt
import ipaddress
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args
from urllib.parse import urlsplit
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
SEASON_HOSTS_MANY = ProblemType("season.hosts_many", "At most {most} sites can show the table.")
SEASON_HOOK = ProblemType(
    "season.hook", "The webhook is an address that begins with https:// and leads to a machine on the Internet."
)
SEASON_HOOK_OFF = ProblemType("season.hook_off", "The season has no webhook, or is a draft: nothing was sent.")

MAX_HOSTS: Final = 10
MAX_HOOK: Final = 600
NEWS: Final = dt.timedelta(days=7)  # after its last day an event's results are nothing to tell by itself: old years
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
NAME = rf"{LABEL}(?:\.{LABEL})*"
# what goes into a header or a request is printable ASCII: \Z, because $ lets a line break pass
HOST = re.compile(rf"{NAME}(?::\d{{1,5}})?\Z")
HOOK = re.compile(rf"(https?)://({NAME})(?::\d{{1,5}})?(?:/[!-\"$-~]*)?\Z", re.IGNORECASE)
_OTHERS_INSIDE = ipaddress.ip_network("64:ff9b::/96")  # addresses of IPv4 that a network translates

Form = Literal["discord", "plain"]


class Hook(NamedTuple):
    """A webhook: the address, which is a secret, and the form of what it is sent."""

    url: str
    form: Form


class Reach(NamedTuple):
    """What is switched on; `frame` are the hosts whose pages may have the table in a frame."""

    feed: bool = False
    calendar: bool = False
    frame: tuple[str, ...] = ()
    hook: Hook | None = None


def read_reach(stored: Mapping[str, Any]) -> Reach:
    """Return what is switched on as it is stored."""
    hook = stored.get("hook")
    return Reach(
        bool(stored.get("feed")),
        bool(stored.get("calendar")),
        tuple(stored.get("frame", ())),
        Hook(hook["url"], hook["form"]) if hook else None,
    )


def read_hosts(text: str) -> tuple[str, ...]:
    """Read the sites that may show the table, by spaces, commas or lines; an address gives its host.

    Raises DomainError with each that is no host.

    >>> read_hosts("https://Club.example.org/league, münchen.example:8443")
    ('club.example.org', 'xn--mnchen-3ya.example:8443')
    """
    found = {typed: _host(typed) for typed in re.split(r"[\s,;]+", text) if typed}
    problems = [SEASON_HOST(text=typed[:60]) for typed, host in found.items() if not host]
    hosts = tuple(dict.fromkeys(found.values()))
    if len(hosts) > MAX_HOSTS:
        problems.append(SEASON_HOSTS_MANY(most=MAX_HOSTS))
    if problems:
        raise DomainError(*problems)
    return hosts


def _host(typed: str) -> str:
    try:
        host = urlsplit(typed if "://" in typed else f"//{typed}").netloc.lower().encode("idna").decode()
    except ValueError:
        return ""
    return host if HOST.match(host) and len(host) <= 253 and "." in host else ""


def read_hook(url: str, form: str) -> Hook | None:
    """Read a webhook as it was typed, None for none; raises DomainError."""
    if not url:
        return None
    found = HOOK.match(url) if len(url) <= MAX_HOOK else None
    private = settings.PRIVATE_HOOKS
    if found is None or form not in get_args(Form) or not (private or found[1].lower() == "https"):
        raise DomainError(SEASON_HOOK())
    if not private and ("." not in found[2] or (not _is_name(found[2]) and not is_public_address(found[2]))):
        raise DomainError(SEASON_HOOK())
    return Hook(url, form)  # type: ignore[arg-type]


def _is_name(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return True
    return False


def is_public_address(text: str) -> bool:
    """Tell whether an address is one of the Internet, and not one of this machine or its network.

    >>> [is_public_address(text) for text in ("1.1.1.1", "127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "fe80::1%e")]
    [True, False, False, False, False]
    """
    found = ipaddress.ip_address(text.partition("%")[0])
    inner = (found.ipv4_mapped or found.sixtofour) if isinstance(found, ipaddress.IPv6Address) else None
    return (inner or found).is_global and not found.is_multicast and found not in _OTHERS_INSIDE


def set_reach(*, season: Season, reach: Reach, by: Account) -> bool:
    """Replace what is switched on; return whether anything is new.

    What is released already is not sent to a new webhook; what waits is not sent when it is switched off.
    """
    with transaction.atomic():
        lock_audit_trail(None)
        current = Season.objects.select_for_update().get(pk=season.pk)
        before = read_reach(current.reach)
        fields = [name for name in Reach._fields if getattr(before, name) != getattr(reach, name)]
        if not fields:
            return False
        if reach.hook is None:
            current.posts.filter(state=PostState.WAITING).delete()
        elif before.hook is None:
            _add_posts(current, PostState.KNOWN, list_shown(current))
        kept = {name: value for name, value in reach._asdict().items() if value}
        current.reach = kept | ({"hook": reach.hook._asdict()} if reach.hook else {})
        current.save(update_fields=["reach"])
        append_audit(None, SEASON_REACH_SET, {"season": season.slug, "fields": fields}, by=str(by.uid), at=now())
    season.refresh_from_db()
    return True


def list_shown(season: Season) -> list[tuple[Event, int]]:
    """List the events of a season that everybody finds and that have public results, with the newest such round."""
    rows = season.events.filter(event__visibility=Visibility.PUBLIC).select_related("event")
    shown = [(row.event, max(get_public_view(row.event).rounds, default=0)) for row in rows]
    return [(event, round_) for event, round_ in shown if round_]


def add_release_posts(season: Season) -> None:
    """Add a message for each release that has none, of events that were not long ago; two queries."""
    known, since = set(season.posts.values_list("key", flat=True)), now().date() - NEWS
    new = [each for each in list_shown(season) if _key(*each) not in known and each[0].last_date >= since]
    if new:
        _add_posts(season, PostState.WAITING, new)


def _key(event: Event, round_: int) -> str:
    return f"{event.slug}/{round_}"


def _add_posts(season: Season, state: PostState, shown: list[tuple[Event, int]]) -> None:
    facts = {"season": season, "state": state, "at": now(), "next_at": now()}
    rows = [SeasonPost(event=event, round=round_, key=_key(event, round_), **facts) for event, round_ in shown]
    SeasonPost.objects.bulk_create(rows, ignore_conflicts=True)


def post_table(*, season: Season, client_id: UUID, by: Account) -> None:
    """Send the table of a season to its webhook soon, once for a client id; raises DomainError."""
    with transaction.atomic():
        lock_audit_trail(None)
        current = Season.objects.get(pk=season.pk)
        if read_reach(current.reach).hook is None or current.visibility == Visibility.DRAFT:
            raise DomainError(SEASON_HOOK_OFF())
        at = now()
        _row, made = SeasonPost.objects.get_or_create(
            season=current, key=str(client_id), defaults={"at": at, "next_at": at}
        )
        if made:
            append_audit(None, SEASON_POSTED, {"season": season.slug}, by=str(by.uid), at=at)
