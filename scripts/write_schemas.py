"""Write docs/schema/1, the JSON Schemas of an event's file, of an entry and of a rule set's TOML file.

They follow the records of tournament.archive.event_file, the types of tournament.api.shapes and the Ruleset dataclass.
`python scripts/write_schemas.py` after a model, a rule or a book has changed.
"""

import json
import os
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from rules.books import FIELD_TYPES, book_keys  # noqa: E402  (found by the line above)
from rules.consistency import AT_LEAST_ONE, MOST  # noqa: E402
from rules.ruleset import rule_fields  # noqa: E402
from scripts import write_openapi  # noqa: E402

FOLDER = REPO / "docs" / "schema" / "1"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
OLD_PLACE = FOLDER.parent / "ruleset.schema.json"  # editors of rule sets may name it
CITED = {"clause": {"type": "string", "pattern": "\\S"}, "ours": {"type": "string", "pattern": "\\S"}}
EITHER = [{"required": ["clause"]}, {"required": ["ours"]}]


# ---------------------------------------------------------------- a rule set


def ruleset() -> dict[str, Any]:
    """Return the schema of a rule set: every field as `{ is, clause | ours }`, some left out by a file that extends."""
    sections: dict[str, dict[str, Any]] = {}
    for field in rule_fields():
        cell = {"is": {"description": field.metadata["says"], **_value(field.name, FIELD_TYPES[field.name])}}
        sections.setdefault(field.metadata["section"], {})[field.name] = _object({**cell, **CITED}, anyOf=EITHER)
    whole = {
        name: {"required": list(fields), "additionalProperties": {"required": ["is"]}}
        for name, fields in sections.items()
    }
    head = {
        "title": {"type": "string", "minLength": 1},
        "source": {"type": "string", "description": "the text that the clauses cite"},
        "extends": {"enum": book_keys(), "description": "the book that gives every field not stated here"},
        "inherited": _object(CITED, oneOf=EITHER),
    }
    return {
        "$schema": DRAFT,
        "title": "A rule set of Hanchan Desk",
        "description": "Of each field its value (is), and its clause in the source or (ours) the reason for it.",
        **_object(
            {**head, **{name: _object(fields) for name, fields in sections.items()}},
            required=["title", "source"],
            **{"if": {"required": ["extends"]}, "else": {"required": list(sections), "properties": whole}},
        ),
    }


def _object(properties: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties, **rest}


def _value(name: str, hint: Any) -> dict[str, Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is bool:
        return {"type": "boolean"}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple and args[-1] is Ellipsis:
        return {"type": "array", "items": _value("", args[0])}
    if origin is tuple:
        return {"type": "array", "items": _value("", args[0]), "minItems": len(args), "maxItems": len(args)}
    bounds = {"minimum": int(name in AT_LEAST_ONE), "maximum": MOST[name]} if name in MOST else {}
    return {"type": "integer", **bounds}


# ---------------------------------------------------------------- an entry


def entry() -> dict[str, Any]:
    """Return the schema of an entry, one hand in a ledger: its part of the API's description."""
    named = {name: write_openapi.COMPONENTS[name] for name in ("Entry", "Win", "WinningHand")}
    shapes = {name: write_openapi.in_full(shape) for name, shape in named.items()}
    whole = {
        "$schema": DRAFT,
        "title": "An entry of Hanchan Desk",
        "description": "One hand of a table, or what a referee does outside of one. Seats count from 0, the first "
        "East, anticlockwise; points are whole numbers. What follows from the entries before, such as dealer and "
        "honba, is not stated.",
        **shapes.pop("Entry"),
        "$defs": shapes,
    }
    moved: dict[str, Any] = json.loads(json.dumps(whole).replace("#/components/schemas/", "#/$defs/"))
    return moved


# ---------------------------------------------------------------- an event's file


def event() -> dict[str, Any]:
    """Return the schema of an event's file; keys that older files lack are not required."""
    from tournament.archive import event_file as file  # needs Django's settings
    from tournament.archive.event_file import HASH

    defs: dict[str, Any] = {"Rules": _frozen_rules()}
    content = _form(file.CONTENT, defs)
    return {
        "$schema": DRAFT,
        "title": "An event of Hanchan Desk",
        "description": "The whole of an event in one line of JSON with sorted keys and no spaces. Points are whole "
        "numbers, players go by their number. README.md beside this file explains it.",
        **_object(
            {
                "format": {"const": file.FORMAT},
                "version": {"const": file.VERSION},
                "checksum": {**HASH.schema, "description": "SHA-256 of content written in the same way"},
                "content": content,
            },
            required=["format", "version", "checksum", "content"],
        ),
        "$defs": dict(sorted(defs.items())),
    }


def _form(form: Any, defs: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a form; a record that is a model's goes into `defs`."""
    from tournament.archive.event_file import Form

    if isinstance(form, Form):
        return dict(form.schema)
    if isinstance(form, list):
        return {"type": "array", "items": _form(form[0], defs)}
    if not form.name:
        return _record(form, defs)
    defs[form.name] = {"description": form.says, **_record(form, defs)}
    return {"$ref": f"#/$defs/{form.name}"}


def _record(form: Any, defs: dict[str, Any]) -> dict[str, Any]:
    from tournament.archive import event_file as file

    keys = {name: _form(inner, defs) for name, inner in form.keys.items()}
    late = set(form.later)
    if form is file.PENALTY:
        late |= {*file.BEFORE_FOULS, "kind"}
    if form is file.EVENT:
        keys |= {"rules": {"$ref": "#/$defs/Rules"}, **{key: {"deprecated": True} for key in file.GONE}}
        late |= set(file.GONE)
    if form is file.LEDGER_ROW:
        keys["payload"] |= {
            "description": "an entry as JSON; empty where the hand is void",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "entry.schema.json"},
        }
    return _object(keys, required=[name for name in keys if name not in late])


def _frozen_rules() -> dict[str, Any]:
    """Return the schema of an event's own copy of its rules; one made before a field was added lacks it."""
    texts = {name: {"type": "string"} for name in ("key", "title")}
    fields = {
        field.name: {"description": field.metadata["says"], **_value(field.name, FIELD_TYPES[field.name])}
        for field in rule_fields()
    }
    return {"description": "The event's rules, field by field.", **_object(texts | fields, required=list(texts))}


# ---------------------------------------------------------------- files

SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {"entry": entry, "event": event, "ruleset": ruleset}


def pages() -> dict[Path, str]:
    """Return the text of every file."""
    made = {FOLDER / f"{name}.schema.json": schema() for name, schema in SCHEMAS.items()}
    made[OLD_PLACE] = {"$schema": DRAFT, "$ref": "1/ruleset.schema.json"}
    return {path: json.dumps(schema, indent=1, ensure_ascii=False) + "\n" for path, schema in made.items()}


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    django.setup()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
