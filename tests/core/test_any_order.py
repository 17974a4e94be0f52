"""Incidents in any order: exchanges, leaving, substitutes, corrections, penalties; what must hold after all of them.

The standings are recalculated from the event's file by a small sum of its own, which asks no selector.
"""

import contextlib
import itertools
import json
import random
from collections import Counter, defaultdict
from typing import Any
from uuid import uuid4

import pytest

from rules.books import from_json
from rules.ruleset import Ruleset
from scoring.entries import Chombo, Entry
from scoring.entries import from_json as entry_from_json
from scoring.game import fold
from scoring.shorthand import parse
from tests.archive.archive_acts import empty_the_database
from tests.factories import last_seq, make_account, make_event, round_of, sign, table_of, writer_of
from tests.penalties.foul_acts import give
from tournament.archive.actions import import_event
from tournament.archive.queries import get_event_file
from tournament.archive.verify import verify_event
from tournament.core.errors import DomainError
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, come_back, leave, put_substitute_in, take_substitute_out
from tournament.incidents.models import Substitution
from tournament.penalties.actions import cancel_penalty, give_penalty
from tournament.penalties.models import Penalty
from tournament.players.actions import NewPlayer, add_late_player
from tournament.rounds.actions import release_round
from tournament.seating.seat_actions import Place, SeatAssignment, exchange_players, swap_seats
from tournament.sheets.actions import reopen_table
from tournament.standings.queries import read_standings
from tournament.tables.actions import HandRequest, correct_hands, write_hand
from tournament.tables.history import Forgotten
from tournament.tables.models import Seat, Table

pytestmark = [pytest.mark.once, pytest.mark.django_db, pytest.mark.whole_run]

LINES = ("1t 230", "2r3 340/2", "d13/1", "c2", "3r1 5", "4t 6/4", "d", "1r4 270+2 3 30", "=+1000,-1000,0,0 wrong")
ACTS = (
    "hand hand hand hand correct void forgotten exchange exchange leave back substitute out foul penalty cancel sign"
    " reopen swap"
)
Content = dict[str, Any]


# ---------------------------------------------------------------- the sum from the file alone


def standing(ledger: list[Content]) -> list[tuple[int, Entry]]:
    """Return the hands that stand, each with the `seq` of its first row."""
    newest: dict[int, str] = {}
    for row in ledger:
        newest[row["supersedes"] or row["seq"]] = row["payload"]
    return [(seq, entry_from_json(json.loads(payload))) for seq, payload in sorted(newest.items()) if payload]


def shares(scores: dict[int, int], rules: Ruleset) -> dict[int, int]:
    """Return the uma of each seat: equal scores share what their places have, decimals dropped."""
    order, by_place = sorted(scores.values(), reverse=True), [rules.uma[0] + rules.oka, *rules.uma[1:]]
    found = {}
    for seat, score in scores.items():
        first, tied = order.index(score), order.count(score)
        found[seat] = int(sum(by_place[first : first + tied]) / tied)
    return found


def results_of(table: Content, replaced: dict[int, str], rules: Ruleset) -> dict[int, int]:
    """Return each player's result of one table, by number."""
    seats = {each["seat"]: each["player"] for each in table["seats"]}
    state = fold([entry for _, entry in standing(table["ledger"])], rules).state
    scores, pot = list(state.scores), state.sticks * rules.riichi_deposit
    if rules.leftover_deposits != "lost":
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        for seat in best:
            scores[seat] += pot // len(best)
    late = {seat for seat, number in seats.items() if replaced.get(number) == "during" and rules.substitute != "wrc"}
    uma = shares({seat: score for seat, score in enumerate(scores) if seat not in late}, rules)
    gone = 0 if rules.substitute == "wrc" else -rules.replaced_points
    return {
        number: gone if number in replaced else scores[seat] - rules.return_points + uma[seat]
        for seat, number in seats.items()
    }


