"""The matrix of rights: every address and method × every role × the own event and another one, as real requests.

The addresses come from the URL configuration, so that a new page is in it; what is expected from the table by hand in
rights_table, never from a view's own decorator.
In the suite a request ends where its gateway has decided, in the nightly run each is answered to the end.
That the roles themselves are as the page for organisers says is held by test_rights.
"""

import contextlib
import functools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver, resolve

from tests.factories import make_account, make_event, make_rule_set
from tests.pages.at_desk import client_of
from tests.pages.rights_table import ASKED_AGAIN, TABLE, Needs, audience_of
from tests.pages.test_audiences import SAMPLE, walk
from tournament.accounts.models import Account, Membership, Role
from tournament.core.rights import Right, Rights
from tournament.events.models import Event
from tournament.people.models import KnownPerson
from tournament.seasons.actions import SeasonFacts, create_season
from tournament.seasons.queries import READY_MADE

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

EVENTS = ("cup", "other")  # the own one, and another
STRANGER, ACCOUNT, SUPERUSER, ELSEWHERE = "stranger", "account", "superuser", "device of another table"
WHO = (STRANGER, ACCOUNT, *(str(role) for role in Role), ELSEWHERE, SUPERUSER)
SOMEBODY = (*(str(role) for role in Role), ELSEWHERE)  # at the own event
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
# what counts who asks how often, and notes that a session is alive, is no act of the asker's
BOOKKEEPING = ('"tournament_desksession"', '"django_session"', '"tournament_limit', '"tournament_ratelimit')
REFUSALS = (Http404, PermissionDenied)


class CameIn(BaseException):
    """Somebody has passed the gateway of an event; no handler of a view's troubles may take it for one."""


class AtTheGate(WSGIRequest):
    """A request that goes no further than the gateway, which writes the rights on it as it lets somebody in."""

    @property
    def rights(self) -> Rights:
        raise AttributeError("rights")

    @rights.setter
    def rights(self, _rights: Rights) -> None:
        raise CameIn


class Gate(BaseHandler):
    """The desk as it is served, all middleware and gateways; pages are made to the end only where that is wanted."""

    def __init__(self, *, to_the_end: bool) -> None:
        self.request_class = WSGIRequest if to_the_end else AtTheGate
        self.load_middleware()
        if not to_the_end:
            self._exception_middleware.append(refused_without_a_page)  # type: ignore[attr-defined]

    def ask(self, door: "Door", cookie: str) -> str:
        """Ask as a browser does, and return what came of it; nobody looks at a page."""
        request = self.request_class(
            RequestFactory().generic(door.method.upper(), door.url, headers={"Cookie": cookie}).environ
        )
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        try:
            return came(self.get_response(request), request, door)
        except CameIn:
            return "in"


def refused_without_a_page(_request: HttpRequest, why: Exception) -> HttpResponse | None:
    """Answer a refusal by its status alone: the pages that say it have tests of their own."""
    return HttpResponse(status=404 if isinstance(why, Http404) else 403) if isinstance(why, REFUSALS) else None


@dataclass(frozen=True, slots=True)
class Door:
    """One method of one address of one event."""

    url: str
    method: str
    name: str
    event: str

    @property
    def audience(self) -> str:
        return audience_of(self.name)

    @property
    def seen_with(self) -> Needs:
        """What it takes to come to the page at all; a page that is only sent to has no other."""
        read, send = TABLE[self.name]
        return read or send

    @property
    def verb(self) -> Needs:
        """What this method takes."""
        return TABLE[self.name][self.method == "post"]


@functools.cache
def doors() -> list[Door]:
    """List every address with each of its methods, for both events where who asks makes a difference."""
    asked, found = Client(), []
    for url, _part in walk(get_resolver()):
        refused = asked.options(url)
        assert (url, refused.status_code) == (url, 405)  # every view says which methods it has
        methods = [each.lower() for each in refused["Allow"].split(", ") if each in ("GET", "POST", "PUT", "DELETE")]
        name = resolve(url).view_name
        events = EVENTS if audience_of(name) == "event" else EVENTS[:1]
        found += [
            Door(url.replace("/cup/", f"/{event}/"), method, name, event) for event in events for method in methods
        ]
    return found


def rights(who: str, event: str) -> Rights:
    """Return what somebody is at an event; the roles are all at the first."""
    if who == SUPERUSER:
        return Rights(Role.OWNER)
    if event != EVENTS[0] or who in (STRANGER, ACCOUNT):
        return Rights()
    if who in (ELSEWHERE, Role.TABLE_DEVICE):
        return Rights(Role.TABLE_DEVICE, 2 if who == ELSEWHERE else 1)
    return Rights(Role(who))


def may(here: Rights, needs: Needs) -> bool:
    """Say whether somebody has the right that a method takes; one that is refused nobody has."""
    return isinstance(needs, Right) and here.may(needs)


