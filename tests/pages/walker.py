"""A person at pages without scripts: follows links and fills forms in by their words, as a browser would send them."""

import re
from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag
from django.test import Client


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


class Walker:
    """One tab of a signed-in client; `page` is what it shows."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address = client, address
        self.open(address)

    def open(self, address: str) -> None:
        """Open a page, and follow where it redirects to."""
        self._show(self.client.get(urljoin(self.address, address), follow=True))

    def _show(self, answer: Any) -> None:
        if answer.redirect_chain:
            self.address = answer.redirect_chain[-1][0]
        else:
            query = answer.request["QUERY_STRING"]
            self.address = answer.request["PATH_INFO"] + (f"?{query}" if query else "")
        self.status, self.page = answer.status_code, BeautifulSoup(answer.content, "html.parser")

    @property
    def said(self) -> str:
        """The first message of the page."""
        return words(self.page.select_one(".messages .note") or self.page.new_tag("p"))

    def follow(self, link: str, *, beside: str = "") -> None:
        """Follow the first link of these words, in the first incident that has the words `beside`."""
        places = self.page.select(".mishaps li") if beside else [self.page]
        place = next(each for each in places if beside in words(each))
        found = next(each for each in place.select("a[href]") if words(each).startswith(link))
        self.open(str(found["href"]))

    def press(self, button: str, **fields: Any) -> None:
        """Press a button of a form whose fields are as the page shows them, but for these."""
        buttons = {words(each): each for each in reversed(self.page.select("form button, button[form]"))}
        assert button in buttons, (self.address, list(buttons))
        pressed = buttons[button]
        form = self.page.find(id=str(pressed["form"])) if pressed.get("form") else pressed.find_parent("form")
        assert isinstance(form, Tag)
        sent = _shown(form) | fields
        if pressed.get("name"):
            sent[str(pressed["name"])] = pressed.get("value", "")
        method = str(pressed.get("formmethod") or form.get("method", "get")).lower()
        address = urljoin(self.address, re.sub("#.*", "", str(pressed.get("formaction") or form.get("action") or "")))
        self._show(getattr(self.client, method)(address, sent, follow=True))


def _shown(form: Tag) -> dict[str, Any]:
    """Return what a form would send."""
    sent: dict[str, list[Any]] = {}
    for field in form.select("input[name], select[name], textarea[name]"):
        name, kind = str(field["name"]), field.get("type", "text")
        if field.name == "select":
            chosen = field.select_one("option[selected]") or field.select_one("option")
            value = chosen.get("value", words(chosen)) if chosen else ""
        elif field.name == "textarea":
            value = field.get_text()
        elif kind in ("submit", "button", "file") or (kind in ("radio", "checkbox") and not field.has_attr("checked")):
            continue
        else:
            value = field.get("value", "on" if kind == "checkbox" else "")
        sent.setdefault(name, []).append(value)
    return sent
