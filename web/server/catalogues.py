"""Compile locale/CODE/LC_MESSAGES/django.po to the .mo files that Django reads: at a start, where one is stale.

Standard library only: web.settings calls it before Django is set up, and no machine needs gettext.
"""

import os
import re
import secrets
import struct
from collections.abc import Iterator
from pathlib import Path

QUOTED = r'"(?:[^"\\]|\\.)*"'
FIELD = re.compile(rf"^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+({QUOTED}(?:\s*\n{QUOTED})*)", re.MULTILINE)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
MAGIC, HEAD = 0x950412DE, 28
SAME = 2  # seconds: a USB stick's file system keeps times no finer


def compiled(source: Path, elsewhere: Path) -> Path:
    """Compile what is stale; return the folder of the .mo files: `source`, or `elsewhere` where that is read-only."""
    for folder in (source, elsewhere):
        try:
            for po in sorted(source.glob("*/LC_MESSAGES/django.po")):
                _compile(po, folder / po.relative_to(source).with_suffix(".mo"))
        except OSError:
            continue
        return folder
    return source


def _compile(po: Path, mo: Path) -> None:
    """Write a .mo with the time of its .po, unless there is one; several processes may do so at once."""
    made = po.stat()
    if mo.exists() and abs(mo.stat().st_mtime - made.st_mtime) < SAME:
        return
    mo.parent.mkdir(parents=True, exist_ok=True)
    draft = mo.with_name(f"{mo.name}.{secrets.token_hex(8)}")
    draft.write_bytes(mo_bytes(po.read_text(encoding="utf-8")))
    os.utime(draft, ns=(made.st_atime_ns, made.st_mtime_ns))
    draft.replace(mo)


def mo_bytes(text: str) -> bytes:
    """Return the catalogue of a .po file in the binary form that Python's gettext reads, sorted by text."""
    pairs = sorted((key.encode(), value.encode()) for key, value in _messages(text))
    keys, values = ([pair[side] for pair in pairs] for side in (0, 1))
    at = HEAD + 16 * len(pairs)
    tables, block = [], b""
    for texts in (keys, values):
        for each in texts:
            tables += [len(each), at + len(block)]
            block += each + b"\0"
    head = (MAGIC, 0, len(pairs), HEAD, HEAD + 8 * len(pairs), 0, 0)
    return struct.pack(f"<{7 + len(tables)}I", *head, *tables) + block


def _messages(text: str) -> Iterator[tuple[str, str]]:
    """Yield each translated message as gettext keeps it; fuzzy ones and those with an empty form are left out."""
    for block in re.split(r"\n\s*\n", text):
        fields = {name: _unquoted(quoted) for name, quoted in FIELD.findall(block)}
        forms = [value for name, value in fields.items() if name.startswith("msgstr")]
        if not forms or not all(forms) or re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE):
            continue
        context = f"{fields['msgctxt']}\x04" if "msgctxt" in fields else ""
        plural = f"\0{fields['msgid_plural']}" if "msgid_plural" in fields else ""
        yield f"{context}{fields['msgid']}{plural}", "\0".join(forms)


def _unquoted(quoted: str) -> str:
    joined = "".join(part[1:-1] for part in re.findall(QUOTED, quoted))
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), joined)
