"""Which program draws the pages: the same text in every worker on every machine that runs the same program.

What a reader's browser or a cache on the way has kept is good for as long as this stays the same. It is no version
for people, and says nothing of an event.
"""

import functools
import hashlib
from pathlib import Path

from django.conf import settings

PARTS = ("rules", "scoring", "tournament", "web", "templates", "locale", "static/css", "static/js")
KINDS = frozenset({".py", ".toml", ".html", ".svg", ".po", ".css", ".js"})


@functools.cache
def edition() -> str:
    """Return a digest of all that decides how facts are drawn: the program's files and the settings that pages show.

    Read once a process, some hundredths of a second. The time of a start is not in it: two workers would then answer
    with different ETags, and a phone that asks now the one and now the other would fetch its page for ever.
    """
    shown = (settings.DEBUG, settings.HTTPS, settings.TIME_ZONE, settings.LANGUAGES, settings.PHONE_POLL_SECONDS)
    digest = hashlib.sha256(repr(shown).encode())
    for path in _files(settings.BASE_DIR):
        digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _files(base: Path) -> list[Path]:
    found = (path for part in PARTS for path in (base / part).rglob("*") if path.suffix in KINDS)
    return [base / "requirements.txt", *sorted(path for path in found if path.is_file())]
