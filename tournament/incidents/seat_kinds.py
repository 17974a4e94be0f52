"""The kinds of incident that exchange two players: in each other's seats, before a round begins, under one name."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, cast, get_args
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.problems import InvalidInput, ProblemType
from tournament.core.errors import FORM_STALE, DomainError, StaleTableError
from tournament.core.rights import Right
from tournament.hands.corrections import PlanForm, redirect_whole, show_plan, take_step
from tournament.hands.plan import read_plan
from tournament.incidents.kinds import Incident, Offer, mishaps_url
from tournament.incidents.queries import CurrentSeat, ExchangedRound, Whereabouts, effect_of_exchange, get_whereabouts
from tournament.pages.forms import likes_of
from tournament.pages.requests import CONFLICT, UNPROCESSABLE, Fields, table_model, to_int, to_uuid
from tournament.pages.tables import entered_since
from tournament.players.queries import list_players
from tournament.seating.forms import OPEN_TO_ALL
from tournament.seating.messages import say_wish
from tournament.seating.queries import get_redraw_field
from tournament.seating.redraw_views import Figure, compare_figures, numbers
from tournament.seating.search.redraw import try_swap
from tournament.seating.search.schedule import SeatingError
from tournament.seating.seat_actions import (
    PLAYERS_EXCHANGED,
    PLAYERS_SWAPPED,
    SEATS_SWAPPED,
    SEATS_TWO_TABLES,
    HandsDo,
    Place,
    SeatAssignment,
    exchange_players,
    swap_players,
    swap_seats,
)
from tournament.tables.history import Plan, first_unfit, plan_effects
from tournament.tables.messages import names_at, seated_now
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.languages import join_commas
from tournament.text.problems import problem_text

SEATS_CHOOSE_TWO = ProblemType("seats.choose_two", "Choose two players, not {chosen}.")
SEATS_CHOOSE_HANDS = ProblemType("seats.choose_hands", "Choose what the hands do.")


def say_place(place: Place | None) -> str:
    """Say a table and seat, or that there is none."""
    if place is None:
        return _("no seat")
    return _("table %(table)d, seat %(seat)d") % {"table": place[0], "seat": place[1] + 1}


def write_place(place: Place | None) -> str:
    """Write a place as a form carries it; "" for none."""
    return f"{place[0]}:{place[1]}" if place else ""


def read_place(text: str) -> Place | None:
    """Read what `write_place` wrote; None for anything else."""
    parts = [int(part) for part in text.split(":") if part.isascii() and part.isdigit() and len(part) < 6]
    return (parts[0], parts[1]) if len(parts) == 2 else None


# ---------------------------------------------------------------- two players in each other's seats


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of the two players, at the seat that is recorded now; `seen` is the number that the page has shown there."""

    table: LoadedTable
    seat: int
    seen: int

    def write(self) -> str:
        """Write table, seat and the player there now as a form carries them."""
        return f"{self.table.number}:{self.seat}:{self.table.seats[self.seat].number}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players, and whether the hands stay at the seats or follow the players."""

    one: Chosen
    other: Chosen
    hands: HandsDo

    @property
    def exchanged(self) -> tuple[int, int] | None:
        """The two seats that are exchanged in every hand; None where the hands stay."""
        return (self.one.seat, self.other.seat) if self.hands == "follow" else None

    def moves(self, plan: Plan) -> list[Mapping[str, Any]]:
        """Return both with seat and points before and after; None for points if a hand does not fit any more."""
        return [self._move(plan, was, to) for was, to in ((self.one, self.other), (self.other, self.one))]

    def _move(self, plan: Plan, was: Chosen, to: Chosen) -> Mapping[str, Any]:
        score = was.table.state.scores[was.seat]
        then: int | None = to.table.state.scores[to.seat]
        if self.hands == "follow":
            if first_unfit(to.table.items, plan, to.table.rules):
                then = None
            else:
                after = [effect.after for effect in plan_effects(to.table.items, plan, to.table.rules) if effect.after]
                then = after[-1][to.seat] if after else then
        return {
            "name": names_at(was.table)[was.seat],
            "was": say_place((was.table.number, was.seat)),
            "becomes": say_place((to.table.number, to.seat)),
            "score": score,
            "then": then,
            "difference": None if then is None else then - score,
        }


