"""What a drop of a name means: to a table, to a new one, out of all, or in the place of somebody at a full one."""

import pytest

from tests.factories import writer_of
from tests.open_play.evening import make_evening
from tests.pages.at_desk import client_of

pytestmark = pytest.mark.django_db

PAGE = "/desk/tuesday/tables/"


def tables_of(address: str) -> set[frozenset[str]]:
    plan = address.partition("plan=")[2]
    return {frozenset(table.split(".")) for table in plan.split("-") if table}


@pytest.mark.parametrize(
    ("plan", "move", "to", "on", "after"),
    [
        ("", 5, "0", "", "5"),
        ("1.2", 5, "0", "1", "1.2.5"),
        ("1.2", 5, "1", "", "1.2-5"),
        ("1.2-5", 5, "0", "", "1.2.5"),
        ("1.2-5", 5, "", "", "1.2"),
        ("1.2-5", 6, "", "", "1.2-5"),
        ("1.2.3.4", 5, "0", "4", "1.2.3.5"),
        ("1.2.3.4-5.6.7.8", 5, "0", "4", "1.2.3.5-4.6.7.8"),
        ("1.2.3.4-5.6", 5, "0", "4", "1.2.3.5-4.6"),
        ("1.2.3.4", 5, "0", "", "1.2.3.4"),
        ("1.2.3.4", 5, "0", "9", "1.2.3.4"),
        ("1.2.3.4", 1, "0", "2", "1.2.3.4"),
        ("1.2.3.4", 1, "1", "", "2.3.4-1"),
        ("1.2", 9, "0", "", "1.2"),  # nobody who waits
        ("1.2", 5, "7", "", "1.2"),
        ("1.2", 5, "-1", "", "1.2.5"),
        ("1.2", 5, "x", "x", "5.1.2"),
    ],
)
def test_a_name_goes_where_it_is_dropped(plan: str, move: int, to: str, on: str, after: str):
    client = client_of(writer_of(make_evening(9, here=8)))
    answer = client.get(PAGE, {"plan": plan, "move": str(move), "to": to, "on": on})
    assert tables_of(answer["Location"]) == tables_of(f"plan={after}")
