"""The JSON API held against its own description and against hands that must not pass."""

import importlib.util
import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints
from uuid import uuid4

import jsonschema
import pytest
from django.test import Client
from django.urls import get_resolver

from scoring.entries import KINDS
from tests.factories import make_account, writer_of
from tests.fixtures import module_event
from tournament.api.shapes import Entry
from tournament.events.models import Event
from tournament.rounds.actions import release_round
from tournament.tables.models import LedgerEntry

REPO = Path(__file__).resolve().parents[2]
OPENAPI = json.loads((REPO / "docs/developer/openapi.json").read_text(encoding="utf-8"))
RON = {"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 40}], "riichi": [1]}

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


made = module_event("ema-2025", tables=2, rounds=1)


@pytest.fixture
def desk(event: Event) -> Client:
    """Return a client that is signed in as the event's organiser."""
    client = Client()
    client.force_login(writer_of(event), backend="django.contrib.auth.backends.ModelBackend")
    return client


def entries_url(event: Event, table: int = 1) -> str:
    """Return the address at which hands of a table are entered."""
    return f"/api/v1/events/{event.slug}/rounds/1/tables/{table}/entries"


def new_entry(entry: object = RON, *, expected_seq: int = 0, **more: object) -> dict[str, Any]:
    """Return a body that enters a hand."""
    return {"client_id": str(uuid4()), "expected_seq": expected_seq, "entry": entry, **more}


def post(client: Client, event: Event, body: object, table: int = 1) -> Any:
    """Send a body to a table's entries."""
    text = body if isinstance(body, str) else json.dumps(body)
    return client.post(entries_url(event, table), data=text, content_type="application/json")


def check_described(response: Any, path: str, verb: str) -> None:
    """Hold an answer against the description: its status is named, and its body fits the schema."""
    described = OPENAPI["paths"][path][verb]["responses"]
    assert str(response.status_code) in described
    content = described[str(response.status_code)].get("content")
    if content:
        schema = {**content["application/json"]["schema"], "components": OPENAPI["components"]}
        jsonschema.validate(response.json(), schema, cls=jsonschema.Draft202012Validator)


TABLE = "/{slug}/rounds/{round_number}/tables/{table_number}"
ENTRIES = TABLE + "/entries"


def test_every_address_is_described_and_nothing_else() -> None:
    """Compare the addresses below /api/v1/events/ with the paths of the description."""
    api = next(each for each in get_resolver().url_patterns if str(each.pattern).startswith("api/"))
    routes = {"/{slug}/" + str(each.pattern).replace("<int:", "{").replace(">", "}") for each in api.url_patterns}
    assert routes == set(OPENAPI["paths"])


def test_the_description_is_written_from_the_types() -> None:
    """Compare the committed file with what scripts/write_openapi.py writes."""
    spec = importlib.util.spec_from_file_location("write_openapi", REPO / "scripts/write_openapi.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    sys.modules["write_openapi"] = script  # where its dataclass looks for its module
    spec.loader.exec_module(script)
    assert (REPO / "docs/developer/openapi.json").read_text(encoding="utf-8") == script.page(), "write it again"


@pytest.mark.parametrize("shape", get_args(Entry))
def test_the_types_of_entries_have_the_engines_fields(shape: Any) -> None:
    """Compare the keys of an entry's type with the fields of the engine's class of that kind."""
    hints = get_type_hints(shape)
    kind = KINDS[get_args(hints["kind"])[0]]
    assert set(hints) == {"kind", *(field.name for field in fields(kind))}


def test_a_hand_is_entered_and_the_table_answers(event: Event, desk: Client) -> None:
    """A hand gives 201 with the refolded table."""
    response = post(desk, event, new_entry())
    check_described(response, ENTRIES, "post")
    assert response.status_code == 201
    table = response.json()["table"]
    assert [seat["score"] for seat in table["seats"]] == [30000, 35200, 24800, 30000]
    assert table["hands"][0]["deltas"] == [0, 5200, -5200, 0]
    assert [(t["from"], t["to"], t["points"], t["why"]) for t in table["hands"][0]["transfers"]] == [
        (1, None, 1000, "deposit"),
        (2, 1, 5200, "hand"),
        (None, 1, 1000, "deposit"),
    ]


def test_the_same_client_id_changes_nothing(event: Event, desk: Client) -> None:
    """A repeated request gives 200 with the first answer's row."""
    body = new_entry()
    first = post(desk, event, body)
    again = post(desk, event, body)
    check_described(again, ENTRIES, "post")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["seq"] == first.json()["seq"] == 1
    assert LedgerEntry.objects.count() == 1


def test_another_hand_under_a_known_client_id_is_refused_with_what_was_kept(event: Event, desk: Client) -> None:
    body = new_entry()
    post(desk, event, body)
    again = post(desk, event, {**body, "entry": {"kind": "draw", "tenpai": []}})
    check_described(again, ENTRIES, "post")
    assert again.status_code == 409
    assert [problem["code"] for problem in again.json()["problems"]] == ["form.sent_already"]
    assert [(row["seq"], row["payload"]) for row in again.json()["between"]] == [(1, LedgerEntry.objects.get().payload)]


def test_a_client_id_of_another_table_is_refused(event: Event, desk: Client) -> None:
    """One client_id names one hand at one table."""
    body = new_entry()
    post(desk, event, body, table=1)
    response = post(desk, event, body, table=2)
    assert response.status_code == 422
    assert response.json()["problems"][0]["code"] == "entry.client_id_used"


def test_somebody_behind_is_shown_what_came_between(event: Event, desk: Client) -> None:
    """A stale expected_seq gives 409 with the rows that came since, and nothing is written."""
    post(desk, event, new_entry())
    response = post(desk, event, new_entry({"kind": "draw", "tenpai": [0]}))
    check_described(response, ENTRIES, "post")
    assert response.status_code == 409
    assert [row["seq"] for row in response.json()["between"]] == [1]
    assert response.json()["table"]["last_seq"] == 1
    assert LedgerEntry.objects.count() == 1


def test_a_hand_is_replaced_made_void_and_brought_back(event: Event, desk: Client) -> None:
    """`hand` names an earlier hand; entry null makes it void; a new entry brings it back."""
    post(desk, event, new_entry())
    other = {"kind": "tsumo", "winners": [{"seat": 0, "han": 1, "fu": 30}]}
    replaced = post(desk, event, new_entry(other, expected_seq=1, hand=1))
    assert [seat["score"] for seat in replaced.json()["table"]["seats"]] == [31500, 29500, 29500, 29500]
    void = post(desk, event, new_entry(None, expected_seq=2, hand=1, reason="entered at the wrong table"))
    check_described(void, ENTRIES, "post")
    assert [seat["score"] for seat in void.json()["table"]["seats"]] == [30000] * 4
    back = post(desk, event, new_entry(other, expected_seq=3, hand=1, reason="it was this table"))
    check_described(back, ENTRIES, "post")
    assert back.json()["table"]["state"] == replaced.json()["table"]["state"]


def test_a_warning_wants_a_reason_that_is_kept(event: Event, desk: Client) -> None:
    """A riichi player who is noten is refused without a reason and entered with one."""
    noten = {"kind": "draw", "tenpai": [0], "riichi": [1]}
    refused = post(desk, event, new_entry(noten))
    check_described(refused, ENTRIES, "post")
    assert [p["code"] for p in refused.json()["problems"]] == ["draw.riichi_noten", "entry.reason_needed"]
    entered = post(desk, event, new_entry(noten, reason="dead hand, called by the referee"))
    assert entered.status_code == 201
    assert LedgerEntry.objects.get().reason == "dead hand, called by the referee"


@pytest.mark.once
@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 4, "han": 1, "fu": 30}]}, "seat.not_at_table"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 2, "han": 1, "fu": 30}]}, "win.winner_is_discarder"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3, "fu": 37}]}, "win.fu_impossible"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 0, "fu": 30}]}, "win.han_zero"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 40, "fu": 30}]}, "win.han_too_many"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 3}]}, "win.fu_missing"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 34}]}, "shorthand.han_too_many"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "yakuman": 1, "pao": 1}]}, "pao.by_winner"),
        ({"kind": "ron", "loser": 2, "winners": [{"seat": 1, "han": 1, "fu": 30, "pao": 0}]}, "pao.not_liable"),
        ({**RON, "riichi": [1, 1]}, "riichi.twice"),
        ({"kind": "nagashi", "winners": [{"seat": 1}]}, "nagashi.not_in_rules"),
        ({"kind": "chombo", "offenders": []}, "chombo.no_offender"),
        ({**RON, "dealer": 3}, "entry.derived_key"),
        ({**RON, "colour": "red"}, "entry.unknown_key"),
        ({**RON, "loser": True}, "entry.wrong_type"),
        ({**RON, "loser": -1}, "entry.negative"),
        ({"kind": "abort", "reason": "kyuushu_kyuuhai"}, "abort.not_in_rules"),
        ({"kind": "correction", "deltas": [1000, 0, 0, 0], "reason": "found on the floor"}, "correction.not_zero"),
        (
            {"kind": "totals", "scores": [40_000, 30_000, 29_000, 20_000], "leftover": 1_000},
            "totals.leftover_has_owner",
        ),
    ],
)
def test_a_hand_that_must_not_pass(event: Event, desk: Client, entry: object, code: str) -> None:
    """Each is refused with its code and with words, and nothing is written."""
    response = post(desk, event, new_entry(entry))
    check_described(response, ENTRIES, "post")
    assert response.status_code == 422
    problem = next(each for each in response.json()["problems"] if each["code"] == code)
    assert len(problem["message"]) > 15
    assert code not in problem["message"]
    assert not LedgerEntry.objects.exists()


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "json.not_json"),
        ("{", "json.not_json"),
        ('{"a": NaN}', "json.not_a_number"),
        ('{"a": 1.5}', "json.float"),
        ('{"a": ' + "9" * 10_001 + "}", "json.number_too_large"),
        ("[" * 10_000 + "]" * 10_000, "json.too_deep"),
        ('{"a": "' + "x" * 10_000_000 + '"}', "json.too_long"),
        ("[]", "entry.wrong_type"),
    ],
    ids=["empty", "broken", "nan", "float", "digits", "deep", "large", "list"],
)
def test_a_body_that_cannot_be_read(event: Event, desk: Client, text: str, code: str) -> None:
    """Each gets 422 and words; nothing breaks."""
    response = post(desk, event, text)
    check_described(response, ENTRIES, "post")
    assert code in [problem["code"] for problem in response.json()["problems"]]


