"""What the desk answers and takes in, with an event in a database: JSON bodies, forms, addresses, event files.

Each case is rolled back, so that the next one meets the event as it was. A request that raises, or is answered as a
fault of the server, is a fault; so is an event file that is taken half.
"""

import contextlib
import copy
import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from bootstrap import REPO
from tests.factories import correct, enter_all, make_account, make_event, play_round, round_of, table_of
from tests.pages.at_desk import client_of
from tests.pages.test_audiences import walk
from tools.fuzz.hunt import Target
from tools.fuzz.mutation import ODD_TEXTS, mutate_bytes, mutate_json, mutate_text
from tools.fuzz.readers import ENTRIES, LINES, LISTS
from tools.page_forms import Form, PageForms
from tournament.accounts.models import Account
from tournament.archive.actions import import_event
from tournament.archive.event_file import read_event_file
from tournament.archive.queries import get_event_file
from tournament.core.errors import DomainError
from tournament.core.hash_chain import checksum
from tournament.events.models import Event
from tournament.penalties.actions import give_penalty
from tournament.rounds.actions import start_round
from tournament.wall.actions import AnnouncementText, write_announcement

SERVER_ERROR = 500
PINS = 4.0  # seconds: fifty cards for table devices have their PINs hashed slowly on purpose
PASSWORD = "correct horse battery"
NOT_ASKED = re.compile(r"print/|export/|\.pdf|/login|/logout|sign-out|sessions/end|/site\.zip|booklet|/enter/|/device/")
FULL_TEXT = ("line", "reason", "plan", "typed", "names", "said", "q")


def all_served() -> list[Target]:
    """Make an event in mid-play and return the targets on it."""
    account = make_account("Organiser", superuser=True)
    account.set_password(PASSWORD)
    account.save()
    with _rolled_back():
        file = get_event_file(_event(account, "elsewhere")).encode()
    event = _event(account, "cup")
    client = client_of(account)
    forms = list(_forms(client))
    gets, posts = ([form for form in forms if form[0] == method] for method in ("GET", "POST"))
    return [
        Target("API bodies", _bodies(event), lambda case: _answered(client, case)),
        Target("forms", _fields_of(posts), lambda case: _answered(client, case), slow=PINS),
        Target("addresses", _fields_of(gets), lambda case: _answered(client, case)),
        Target("event file", lambda chance: _damaged(file, chance), lambda case: _imported(case, account)),
    ]


def _event(account: Account, slug: str) -> Event:
    event = make_event("rakkii-nomi-2026", tables=2, rounds=3, slug=slug, by=account)
    play_round(event, 1, "2r3 340/2", "1t 130")
    start_round(round_=round_of(event, 2), by=account)
    enter_all(table_of(event, 1, round_=2), "2r3 340/2", "d13", "1t 230")
    correct(table_of(event, 1, round_=2), 1, "2r3 440")
    player = event.players.select_related("event").get(number=1)
    give_penalty(player=player, points=1000, reason="late", client_id=uuid4(), by=account)
    write_announcement(event=event, words=AnnouncementText(title="Lunch at noon"), client_id=uuid4(), by=account)
    event.refresh_from_db()
    return event


# ---------------------------------------------------------------- what is sent


def _bodies(event: Event) -> Any:
    def make(chance: Random) -> Form:
        seen = chance.choice((0, 4, 4, 4))
        body = {"client_id": "7e19f47b-21f7-4101-8000-00000000000a", "expected_seq": seen, "reason": "as it was"}
        value = mutate_json({**body, "entry": chance.choice(ENTRIES), "hand": chance.choice((None, 1, 3))}, chance)
        data = json.dumps(value).encode()
        if chance.random() < 0.3:
            data = mutate_bytes(data, (), chance)
        table = chance.choice((1, 1, 1, 2))
        return "JSON", f"/api/v1/events/{event.slug}/rounds/2/tables/{table}/entries", {"": [data]}

    return make