def totals_of(content: Content) -> dict[int, int]:
    """Return the total of each ranked player, by number, if every signed table counts."""
    rules = from_json(content["event"]["rules"], source="file")
    totals: Counter[int] = Counter({each["number"]: 0 for each in content["players"]})
    replaced = replaced_in(content)
    chombo: set[tuple[int, int, int, int]] = set()
    for round_, table in signed_tables(content):
        place = round_, table["number"]
        seats = {each["seat"]: each["player"] for each in table["seats"]}
        totals.update(results_of(table, replaced[place], rules))
        if rules.substitute == "wrc":
            totals.subtract(dict.fromkeys(replaced[place], rules.replaced_points))
        found = [(seq, seats[seat]) for seq, entry in standing(table["ledger"]) for seat in offenders_of(entry)]
        at = {row["seq"]: row["at"] for row in table["ledger"]}
        pays = [who for seq, who in found if who_pays(content, place, seq, at[seq], who)]
        totals.subtract({who: count * rules.chombo_points for who, count in Counter(pays).items()})
        chombo |= {(*place, *each) for each in found}
    for row in content["penalties"]:
        known = (row["round"], row["table"], row["seq"], row["player"])
        standing_in = [each["client_id"] for each in content["substitutions"] if not each["cancelled_at"]]
        own = row["substitution"] not in standing_in or row["charged_at"]
        if not row["cancelled_at"] and own and (row["kind"] != "chombo" or known in chombo):
            totals[row["player"]] -= row["points"]
    return {each["number"]: totals[each["number"]] for each in content["players"] if each["ranked"]}


def who_pays(content: Content, place: tuple[int, int], seq: int, at: str, player: int) -> bool:
    """Tell whether a chombo is the player's: what the register says of it, else who played that hand."""
    standing_in = {
        each["client_id"]: each
        for each in content["substitutions"]
        if not each["cancelled_at"] and (each["round"], each["table"], each["player"]) == (*place, player)
    }
    for row in content["penalties"]:
        named = (row["kind"], row["round"], row["table"], row["seq"], row["player"])
        if not row["cancelled_at"] and named == ("chombo", *place, seq, player):
            return row["substitution"] not in standing_in or bool(row["charged_at"])
    for each in standing_in.values():
        began = seq >= each["seq"] if each["seq"] is not None else at >= each["given_at"]
        return not (each["answers"] and (each["when"] == "before" or began))
    return True


def replaced_in(content: Content) -> dict[tuple[int, int], dict[int, str]]:
    """Return who is replaced at each table, and from when."""
    found: dict[tuple[int, int], dict[int, str]] = defaultdict(dict)
    for row in content["substitutions"]:
        if not row["cancelled_at"]:
            found[row["round"], row["table"]][row["player"]] = row["when"]
    return found


def signed_tables(content: Content) -> list[tuple[int, Content]]:
    every = [(round_["number"], table) for round_ in content["rounds"] for table in round_["tables"]]
    return [(number, table) for number, table in every if table["sheets"] and table["sheets"][-1]["signed"]]


def offenders_of(entry: Entry) -> tuple[int, ...]:
    return entry.offenders if isinstance(entry, Chombo) else ()


def content_of(event: Event) -> Content:
    found: Content = json.loads(get_event_file(event))["content"]
    return found


def shown(event: Event) -> dict[int, int]:
    return {row.number: row.total for row in read_standings(event, released_only=False).rows}


# ---------------------------------------------------------------- what may happen


