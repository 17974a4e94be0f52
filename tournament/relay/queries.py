"""What leaves the hall: `get_public_part` is the one function that decides it.

Each column that a relay gets is named, here or with the settings of the event's model; `seen_by_public` is asked for
rounds and tables. All else stays here: who wrote what, checks, calls, wishes, legal names and EMA numbers, everything
of a round that is held.
"""

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournament.archive.queries import at_one_moment
from tournament.calls.models import CallKind, RefereeCall
from tournament.core.hash_chain import moment
from tournament.core.settings import Goes, list_names
from tournament.events.models import Event, Logo, Photo, Visibility
from tournament.incidents.models import Disqualification
from tournament.players.models import Player
from tournament.publication.names import Said, read_for_public, without_hidden_names
from tournament.publication.queries import PublicView, read_public_view
from tournament.record.models import RecordHead
from tournament.relay.models import Relay
from tournament.relay.wire import State
from tournament.rounds.models import ClockPause, TableTime
from tournament.sheets.models import SheetRow
from tournament.signup.queries import get_public_prizes
from tournament.tables.models import LedgerEntry, Seat
from tournament.wall.models import Announcement, Wall

EVENT = list_names(Event, Goes.RELAY)
SUBSTITUTION = ("name", "when", "seq", "answers")
PENALTY = ("seq", "kind", "foul", "case", "points", "minutes", "reason", "amount_reason", "clause")
TYPED = ("reason", "amount_reason", "note", "name")  # what somebody typed, in rows and in hands
CUT = ("after_round", "through", "carry", "others")
ANNOUNCEMENT = ("position", "title", "text", "second_title", "second_text", "at_once")
WALL = ("pages", "prizes_open", "prizes_top", "prizes_step", "prizes_mark")

Number = int
Place = tuple[int, int]


def get_relay(event: Event) -> Relay | None:
    """Return where an event is sent to, None where it stays in the hall; one query."""
    return Relay.objects.filter(event=event).first()


def get_public_part(event: Event, stand_in: Callable[[], str], hall: str = "") -> State:
    """Return what a stranger may see of an event now, as plain values by key; of a draft nothing.

    `stand_in` says "Player {number}" for texts that name a hidden player; `hall` is the desk's own address, "" to keep
    it back.
    """
    with at_one_moment():
        now = Event.objects.select_for_update().get(pk=event.pk)
        if now.visibility == Visibility.DRAFT:
            return {}
        with read_for_public(stand_in):
            return _Part(now).state() | ({"hall": hall} if hall else {})


def get_next_change(event: Event) -> dt.datetime | None:
    """Return when the public part changes without an act: an announcement begins or ends; two queries."""
    now = timezone.now()
    standing = Announcement.objects.filter(event=event, taken_back_at=None)
    moments = [*standing.values_list("shown_from", flat=True), *standing.values_list("shown_until", flat=True)]
    return min((at for at in moments if at and at > now), default=None)