def _swap(one: Chosen, other: Chosen, hands: str) -> Swap:
    if hands not in get_args(HandsDo):
        raise InvalidInput([SEATS_CHOOSE_HANDS()])
    if hands == "follow" and one.table.id != other.table.id:
        raise InvalidInput([SEATS_TWO_TABLES()])
    return Swap(one, other, cast(HandsDo, hands))


def read_choice(fields: Fields, table: LoadedTable, tables: Sequence[LoadedTable]) -> Swap:
    """Read the two players and what the hands do; raises InvalidInput unless it is two players of this round."""
    texts = fields.getlist("seat")
    seats = sorted({int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 3})
    places = [(table, seat) for seat in seats if seat < len(table.seats)]
    away = fields.get("from", "")
    others = (each for each in tables if each.id != table.id)
    places += [(each, player.seat) for each in others for player in each.seats if str(player.number) == away]
    if len(places) != 2:
        raise InvalidInput([SEATS_CHOOSE_TWO(chosen=len(places))])
    one, other = (Chosen(each, seat, each.seats[seat].number) for each, seat in places)
    # without hands, or between two tables, hands can only stay
    only_stay = not table.items or other.table.id != table.id
    return _swap(one, other, fields.get("hands", "") or ("stay" if only_stay else ""))


def read_swap(fields: Fields, tables: Sequence[LoadedTable]) -> Swap:
    """Read what the page sends back, with the numbers of the players that it showed; raises InvalidInput."""
    two = []
    for name in ("one", "other"):
        texts = fields.get(name, "").split(":")
        parts = [int(part) for part in texts if part.isascii() and part.isdigit() and len(part) < 7]
        table = next((each for each in tables if len(parts) == 3 and each.number == parts[0]), None)
        if table is None or parts[1] >= len(table.seats):
            raise InvalidInput([FORM_STALE()])
        two.append(Chosen(table, parts[1], parts[2]))
    one, other = two
    return _swap(one, other, fields.get("hands", ""))


