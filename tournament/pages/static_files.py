"""Static files: joined stylesheets, hashed names, compression with brotli and gzip, and their addresses.

Brotli stays below its best: that took most of a first start, for a tenth of what browsers behind TLS load once. Over
plain http, as in a hall, browsers accept gzip alone.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath
from typing import Any

import brotli
from django.core.signals import setting_changed
from django.templatetags.static import static
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


@functools.cache
def static_address(path: str) -> str:
    """Return the address of a static file, as `{% static %}` does; raises ValueError for one that was not collected."""
    return static(path)


def _forget(**_what: Any) -> None:
    static_address.cache_clear()


setting_changed.connect(_forget)  # a test gives other settings


QUALITY = 7  # of 11. All files: 0.05 s for 124 KB; at 11, which is brotli's default, 1.5 s for 112 KB; gzip 133 KB
STYLE = "css/hanchan.css"
# the others are parts of it: for public pages, for calculator and drill
STYLES = (STYLE, "css/phone.css", "css/tools.css")
ALONE = frozenset(
    {"players/people.css", "penalties/penalties.css", "seasons/seasons.css", "wall/wall.css"}
)  # parts that one public page loads beside phone.css
IMPORT = re.compile(rb'^@import "([\w./-]+)";\n', re.MULTILINE)
COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
SPACE = re.compile(rb"(?<=[{};,])\s+")


def read_static(path: Path) -> bytes:
    """Return a static file's content as it is served: a stylesheet without comments, imported files in their place."""
    content = path.read_bytes()
    if path.suffix != ".css":
        return content
    joined = IMPORT.sub(lambda found: (path.parent / found[1].decode()).read_bytes(), content)
    return SPACE.sub(b"", COMMENT.sub(b"", joined)).lstrip()


class FastCompressor(Compressor):
    """WhiteNoise's, with brotli at a quality that costs no more than gzip."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Pack the content of a file."""
        packed: bytes = brotli.compress(data, quality=QUALITY)
        return packed


class PackedStaticFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's, with one stylesheet to load and quick packing."""

    def create_compressor(self, **kwargs: Any) -> Compressor:
        """Return what packs."""
        return FastCompressor(**kwargs)

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Join the stylesheets, hash and pack all but their parts; `paths` maps names to storages and paths there."""
        for style in () if options.get("dry_run") else STYLES:
            if style not in paths:
                continue
            storage, path = paths[style]
            source = Path(storage.path(path))  # each time, for the copy here is already joined from older parts
            Path(self.path(style)).write_bytes(read_static(source))
            parts = {normpath(f"css/{part.decode()}") for part in IMPORT.findall(source.read_bytes())} - ALONE
            paths = {name: found for name, found in paths.items() if name not in parts} | {style: (self, style)}
        yield from super().post_process(paths, *args, **options)
