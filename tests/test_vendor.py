"""The browser libraries in the repository are those that were fetched, and those that pages name."""

import hashlib
import re
from pathlib import Path

import pytest

from bootstrap import REPO as ROOT

VENDOR = ROOT / "static" / "vendor"
TEMPLATES = ROOT / "templates"


@pytest.mark.parametrize("folder", [VENDOR, ROOT / "tests" / "vendor"], ids=["pages", "tests"])
def test_every_file_has_its_checksum(folder: Path) -> None:
    lines = (folder / "checksums.txt").read_text(encoding="ascii").splitlines()
    written = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "checksums.txt"]
    found = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert found == written


def test_pages_name_only_files_that_are_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html")]
    named = {name for text in texts for name in re.findall(r"['\"]vendor/([^'\"]+)['\"]", text)}
    assert sorted(name for name in named if not (VENDOR / name).is_file()) == []
