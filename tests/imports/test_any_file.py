"""Whatever is handed in, the answer is a preview: never an exception, never half a verdict."""

from hypothesis import given
from hypothesis import strategies as st

from tests.imports.damaged_files import ENTRANTS
from tests.imports.lists import read_penalties, read_players, read_schedule
from tournament.imports.results import read_results

TEXT_PIECES = st.sampled_from(
    [
        *("Name", "EMA", "Land", "round", "table", "seat", "player", "points"),
        *(",", ";", "\t", "\n", "\r\n", '"', "=", "'", " ", "\x07", "\u202e", "\ufeff", "\u0085", "\u2028"),
        *("1", "30.000", "−1", "٣", "Ada Moss", "MOSS, Ada", "山田", "ß", "𝔸", "🀄"),
    ]
)
NAMES = st.sampled_from(["a.csv", "a.xlsx", "a.xls", "a.xlsm", "a", "", "ä.TXT"])


def check(data: bytes, filename: str) -> None:
    players = read_players(data, filename, existing=["Ada Moss"])
    results = read_results(data, filename)
    penalties = read_penalties(data, filename, entrants=ENTRANTS, rounds=[1])
    seats = read_schedule(data, filename, entrants=ENTRANTS, table_size=4, planned=1)
    for preview in (players, results, penalties, seats):
        if preview.sheet is None:
            assert [problem.severity for problem in preview.problems] == ["error"]
            assert not preview.is_sound
    assert len({draft.row for draft in players.drafts}) == len(players.drafts)
    assert {problem.code.split(".")[0] for problem in (*players.all_problems, *results.problems)} <= {"import"}


@given(st.binary(max_size=200), NAMES)
def test_any_bytes(data, filename):
    check(data, filename)


@given(st.lists(TEXT_PIECES, max_size=60).map("".join), st.sampled_from(["utf-8", "utf-16", "utf-16-le"]), NAMES)
def test_any_text(text, codec, filename):
    check(text.encode(codec), filename)


@given(st.binary(max_size=120))
def test_anything_that_opens_like_a_workbook(data):
    check(b"PK\x03\x04" + data, "a.xlsx")
