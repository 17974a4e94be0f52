"""Decode a text file, with the encoding that was found or guessed.

UTF-8 and UTF-16 are known for certain; Windows-1252 and Shift-JIS are told apart by the bytes around each high byte. A
file that is not text is refused; no byte is replaced.
"""

import codecs
import re
from dataclasses import dataclass

from scoring.problems import InvalidInput, ProblemType

IMPORT_NOT_TEXT = ProblemType(
    "import.not_text",
    "This file is neither an Excel workbook nor text in a known encoding. Save it as .xlsx or as csv in UTF-8.",
)

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_SAMPLE = 200_000  # bytes; enough to tell the encodings apart
_CONTROLS = re.compile("[\x00-\x08\x0e-\x19\x1b-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A file's text; `guessed` where another encoding would have fitted as well."""

    text: str
    encoding: str
    guessed: bool


def decode_text(data: bytes) -> DecodedText:
    """Decode a text file.

    Raises InvalidInput (`import.not_text`) for anything that is not text in a known encoding.

    >>> decode_text("Zoë".encode("cp1252")).encoding
    'Windows-1252'
    >>> decode_text("選手,国".encode("cp932")).encoding
    'Shift-JIS'
    """
    decoded = _with_mark(data) or _without_mark(data)
    if decoded is None or _is_noise(decoded.text):
        raise InvalidInput([IMPORT_NOT_TEXT()])
    return decoded


def _with_mark(data: bytes) -> DecodedText | None:
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = _try(data, codec)
            return None if text is None else DecodedText(text, name, guessed=False)
    return None


def _without_mark(data: bytes) -> DecodedText | None:
    if b"\0" in data:
        return _utf16_without_mark(data)
    text = _try(data, "utf-8")
    if text is not None:
        return DecodedText(text, "UTF-8", guessed=False)
    western, japanese = _try(data, "cp1252"), _try(data, "cp932")
    if japanese is not None and (western is None or _looks_japanese(data[:_SAMPLE])):
        return DecodedText(japanese, "Shift-JIS", guessed=True)
    return None if western is None else DecodedText(western, "Windows-1252", guessed=True)


def _utf16_without_mark(data: bytes) -> DecodedText | None:
    # a separator or line end is one zero byte and one ASCII byte: the zero comes second in little-endian files
    zeros = data[0::2].count(0), data[1::2].count(0)
    if zeros[0] == zeros[1]:
        return None
    text = _try(data, "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be")
    return None if text is None else DecodedText(text, "UTF-16", guessed=True)


def _looks_japanese(data: bytes) -> bool:
    """Weigh double bytes that no Western word has against single accented letters among plain ones."""
    double_bytes = accented = index = 0
    while index < len(data):
        byte = data[index]
        follower = data[index + 1] if index + 1 < len(data) else 0x20
        if 0x81 <= byte <= 0x9F and follower >= 0x40:
            double_bytes += 1  # kana and the common kanji; in Windows-1252 a quotation mark before a letter
            index += 2
        elif byte >= 0xA1:
            run = _high_run(data, index)
            double_bytes += run // 2 if run > 2 else 0  # rarer kanji or half-width kana stand in rows
            accented += run <= 2
            index += run
        else:
            index += 1
    return double_bytes > accented


def _high_run(data: bytes, start: int) -> int:
    end = start
    while end < len(data) and data[end] >= 0xA1:
        end += 1
    return end - start


def _is_noise(text: str) -> bool:
    controls = sum(1 for _ in _CONTROLS.finditer(text))
    return "\0" in text or (controls > 3 and controls * 100 > len(text))


def _try(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None