class _Part:
    """One reading of an event."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.seen: PublicView = read_public_view(event)
        self.say = without_hidden_names(event)
        self.published = list(event.rounds.filter(published_at__isnull=False).order_by("number"))
        self.numbers = {row.number for row in self.published}

    def state(self) -> State:
        return {
            "event": self._event(),
            "rules": self.event.rules,
            **({"second_rules": self.event.second_rules} if self.event.second_rules else {}),
            **self._players(),
            **self._rounds(),
            **self._tables(),
            "calls": self._calls(),
            **self._acts(),
            "announcements": self._announcements(),
            "wall": self._wall(),
            "heads": [[*row[:3], moment(row[3]), *row[4:]] for row in self._heads()],
            "logo": list(Logo.objects.filter(event=self.event).values_list("png", flat=True)),
            "photo": list(Photo.objects.filter(event=self.event).values_list("webp", flat=True)),
        }

    def _heads(self) -> QuerySet[RecordHead, Any]:
        """Return the signed heads of the record; the relay has no proofs between them."""
        rows = RecordHead.objects.filter(event=self.event).order_by("size")
        return rows.values_list("size", "root", "round", "at", "public_key", "signature")

    def _event(self) -> dict[str, Any]:
        event = self.event
        facts = {name: getattr(event, name) for name in EVENT}
        archived = moment(event.archived_at) if event.archived_at else None
        seed = event.seed if self.published else None
        facts["prizes"] = prizes = get_public_prizes(event)
        if prizes:  # for newcomers, countries and clubs a relay knows too little of people to tell who wins
            prizes["rows"] = [row for row in prizes["rows"] if row["for"] == "place"]
        return {**facts, "date": event.date.isoformat(), "archived_at": archived, "seed": seed}

    def _players(self) -> State:
        rows = Player.objects.filter(event=self.event).select_related("person")
        return {f"player/{row.number}": _player(row) for row in rows}

    def _rounds(self) -> State:
        pauses: defaultdict[int, list[Any]] = defaultdict(list)
        for pause in ClockPause.objects.filter(round__in=self.published).order_by("paused_at", "pk"):
            until = moment(pause.resumed_at) if pause.resumed_at else None
            pauses[pause.round_id].append([moment(pause.paused_at), until, "" if until else self.say(pause.reason)])
        # of rounds that have seats which nobody may see yet: their numbers alone
        drawn = self.event.rounds.filter(published_at=None).values_list("number", flat=True)
        state: State = {f"round/{number}": None for number in drawn}
        for row in self.published:
            moments = [at and moment(at) for at in (row.published_at, row.started_at, row.released_at)]
            state[f"round/{row.number}"] = {"at": moments, "drawn": row.drawn, "pauses": pauses[row.pk]}
        return state

    def _tables(self) -> State:
        seats: defaultdict[Number, defaultdict[str, list[Number]]] = defaultdict(lambda: defaultdict(list))
        columns = ("round__number", "table__number", "player__number")
        found = Seat.objects.filter(round__in=self.published).order_by("table__number", "seat")
        for round_, table, player in found.values_list(*columns):
            seats[round_][str(table)].append(player)
        times = TableTime.objects.filter(table__round__in=self.published, cancelled_at=None).order_by("given_at", "pk")
        minutes: defaultdict[Number, list[Any]] = defaultdict(list)
        for round_, table, given in times.values_list("table__round__number", "table__number", "minutes"):
            minutes[round_].append([table, given])
        return {
            **{f"seats/{round_}": dict(tables) for round_, tables in seats.items()},
            **{f"minutes/{round_}": given for round_, given in minutes.items()},
            **{f"hands/{round_}/{table}": hands for (round_, table), hands in self._hands().items()},
        }

    def _hands(self) -> dict[Place, Any]:
        """Return hands and sheets of the tables that may be looked at: of rounds that are shown, and live ones."""
        live = {(table.round, table.number) for table in self.seen.live}
        wanted = {*self.seen.rounds, *(round_ for round_, _table in live)}
        of_rounds = {"table__round__event": self.event, "table__round__number__in": wanted}
        hands: defaultdict[Place, dict[str, Any]] = defaultdict(lambda: {"rows": []})
        lines = LedgerEntry.objects.filter(**of_rounds).order_by("table_id", "seq")
        by_table: defaultdict[Place, list[Any]] = defaultdict(list)
        for *place, payload, supersedes, at, reason in lines.values_list(
            "table__round__number", "table__number", "payload", "supersedes", "at", "reason"
        ):
            by_table[place[0], place[1]].append((payload, supersedes, at, reason))
        for where, rows in by_table.items():
            hands[where]["rows"] = list(_rows(rows, self.say))
        for sheet in SheetRow.objects.filter(**of_rounds).select_related("table__round").order_by("seq"):
            where = (sheet.table.round.number, sheet.table.number)
            hands[where]["sheet"] = [sheet.signed, sheet.totals, sheet.leftover]
        return {where: found for where, found in hands.items() if where[0] in self.seen.rounds or where in live}

    def _calls(self) -> list[Any]:
        """Return the minutes and rulings that referees gave, which players read on their pages."""
        closed = RefereeCall.objects.filter(event=self.event, kind=CallKind.CALL, closed_at__isnull=False)
        rows = closed.filter(table__round__in=self.published).select_related("table__round").order_by("called_at", "pk")
        return [
            {
                "at": [row.table.round.number, row.table.number],
                "minutes": row.minutes,
                "question": self.say(row.question) if row.ruling else "",
                "ruling": self.say(row.ruling),
                "clause": row.clause,
            }
            for row in rows
            if row.ruling or row.minutes
        ]

    def _acts(self) -> State:
        event, rounds = self.event, self.seen.rounds
        standing = event.substitutions.filter(cancelled_at=None, table__round__in=self.published)
        substitutions = list(standing.select_related("table__round", "player", "substitute"))
        known = {row.pk: at for at, row in enumerate(substitutions)}
        penalties = event.penalties.filter(cancelled_at=None).select_related("player", "round", "table__round")
        cuts = event.cuts.filter(cancelled_at=None, after_round__in=rounds)
        out = event.disqualifications.filter(cancelled_at=None).exclude(shown=Disqualification.Shown.NOTHING)
        return {
            "substitutions": [
                {
                    "at": [row.table.round.number, row.table.number],
                    "player": row.player.number,
                    "substitute": row.substitute.number if row.substitute else None,
                    "given_at": moment(row.given_at.replace(microsecond=0)),
                    **self._columns(row, SUBSTITUTION),
                }
                for row in substitutions
            ],
            "penalties": [
                self._penalty(row, known)
                for row in penalties
                if (row.round is None or row.round.number in rounds) and (row.points or row.kind == "chombo")
            ],
            "disqualifications": [self._disqualification(row) for row in out.select_related("player")],
            "cuts": [self._columns(row, CUT) for row in cuts],
        }

    def _penalty(self, row: Any, substitutions: dict[int, int]) -> dict[str, Any]:
        return {
            "player": row.player.number,
            "round": row.round.number if row.round else None,
            "at": [row.table.round.number, row.table.number] if row.table else None,
            "substitution": substitutions.get(row.substitution_id),
            "charged": row.charged_at is not None,
            "given_at": moment(row.given_at.replace(microsecond=0)),
            **self._columns(row, PENALTY),
        }

    def _disqualification(self, row: Disqualification) -> dict[str, Any]:
        told = row.shown == Disqualification.Shown.REASON
        return {
            "player": row.player.number,
            "after_round": row.after_round,
            "shown": row.shown,
            "reason": self.say(row.reason) if told else "",
            "clause": row.clause if told else "",
        }

    def _announcements(self) -> list[Any]:
        """Return what is announced now: a later one stays here until its time has come."""
        now = timezone.now()
        standing = Announcement.objects.filter(event=self.event, taken_back_at=None, shown_from__lte=now)
        return [
            {
                **{name: self.say(value) if isinstance(value, str) else value for name, value in facts.items()},
                "shown_from": moment(row.shown_from),
                "shown_until": row.shown_until and moment(row.shown_until),
            }
            for row in standing
            if row.shown_until is None or row.shown_until > now
            for facts in [{name: getattr(row, name) for name in ANNOUNCEMENT}]
        ]

    def _wall(self) -> dict[str, Any] | None:
        """Return the pages of the wall; the prize giving only where no result is held, since it reveals them."""
        wall = Wall.objects.filter(event=self.event).first()
        facts = {name: getattr(wall, name) for name in WALL} if wall else None
        if facts and self.seen.held:
            facts.update(prizes_open=False, prizes_top=0, prizes_step=0, prizes_mark="")
        return facts

    def _columns(self, row: Any, names: Iterable[str]) -> dict[str, Any]:
        return {name: self.say(value) if name in TYPED else value for name in names for value in [getattr(row, name)]}


def _player(row: Player) -> dict[str, Any]:
    """Return a player: of one who is not shown by name the number, the team and whether he plays on."""
    shown = row.shown_by_name
    return {
        "name": row.person.preferred_name if shown else "",
        "country": row.person.country if shown else "",
        "club": row.person.club if shown else "",
        "team": row.team,
        "ranked": row.ranked,
        "withdrawn": row.withdrawn_at is not None,
    }


def _rows(rows: list[tuple[str, int | None, dt.datetime, str]], say: Said) -> Iterable[list[Any]]:
    """Yield ledger rows: the hand, what it corrects, seconds since the last one, the reason if there is one.

    Of a void hand and of one that was corrected later nothing is told but that it was there.
    """
    newest = {supersedes or seq: seq for seq, (_payload, supersedes, *_rest) in enumerate(rows, start=1)}
    before = 0
    for seq, (payload, supersedes, at, reason) in enumerate(rows, start=1):
        stands = payload and newest[supersedes or seq] == seq
        seconds = int(at.timestamp())
        said = [say(reason)] if stands and reason else []
        yield [_without_names(json.loads(payload), say) if stands else None, supersedes, seconds - before, *said]
        before = seconds


def _without_names(value: Any, say: Said) -> Any:
    if isinstance(value, dict):
        return {
            key: say(each) if key in TYPED and isinstance(each, str) else _without_names(each, say)
            for key, each in value.items()
        }
    return [_without_names(each, say) for each in value] if isinstance(value, list) else value
