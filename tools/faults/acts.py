"""Acts of all kinds at one event, by the desk's own verbs, planned with a token so that each can be sent again.

A plan is JSON. `Organiser.do` sends it; it raises DomainError where the desk says no, and whatever a broken disk
raises.
"""

import contextlib
import itertools
import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from scoring.entries import Entry
from scoring.game import fold
from scoring.shorthand import parse
from tests.factories import fresh, last_seq, round_of, rows_of, table_of
from tournament.accounts.models import Account
from tournament.calls.actions import call_referee, close_call
from tournament.calls.models import RefereeCall
from tournament.core.errors import DomainError
from tournament.events.actions import set_house_rules
from tournament.events.models import Event
from tournament.incidents.actions import Replacement, come_back, leave, put_substitute_in, take_substitute_out
from tournament.incidents.models import Substitution
from tournament.penalties.actions import cancel_penalty, give_foul, give_penalty
from tournament.penalties.models import Penalty
from tournament.penalties.queries import Offence
from tournament.players.actions import NewPlayer, add_late_player, check_in
from tournament.rounds.actions import cancel_time, give_time, release_round, set_ready, start_round
from tournament.rounds.models import TableTime
from tournament.seating.queries import get_redraw_field
from tournament.seating.redraw_actions import redraw_rounds
from tournament.seating.redraw_plan import RedrawAsked, plan_redraw
from tournament.seating.seat_actions import SeatAssignment, exchange_players, swap_seats
from tournament.sheets.actions import is_signed, reopen_table, sign_table
from tournament.tables.actions import HandRequest, write_hand
from tournament.tables.history import standing_entries
from tournament.tables.models import Seat
from tournament.wall.actions import AnnouncementText, change_announcement, withdraw_announcement, write_announcement
from tournament.wall.models import Announcement

LINES = ("1t 230", "2r3 340/2", "d13/1", "3r1 5", "4t 6/4", "d", "1r4 270+2 3 30")
KINDS = (
    "hand hand hand hand correct void sign sign release start reopen redraw exchange swap substitute take_out leave"
    " back penalty cancel_penalty foul check_in ready time time_back call close_call announce reword withdraw"
    " house_rules late"
)
Args = dict[str, Any]


# what a kind of act is about: the rows that it may name, its path to the event, and the mark of a row that is over
ROWS: dict[str, tuple[Any, str, str]] = {
    "take_out": (Substitution.objects, "event", "cancelled_at"),
    "back": (Substitution.objects, "player__event", "cancelled_at"),
    "cancel_penalty": (Penalty.objects, "event", "cancelled_at"),
    "time_back": (TableTime.objects, "table__round__event", "cancelled_at"),
    "close_call": (RefereeCall.objects, "table__round__event", "closed_at"),
    "reword": (Announcement.objects, "event", "taken_back_at"),
    "withdraw": (Announcement.objects, "event", "taken_back_at"),
}


def _asked(asked: list[Any]) -> RedrawAsked:
    going, fill, seed, published = asked
    return RedrawAsked(tuple(going), fill, seed, tuple(published))


@dataclass(frozen=True, slots=True)
class Act:
    """One act: its kind, the token under which it is sent again, and what it says."""

    kind: str
    token: str
    args: Args


