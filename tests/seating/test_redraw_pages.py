"""Pages after the start: who goes on, the next round by standing, swaps by hand, teams; looked at first, then done."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import make_event, play_round, set_team, writer_of
from tests.pages.at_desk import organiser, values
from tests.pages.html_reader import text, texts
from tests.pages.walker import Walker
from tournament.events.models import Event
from tournament.rounds.actions import publish_rounds
from tournament.standings.queries import read_standings
from tournament.tables.models import Seat

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]


@pytest.fixture(scope="module")
def made(rows_of_module: None) -> Event:
    """Return an event of four tables: round 1 is played, round 2 published, rounds 3 and 4 are drawn."""
    event = make_event(slug="cup", tables=4, rounds=4, published=False)
    publish_rounds(event=event, numbers=[1, 2], by=writer_of(event))
    play_round(event, 1, "1t 3 30", "2r4 230")
    return event


def where(event: Event, player: int) -> dict[int, tuple[int, int]]:
    rows = Seat.objects.filter(round__event=event, player__number=player)
    return {row[0]: row[1:] for row in rows.values_list("round__number", "table__number", "seat")}


def send_form(client: Client, url: str, page: Any, **fields: str) -> Any:
    """Send the first form that takes what a page shows, with its hidden fields."""
    names: tuple[str, ...] = (
        "look",
        "act",
        "on",
        "published",
        "seed",
        "fill",
        "seen",
        "client_id",
        "round",
        "one",
        "other",
    )
    names += ("seen_one", "seen_other", "method", "step", "numbering", "top", "carry", "others", "apart")
    found = {name: values(page, name)[-1] for name in names if values(page, name)}
    return client.post(url, {**found, **fields})


@pytest.fixture(scope="module")
def before_looking(made: Event) -> dict[int, tuple[int, int]]:
    """Return where player 3 sits before anybody has looked."""
    return where(made, 3)


@pytest.fixture(scope="module")
def looked(made: Event, before_looking: dict[int, tuple[int, int]]) -> Any:
    """Return the page of what there is to choose once player 3 is gone: to find it takes a while."""
    on = [str(number) for number in range(1, 17) if number != 3]
    return organiser(made).get(TestWhoGoesOn.URL, {"look": "1", "seed": "4", "on": on})


class TestWhoGoesOn:
    URL = "/desk/cup/seating/redraw/"

    def fields(self, page: Any, way: int = 0) -> dict[str, str]:
        names = ("fill", "seen", "client_id")
        return {"act": "take", "look": "1", "seed": "4", "on": values(page, "on")[-1]} | {
            name: values(page, name)[way] for name in names
        }

    @pytest.mark.once
    def test_nothing_is_written_before_it_was_looked_at(
        self, event: Event, before_looking: dict[int, tuple[int, int]], looked: Any
    ):
        assert texts(looked, "h3") == [
            "Others take the seats",
            "Redraw with substitutes",
            "Redraw with players resting in turn",
        ]
        assert "Cyan still has a seat in published round 2" in texts(looked, ".is-warning")[0]
        assert (where(event, 3), event.players.count()) == (before_looking, 16)

    @pytest.mark.follows("during/leave.md")
    @pytest.mark.once
    def test_a_substitute_takes_the_seats(self, event: Event, looked: Any):
        client, before = organiser(event), where(event, 3)
        answer = client.post(self.URL, {**self.fields(looked), "names": "Ida Reserve"})
        assert answer["Location"] == "/desk/cup/seating/"
        assert where(event, 3) == {number: before[number] for number in (1, 2)}
        assert where(event, 17) == {number: before[number] for number in (3, 4)}
        assert "withdrawn" in text(client.get("/desk/cup/players/3/"), "main")

    @pytest.mark.once
    def test_a_page_that_is_too_old_is_refused_in_words(self, event: Event, looked: Any):
        publish_rounds(event=event, numbers=[3], by=writer_of(event))
        answer = organiser(event).post(self.URL, self.fields(looked))
        assert (answer.status_code, texts(answer, ".is-error")) == (
            422,
            ["Error Something changed since this was shown: check it again, then confirm."],
        )

    def test_a_late_comer_is_added_and_ticked(self, event: Event):
        client = organiser(event)
        answer = client.post(self.URL, {"act": "join", "name": "Zora Late"})
        page = client.get(answer["Location"])
        assert "Zora Late is player 17" in texts(page, ".note")[0]
        assert 'value="17" checked' in page.content.decode()

    @pytest.mark.follows("during/leave.md")
    def test_leaving_and_returning_from_the_players_page(self, event: Event):
        desk, before = Walker(organiser(event), "/desk/cup/players/3/"), where(event, 3)
        desk.follow("Leaves")
        desk.press("Has left", reason="ill")
        assert event.players.get(number=3).withdrawn_at is not None
        desk.open("/desk/cup/players/3/")
        desk.follow("Is back")
        desk.press("Is back", reason="better")
        assert (event.players.get(number=3).withdrawn_at, where(event, 3)) == (None, before)


class TestNextRound:
    URL = "/desk/cup/seating/next/"

    @pytest.fixture
    def event(self, others_aside: None) -> Event:
        event = make_event(slug="cup", tables=3, rounds=1)
        play_round(event, 1, "1t 3 30", "2r4 230")
        return event

    @pytest.mark.usefixtures("others_aside")
    def test_an_open_round_is_waited_for(self):
        event = make_event(slug="cup", tables=3, rounds=1)
        page = organiser(event).get(self.URL)
        assert texts(page, ".is-error") == [
            "Error Round 1 is not released yet: the next one is drawn from standings that all can see."
        ]

    @pytest.mark.follows("during/next-round.md")
    def test_a_round_is_shown_then_taken(self, event: Event):
        client = organiser(event)
        page = client.get(self.URL, {"look": "1", "seed": "4", "method": "swiss"})
        assert event.rounds.count() == 1
        assert len(texts(page, "tr")) == 3
        fields = {name: values(page, name)[-1] for name in ("seen", "client_id", "look")}
        answer = client.post(self.URL, {**fields, "seed": "4", "method": "swiss"})
        assert answer["Location"] == "/desk/cup/seating/"
        assert [row.state for row in event.rounds.all()] == ["released", "drawn"]

    @pytest.mark.follows("during/finals.md")
    @pytest.mark.postgresql
    def test_a_cut_is_shown_made_and_taken_back(self, event: Event):
        client = organiser(event)
        asked = {"seed": "4", "method": "ranked", "top": "4", "carry": "halved", "others": "stop"}
        page = client.get(self.URL, {"look": "1", **asked})
        assert len([words for words in texts(page, "ol") if words]) == 1
        fields = {name: values(page, name)[-1] for name in ("seen", "client_id", "look")}
        client.post(self.URL, {**fields, **asked})
        public = client.get("/e/cup/standings/")
        assert sum("carried" in row for row in texts(public, "tr")) == 4
        assert "Cut to 4 after round 1" in text(client.get(self.URL), "main")
        client.post(self.URL, {"act": "cancel", "after": "1", "reason": "play-off"})
        event.refresh_from_db()
        assert [row.carried for row in read_standings(event).rows] == [()] * 12


class TestSwap:
    URL = "/desk/cup/seating/swap/"

    def test_the_effect_is_shown_and_a_swap_back_is_the_identity(self, event: Event):
        client, before = organiser(event), (where(event, 1), where(event, 9))
        for _turn in range(2):
            page = client.get(self.URL, {"round": "3", "one": "1", "other": "9"})
            assert texts(page, "h2") == ["The effect"]
            answer = send_form(client, self.URL, page, round="3", one="1", other="9")
            assert answer["Location"] == "/desk/cup/seating/"
        assert (where(event, 1), where(event, 9)) == before

    def test_a_published_round_wants_a_reason(self, event: Event):
        client, before = organiser(event), where(event, 1)
        page = client.get(self.URL, {"round": "2", "one": "1", "other": "9"})
        answer = send_form(client, self.URL, page, round="2", one="1", other="9")
        assert texts(answer, ".is-error") == ["Error Changing published seats needs a reason."]
        assert where(event, 1) == before
        send_form(client, self.URL, page, round="2", one="1", other="9", reason="the ramp")
        assert where(event, 1) != before

    def test_a_round_that_has_begun_is_not_there(self, event: Event):
        assert organiser(event).get(self.URL, {"round": "1"}).status_code == 404


class TestTeams:
    def test_no_teams_no_link(self, event: Event, client: Client):
        assert "/e/cup/teams/" not in client.get("/e/cup/standings/").content.decode()
        assert client.get("/e/cup/teams/")["Location"] == "/e/cup/standings/"

    @pytest.mark.follows("during/teams.md")
    @pytest.mark.postgresql
    def test_the_best_members_count_and_released_rounds_alone(self, event: Event, client: Client):
        for number, team in ((1, "Elbe"), (2, "Elbe"), (3, "Elbe"), (4, "Alster"), (5, "Alster")):
            set_team(player=event.players.get(number=number), team=team, by=writer_of(event))
        event.refresh_from_db()
        totals = {row.number: row.total for row in read_standings(event).rows}
        elbe = sum(sorted((totals[number] for number in (1, 2, 3)), reverse=True)[:2])
        page = client.get("/e/cup/teams/")
        assert "The best 2 members of each team count" in text(page, ".lead")
        assert f"{elbe / 1000:+.1f}".replace("-", "−") in " ".join(texts(page, "tr"))
        assert "/e/cup/teams/" in client.get("/e/cup/standings/").content.decode()
        refused = organiser(event).post("/desk/cup/results/teams/", {"best": "two"}, follow=True)
        assert texts(refused, ".note") == [
            "Error So many members cannot count: type a number from 0 (as many as the smallest team has) to 30."
        ]
        assert "The best 2 members of each team count" in text(client.get("/e/cup/teams/"), ".lead")
        organiser(event).post("/desk/cup/results/teams/", {"best": "1"})
        assert "The best member of each team counts" in text(client.get("/e/cup/teams/"), ".lead")
