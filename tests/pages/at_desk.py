"""Sitting at the desk without a browser: signed-in clients, addresses, and hands sent as the pages send them."""

import html
import json
import re
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from tests.factories import make_account, writer_of
from tournament.accounts.models import Account, Membership, Role
from tournament.accounts.session_store import SessionStore
from tournament.events.models import Event

BACKEND = "django.contrib.auth.backends.ModelBackend"
HTMX = {"HX-Request": "true"}


def session_of(account: Account) -> str:
    """Sign an account in and return the key of its session; what else a sign-in does is tested at its page."""
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(account.pk), BACKEND
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.save()
    return session.session_key or ""


def client_of(account: Account) -> Client:
    """Return a client that is signed in as somebody."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(account)
    return client


def organiser(event: Event) -> Client:
    """Return a client that is signed in as the event's organiser."""
    return client_of(writer_of(event))


def in_role(event: Event, role: Role, *, name: str = "", table: int = 1) -> Client:
    """Return a client that is signed in as a new member of the event in this role, a device at this table."""
    account = make_account(name or role.title())
    place = table if role is Role.TABLE_DEVICE else None
    Membership.objects.create(event=event, account=account, role=role, table_number=place)
    return client_of(account)


def referee(event: Event, name: str = "Rita") -> Client:
    """Return a client that is signed in as a new referee of the event."""
    return in_role(event, Role.REFEREE, name=name)


def table_url(event: Event, table: int = 1, round_: int = 1, end: str = "") -> str:
    """Return the address of a table's hand page, or of what lies below it."""
    return f"/desk/{event.slug}/rounds/{round_}/tables/{table}/{end}"


def send(client: Client, event: Event, line: str = "", *, table: int = 1, htmx: bool = False, **fields: Any) -> Any:
    """Send a hand typed into the line; `fields` replace or add what the page would send."""
    data = {"client_id": str(uuid4()), "expected_seq": 0, "line": line, **fields}
    return client.post(table_url(event, table), data, headers=HTMX if htmx else {})


def preview(client: Client, event: Event, line: str = "", **fields: Any) -> Any:
    """Ask what a line means while it is typed."""
    return client.get(table_url(event, end="preview/"), {"line": line, **fields}, headers=HTMX)


def values(response: Any, name: str) -> list[str]:
    """List the values of a page's inputs of this name; what scripts may put there later is not there."""
    page = re.sub(r"<template.*?</template>", "", response.content.decode(), flags=re.DOTALL)
    tags = re.findall(rf'<input[^>]*\bname="{re.escape(name)}"[^>]*>', page)
    return [match[1] if (match := re.search(r'\bvalue="([^"]*)"', tag)) else "" for tag in tags]


def in_cards(response: Any) -> dict[str, Any]:
    """Return the typed hand as the cards of a page have it."""
    found = re.search(r'data-in-cards="([^"]*)"', response.content.decode())
    assert found, "no hand for the cards"
    cards: dict[str, Any] = json.loads(html.unescape(found[1]))
    return cards


def ticked(response: Any) -> dict[str, list[str]]:
    """Return what is ticked and chosen in a page's forms: name → values."""
    source = response.content.decode()
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*\bchecked\b[^>]*>", source):
        found.setdefault(re.search(r'name="([^"]*)"', tag)[1], []).append(re.search(r'value="([^"]*)"', tag)[1])  # type: ignore[index]
    for name, inside in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', source, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]+)" selected', inside)
        if chosen:
            found[name] = chosen
    return found
