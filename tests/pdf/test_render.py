import subprocess
import sys
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from bootstrap import REPO as ROOT
from tests.paper.samples import make_head, make_rounds
from tournament.paper.sheets import report_leaves
from tournament.pdf.drawings import BASE_URL, STATIC_DIR
from tournament.pdf.render import (
    FACES_URL,
    AddressRefused,
    PaperUnavailable,
    install_hint,
    load_weasyprint,
    print_leaves,
    static_file,
    static_files_only,
)

FONTS = sorted((STATIC_DIR / "fonts").glob("*.ttf"))


def test_our_own_static_files_are_served() -> None:
    assert static_file(f"{BASE_URL}paper/paper.css") == STATIC_DIR / "paper" / "paper.css"


def test_tiles_are_drawn_as_files_and_no_other_name_is() -> None:
    assert b"<svg" in static_files_only().fetch(f"{FACES_URL}0p.svg").read()
    with pytest.raises(AddressRefused):
        static_files_only().fetch(f"{FACES_URL}8z.svg")


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        (STATIC_DIR / "paper" / "paper.css").as_uri(),
        "http://127.0.0.1:8000/",
        "http://169.254.169.254/latest/meta-data/",
        "https://paper.invalid.example.org/static/paper/paper.css",
        "https://paper.invalid@example.org/static/paper/paper.css",
        "ftp://paper.invalid/static/paper/paper.css",
        "data:text/css,body{}",
        f"{BASE_URL}../manage.py",
        f"{BASE_URL}css/../../tournament/__init__.py",
        f"{BASE_URL}%2e%2e/manage.py",
        f"{BASE_URL}..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        f"{BASE_URL}/etc/passwd",
        f"{BASE_URL}fonts/OFL-Inter.txt",
        f"{BASE_URL}css",
        f"{BASE_URL}css/none.css",
        BASE_URL,
    ],
)
def test_every_other_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        static_file(url)
    with pytest.raises(AddressRefused):
        static_files_only().fetch(url)


def test_a_page_that_names_a_foreign_file_is_printed_without_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"\x89PNG not for printing")
    page = f'<p>seen</p><img src="{secret.as_uri()}" alt="not seen">'
    html = load_weasyprint().HTML(string=page, base_url=BASE_URL, url_fetcher=static_files_only())
    assert b"not for printing" not in html.write_pdf(uncompressed_pdf=True)


def test_without_weasyprint_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    load_weasyprint.cache_clear()
    with pytest.raises(PaperUnavailable) as raised:
        print_leaves(report_leaves(make_head(4), make_rounds(4)[0]), make_head(4))
    load_weasyprint.cache_clear()
    assert str(raised.value) == install_hint(sys.platform)


@pytest.mark.parametrize(("platform", "word"), [("linux", "apt-get"), ("darwin", "brew"), ("win32", "pacman")])
def test_each_system_gets_its_own_advice(platform: str, word: str) -> None:
    assert word in install_hint(platform)


def test_loading_the_sheets_does_not_load_weasyprint() -> None:
    code = (
        "import sys, django; django.setup(); import tournament.paper.sheets, tournament.paper.all_last; "
        "sys.exit('weasyprint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_there_are_fonts() -> None:
    assert [font.name for font in FONTS] == [
        "BIZUDPGothic-Bold.ttf",
        "BIZUDPGothic-Regular.ttf",
        "Inter-Bold.ttf",
        "Inter-Regular.ttf",
    ]


@pytest.mark.parametrize("font", FONTS, ids=lambda font: font.stem)
def test_each_font_has_a_space_and_its_licence_beside_it(font: Path) -> None:
    with TTFont(font) as loaded:
        assert ord(" ") in loaded.getBestCmap()
    licence = font.with_name(f"OFL-{font.stem.split('-')[0]}.txt")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text()


@pytest.mark.parametrize(
    ("font", "letters"),
    [
        ("Inter-Regular", "łøńüřĄŽőığßŒ−–×±’0123456789ΩЖ"),
        ("Inter-Bold", "łøńüřĄŽőığßŒ−–×±’0123456789ΩЖ"),
        ("BIZUDPGothic-Regular", "東南西北髙﨑德濵渡邊齋藤さくらサクラ々〇ー・"),
        ("BIZUDPGothic-Bold", "東南西北髙﨑德濵渡邊齋藤さくらサクラ々〇ー・"),
    ],
)
def test_fonts_have_the_letters_of_our_players(font: str, letters: str) -> None:
    with TTFont(STATIC_DIR / "fonts" / f"{font}.ttf") as loaded:
        assert {letter for letter in letters if ord(letter) not in loaded.getBestCmap()} == set()
