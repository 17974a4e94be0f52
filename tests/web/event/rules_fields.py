"""The fields of a form of all rules, as a browser sends them."""

import re
from html import unescape
from typing import Any

from tests.web.shown import ATTRIBUTE

CONTROLS = re.compile(r'<(input|select|/select|option)\b((?:[^>"]|"[^"]*")*)>')


def fields_of(response: Any) -> dict[str, Any]:
    """Return the form's fields as a browser would send them, its buttons left out."""
    source = response.content.decode()
    form = source[source.index('<form class="stack rule-form"') :].partition("</form>")[0]
    found: dict[str, Any] = {}
    select = ""
    for tag, attributes in CONTROLS.findall(form):
        values = {name: unescape(value.strip('"')) for name, value in ATTRIBUTE.findall(attributes)}
        name, kind = values.get("name") or select, values.get("type")
        if tag.endswith("select"):
            select = values["name"] if tag == "select" else ""
        elif (tag == "option" and "selected" in values) or (tag == "input" and kind in ("text", "hidden", "number")):
            if "disabled" not in values:
                found[name] = values.get("value") or ""
        elif tag == "input" and kind == "checkbox" and "checked" in values:
            found.setdefault(name, []).append(values.get("value") or "on")
    return found