class Seats(Incident):
    """Two players of a published round are found in each other's seats.

    Its preview is the page of a correction of several hands (hands/plan.html), which asks for each hand that no longer
    fits; `?look` leads to it.
    """

    address = "desk:seats"
    see = Right.CORRECT_HANDS
    tab = "desk"
    undoes = SEATS_SWAPPED
    question = "seats"

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        if who.now:
            address = reverse(cls.address, args=[slug, who.now.round, who.now.table])
            yield Offer(
                _("Sits in a wrong seat"),
                _(
                    "Choose the other of the two, at this table or another; say whether hands go with seats or with "
                    "names."
                ),
                f"{address}?{urlencode({'seat': who.now.seat})}",
                _("Change seats"),
            )

    @classmethod
    def undo_url(cls, slug: str, details: Mapping[str, Any]) -> str:
        here, there = sorted(details["after"], key=itemgetter("table", "seat"))
        same = here["table"] == there["table"]
        query: dict[str, Any] = {"look": 1, "hands": details["hands"], "seat": [here["seat"]]}
        query |= {"seat": [here["seat"], there["seat"]]} if same else {"from": there["player"]}
        address = reverse(cls.address, args=[slug, details["round"], here["table"]])
        return f"{address}?{urlencode(query, doseq=True)}"

    def find(self) -> None:
        number, table = self.place["round_number"], self.place["table_number"]
        self.tables = load_tables(self.event, rounds=[number])
        found = next((each for each in self.tables if each.number == table), None)
        if found is None:
            raise Http404("There is no such table.")
        self.table: LoadedTable = found
        self.url = reverse(self.address, args=[self.event.slug, number, table])
        self.cancel = reverse("desk:table", args=[self.event.slug, number, table])
        self.heading = self.title = _("Players in each other's seats")
        self.lead = _("Table %(number)s, round %(round)s") % {"number": table, "round": number}

    def show(self) -> HttpResponse:
        if self.request.method != "POST" and "look" in self.fields and not self.table.signed:
            try:
                swap = read_choice(self.fields, self.table, self.tables)
            except InvalidInput as wrong:
                self.errors = [problem_text(problem) for problem in wrong.problems]
            else:
                form = PlanForm(Plan(exchanged=swap.exchanged), self.url, self.client_id, hidden=self._hidden(swap))
                return self._show_plan(swap, form, 200)
        if self.request.htmx:  # type: ignore[attr-defined]
            messages.error(self.request, " ".join(self.errors))
            return redirect_whole(self.request, self.url)
        return super().show()

    def prepare(self) -> None:
        others = (each for each in self.tables if each.id != self.table.id)
        self.seats = seated_now(self.table)
        self.elsewhere = [(each.number, player) for each in others for player in seated_now(each)]
        self.ticked, self.away = self.fields.getlist("seat"), to_int(self.fields.get("from"))
        self.hands = self.fields.get("hands", "")

    def carry_out(self) -> HttpResponse:
        swap = read_swap(self.fields, self.tables)
        table, sent = swap.one.table, self.request.POST
        plan = dataclasses.replace(read_plan(sent, table), exchanged=swap.exchanged)
        hidden = {**self._hidden(swap), **{name: sent.get(name, "")[:20] for name in ("one", "other")}}
        form = PlanForm(plan, self.url, sent.get("client_id", ""), sent.get("reason", "")[:500], hidden=hidden)
        step = take_step(self.request, table, form)
        if step is not None:
            return self._show_plan(swap, form, step)
        seen = to_int(sent.get("expected_seq"))
        try:
            swap_seats(
                one=SeatAssignment(table_model(table), swap.one.seat, swap.one.seen),
                other=SeatAssignment(table_model(swap.other.table), swap.other.seat, swap.other.seen),
                hands=swap.hands,
                changes=form.plan.changes,
                # the second replaces the first where it is one table
                expected={swap.other.table.number: to_int(sent.get("seen_other")), table.number: seen},
                client_id=to_uuid(form.client_id),
                reason=form.reason,
                by=self.request.user,
            )
        except StaleTableError as stale:
            form.problems, form.meanwhile, form.hidden = stale.problems, entered_since(table, seen), self._hidden(swap)
            return self._show_plan(swap, form, CONFLICT)
        except (InvalidInput, DomainError) as wrong:
            if any(problem.code == "seats.moved_on" for problem in wrong.problems):
                raise
            form.problems = wrong.problems
            return self._show_plan(swap, form, UNPROCESSABLE)
        messages.success(self.request, _("The seats are changed."))
        return redirect_whole(self.request, self.cancel)

    def _show_plan(self, swap: Swap, form: PlanForm, status: int) -> HttpResponse:
        form.moves = swap.moves(form.plan)
        return show_plan(self.request, self.event, swap.one.table, form, status=status)

    @staticmethod
    def _hidden(swap: Swap) -> dict[str, str]:
        """Return the hidden fields beside the plan: who sits where as shown, and what the hands do."""
        found = {"one": swap.one.write(), "other": swap.other.write(), "hands": swap.hands}
        if swap.exchanged:
            return found | {"exchanged": f"{swap.one.seat},{swap.other.seat}"}
        return found | {"seen_other": str(swap.other.table.last_seq)}


# ---------------------------------------------------------------- two players change places before a round begins


