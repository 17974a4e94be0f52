"""What a page shows: the texts of its elements by selector, with white space as a reader sees it; nothing hidden."""

from functools import lru_cache
from io import BytesIO
from typing import Any

from bs4 import BeautifulSoup
from PIL import Image
from pypdf import PdfReader

BLOCKS = ["dd", "div", "dt", "h1", "h2", "h3", "li", "p", "small", "summary", "td", "th", "tr"]


@lru_cache(maxsize=4)  # a page is asked for one thing after the other
def _read(content: bytes) -> BeautifulSoup:
    page = BeautifulSoup(content.decode(), "html.parser")
    for unseen in page.select("template, [hidden], dialog:not([open])"):
        unseen.decompose()
    for block in page.find_all(BLOCKS):  # stands apart, however the source is spaced
        block.insert_before(" ")
        block.insert_after(" ")
    return page


def texts(response: Any, wanted: str) -> list[str]:
    """List the texts of the elements that a selector of CSS finds, in order."""
    return [" ".join(element.get_text().split()) for element in _read(response.content).select(wanted)]


def text(response: Any, wanted: str) -> str:
    """Return the text of the one element that a selector of CSS finds."""
    (only,) = texts(response, wanted)
    return only


def source_of(answer: Any) -> str:
    """Return what an answer holds as text."""
    return text_of(b"".join(answer.streaming_content) if answer.streaming else answer.content)


def text_of(body: bytes) -> str:
    """Return what a file holds as text: of a PDF or a picture its words, for its bytes may look like anything."""
    if body.startswith(b"%PDF-"):
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(body)).pages)
    if body.startswith(b"\x89PNG"):
        with Image.open(BytesIO(body)) as picture:
            return str(picture.info["Description"])
    if body.startswith(b"GIF8"):
        with Image.open(BytesIO(body)) as film:
            return bytes(film.info["comment"]).decode()
    return str(body.decode(errors="replace"))
