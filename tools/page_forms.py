"""The links and forms of a page, for programs that send what a browser could."""

from html.parser import HTMLParser
from typing import Any

Form = tuple[str, str, dict[str, list[Any]]]  # method, address, and what stands in each field; in one of a file bytes


class PageForms(HTMLParser):
    """Reads the links of a page and its forms; a field belongs to the form that was opened last."""

    def __init__(self, text: str, address: str = "") -> None:
        """Read a page; a form without an address is sent to the page's own."""
        super().__init__()
        self.address, self._select = address, ""
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, a form, or a field of the form before it."""
        seen = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in seen:
            self.links.append(seen["href"])
        elif tag == "form":
            action = seen.get("action") or seen.get("hx-post") or self.address
            self.forms.append((seen.get("method", "get").upper(), action, {}))
        elif tag == "select":
            self._select = seen.get("name", "")
        name = self._select if tag == "option" else seen.get("name", "")
        if self.forms and name and tag in ("input", "textarea", "button", "option"):
            value = b"" if seen.get("type") == "file" else seen.get("value", "")
            self.forms[-1][2].setdefault(name, []).append(value)

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a list to choose from."""
        if tag == "select":
            self._select = ""
