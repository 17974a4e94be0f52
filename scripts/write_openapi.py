"""Write docs/developer/openapi.json from the addresses of web.urls and the types of tournament.api.shapes.

`python scripts/write_openapi.py` after either has changed. No package does it for plain views: pydantic and msgspec
would have to be installed with the desk, as the types name them, and Django's API frameworks want views of their own.
"""

import builtins
import functools
import json
import os
import re
import sys
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from tournament.api import shapes  # noqa: E402  (found by the line above)

PAGE = REPO / "docs" / "developer" / "openapi.json"
INFO = {
    "title": "Hanchan Desk API",
    "version": "1",
    "description": "Points are whole numbers; a P is 1,000. Seats run from 0, the first East, anticlockwise. What is "
    "not released is not in any public answer.",
    "license": {"name": "MIT", "identifier": "MIT"},
}
SECURITY = {
    "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
    "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
}
# what has a name of its own in the document; all other types are written where they are used
COMPONENTS: dict[str, Any] = {
    name: vars(shapes)[name]
    for name in (
        *("Problem", "Problems", "Win", "WinningHand", "Entry", "Transfer", "Hand", "Final", "Table", "NewEntry"),
        *("Entered", "MovedOn", "Version", "Standings", "Round", "Rounds", "Event", "Players", "RoundSeats", "Prizes"),
    )
}
PARAMETERS: dict[str, tuple[str, Any]] = {
    "slug": ("the event's address", str),
    "round_number": ("number of the round, from 1", shapes.Number),
    "table_number": ("number of the table, from 1", shapes.Number),
}
NO_EVENT = "There is no such event"
AWAY = "The database does not answer; ask again after Retry-After seconds"


@dataclass(frozen=True, slots=True)
class Operation:
    """What one address does: its summary, what each status means, and the types of bodies; a problem has its own."""

    summary: str
    answer: Any
    statuses: dict[int, str]
    body: Any = None
    others: dict[int, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, Any] = field(default_factory=dict)


def _question(summary: str, answer: Any, words: str, missing: str = NO_EVENT, **more: Any) -> Operation:
    """Return an operation that reads: what it answers, what it says where there is nothing, and that it may wait."""
    also = more.pop("also", {})
    return Operation(summary, answer, {200: words, **also, 404: missing, 503: AWAY}, **more)


ETAG = {"ETag": {"description": "the version in quotes", "schema": {"type": "string"}}}
OPERATIONS = {
    "event": _question("An event, its rules in short and its rounds", shapes.Event, "The event"),
    "version": _question(
        "The event's version, raised by every change",
        shapes.Version,
        "The version",
        also={304: "Nothing has changed"},
        extra={"parameters": [{"name": "If-None-Match", "in": "header", "schema": {"type": "string"}}]},
        headers=ETAG,
    ),
    "players": _question("The players by number", shapes.Players, "The players"),
    "standings": _question(
        "The ranking after the rounds that the public sees, best first", shapes.Standings, "The ranking"
    ),
    "prizes": _question(
        "What can be won, and who wins it once the results of all rounds are public", shapes.Prizes, "The prizes"
    ),
    "record": _question(
        "The newest signed head of the event's record, with a proof of consistency",
        shapes.Record,
        "The head",
        extra={
            "parameters": [
                {
                    "name": "from",
                    "in": "query",
                    "description": "how many acts the caller's head is over",
                    "schema": {"type": "integer", "minimum": 1},
                }
            ]
        },
    ),
    "rounds": _question("The rounds that are drawn", shapes.Rounds, "The rounds"),
    "round": _question(
        "Who sits where in a round, with results where they are public",
        shapes.RoundSeats,
        "The round",
        f"{NO_EVENT}, or the seats of this round are not public",
    ),
    "table": _question(
        "One table with its hands: to everybody where the public may see it, live ones too; any to the desk",
        shapes.Table,
        "The table",
        "No such table, or the public may not see it yet",
    ),
    "entries": Operation(
        "Enter a hand, replace one, or make one void",
        shapes.Entered,
        {
            201: "The hand is entered",
            200: "This client_id was known; nothing has changed",
            401: "Not signed in",
            403: "The request lacks the token against forged forms, or this role may not do it",
            404: "No such table for this account",
            409: "Something was entered meanwhile",
            422: "The entry is refused",
            503: "The database does not answer, nothing was written; ask again after Retry-After seconds",
            507: "The disk is full, nothing was written; ask again after Retry-After seconds",
        },
        body=shapes.NewEntry,
        others={409: shapes.MovedOn},
        extra={"security": [{"session": [], "csrf": []}]},
    ),
}