class SwapPlayers(Incident):
    """Two players change places in a round without hands (`?round=R&one=A&other=B`)."""

    address = "desk:swap_players"
    see = Right.DRAW_SEATS
    tab = "seating"
    undoes = PLAYERS_SWAPPED
    question = "swap_players"

    @classmethod
    def undo_url(cls, slug: str, details: Mapping[str, Any]) -> str:
        one, other = details["players"]
        query = urlencode({"round": details["round"], "one": one, "other": other})
        return f"{reverse(cls.address, args=[slug])}?{query}"

    def find(self) -> None:
        self.heading, self.cancel = _("Swap two people"), reverse("desk:seating", args=[self.event.slug])
        self.title, self.lead = self.heading, _("in a round that has not begun")
        self.field = get_redraw_field(self.event)
        self.rounds = [(each.number, each.stage == "published") for each in self.field.rounds if each.stage != "begun"]
        open_rounds = [number for number, _published in self.rounds]
        self.round = next(iter(numbers(self.fields, "round")), open_rounds[0] if open_rounds else 0)
        if (open_rounds or self.request.method == "POST") and self.round not in open_rounds:
            raise Http404("There is no such round to change.")
        self.one, self.other = (next(iter(numbers(self.fields, name)), 0) for name in ("one", "other"))
        self.reason_is_optional = (self.round, True) not in self.rounds

    def prepare(self) -> None:
        field, two = self.field, (self.one, self.other)
        if not self.round:
            return
        drawn = next(each.tables for each in field.rounds if each.number == self.round)
        places = {who: (at, seat) for at, table in enumerate(drawn, start=1) for seat, who in enumerate(table)}
        self.people = [
            (guest.number, guest.name, say_place(places.get(guest.number)))
            for guest in field.guests
            if guest.number in places or not guest.withdrawn
        ]
        if self.one == self.other or not all(who in field.names for who in two):  # an address may name anybody
            return
        rounds = tuple(each.tables for each in field.rounds)
        at = 1 + [each.number for each in field.rounds].index(self.round)
        wishes = field.wishes(max((len(tables) for tables in rounds), default=1))
        among = [guest.number for guest in field.guests if not guest.withdrawn]
        try:
            tried = try_swap(rounds, at, *two, table_size=field.table_size, wishes=wishes, among=among)
        except SeatingError:
            self.errors.append(_("Neither of the two has a seat in round %(number)d.") % {"number": self.round})
            return
        missed = {outcome.wish.key: outcome.missed for outcome in tried.outcomes_before}
        self.figures: list[Figure] = compare_figures([tried.before, tried.after]) + [
            (_("Missed: %(label)s") % {"label": say_wish(each.wish.key)}, missed[each.wish.key], [each.missed])
            for each in tried.outcomes_after
            if each.wish.key not in OPEN_TO_ALL
        ]
        self.again = [
            (field.names[who], join_commas(field.names[mate] for mate in mates))
            for who, mates in zip(two, tried.again, strict=True)
            if mates
        ]
        was = [say_place(places.get(who)) for who in two]
        self.swapped = [(field.names[self.one], was[0], was[1]), (field.names[self.other], was[1], was[0])]
        self.hidden = {"round": self.round, "one": self.one, "other": self.other}
        for name, who in zip(("seen_one", "seen_other"), two, strict=True):
            self.hidden[name] = write_place(places.get(who))
        self.preview, self.confirm = "swapped_players", _("Swap them")

    def carry_out(self) -> HttpResponse:
        one, other = (self.one, self.other) if self.one != self.other else (0, 0)
        swap_players(
            round_=self.event.rounds.select_related("event").get(number=self.round),
            one=one,
            other=other,
            seen={
                one: read_place(self.fields.get("seen_one", "")),
                other: read_place(self.fields.get("seen_other", "")),
            },
            reason=self.fields.get("reason", ""),
            by=self.request.user,
        )
        return self.done(_("The two have changed places. Swapping them again puts everything back."), self.cancel)


# ---------------------------------------------------------------- games under another's name


