"""Static files are packed for browsers of every kind: smaller than they are, and the same once unpacked."""

import gzip
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings

from web.server.static_files import FastCompressor, PackedStaticFiles

CSS = settings.BASE_DIR / "static" / "css" / "hanchan.css"


def test_brotli_is_smaller_than_gzip_and_unpacks_to_the_same() -> None:
    data = CSS.read_bytes()
    packed = FastCompressor.compress_brotli(data)
    assert brotli.decompress(packed) == data
    assert len(packed) < len(FastCompressor.compress_gzip(data)) < len(data) / 4


@pytest.mark.parametrize(("suffix", "unpack"), [(".br", brotli.decompress), (".gz", gzip.decompress)])
def test_a_file_is_kept_in_both_beside_itself(tmp_path: Path, suffix: str, unpack: "object") -> None:
    storage = PackedStaticFiles(location=tmp_path)
    (tmp_path / "page.css").write_bytes(CSS.read_bytes())
    assert list(storage.compress_files(["page.css"])) == [("page.css", "page.css.br"), ("page.css", "page.css.gz")]
    assert unpack((tmp_path / f"page.css{suffix}").read_bytes()) == CSS.read_bytes()  # type: ignore[operator]