def schema(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type; of one of COMPONENTS a reference."""
    names = [name for name, each in COMPONENTS.items() if each == hint]
    return {"$ref": f"#/components/schemas/{names[0]}"} if names else in_full(hint)


def in_full(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type in full."""
    args = typing.get_args(hint)
    if typing.is_typeddict(hint):
        return _object(hint)
    match typing.get_origin(hint):
        case typing.NotRequired:
            return schema(args[0])
        case typing.Annotated:
            return functools.reduce(dict.__or__, args[1:], schema(args[0]))
        case typing.Literal:
            return {"const": args[0]} if len(args) == 1 else {"type": "string", "enum": list(args)}
        case types.UnionType | typing.Union:
            return _union(args)
        case builtins.list:
            return {"type": "array", "items": schema(args[0])}
        case builtins.dict:
            return {"type": "object"} | ({} if args[1] is Any else {"additionalProperties": schema(args[1])})
    return {"type": {str: "string", int: "integer", bool: "boolean"}[hint]}


def _object(shape: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(shape, include_extras=True)
    described = {"description": " ".join(shape.__doc__.split())} if shape.__doc__ else {}
    return {
        "type": "object",
        **described,
        "properties": {name: schema(hint) for name, hint in hints.items()},
        "required": [name for name in hints if name in shape.__required_keys__],
        "additionalProperties": False,
    }


def _union(options: tuple[Any, ...]) -> dict[str, Any]:
    """Return one of several, or something that may be null."""
    if type(None) not in options:
        return {"oneOf": [schema(each) for each in options]}
    made = schema(typing.Union[tuple(each for each in options if each is not type(None))])  # noqa: UP007
    if made.get("type") in (None, "object"):
        return {"oneOf": [made, {"type": "null"}]}
    enum = {"enum": [*made["enum"], None]} if "enum" in made else {}
    return made | {"type": [made["type"], "null"]} | enum


def document() -> dict[str, Any]:
    """Return the whole description."""
    from web.urls import API  # needs Django's settings

    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/api/v1/events"}],
        "security": [],
        "paths": dict(_path(str(each.pattern), OPERATIONS[str(each.name)], str(each.name)) for each in API),
        "components": {
            "schemas": {name: in_full(each) for name, each in COMPONENTS.items()},
            "securitySchemes": SECURITY,
        },
    }


def _path(route: str, operation: Operation, name: str) -> tuple[str, dict[str, Any]]:
    address = "/{slug}/" + re.sub(r"<int:(\w+)>", r"{\1}", route)
    parameters = [
        {"name": key, "in": "path", "required": True, "description": words, "schema": schema(hint)}
        for key, (words, hint) in PARAMETERS.items()
        if f"{{{key}}}" in address
    ]
    body = {"requestBody": {"required": True, **_content(operation.body)}} if operation.body else {}
    described = {
        "operationId": name,
        "summary": operation.summary,
        **operation.extra,
        **body,
        "responses": {str(status): _answer(status, operation) for status in operation.statuses},
    }
    return address, {"parameters": parameters, "post" if operation.body else "get": described}


def _answer(status: int, operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {"description": operation.statuses[status]}
    if status != 304:
        shape = operation.answer if status < 300 else operation.others.get(status, shapes.Problems)
        described |= _content(shape)
    return described | ({"headers": operation.headers} if status < 400 and operation.headers else {})


def _content(shape: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema(shape)}}}


def page() -> str:
    """Return the file's text."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    django.setup()
    PAGE.write_text(page(), encoding="utf-8")
