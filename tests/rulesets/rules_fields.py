"""The fields of a form of all rules, as a browser sends them."""

from typing import Any

from bs4 import BeautifulSoup


def fields_of(response: Any) -> dict[str, Any]:
    """Return the form's fields as a browser would send them, its buttons left out."""
    found: dict[str, Any] = {}
    page = BeautifulSoup(response.content.decode(), "html.parser")
    for control in page.select("form.rule-form :is(input, select):not([disabled])"):
        name, kind = str(control.get("name")), control.get("type")
        if control.name == "select":
            for option in control.select("option[selected]"):
                found[name] = option.get("value", "")
        elif kind in ("text", "hidden", "number"):
            found[name] = control.get("value", "")
        elif kind == "checkbox" and control.has_attr("checked"):
            found.setdefault(name, []).append(control.get("value", "on"))
    return found
