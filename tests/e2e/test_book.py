"""A head referee's ten questions, answered at the desk by the keyboard from an open call.

Keys are counted from the list of calls, where the palette opens the search, to the answer on the screen;
one more closes the call.
"""

import uuid

import pytest

from tests.e2e.conftest import OpenTab
from tests.e2e.test_penalties import Hands
from tests.e2e.timeouts import expect
from tests.factories import table_of, writer_of
from tests.fixtures import live_event
from tournament.calls.actions import call_referee
from tournament.calls.models import RefereeCall
from tournament.events.models import Event

MOST_KEYS = 30  # 15 seconds at two keys a second
KITA = {
    "kita after pon": "No. After a pon the player discards; kita waits for the next own draw.",
    "kita after kan": "Yes. A kan may be followed by kita in the same turn; only a pon may not.",
    "riichi north hand": "No. A North that is part of the hand in riichi stays there.",
    "riichi drawn": "Yes. In riichi a drawn North may be set aside.",
    "kita furit": "No. Own Norths that are set aside never make furiten.",
    "kita last": "No. Kita needs a tile that is left to draw, as a kan does.",
}
LIST = {
    "swap after": "Dead hand",
    "noten riichi": "Chombo 20,000",
    "all last sheet": "8,000 points",
    "7b": "2,000 points for each player of the table",
}

sanma = live_event("sanmatsuri-2026", tables=1, rounds=1)
yonma = live_event("rakkii-nomi-2026", tables=1, rounds=1)


def ask(open_tab: OpenTab, event: Event, questions: dict[str, str]) -> None:
    page = open_tab(writer_of(event))
    hands = Hands(page)
    for letters, answer in questions.items():
        call = call_referee(table=table_of(event), client_id=uuid.uuid4(), by=writer_of(event))
        page.goto(f"/desk/{event.slug}/calls/")
        page.wait_for_load_state("load")
        hands.type(".")
        expect(page.locator("dialog[open] input")).to_be_focused()
        hands.type("book")
        expect(page.locator("dialog[open]").get_by_text("Find in the book")).to_be_visible()
        hands.press("Enter")
        expect(page.locator("#book-q")).to_be_focused()
        hands.type(letters)
        hands.press("Enter")
        expect(page.locator(".book-answer .row")).to_have_text(answer)
        assert hands.pressed() <= MOST_KEYS
        expect(page.get_by_role("button", name="Close the call of round 1")).to_be_focused()
        hands.press("Enter")
        expect(page).to_have_url(f"{page.url.split('/desk/')[0]}/desk/{event.slug}/calls/")
        assert (hands.pressed(), RefereeCall.objects.get(pk=call.pk).ruling) == (1, answer)


@pytest.mark.django_db
def test_six_questions_of_kita(open_tab: OpenTab, sanma: Event):
    ask(open_tab, sanma, KITA)


@pytest.mark.django_db
def test_four_questions_of_the_list_of_fouls(open_tab: OpenTab, yonma: Event):
    ask(open_tab, yonma, LIST)
