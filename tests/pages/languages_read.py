"""What a page says, text by text, with what is read aloud; parts that say themselves that they are English are left."""

from bs4 import BeautifulSoup

SAID = ("aria-label", "title", "alt", "placeholder", "data-over", "data-label")


def read(html: str) -> tuple[str, list[str]]:
    """Return a page's language and everything it says in it."""
    page = BeautifulSoup(html, "html.parser")
    for elsewhere in page.select("script, style, svg, [translate=no], :not(html)[lang]"):
        elsewhere.decompose()
    said = [str(element[name]) for element in page.find_all(True) for name in SAID if element.get(name)]
    said += [str(element.get("content")) for element in page.select('meta[name="description"]')]
    said += page.strings
    return str(page.html["lang"]) if page.html else "", [text for each in said if (text := " ".join(each.split()))]
