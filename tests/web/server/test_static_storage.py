"""Static files as they are served: one stylesheet without imports, packed for browsers of every kind."""

import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from django.core.files.storage import FileSystemStorage

from bootstrap import REPO
from tournament.pages.static_files import STYLE, STYLES, FastCompressor, PackedStaticFiles, read_static

CSS = REPO / "static" / STYLE


def test_brotli_is_smaller_than_gzip_and_unpacks_to_the_same() -> None:
    data = read_static(CSS)
    packed = FastCompressor.compress_brotli(data)
    assert brotli.decompress(packed) == data
    assert len(packed) < len(FastCompressor.compress_gzip(data)) < len(data) / 4


@pytest.mark.parametrize(("suffix", "unpack"), [(".br", brotli.decompress), (".gz", gzip.decompress)])
def test_a_file_is_kept_in_both_beside_itself(tmp_path: Path, suffix: str, unpack: Callable[[bytes], bytes]) -> None:
    storage = PackedStaticFiles(location=tmp_path)
    data = read_static(CSS)
    (tmp_path / "page.css").write_bytes(data)
    assert list(storage.compress_files(["page.css"])) == [("page.css", "page.css.br"), ("page.css", "page.css.gz")]
    assert unpack((tmp_path / f"page.css{suffix}").read_bytes()) == data


def test_the_stylesheet_imports_every_part_once_and_nothing_else() -> None:
    static = CSS.parents[1]
    imports = re.findall(r'^@import "([a-z./-]+\.css)";$', CSS.read_text(encoding="utf-8"), re.MULTILINE)
    parts = sorted((CSS.parent / name).resolve() for name in imports)
    linked = {"overlay/overlay.css", "players/clubs.css"}  # by the few pages that have them
    apart = {*(static / style for style in (*STYLES, *linked)), *static.glob("paper/*.css")}
    of_pages = {static / "paper/choices.css"}  # the other ones of that folder are for sheets
    assert parts == sorted(path for path in static.rglob("*.css") if path not in apart - of_pages)
    joined = read_static(CSS)
    assert b"@import" not in joined
    assert b"/*" not in joined
    assert joined == b"".join(read_static(CSS.parent / name) for name in imports)


def test_phones_load_some_parts_of_it_in_its_order() -> None:
    every, *others = (re.findall(r'@import "([a-z/.-]+)', (REPO / "static" / path).read_text()) for path in STYLES)
    for ours in others:
        assert [part for part in every if part in ours] == ours


def test_collected_it_is_one_file_of_the_newest_parts(tmp_path: Path) -> None:
    (collected := tmp_path / STYLE).parent.mkdir()
    collected.write_text("body { color: old; }")  # of an earlier version, and newer than any part
    storage = PackedStaticFiles(location=tmp_path)
    source = FileSystemStorage(REPO / "static")
    list(storage.post_process({name: (source, name) for name in (STYLE, "css/tokens.css")}))
    hashed = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    assert "css/tokens.css" not in hashed
    served = (tmp_path / hashed[STYLE]).read_bytes()
    assert collected.read_bytes() == served == read_static(CSS)
    assert gzip.decompress((tmp_path / f"{hashed[STYLE]}.gz").read_bytes()) == served


def test_each_stylesheet_and_script_that_a_template_names_is_collected(tmp_path: Path) -> None:
    storage = PackedStaticFiles(location=tmp_path)
    source = FileSystemStorage(REPO / "static")
    shutil.copytree(REPO / "static", tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ttf"))
    names = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    list(storage.post_process({name: (source, name) for name in names}))
    hashed = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    named = {
        name
        for path in (REPO / "templates").rglob("*.html")
        for name in re.findall(r"""{% static ['"]([^'"]+\.(?:css|js))['"]""", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert sorted(named - set(hashed)) == []
