"""One public page as a file that stands alone: links made relative, scripts and forms left out, icons within.

It rewrites what it is given and asks nothing: where an address goes says the caller. A browser that opens the file from
a disk may draw no icon of another file, so that the icons a page uses are put into it.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from html.parser import HTMLParser

Attrs = list[tuple[str, str | None]]

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
LEFT_OUT = frozenset({"script", "form", "button", "template", "dialog"})
_AROUND = frozenset({"nav", "footer"})
_LINKS_LEFT_OUT = frozenset({"manifest", "modulepreload"})
_OURS = ("data-", "hx-")  # what scripts read
_BLANK = re.compile(r"\n[ \n]*\n")
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)


def symbols_of(sprite: str) -> dict[str, str]:
    """Return the symbols of a sheet of icons by id.

    >>> symbols_of('<svg><symbol id="up"><path d="M0"/></symbol></svg>')
    {'up': '<symbol id="up"><path d="M0"/></symbol>'}
    """
    return {match[1]: match[0] for match in _SYMBOL.finditer(sprite)}


class PageRewriter(HTMLParser):
    """Rewrites a page as it is read.

    `link` gives the new address of a link, "" for one that leads nowhere here; `asset` that of a file; `symbols` are
    the icons by address; `note` is what stands in the footer beside the name of the program, and `languages` the links
    to the same page in other languages as HTML.
    """

    def __init__(
        self,
        link: Callable[[str], str],
        asset: Callable[[str], str],
        symbols: Callable[[str], Mapping[str, str]],
        *,
        note: str,
        languages: str,
    ) -> None:
        """Take what is known of the copy."""
        super().__init__(convert_charrefs=False)
        self.link, self.asset, self.symbols = link, asset, symbols
        self.note, self.languages = note, languages
        self.out: list[str] = []
        self.skipped: list[str] = []  # open elements from the outermost that is left out
        self.spans: list[str] = []  # what each open <a> is closed as
        self.used: dict[str, str] = {}  # symbols by the id that they have here
        self.around: list[str] = []  # open <nav> and <footer>

    def rewrite(self, page: str) -> str:
        """Return the page rewritten."""
        self.feed(page)
        self.close()
        drawn = "".join(self.used.values())
        size = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
        store = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{drawn}</svg>' if drawn else ""
        return _BLANK.sub("\n", "".join(self.out).lstrip()).replace("</body>", f"{store}</body>", 1)

    def handle_decl(self, decl: str) -> None:
        """Keep the kind of document."""
        self.out.append(f"<!{decl}>")

    def handle_starttag(self, tag: str, attrs: Attrs) -> None:
        """Keep an element, changed where it leads somewhere, or leave it out with all that is in it."""
        values = dict(attrs)
        if self.skipped or self._is_left_out(tag, values):
            if tag not in VOID:
                self.skipped.append(tag)
            return
        if tag == "a":
            self._open_link(attrs)
            return
        if tag in _AROUND:
            self.around.append(tag)
        if tag == "use":
            attrs = [(name, self._symbol(value or "") if name == "href" else value) for name, value in attrs]
        self._open(tag, [(name, self._moved(name, value)) for name, value in attrs])

    def handle_startendtag(self, tag: str, attrs: Attrs) -> None:
        """Keep an element without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened."""
        if self.skipped:
            if tag in self.skipped:
                while self.skipped.pop() != tag:
                    pass
            return
        if tag == "a":
            self.out.append(self.spans.pop() if self.spans else "")
        elif tag not in VOID:
            if self.around and tag == self.around[-1]:
                self.around.pop()
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self._text(data)

    def handle_entityref(self, name: str) -> None:
        """Keep a sign that is written by name."""
        self._text(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Keep a sign that is written by number."""
        self._text(f"&#{name};")

    def _text(self, text: str) -> None:
        if not self.skipped:
            self.out.append(text)

    def _is_left_out(self, tag: str, values: Mapping[str, str | None]) -> bool:
        classes = (values.get("class") or "").split()
        if tag == "link":
            return values.get("rel") in _LINKS_LEFT_OUT
        if tag == "nav" and "languages" in classes:
            self.out.append(self.languages)
            return True
        if tag == "meta":
            return values.get("name") == "htmx-config"
        if tag == "a" and not self._target(values.get("href") or ""):
            return bool(self.around) or "button" in classes  # what does nothing here must not look as if it did
        if "data-as-of" in values:
            self.out.append(f"<span>{escape(self.note)}</span>")
            return True
        return tag in LEFT_OUT

    def _target(self, address: str) -> str:
        return address if address.startswith(("#", "https://", "http://", "mailto:")) else self.link(address)

    def _open_link(self, attrs: Attrs) -> None:
        """Open a link; one that leads nowhere here is text."""
        target = self._target(dict(attrs).get("href") or "")
        if target:
            self._open("a", [(name, target if name == "href" else value) for name, value in attrs])
        else:
            self._open("span", [(name, value) for name, value in attrs if name not in ("href", "rel", "aria-current")])
        self.spans.append("</a>" if target else "</span>")

    def _open(self, tag: str, attrs: Attrs) -> None:
        kept = [(name, value) for name, value in attrs if not name.startswith(_OURS)]
        written = "".join(f" {name}" if value is None else f' {name}="{escape(value)}"' for name, value in kept)
        self.out.append(f"<{tag}{written}>")

    def _moved(self, name: str, value: str | None) -> str | None:
        if value is None or name not in ("href", "src") or value.startswith("#"):
            return value
        return self.asset(value)

    def _symbol(self, address: str) -> str:
        """Put an icon into the page, and return its address there."""
        sheet, _, name = address.partition("#")
        drawn = self.symbols(sheet).get(name)
        if drawn is None:
            return address
        own = f"drawn-{name}"  # the page may have the name as well
        self.used[own] = drawn.replace(f'id="{name}"', f'id="{own}"', 1)
        return f"#{own}"