def expected(door: Door, who: str) -> str:
    """Return what is to come of a request: "in", "sign in", "no page" or "not allowed"."""
    if door.audience in ("anyone", "public"):
        return "in"
    if who == STRANGER:
        return "sign in"
    if door.audience == "account":
        return "in"
    if door.audience == "site":
        return "in" if who == SUPERUSER else "no page"
    here = rights(who, door.event)
    table = 1 if "/tables/1/" in door.url else None
    if not may(here, door.seen_with) or not here.reaches(table):
        return "no page"
    return "in" if may(here, door.verb) else "not allowed"


def came(answer: Any, request: HttpRequest, door: Door) -> str:
    """Return what came of a request. Whether the view was asked is on the request, whatever it found then."""
    where = answer.get("Location", "")
    if answer.status_code == 401 or where.startswith("/login/?next=/"):
        return "sign in"
    if door.audience in ("anyone", "public") or hasattr(request, "rights"):
        return "in"
    if answer.status_code == 403 and door.name not in ASKED_AGAIN:
        return "not allowed"
    return "in" if door.audience != "event" and answer.status_code != 404 else "no page"


def session_of(who: str, event: Event) -> str:
    """Return the cookie of a browser that is signed in as somebody."""
    if who == STRANGER:
        return ""
    if who == Role.OWNER:
        return cookie_of(event.memberships.get(role=Role.OWNER).account)
    account = make_account(who.title(), superuser=who == SUPERUSER)
    here = rights(who, event.slug)
    if here.role and who != SUPERUSER:
        Membership.objects.create(event=event, account=account, role=here.role, table_number=here.table)
    return cookie_of(account)


def cookie_of(account: Account) -> str:
    return f"sessionid={client_of(account).cookies['sessionid'].value}"


@contextlib.contextmanager
def undone() -> Iterator[list[str]]:
    """Take back what is written within; the list has the writes, bookkeeping left out, once it is over."""
    written: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(WRITES) and not any(table in sql for table in BOOKKEEPING):
            written.append(sql)
        return execute(sql, *rest)

    with transaction.atomic(), connection.execute_wrapper(note):
        yield written
        transaction.set_rollback(True)


def asks(who: str, at: int, door: Door) -> bool:
    """Say who asks what in the suite.

    An address of everybody is asked by a stranger, and by the others in turn. One of the other event is asked by two of
    those who are somebody at the own one, in turn: to the others both are alike, and to each of these it is strange.
    Who is nobody at any event and who may everything at each share the addresses of the own one.
    """
    if door.audience in ("anyone", "public"):
        return who == STRANGER or at % (len(WHO) - 1) == WHO.index(who) - 1
    if door.event == EVENTS[0]:
        return door.audience != "event" or who not in (ACCOUNT, SUPERUSER) or at % 2 == (who == ACCOUNT)
    return who in SOMEBODY and (at // 2 - SOMEBODY.index(who)) % len(SOMEBODY) < 2


@pytest.mark.parametrize("to_the_end", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("who", WHO)
def test_each_may_what_the_table_of_verbs_says_and_nothing_else(who: str, to_the_end: bool):
    """Ask every address: who may comes in, who may not is turned away, and then nothing is written."""
    own, _other = (make_event(slug=slug, tables=0, rounds=1) for slug in EVENTS)
    make_rule_set("Club")
    create_season(facts=SeasonFacts("Club", READY_MADE["sum"]), by=make_account())
    KnownPerson.objects.create(uid=SAMPLE["uid"])
    cookie, gate = session_of(who, own), Gate(to_the_end=to_the_end)
    wrong = []
    for at, door in enumerate(doors()):
        if not to_the_end and not asks(who, at, door):
            continue
        wanted = expected(door, who)
        with undone() as written:
            found = gate.ask(door, cookie)
        if found != wanted or (wanted != "in" and written):
            wrong.append((door.method, door.url, f"wanted {wanted}", f"found {found}", written[:1]))
    assert wrong == []


def test_every_address_is_in_the_matrix():
    """Nine in ten addresses belong to an event: fewer would be a walk that lost its way."""
    found = doors()
    addresses = {door.url for door in found}
    assert {url for url, _part in walk(get_resolver())} == {url for url in addresses if "/other/" not in url}
    words = f"{len(found)} methods of {len(addresses)} addresses × {len(WHO)} who ask"
    asked = sum(asks(who, at, door) for who in WHO for at, door in enumerate(found))
    sys.stdout.write(f"{len(found) * len(WHO)} pairs: {words}; {asked} in the suite, all in the nightly run\n")
    assert len(found) * len(WHO) > asked > 1800


def test_every_verb_is_what_some_address_takes():
    """A verb that no page asks for would be a promise that nobody keeps."""
    taken = {needs for row in TABLE.values() for needs in row}
    asked_within = {Right.REOPEN_RELEASED}
    assert set(Right) - taken == asked_within


def test_nobody_is_nobody():
    assert rights(STRANGER, "cup") == Rights()
    assert AnonymousUser().is_authenticated is False
