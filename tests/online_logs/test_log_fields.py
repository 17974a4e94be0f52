"""Every field of a log is in a table of docs/developer/online-logs.md, as read or as left with its reason."""

import json
import re
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from bootstrap import REPO
from tests.online_logs.online_writers import mjlog, simulated, tenhou

TABLES = (REPO / "docs/developer/online-logs.md").read_text(encoding="utf-8")
# as real files have them, beside what the writers write: mjlog 2.3, tenhou.net/6, and mjai of three programs
REAL_XML = """<mjloggm ver="2.3"><SHUFFLE seed="mt19937ar" ref=""/><GO type="169" lobby="0"/>
<UN n0="" n1="" n2="" n3="" dan="0,0,0,0" rate="1500.00" sx="M,M,M,M"/><TAIKYOKU oya="0"/><BYE who="1"/>
<RYUUKYOKU type="nm" ba="0,0" sc="" hai0="" hai1="" hai2="" hai3="" owari=""/></mjloggm>"""
REAL_JSON = ["title", "name", "rule", "dan", "rate", "sx", "ratingc", "lobby", "ref", "log", "connection", "sc"]
REAL_MJAI = {
    "start_game": "names kyoku_first aka_flag id seed uri gametype",
    "reach_accepted": "actor deltas scores",
    "hora": "actor target pai uradora_markers hora_tehais yakus fu fan hora_points deltas scores",
    "ryukyoku": "reason tehais tenpais deltas scores",
    "end_game": "scores",
}


def fields_of(part: str) -> dict[str, set[str]]:
    """Return the fields by the elements that a section names."""
    section = TABLES.split(f"\n## {part}")[1].split("\n## ")[0]
    rows = [line.split("|")[1:4] for line in section.splitlines() if line.startswith("|")]
    return {name: set(re.findall(r"`([\w]+)`", " ".join(row))) for row in rows for name in _names(row[0])}


def _names(cell: str) -> list[str]:
    return re.findall(r"`([\w]+)`", cell) or [cell.strip()]


def elements() -> list[Element]:
    written = [each for players in (4, 3) for each in fromstring(mjlog(simulated(players)[2]))]
    return [*written, *fromstring(REAL_XML)]


@pytest.mark.whole_run
def test_every_attribute_of_the_xml_is_in_the_table() -> None:
    known = fields_of("mjlog")
    for element in elements():
        if not re.fullmatch(r"[T-WD-G]\d+", element.tag):
            assert set(element.attrib) <= known[element.tag]


@pytest.mark.whole_run
def test_every_key_of_the_json_is_in_the_table() -> None:
    assert set(REAL_JSON) | set(json.loads(tenhou(simulated()[2]))) <= fields_of("JSON")["the whole"]


def test_every_key_of_mjai_is_in_the_table() -> None:
    known = fields_of("mjai")
    seen = {kind: set(keys.split()) for kind, keys in REAL_MJAI.items()}
    for game in (*simulated(), *simulated(3)):
        for event in game:
            seen.setdefault(event["type"], set()).update(set(event) - {"type"})
    assert {kind: keys - known[kind] for kind, keys in seen.items() if keys - known[kind]} == {}
