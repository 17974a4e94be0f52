"""What is installed on a phone: a manifest an event, and a worker that keeps this event's pages and nothing else."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from bootstrap import REPO
from tests.factories import make_event
from tournament.access.devices import FILES

pytestmark = pytest.mark.once

TEMPLATES = REPO / "templates"


@pytest.fixture(autouse=True)
def _event(db: None) -> None:
    make_event(slug="cup")


def test_the_manifest_opens_the_events_phone_page(client: Client):
    answer = client.get("/e/cup/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json; charset=utf-8"
    facts = answer.json()
    assert (facts["name"], facts["short_name"], facts["lang"]) == ("Cup", "Cup", "en-gb")
    assert {facts["id"], facts["start_url"], facts["scope"]} == {"/e/cup/"}
    assert facts["display"] == "standalone"
    assert client.get("/e/cup/manifest.webmanifest", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_icons_are_as_large_as_the_manifest_says(client: Client):
    icons = client.get("/e/cup/manifest.webmanifest").json()["icons"]
    drawn = [icon for icon in icons if icon["type"] == "image/png"]
    assert len(drawn) == 3
    for icon in drawn:
        data = Path(finders.find(icon["src"].removeprefix("/static/")) or "").read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert f"{width}x{height}" == icon["sizes"]
        assert len(data) < 6000


def test_the_worker_is_the_events_own_small_and_named_by_its_files(client: Client):
    answer = client.get("/e/cup/worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert len(answer.content) < 7500  # unpacked, with its words in four languages; it shows messages, too
    facts = json.loads(re.match(r"const KEPT = (.*);", answer.content.decode())[1])  # type: ignore[index]
    assert facts["event"] == "/e/cup/"
    assert re.fullmatch(r"/e/cup/ [0-9a-f]{12}", facts["name"])
    assert facts["files"] == [f"/static/{name}" for name in FILES]


def test_the_worker_is_the_same_in_every_language_and_has_the_words_of_all(client: Client):
    asked = [{"Accept-Language": code} for code, _name in settings.LANGUAGES]
    texts = {client.get("/e/cup/worker.js", headers=headers).content for headers in asked}
    assert len(texts) == 1  # a browser would take another text for a new worker
    facts = json.loads(re.match(r"const KEPT = (.*);", texts.pop().decode())[1])  # type: ignore[index]
    assert list(facts["words"]) == [code for code, _name in settings.LANGUAGES]
    assert len({words["head"] for words in facts["words"].values()}) == len(settings.LANGUAGES)


def test_the_worker_keeps_every_file_that_a_phone_page_is_made_of(client: Client):
    page = client.get("/e/cup/").content.decode()
    used = set(re.findall(r'"/static/([^"#]+)', page)) - {"icons/desk-180.png"}
    assert used - set(FILES) == set()


def test_pages_that_fetch_their_live_part_need_no_htmx(client: Client):
    assert "htmx" not in client.get("/e/cup/").content.decode()
    texts = {path: path.read_text() for path in TEMPLATES.rglob("*.html")}
    public = {path: text for path, text in texts.items() if '{% extends "pages/base.html" %}' in text}
    public = {path: text for path, text in public.items() if path.parent.name != "access"}  # devices sign in
    assert len(public) > 20
    asks = {path for path, text in public.items() if re.search(r"\shx-[a-z]+=", text)}
    assert [path for path in asks if "htmx.min.js" not in public[path]] == []


def test_the_desk_offers_nothing_to_install(client: Client):
    for address in ("/", "/login/", "/calculator/"):
        assert "manifest" not in client.get(address).content.decode()