class WrongPerson(Incident):
    """Two players played under each other's name: each gets the other's games of the ticked rounds (`?look`)."""

    address = "desk:wrong_person"
    see = Right.EXCHANGE_PLAYERS
    undoes = PLAYERS_EXCHANGED
    question = "wrong_person"

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        yield Offer(
            _("Somebody else played under this name"),
            _("Two people played under each other’s name: give each the other’s games of the rounds you tick."),
            f"{reverse(cls.address, args=[slug])}?{urlencode({'one': who.number})}",
            _("Correct names"),
        )

    @classmethod
    def undo_url(cls, slug: str, details: Mapping[str, Any]) -> str:
        one, other = details["players"]
        query = urlencode({"one": one, "other": other, "round": details["rounds"], "look": 1}, doseq=True)
        return f"{reverse(cls.address, args=[slug])}?{query}"

    def find(self) -> None:
        self.heading, self.cancel = _("Two names exchanged"), reverse("desk:mishaps", args=[self.event.slug])
        self.title, self.lead = self.heading, _("each played under the other’s name")

    def prepare(self) -> None:
        rows = [(row.number, row.name) for row in list_players(self.event)]
        one, other = (get_whereabouts(self.event, to_int(self.fields.get(name))) for name in ("one", "other"))
        published = self.event.rounds.filter(published_at__isnull=False).values_list("number", flat=True)
        self.rounds = [(number, str(number) in self.fields.getlist("round")) for number in published]
        ticked = [number for number, on in self.rounds if on]
        likes = likes_of(rows)
        self.people = [(number, name, likes.get(number, "")) for number, name in rows]
        self.one, self.other = one, other
        is_two = one is not None and other is not None and one.number != other.number
        if "look" in self.fields and not (is_two and ticked) and not self.errors:
            self.errors = [_("Choose at least one round.") if is_two else _("Choose two different players.")]
        if one is None or other is None or one.number == other.number or not ticked:
            return
        effect = effect_of_exchange(self.event, one, other, ticked)
        self.moves = effect.moves
        self.exchanged = []
        for row in effect.rounds:
            here = (say_place(_place(row.one)), row.one_result)
            there = (say_place(_place(row.other)), row.other_result)
            self.exchanged.append((row.round, [(one.name, *here, *there), (other.name, *there, *here)]))
        self.staying = [
            ngettext("%(count)d penalty stays with %(name)s", "%(count)d penalties stay with %(name)s", count)
            % {"count": count, "name": who.name}
            for who, count in zip((one, other), effect.staying, strict=True)
            if count
        ]
        self.hidden = {"one": one.number, "other": other.number, "seen": write_seen(effect.rounds)}
        self.preview, self.confirm = "exchanged", _("Give each the other’s games")

    def carry_out(self) -> HttpResponse:
        one = to_int(self.fields.get("one"))
        exchange_players(
            event=self.event,
            one=one,
            other=to_int(self.fields.get("other")),
            seen=read_seen(self.fields.get("seen", "")),
            reason=self.fields.get("reason", ""),
            by=self.request.user,
        )
        said = _("Each has the other’s games now. Do the same again to put everything back.")
        return self.done(said, mishaps_url(self.event, one))


def _place(seat: CurrentSeat | None) -> Place | None:
    return seat.place if seat else None


def write_seen(rows: Iterable[ExchangedRound]) -> str:
    """Write where the two sit, round by round, as a form carries it."""
    return ",".join(f"{row.round}={write_place(_place(row.one))}={write_place(_place(row.other))}" for row in rows)


def read_seen(text: str) -> dict[int, tuple[Place | None, Place | None]]:
    """Read what `write_seen` wrote; skip what is unreadable.

    >>> read_seen("1=2:0=,2=1:3=4:1,x")
    {1: ((2, 0), None), 2: ((1, 3), (4, 1))}
    """
    found = {}
    for part in text[:4000].split(","):
        number, *places = part.split("=")
        if len(places) == 2 and number.isascii() and number.isdigit() and len(number) < 6:
            found[int(number)] = (read_place(places[0]), read_place(places[1]))
    return found