class Day:
    """A small event to which anything may happen; `refused` counts what the desk would not do."""

    def __init__(self, rules: str, seed: int) -> None:
        self.event, self.random = make_event(rules, rounds=3), random.Random(seed)
        self.by = writer_of(self.event)
        for name in ("Zimt", "Anis"):
            add_late_player(event=self.event, new=NewPlayer(name), ranked=False, by=self.by)
        self.done: Counter[str] = Counter()

    def any_table(self) -> Table:
        return table_of(self.event, self.random.randint(1, 2), round_=self.random.randint(1, 3))

    def any_player(self) -> Any:
        numbers = list(self.event.players.filter(ranked=True).values_list("number", flat=True))
        return self.event.players.select_related("event").get(number=self.random.choice(numbers))

    def act(self) -> None:
        """Try one act, chosen at random."""
        name = self.random.choice(ACTS.split())
        before = seats_of(self.event)
        try:
            getattr(self, name)()
            self.done[name] += 1
        except DomainError:
            self.done["refused"] += 1
        if name not in ("exchange", "swap"):
            assert seats_of(self.event) == before

    def hand(self) -> None:
        table = self.any_table()
        entry = parse(self.random.choice(LINES))
        write_hand(HandRequest(table, entry, uuid4(), last_seq(table), reason="seen"), by=self.by)

    def correct(self) -> None:
        table = self.any_table()
        hand, entry = self.random.randint(1, 4), parse(self.random.choice(LINES))
        write_hand(HandRequest(table, entry, uuid4(), last_seq(table), hand=hand, reason="misheard"), by=self.by)

    def void(self) -> None:
        table = self.any_table()
        hand, seen = self.random.randint(1, 4), last_seq(table)
        write_hand(HandRequest(table, None, uuid4(), seen, hand=hand, reason="twice"), by=self.by)

    def forgotten(self) -> None:
        table = self.any_table()
        correct_hands(
            table=table,
            changes=(),
            forgotten=Forgotten(self.random.randint(1, 3), parse("d")),
            client_id=uuid4(),
            expected_seq=last_seq(table),
            reason="forgotten",
            by=self.by,
        )

    def exchange(self) -> None:
        """Exchange two players twice and once: twice is the identity on what is counted."""
        one, other = self.random.sample(range(1, 11), 2)
        rounds = self.random.sample((1, 2, 3), self.random.randint(1, 3))
        before, seats = shown(self.event), seats_of(self.event)
        file = bare(self.event)
        for _time in range(2):
            assert self.exchange_once(one, other, rounds)
        assert (shown(self.event), seats_of(self.event), bare(self.event)) == (before, seats, file)
        assert self.exchange_once(one, other, rounds)
        after = seats_of(self.event)
        assert {key: who for key, who in after.items() if key[0] not in rounds} == {
            key: who for key, who in seats.items() if key[0] not in rounds
        }
        assert {key for key in after if after[key] != seats[key]} == {
            key for key, who in seats.items() if key[0] in rounds and who in (one, other)
        }

    def exchange_once(self, one: int, other: int, rounds: list[int]) -> bool:
        seen = {each: (self.place(each, one), self.place(each, other)) for each in rounds}
        return exchange_players(event=self.event, one=one, other=other, seen=seen, reason="badges", by=self.by)

    def place(self, round_: int, number: int) -> Place | None:
        found = {who: (table, seat) for (at, table, seat), who in seats_of(self.event).items() if at == round_}
        return found.get(number)

    def swap(self) -> None:
        """Let two at one table change seats: by seat or by name."""
        table = self.any_table()
        numbers = list(table.seats.order_by("seat").values_list("player__number", flat=True))
        first, second = self.random.sample(range(4), 2)
        swap_seats(
            one=SeatAssignment(table, first, numbers[first]),
            other=SeatAssignment(table, second, numbers[second]),
            hands=self.random.choice(("stay", "follow")),
            expected={table.number: last_seq(table)},
            client_id=uuid4(),
            reason="sat wrong",
            by=self.by,
        )

    def replacement(self, *, later: bool = False) -> Replacement:
        when = self.random.choice(("before", "during"))
        name = self.random.choice(("Zimt", "Anis", "", "Kay Fir"))
        return Replacement(when=when, reason="ill", name=name, later=later)  # type: ignore[arg-type]

    def leave(self) -> None:
        player = self.any_player()
        table = (
            Table.objects.filter(seats__player=player)
            .select_related("round__event")
            .order_by("round__number")[self.random.randint(0, 2) :]
            .first()
        )
        leave(
            player=player,
            reason="the train",
            table=table,
            replacement=self.replacement(later=True),
            client_id=uuid4(),
            by=self.by,
        )

    def back(self) -> None:
        rows = Substitution.objects.filter(event=self.event, cancelled_at=None)
        found = rows.select_related("event", "player", "table__round").order_by("pk").first()
        if found:
            mine = [row for row in rows.select_related("event", "table__round") if row.player_id == found.player_id]
            player = self.event.players.select_related("event").get(pk=found.player_id)
            come_back(player=player, reason="here", substitutions=mine, by=self.by)

    def substitute(self) -> None:
        table = self.any_table()
        put_substitute_in(
            table=table,
            player=self.any_player(),
            replacement=self.replacement(),
            client_id=uuid4(),
            by=self.by,
        )

    def out(self) -> None:
        found = Substitution.objects.filter(event=self.event, cancelled_at=None).select_related("event").first()
        if found:
            take_substitute_out(substitution=found, reason="not so", by=self.by)

    def foul(self) -> None:
        number, table = self.random.randint(1, 8), self.random.randint(1, 2)
        give(self.event, number, at=table, foul=self.random.choice(("empty_win_shown", "noten_riichi")))

    def penalty(self) -> None:
        give_penalty(player=self.any_player(), points=5_000, reason="late", client_id=uuid4(), by=self.by)

    def cancel(self) -> None:
        found = Penalty.objects.filter(event=self.event, cancelled_at=None).select_related("event").first()
        if found:
            cancel_penalty(penalty=found, reason="not so", by=self.by)

    def sign(self) -> None:
        sign(self.any_table())

    def reopen(self) -> None:
        reopen_table(table=self.any_table(), reason="a complaint", by=self.by)


