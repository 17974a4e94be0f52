"""The wizard "Something went wrong" for people: one view for every kind of incident, and what each kind declares.

A GET reads the question from the address and shows what would change; a POST carries it out, and a refusal shows the
page again with what was typed. No kind moves a published seat by itself, and each can be undone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from scoring.problems import InvalidInput, Problem, ProblemType, printable_excerpt
from tournament.core.acts import Act
from tournament.core.errors import FORM_STALE, DomainError
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.incidents.actions import (
    PLAYER_DISQUALIFIED,
    SUBSTITUTE_PUT_IN,
    DisqualificationReason,
    Replacement,
    Shown,
    check_substitute,
    come_back,
    disqualify,
    leave,
    lift_disqualification,
    name_substitute,
    put_substitute_in,
    show_disqualification,
    take_substitute_out,
)
from tournament.incidents.models import Substitution
from tournament.incidents.queries import (
    CurrentSeat,
    RankMove,
    SubstituteEffect,
    Whereabouts,
    effect_with,
    effect_without,
    get_whereabouts,
    list_substitutions,
    moves_without,
)
from tournament.pages.forms import like_of, likes_of
from tournament.pages.permissions import DeskRequest, View, desk_context, who_may
from tournament.pages.requests import UNPROCESSABLE, flash_problems, load_or_404, table_model, to_int, to_uuid
from tournament.pages.sign_in import reauthenticate
from tournament.players.actions import PLAYER_RETURNED, PLAYER_WITHDRAWN
from tournament.players.models import Player
from tournament.players.queries import list_players
from tournament.seating.seat_actions import SEATS_MOVED_ON
from tournament.standings.queries import get_desk_standings
from tournament.tables.models import Table
from tournament.tables.queries import LoadedTable, load_tables
from tournament.text.problems import problem_text

SUBSTITUTE_PLAYER_MISSING = ProblemType("substitute.player_missing", "Choose who is replaced.")
SUBSTITUTE_WHEN_MISSING = ProblemType(
    "substitute.when_missing", "Choose when the substitute came in: before the game, or during it."
)
SUBSTITUTE_HAND_NOT_A_NUMBER = ProblemType("substitute.hand_not_a_number", "'{value}' is not the number of a hand.")


@dataclass(frozen=True, slots=True)
class Offer:
    """One way to put something right: what happened, what the link leads to, its address and label."""

    title: str
    says: str
    url: str
    label: str


class Incident:
    """One kind of incident, at one request: what it asks, what it shows before and after, what it does, how to undo it.

    `question` and `preview` name parts of incidents/incident.html; the preview is above the button `confirm`, and
    neither is there while the question is not answered. The template reads all attributes.
    """

    address: ClassVar[str]
    see: ClassVar[Right] = Right.MANAGE_PLAYERS
    send: ClassVar[Right | None] = None
    asks_password: ClassVar[bool] = False
    undoes: ClassVar[Act | None] = None
    undone_of_gone: ClassVar[bool | None] = None  # it can be undone of players who have left, of the others, of all
    tab: ClassVar[str] = "players"

    question = preview = ""
    heading = title = lead = ""
    confirm = act = cancel = way_back = table_url = ""
    is_danger = reason_is_optional = is_wide = False
    moves: Sequence[RankMove] = ()
    effect: SubstituteEffect | None = None

    def __init__(self, request: DeskRequest, event: Event, **place: int) -> None:
        self.request, self.event = request, event
        self.fields = request.POST if request.method == "POST" else request.GET
        self.errors: list[str] = []
        self.place, self.hidden = place, dict[str, object]()
        self.reason_help = _("Kept in the trail with your name and the time; not public.")
        self.find()

    def find(self) -> None:
        """Read what the address names; raises Http404."""

    def prepare(self) -> None:
        """Read what the page shows: the question, and what would change."""

    def carry_out(self) -> HttpResponse | None:
        """Do what was sent; None where the page has to show something first. Raises InvalidInput, DomainError."""
        raise NotImplementedError

    @classmethod
    def undo_url(cls, slug: str, details: Mapping[str, Any]) -> str:
        """Return the address that undoes the act `undoes`, given its details."""
        return reverse(cls.address, args=[slug, details["number"]])

    @classmethod
    def as_view(cls) -> View:
        """Return the view of this kind."""

        def view(request: DeskRequest, event: Event, **place: int) -> HttpResponse:
            incident = cls(request, event, **place)
            if request.method == "POST":
                try:
                    answer = incident.carry_out()
                except (InvalidInput, DomainError) as wrong:
                    incident.errors = [problem_text(problem) for problem in wrong.problems]
                else:
                    if answer is not None:
                        return answer
            return incident.show()

        asking: View = reauthenticate()(view) if cls.asks_password else view
        return require_http_methods(["GET", "POST"])(who_may(cls.see, post=cls.send)(asking))

    def show(self) -> HttpResponse:
        """Answer with the page, 422 where it shows what is wrong."""
        self.prepare()
        context = desk_context(self.request, self.event, self.tab, incident=self, errors=self.errors)
        context |= {"question": part_of(self.question), "preview": part_of(self.preview)}
        return render(self.request, "incidents/incident.html", context, status=UNPROCESSABLE if self.errors else 200)

    @property
    def reason(self) -> str:
        """The reason as typed."""
        return self.fields.get("reason", "")[:300]

    @property
    def name(self) -> str:
        """The name of a substitute as typed."""
        return self.fields.get("name", "")[:200]

    @property
    def client_id(self) -> str:
        """The number of this submission: the one sent, or a new one for a page that has none."""
        try:
            return str(UUID(self.fields.get("client_id", "")))
        except ValueError:
            return str(uuid4())

    def done(self, said: str, address: str) -> HttpResponse:
        """Say what was done on the page of this address."""
        messages.success(self.request, said)
        return redirect(address)


def part_of(name: str) -> str:
    """Return a part of the page by its name."""
    return f"incidents/incident.html#{name}"


def say_place_of(seat: CurrentSeat) -> str:
    """Say where a seat is, and how far its table has come."""
    stages = {
        "waiting": _("no hand is entered yet"),
        "playing": ngettext("%(count)d hand is entered", "%(count)d hands are entered", seat.hands)
        % {"count": seat.hands},
        "over": _("the game is over"),
        "signed": _("signed"),
    }
    words = {"round": seat.round, "table": seat.table, "seat": seat.seat + 1, "stage": stages[seat.stage]}
    return _("Round %(round)d, table %(table)d, seat %(seat)d: %(stage)s") % words


# ---------------------------------------------------------------- a player leaves, is back, is disqualified


class PlayerIncident(Incident):
    """An incident of one player: who it is, and where they are."""

    def find(self) -> None:
        number = self.place["number"]
        player = self.event.players.filter(number=number).select_related("person", "event").first()
        who = get_whereabouts(self.event, number)
        if player is None or who is None:
            raise Http404("There is no such player.")
        self.player: Player = player
        self.who: Whereabouts = who
        self.heading, self.cancel = who.name, mishaps_url(self.event, number)

    def prepare_seats(self) -> None:
        """Read the open seats of a player who is out, and the first that a substitute can take."""
        left = [seat for seat in self.who.seats if not seat.released and seat.stage != "signed" and not seat.substitute]
        self.left = [say_place_of(seat) for seat in left]
        self.first = left[0] if left and self.who.ranked else None
        self.hidden |= {"client_id": self.client_id, "table": self.first.table_id if self.first else ""}

    def read_seat(self) -> tuple[Table | None, Replacement | None]:
        """Return the seat that a substitute takes over, and how; None where the page asks for none.

        Raises DomainError for a seat that the player no longer has.
        """
        place, wanted = to_int(self.fields.get("table")), self.fields.get("seats") == "substitute"
        seat = next((each for each in self.who.seats if each.table_id == place and not each.substitute), None)
        if place and wanted and place not in {each.table_id for each in self.who.seats}:
            raise DomainError(SEATS_MOVED_ON())
        if seat is None or not wanted:
            return None, None
        replacement = Replacement(
            when="before" if seat.is_ahead else "during",
            reason=self.fields.get("reason", ""),
            name=self.name,
            hand=seat.hands + 1 if seat.stage == "playing" else None,
            later=True,
        )
        return Table.objects.select_related("round__event").get(pk=place), replacement


def mishaps_url(event: Event, number: int) -> str:
    """Return the address of "Something went wrong" with a player."""
    return f"{reverse('desk:mishaps', args=[event.slug])}?player={number}"


class Leaves(PlayerIncident):
    """A player leaves for good; a substitute may take the published seats."""

    address = "desk:player_leaves"
    undoes, undone_of_gone = PLAYER_RETURNED, False
    is_danger = True

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        if not who.withdrawn:
            yield Offer(
                _("Leaves for good"),
                _("Games played so far count. A substitute takes the seats that are published; no seat moves."),
                reverse(cls.address, args=[slug, who.number]),
                _("Leaves"),
            )

    def prepare(self) -> None:
        self.title = _("%(name)s leaves for good?") % {"name": self.who.name}
        if self.who.withdrawn:
            self.question = "has_left"
            return
        self.preview, self.confirm = "leaves", _("Has left")
        self.way_back = _("To take it back: “Is back” on the player’s page.")
        self.prepare_seats()
        if self.first:
            (table,) = load_tables(self.event, ids=[self.first.table_id])
            self.effect = effect_with(self.event, table, self.who.number, "before" if self.first.is_ahead else "during")
            self.moves = self.effect.moves

    def carry_out(self) -> HttpResponse:
        table, replacement = self.read_seat()
        leave(
            player=self.player,
            reason=self.fields.get("reason", ""),
            table=table,
            replacement=replacement,
            client_id=to_uuid(self.fields.get("client_id", "")),
            by=self.request.user,
        )
        return self.done(_("%(name)s has left. No seat has moved.") % {"name": self.who.name}, self.cancel)


class Back(PlayerIncident):
    """A player is back; substitutes at tables without a hand go."""

    address = "desk:player_back"
    undoes, undone_of_gone = PLAYER_WITHDRAWN, True

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        if who.withdrawn or any(seat.substitute for seat in who.ahead):
            yield Offer(
                _("Is back"),
                _(
                    "Substitutes at tables where play has not begun are taken out; games already played stay as they "
                    "are."
                ),
                reverse(cls.address, args=[slug, who.number]),
                _("Is back"),
            )

    def prepare(self) -> None:
        self.title = _("%(name)s is back?") % {"name": self.who.name}
        replaced = [seat for seat in self.who.seats if seat.substitute]
        self.ahead = [(seat, say_place_of(seat)) for seat in replaced if seat.is_ahead]
        self.begun = [say_place_of(seat) for seat in replaced if not seat.is_ahead]
        if self.who.withdrawn or self.ahead:
            self.preview, self.confirm = "back", _("Is back")
        else:
            self.question = "never_gone"

    def carry_out(self) -> HttpResponse:
        # all ticked rounds, not only those still ahead: where play has begun meanwhile the action refuses in words
        rounds = self.request.POST.getlist("round")
        ids = [seat.table_id for seat in self.who.seats if seat.substitute and str(seat.round) in rounds]
        rows = Substitution.objects.filter(table__in=ids, player=self.player, cancelled_at=None)
        come_back(
            player=self.player,
            reason=self.fields.get("reason", ""),
            substitutions=list(rows.select_related("event", "player", "table__round")),
            by=self.request.user,
        )
        return self.done(_("%(name)s is back.") % {"name": self.who.name}, self.cancel)


class Disqualify(PlayerIncident):
    """A player is disqualified; of one who is, the disqualification is lifted or what the public reads is set."""

    address = "desk:disqualify"
    undoes = PLAYER_DISQUALIFIED
    asks_password = True
    is_danger = True

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        yield Offer(
            _("Is disqualified"),
            _("Out of the ranking from now on; games played stay, and a substitute takes the seats that are left."),
            reverse(cls.address, args=[slug, who.number]),
            _("Disqualify"),
        )

    def find(self) -> None:
        super().find()
        standing = self.player.disqualifications.filter(cancelled_at=None)
        self.standing = standing.select_related("event").first()
        self.url = reverse(self.address, args=[self.event.slug, self.who.number])

    def prepare(self) -> None:
        chosen = self.fields.get("shown", self.standing.shown if self.standing else Shown.NAME)
        words = {
            Shown.NOTHING: _("Nothing: the player is listed as not ranked"),
            Shown.NAME: _("The name, as disqualified"),
            Shown.REASON: _("The name and the reason"),
        }
        self.choices = [(value.value, said, value == chosen) for value, said in words.items()]
        if self.standing:
            self.title = _("%(name)s is disqualified") % {"name": self.who.name}
            self.question, self.preview, self.hidden["act"] = "disqualified", "lift", "lift"
            self.confirm = _("Take the disqualification back")
            return
        self.title, self.preview = _("Disqualify %(name)s?") % {"name": self.who.name}, "disqualify"
        self.confirm = _("Disqualify")
        self.way_back = _("Asks for your password. It can be taken back on this page.")
        self.reason_help = _("Kept in the trail with your name and the time; public only if you choose so below.")
        self.prepare_seats()
        self.moves = moves_without(get_desk_standings(self.event), self.who.number)

    def carry_out(self) -> HttpResponse:
        act, fields, by = self.fields.get("act"), self.fields, self.request.user
        if self.standing and act == "lift":
            lift_disqualification(disqualification=self.standing, reason=fields.get("reason", ""), by=by)
            return self.done(_("%(name)s is no longer disqualified.") % {"name": self.who.name}, self.url)
        if self.standing and act == "show":
            show_disqualification(disqualification=self.standing, shown=fields.get("shown", ""), by=by)
            return self.done(_("What the public reads is changed."), self.url)
        table, replacement = self.read_seat()
        disqualify(
            player=self.player,
            verdict=DisqualificationReason(
                reason=fields.get("reason", ""), clause=fields.get("clause", ""), shown=fields.get("shown", "")
            ),
            client_id=to_uuid(fields.get("client_id", "")),
            table=table,
            replacement=replacement,
            by=by,
        )
        return self.done(_("%(name)s is disqualified. No seat has moved.") % {"name": self.who.name}, self.url)


# ---------------------------------------------------------------- a substitute at a table


class TableIncident(Incident):
    """An incident of the substitutes of one table."""

    see = send = Right.SUBSTITUTE
    tab = "desk"

    def find(self) -> None:
        number, table = self.place["round_number"], self.place["table_number"]
        self.table: LoadedTable = load_or_404(self.event, number, table)
        self.heading, self.cancel = _("Substitutes"), reverse(Substitute.address, args=[self.event.slug, number, table])
        self.lead = _("Round %(round)s, table %(number)s") % {"round": number, "number": table}

    def find_row(self, pk: int) -> Substitution:
        """Return a substitution of this table; raises Http404."""
        rows = Substitution.objects.filter(event=self.event, table=self.table.id, pk=pk)
        row = rows.select_related("event", "player__person", "substitute__person").first()
        if row is None:
            raise Http404("There is no such substitute.")
        return row


class Substitute(TableIncident):
    """A substitute is put in for a player of a table, or renamed.

    The question is sent by POST, as it holds a name and a reason: `act` put carries it out, name renames, edit leads
    back to the question, anything else shows what would change.
    """

    address = "desk:substitutes"
    see = Right.SEE_DESK
    undoes = SUBSTITUTE_PUT_IN

    @classmethod
    def offers(cls, slug: str, who: Whereabouts) -> Iterator[Offer]:
        now = who.now
        if now is None:
            return
        url = reverse(cls.address, args=[slug, now.round, now.table])
        if now.substitute:
            yield Offer(
                _("Came after all, or the substitute is wrong"),
                _("Take the substitute out, or give another name: the game is the player’s own again."),
                url,
                _("Substitutes of the table"),
            )
        elif who.ranked and now.is_ahead:
            query = {"player": who.number, "when": "before", "reason": _("did not come")}
            yield Offer(
                _("Did not come"),
                _("A substitute plays the seat from the start, or nobody; the penalty by the rules is shown first."),
                f"{url}?{urlencode(query)}",
                _("Replace"),
            )
        elif who.ranked:
            query = {
                "player": who.number,
                "when": "during",
                "hand": now.hands + 1,
                "reason": _("had to leave the table"),
            }
            yield Offer(
                _("Cannot finish this game"),
                _("A substitute continues from the next hand; the player’s result by the book is shown first."),
                f"{url}?{urlencode(query)}",
                _("Replace"),
            )

    @classmethod
    def undo_url(cls, slug: str, details: Mapping[str, Any]) -> str:
        return reverse(cls.address, args=[slug, details["rounds"][0], details["table"]])

    def find(self) -> None:
        super().find()
        self.number, self.when = to_int(self.fields.get("player")), self.fields.get("when", "")
        self.hand, self.later = self.fields.get("hand", "").strip()[:20], bool(self.fields.get("later"))

    @property
    def replacement(self) -> Replacement:
        """The replacement that a form without problems asks for."""
        during = self.when == "during"
        return Replacement(
            when="during" if during else "before",
            reason=self.reason,
            name=self.name,
            hand=int(self.hand) if during and self.hand else None,
            later=self.later,
        )

    def carry_out(self) -> HttpResponse | None:
        act = self.fields.get("act")
        if act == "name":
            return self._rename()
        problems = list(self._problems())
        if problems:
            raise InvalidInput(problems)
        if act == "edit":
            return None
        player = get_object_or_404(self.event.players.select_related("person"), number=self.number)
        row, replacement = table_model(self.table), self.replacement
        if act == "put":
            client_id = UUID(self.client_id)
            put_substitute_in(
                table=row, player=player, replacement=replacement, client_id=client_id, by=self.request.user
            )
            return self.done(_("%(name)s is replaced.") % {"name": player.person}, self.cancel)
        check_substitute(table=row, player=player, replacement=replacement)
        words = {"name": self.name, "player": player.person}
        self.title = (_("%(name)s for %(player)s?") if self.name else _("Replace %(player)s?")) % words
        self.preview, self.confirm, self.act = "substitute", _("Put the substitute in"), "put"
        self.hidden = {name: self.fields.get(name, "") for name in ("player", "name", "when", "hand", "reason")}
        self.hidden |= {"client_id": self.client_id} | ({"later": "1"} if self.later else {})
        self.like = like_of(self.event, self.name)
        self.effect = effect_with(self.event, self.table, self.number, replacement.when)
        self.moves = self.effect.moves
        return None

    def _problems(self) -> Iterator[Problem]:
        """List the problems of the form that do not need the event."""
        try:
            to_uuid(self.fields.get("client_id", ""))
        except InvalidInput:
            yield FORM_STALE()
        if not self.number:
            yield SUBSTITUTE_PLAYER_MISSING()
        if self.when not in ("before", "during"):
            yield SUBSTITUTE_WHEN_MISSING()
        if self.when == "during" and self.hand and not to_int(self.hand):
            yield SUBSTITUTE_HAND_NOT_A_NUMBER(value=printable_excerpt(self.hand))

    def _rename(self) -> HttpResponse:
        row = self.find_row(to_int(self.fields.get("id")))
        try:
            name_substitute(substitution=row, name=self.fields.get("name", ""), by=self.request.user)
        except DomainError as refused:
            flash_problems(self.request, refused)
            return redirect(self.cancel)
        return self.done(_("The name is changed everywhere."), self.cancel)

    def prepare(self) -> None:
        if self.confirm:
            return
        self.question, self.title, self.is_wide = "ask_substitute", _("Substitutes"), True
        self.table_url = reverse("desk:table", args=[self.event.slug, self.table.round, self.table.number])
        people = list_players(self.event)
        likes = likes_of((row.number, row.name) for row in people)
        replaced = {each.number for each in self.table.substitutes}
        free = [seat for seat in self.table.seats if seat.ranked and seat.number not in replaced]
        self.seats = [(seat, likes.get(seat.number, "")) for seat in free]
        self.reserves = [row.name for row in people if not row.ranked]
        self.next_hand = len(self.table.game.hands) + 1
        self.rows = list_substitutions(self.event, self.table)


class TakeOut(TableIncident):
    """A substitute is taken out: the game is the player's own again; the row stays."""

    address = "desk:take_substitute_out"
    preview = "take_out"
    is_danger = True

    def find(self) -> None:
        super().find()
        self.row = self.find_row(self.place["substitution_id"])

    def prepare(self) -> None:
        self.title = _("Count the game as %(player)s’s own again?") % {"player": self.row.player.person}
        self.confirm = _("Take the substitute out")
        self.effect = effect_without(self.event, self.table, self.row.player.number)
        self.moves = self.effect.moves

    def carry_out(self) -> HttpResponse:
        take_substitute_out(substitution=self.row, reason=self.fields.get("reason", ""), by=self.request.user)
        return self.done(_("The game counts as %(name)s’s own again.") % {"name": self.row.player.person}, self.cancel)
