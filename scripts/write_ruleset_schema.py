"""Write docs/schema/ruleset.schema.json, the JSON Schema of a rule set's TOML file, from the Ruleset dataclass.

`python scripts/write_ruleset_schema.py` after a field or a book has changed.
"""

import json
import sys
import typing
from pathlib import Path
from typing import Any, Literal

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from rules.books import FIELD_TYPES, book_keys  # noqa: E402  (found by the line above)
from rules.consistency import AT_LEAST_ONE, MOST  # noqa: E402
from rules.ruleset import rule_fields  # noqa: E402

PAGE = REPO / "docs" / "schema" / "ruleset.schema.json"
CITED = {"clause": {"type": "string", "pattern": "\\S"}, "ours": {"type": "string", "pattern": "\\S"}}
EITHER = [{"required": ["clause"]}, {"required": ["ours"]}]


def document() -> dict[str, Any]:
    """Return the schema: every field as `{ is, clause | ours }`; a file that extends a book may leave fields out."""
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
        "$schema": "https://json-schema.org/draft/2020-12/schema",
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


def page() -> str:
    """Return the file's text."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