def seats_of(event: Event) -> dict[tuple[int, int, int], int]:
    rows = Seat.objects.filter(round__event=event)
    found = rows.values_list("round__number", "table__number", "seat", "player__number")
    return {(round_, table, seat): number for round_, table, seat, number in found}


def bare(event: Event) -> Content:
    """Return the event's file without its trail and its version."""
    content = content_of(event)
    del content["audit"], content["event"]["version"]
    return content


def sitting_twice(event: Event) -> list[tuple[int, object]]:
    """List who sits or plays twice in a round."""
    here: Counter[tuple[int, object]] = Counter((place[0], number) for place, number in seats_of(event).items())
    plays = Substitution.objects.filter(event=event, cancelled_at=None)
    for round_, number, name in plays.values_list("table__round__number", "substitute__number", "name"):
        here.update([(round_, number or name)] if number or name else [])
    return [who for who, count in here.items() if count > 1]


@pytest.mark.parametrize(("key", "seed"), [("ema-2025", 109), ("wrc-2025", 103), ("rakkii-nomi-2026", 101)])
def test_whatever_happens_the_sums_agree_and_nobody_sits_twice(key: str, seed: int):
    day = Day(key, seed)
    for _step in range(30):
        day.act()
        assert sitting_twice(day.event) == []
    # what was done is no empty day
    assert day.done["exchange"] > 0
    assert day.done["hand"] > 5
    assert verify_event(day.event).problems == []
    for number, table in itertools.product((1, 2, 3), (1, 2)):
        with contextlib.suppress(DomainError):
            sign(table_of(day.event, table, round_=number))
    with contextlib.suppress(DomainError):
        release_round(round_=round_of(day.event, 1), by=day.by)
    assert shown(day.event) == totals_of(content_of(day.event))
    file = get_event_file(day.event)
    empty_the_database()
    assert get_event_file(import_event(data=file.encode(), by=make_account())) == file