def test_who_may_write(event: Event) -> None:
    """A stranger must sign in, and somebody of another event finds no such table."""
    stranger = post(Client(), event, new_entry())
    check_described(stranger, ENTRIES, "post")
    assert stranger.status_code == 401
    other = Client()
    other.force_login(make_account(), backend="django.contrib.auth.backends.ModelBackend")
    response = post(other, event, new_entry())
    check_described(response, ENTRIES, "post")
    assert response.status_code == 404
    assert not LedgerEntry.objects.exists()


def test_a_table_is_public_once_its_round_is_released(event: Event, desk: Client) -> None:
    """Before the release the desk alone sees it, afterwards everybody."""
    url = f"/api/v1/events/{event.slug}/rounds/1/tables/1"
    for number in (1, 2):
        post(desk, event, new_entry(), table=number)
        totals = {f"total-{seat}": points for seat, points in enumerate(("30000", "35200", "24800", "30000"))}
        desk.post(f"/desk/{event.slug}/rounds/1/tables/{number}/sign/", {**totals, "expected_seq": "1"})
    hidden = Client().get(url)
    check_described(hidden, TABLE, "get")
    assert (hidden.status_code, desk.get(url).status_code) == (404, 200)
    release_round(round_=event.rounds.get(), by=writer_of(event))
    shown = Client().get(url)
    check_described(shown, TABLE, "get")
    assert shown.json()["final"]["results"] == [0, 20200, -20200, 0]


def test_version_and_standings(event: Event, desk: Client) -> None:
    """The version is an ETag that moves with every change; the standings fit their description."""
    url = f"/api/v1/events/{event.slug}/version"
    first = Client().get(url)
    check_described(first, "/{slug}/version", "get")
    same = Client().get(url, headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    post(desk, event, new_entry())
    moved = Client().get(url, headers={"If-None-Match": first["ETag"]})
    assert moved.json() == {"version": first.json()["version"] + 1}
    check_described(Client().get(f"/api/v1/events/{event.slug}/standings"), "/{slug}/standings", "get")
