"""What a page says, text by text, with what is read aloud; parts that say themselves that they are English are left."""

from html.parser import HTMLParser

VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "use", "wbr"})
SAID = ("aria-label", "title", "alt", "placeholder", "data-over", "data-label")


class _Said(HTMLParser):
    """Collects texts and attributes that people read, outside scripts and outside other languages."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.language = ""
        self.shut: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "html":
            self.language = values.get("lang") or ""
        elsewhere = tag in ("script", "style", "svg") or (tag != "html" and "lang" in values)
        elsewhere = elsewhere or values.get("translate") == "no"
        if not (elsewhere or any(self.shut)):
            self.said += [values[name] or "" for name in SAID if values.get(name)]
            if tag == "meta" and values.get("name") == "description":
                self.said.append(values.get("content") or "")
        if tag not in VOID:
            self.shut.append(elsewhere)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self.shut:
            self.shut.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.shut):
            self.said.append(data)


def read(html: str) -> tuple[str, list[str]]:
    """Return a page's language and everything it says in it."""
    parser = _Said()
    parser.feed(html)
    return parser.language, [text for text in (" ".join(said.split()) for said in parser.said) if text]