def _forms(client: Client) -> Iterator[Form]:
    """Yield every form of every page that can be opened, and each page as an address with all that any view reads."""
    source = "".join(path.read_text(encoding="utf-8") for path in sorted((REPO / "tournament").rglob("*.py")))
    read = {name: ["", "1", "2"] for name in sorted(set(re.findall(r'GET\.get(?:list)?\(\s*"(\w+)"', source)))}
    known = set()
    for address in dict.fromkeys(_addresses()):
        answer = client.get(address)
        if answer.status_code >= 300 or "html" not in answer.headers["Content-Type"]:
            continue
        yield "GET", address, read
        for method, action, fields in PageForms(answer.content.decode(), address).forms:
            fields.pop("csrfmiddlewaretoken", None)
            url = action.partition("#")[0] or address
            form = (method, url, tuple(sorted(fields)))
            if url.startswith("/") and not NOT_ASKED.search(url) and form not in known:
                known.add(form)
                yield method, url, fields


def _addresses() -> Iterator[str]:
    for address, part in walk(get_resolver()):
        if not NOT_ASKED.search(address) and getattr(part.callback, "audience", None) is not None:
            yield address
            if "/rounds/1" in address:
                yield address.replace("/rounds/1", "/rounds/2")


def _fields_of(forms: list[Form]) -> Any:
    def make(chance: Random) -> Form:
        method, address, fields = chance.choice(forms)
        sent = {name: list(chance.choice((values, values[:1], values[-1:]))) for name, values in fields.items()}
        if method == "GET":
            sent = {name: sent[name][:1] for name in chance.sample(sorted(sent), min(3, len(sent)))}
        for name in chance.sample(sorted(sent), min(len(sent), chance.choice((1, 1, 2, 4)))):
            sent[name] = [_odd_value(name, value, chance) for value in sent[name]] * chance.choice((1, 1, 1, 0, 3))
        return method, address, sent

    return make


def _odd_value(name: str, value: Any, chance: Random) -> Any:
    if isinstance(value, bytes):
        seeds = [text.encode() for text in LISTS]
        return mutate_bytes(chance.choice(seeds), seeds, chance)
    seed = chance.choice(LINES) if name in FULL_TEXT else value
    return chance.choice(ODD_TEXTS) if chance.random() < 0.4 else mutate_text(seed, LINES, chance)[:20_000]


def _damaged(file: bytes, chance: Random) -> bytes:
    """Return an event file that is damaged within but whose checksum is right, or now and then in its bytes."""
    if chance.random() < 0.25:
        return mutate_bytes(file, (), chance)
    value = mutate_json(json.loads(file), chance)
    with contextlib.suppress(TypeError, KeyError, UnicodeEncodeError):
        value["checksum"] = checksum(value["content"])
    return json.dumps(value).encode()


# ---------------------------------------------------------------- how it is answered


@contextlib.contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _answered(client: Client, case: Form) -> None:
    method, address, fields = case
    cookies = copy.deepcopy(client.cookies)
    with _rolled_back():
        answer = _send(client, method, address, fields)
        body = b"".join(answer) if answer.streaming else answer.content
    client.cookies = cookies
    if answer.status_code >= SERVER_ERROR:
        raise AssertionError(f"answered {answer.status_code}: {body[:300]!r}")


def _send(client: Client, method: str, address: str, fields: dict[str, list[Any]]) -> Any:
    if method == "JSON":
        return client.post(address, fields[""][0], content_type="application/json")
    sent = {name: [_field(value) for value in values] for name, values in fields.items()}
    return client.get(address, sent) if method == "GET" else client.post(address, sent)


def _field(value: Any) -> Any:
    """Return a field as a browser can send it: a file as a file, and no half characters."""
    return SimpleUploadedFile("a.csv", value) if isinstance(value, bytes) else value.encode("utf-8", "replace").decode()


def _imported(data: bytes, account: Account) -> None:
    with _rolled_back(), contextlib.suppress(DomainError):
        made = json.loads(get_event_file(import_event(data=data, by=account)))
        # an account that is here already keeps its name
        if made["content"] | {"accounts": []} != read_event_file(data) | {"accounts": []}:
            raise AssertionError("a file that was taken comes out as another one")