class Organiser:
    """Somebody who may do everything at an event."""

    def __init__(self, event: Event, by: Account, chance: random.Random, *, first: int = 1) -> None:
        """Work at an event from its round `first` on; what is done is chosen by `chance`."""
        self.event, self.by, self.chance, self.first = event, by, chance, first

    @cached_property
    def rounds(self) -> int:
        """Return the last round that is played; the one after it is only redrawn."""
        return self.event.rounds.count() - 1

    @cached_property
    def tables(self) -> int:
        """Count the tables of a round."""
        return round_of(self.event, 1).tables.count()

    def plan(self, kind: str = "") -> Act:
        """Choose the next act, of a kind or of any, from what is there now."""
        kind = kind or self.chance.choice(KINDS.split())
        token = str(UUID(int=self.chance.getrandbits(128), version=4))
        return Act(kind, token, {**self._place(kind), **self._seen(kind), "dice": self.chance.getrandbits(32)})

    def do(self, act: Act) -> None:
        """Send an act, for the first time or again."""
        self.event = fresh(self.event)
        args = dict(act.args)
        if act.kind in ROWS:
            rows, to_event, _over = ROWS[act.kind]
            args["row"] = rows.select_related(to_event).filter(pk=args["row"]).first()
            if args["row"] is None:
                return
        getattr(self, "_" + act.kind)(UUID(act.token), random.Random(args["dice"]), args)

    # ------------------------------------------------------------ what a plan says

    def _place(self, kind: str) -> Args:
        every = list(itertools.product(range(self.first, self.rounds + 1), range(1, self.tables + 1)))
        round_, table = self.chance.choice(self._worth_it(kind, every) or every)
        numbers = list(self.event.players.values_list("number", flat=True))
        where = table_of(self.event, table, round_=round_)
        return {"round": round_, "table": table, "player": self.chance.choice(numbers), "seq": last_seq(where)}

    def _worth_it(self, kind: str, every: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the tables that can be signed, or whose round can be released; chance finds neither."""
        if kind not in ("sign", "release"):
            return []
        signed = {place for place in every if is_signed(table_of(self.event, place[1], round_=place[0]))}
        if kind == "release":
            return [place for place in every if all(each in signed for each in every if each[0] == place[0])]
        unsigned = [place for place in every if place not in signed]
        return [(r, t) for r, t in unsigned if last_seq(table_of(self.event, t, round_=r))]

    def _seen(self, kind: str) -> Args:
        """Return what only some kinds look at before they act."""
        if kind == "redraw":
            return self._redraw_seen()
        if kind in ("exchange", "swap"):
            return {"seats": [list(row) for row in self._seats()]}
        if kind not in ROWS:
            return {}
        rows, to_event, over = ROWS[kind]
        found = rows.filter(**{to_event: self.event, over: None}).order_by("pk").values_list("pk", flat=True)
        return {"row": self.chance.choice(list(found) or [None])}

    def _seats(self) -> list[tuple[int, int, int, int]]:
        rows = Seat.objects.filter(round__event=self.event).order_by("round__number", "table__number", "seat")
        return list(rows.values_list("round__number", "table__number", "seat", "player__number"))

    def _redraw_seen(self) -> Args:
        """Look at a redraw of the last round, which nobody plays."""
        going = self.event.players.filter(withdrawn_at=None, ranked=True).values_list("number", flat=True)
        asked = [sorted(going), self.chance.choice(("put_in", "full")), self.chance.randint(1, 99), [self.rounds + 1]]
        with contextlib.suppress(DomainError):
            return {"asked": asked, "seen": plan_redraw(get_redraw_field(self.event), _asked(asked)).fingerprint}
        return {"asked": asked, "seen": "refused"}

    # ------------------------------------------------------------ tables

    def _table(self, args: Args) -> Any:
        return table_of(self.event, args["table"], round_=args["round"])

    def _player(self, args: Args) -> Any:
        return self.event.players.select_related("event").get(number=args["player"])

    def _change(self, entry: Entry | None, token: UUID, args: Args, dice: random.Random) -> None:
        hand, reason = dice.randint(1, max(1, args["seq"])), f"misheard {token}"
        request = HandRequest(self._table(args), entry, token, args["seq"], hand=hand, reason=reason)
        write_hand(request, by=self.by)

    def _hand(self, token: UUID, dice: random.Random, args: Args) -> None:
        entry, seen = parse(dice.choice(LINES)), args["seq"]
        table, why = self._table(args), "seen by the referee"
        write_hand(HandRequest(table, entry, token, seen, reason=why), by=self.by)

    def _correct(self, token: UUID, dice: random.Random, args: Args) -> None:
        self._change(parse(dice.choice(LINES)), token, args, dice)

    def _void(self, token: UUID, dice: random.Random, args: Args) -> None:
        self._change(None, token, args, dice)

    def _sign(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        table, rules = self._table(args), self.event.ruleset
        game = fold(standing_entries(rows_of(table)), rules)
        totals, left = game.final(rules).scores, game.state.sticks * rules.riichi_deposit
        sign_table(table=table, totals=totals, leftover=left, expected_seq=args["seq"], by=self.by)

    def _reopen(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        reopen_table(table=self._table(args), reason="a complaint", by=self.by)

    def _release(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        release_round(round_=round_of(self.event, args["round"]), by=self.by)

    def _start(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        start_round(round_=round_of(self.event, args["round"]), by=self.by)

    # ------------------------------------------------------------ seats and people

    def _redraw(self, token: UUID, _dice: random.Random, args: Args) -> None:
        asked, seen = _asked(args["asked"]), args["seen"]
        redraw_rounds(event=self.event, asked=asked, seen=seen, client_id=token, reason="ill", by=self.by)

    def _exchange(self, _token: UUID, dice: random.Random, args: Args) -> None:
        places = {(row[0], row[3]): (row[1], row[2]) for row in args["seats"]}
        one, other = dice.sample(sorted({row[3] for row in args["seats"]}), 2)
        seen = {args["round"]: (places.get((args["round"], one)), places.get((args["round"], other)))}
        exchange_players(event=self.event, one=one, other=other, seen=seen, reason="badges", by=self.by)

    def _swap(self, token: UUID, dice: random.Random, args: Args) -> None:
        here = {row[2]: row[3] for row in args["seats"] if row[:2] == [args["round"], args["table"]]}
        table, (first, second) = self._table(args), dice.sample(sorted(here), 2)
        swap_seats(
            one=SeatAssignment(table, first, here[first]),
            other=SeatAssignment(table, second, here[second]),
            hands="stay",
            expected={table.number: args["seq"]},
            client_id=token,
            reason="sat wrong",
            by=self.by,
        )

    def _substitute(self, token: UUID, dice: random.Random, args: Args) -> None:
        replacement = Replacement(when=dice.choice(("before", "during")), reason="ill", name="")
        table, player = self._table(args), self._player(args)
        put_substitute_in(table=table, player=player, replacement=replacement, client_id=token, by=self.by)

    def _take_out(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        take_substitute_out(substitution=args["row"], reason="not so", by=self.by)

    def _leave(self, token: UUID, _dice: random.Random, args: Args) -> None:
        replacement = Replacement(when="before", reason="ill", name="")
        who = {"player": self._player(args), "table": self._table(args)}
        leave(reason="the train", replacement=replacement, client_id=token, by=self.by, **who)

    def _back(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        player = args["row"].player
        rows = Substitution.objects.filter(player=player, cancelled_at=None)
        mine = list(rows.select_related("event", "table__round"))
        come_back(player=player, reason="here", substitutions=mine, by=self.by)

    def _check_in(self, token: UUID, dice: random.Random, args: Args) -> None:
        check_in(player=self._player(args), here=dice.random() < 0.7, client_id=token, by=self.by)

    def _late(self, token: UUID, _dice: random.Random, _args: Args) -> None:
        add_late_player(event=self.event, new=NewPlayer(f"Late {token.hex[:8]}"), ranked=False, by=self.by)

    # ------------------------------------------------------------ penalties

    def _penalty(self, token: UUID, _dice: random.Random, args: Args) -> None:
        give_penalty(player=self._player(args), points=5_000, reason="late", client_id=token, by=self.by)

    def _cancel_penalty(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        cancel_penalty(penalty=args["row"], reason="not so", by=self.by)

    def _foul(self, token: UUID, dice: random.Random, args: Args) -> None:
        offence, player = Offence(foul=dice.choice(("empty_win_shown", "noten_riichi"))), self._player(args)
        table, seen = self._table(args), args["seq"]
        give_foul(player=player, table=table, offence=offence, client_id=token, expected_seq=seen, by=self.by)

    # ------------------------------------------------------------ the hall

    def _ready(self, token: UUID, dice: random.Random, args: Args) -> None:
        round_, ready = round_of(self.event, args["round"]), dice.random() < 0.7
        set_ready(round_=round_, tables=[args["table"]], ready=ready, client_id=token, by=self.by)

    def _time(self, token: UUID, dice: random.Random, args: Args) -> None:
        minutes = dice.randint(1, 9)
        give_time(table=self._table(args), minutes=minutes, reason="a call", client_id=token, by=self.by)

    def _time_back(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        cancel_time(time=args["row"], reason="not so", by=self.by)

    def _call(self, token: UUID, _dice: random.Random, args: Args) -> None:
        call_referee(table=self._table(args), client_id=token, question="Is it furiten?", by=self.by)

    def _close_call(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        close_call(call=args["row"], by=self.by)

    def _announce(self, token: UUID, _dice: random.Random, _args: Args) -> None:
        words = AnnouncementText(title=f"Lunch {token}")
        write_announcement(event=self.event, words=words, client_id=token, by=self.by)

    def _reword(self, token: UUID, _dice: random.Random, args: Args) -> None:
        change_announcement(announcement=args["row"], words=AnnouncementText(title=f"Later {token}"), by=self.by)

    def _withdraw(self, _token: UUID, _dice: random.Random, args: Args) -> None:
        withdraw_announcement(announcement=args["row"], by=self.by)

    def _house_rules(self, token: UUID, _dice: random.Random, _args: Args) -> None:
        set_house_rules(event=self.event, texts={"en": f"Phones off. {token}"}, by=self.by)
