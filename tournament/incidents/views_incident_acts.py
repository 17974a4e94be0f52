"""What can be done about a player who is missing, leaves or comes back: acts for the page of incidents."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.incidents.queries import SeatNow, Whereabouts
from tournament.models.event import Event


@dataclass(frozen=True, slots=True)
class Act:
    """One way to put something right: what happened, what the link leads to, its address and label."""

    title: str
    says: str
    url: str
    label: str


def say_place_of(seat: SeatNow) -> str:
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


def say_where(who: Whereabouts) -> list[str]:
    """Say a player's state in the event: marks first, then the current seat."""
    marks = [
        _("withdrawn") if who.withdrawn else "",
        "" if who.ranked else _("not ranked"),
        _("ticked as here") if who.here else "",
    ]
    now = who.now
    if now is None:
        return [mark for mark in marks if mark] + ([_("no open seat in a published round")] if who.seats else [])
    instead = ""
    if now.substitute:
        name = now.substitute.name
        instead = _("%(name)s plays instead") % {"name": name} if name else _("a substitute plays instead")
    return [each for each in (*marks, say_place_of(now), instead) if each]


# ---------------------------------------------------------------- what can be put right


def acts_for(event: Event, who: Whereabouts, *, open_list: bool) -> list[Act]:
    """Return what can be done about a player, likeliest first."""
    if open_list:
        return list(_before_seats(event, who))
    return [*(_at_table(event, who, who.now) if who.now else ()), *_whole_event(event, who)]


def acts_of_round(event: Event, round_number: int) -> list[Act]:
    """Return what can be put right at a table, with the clock or the desk itself, without a player."""
    slug = event.slug
    grid = reverse("desk:grid", args=[slug]) + (f"?round={round_number}" if round_number else "")
    clock = Act(
        _("The clock was started too early"),
        _("Stop it with a reason: it is as if it had not started. Hands stay, and it can be put back."),
        reverse("desk:clock", args=[slug, round_number]),
        _("To the clock"),
    )
    return [
        Act(
            _("A hand is wrong, forgotten or typed twice"),
            _("Open its table: Correct or Void beside the hand. A signed table is reopened first, with a reason."),
            grid,
            _("Choose the table"),
        ),
        Act(
            _("A result or a sheet is missing"),
            _("The line above the tables names the tables that still play and the sheets that are missing."),
            grid,
            _("Look"),
        ),
        *([clock] if round_number else []),
        Act(
            _("The network or the laptop fails"),
            _("Print the seats, the sheets and the standings as they are now, and continue on paper."),
            reverse("desk:paper", args=[slug]),
            _("Print"),
        ),
        Act(
            _("Somebody new is here, or many leave at once"),
            _("Tick who continues; you first see what each way would change. Rounds that have begun stay."),
            reverse("desk:redraw", args=[slug]),
            _("Who continues"),
        ),
    ]


def _before_seats(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = reverse("desk:player", args=[event.slug, who.number])
    yield Act(
        _("Does not come"),
        _("Take the player out: later numbers move up. To take it back, add the player again."),
        address,
        _("Take out"),
    )
    yield Act(
        _("Is in the list twice, or under a wrong name"),
        _("Change the name, or take one of the two out; nothing is merged automatically."),
        address,
        _("Change"),
    )


def _at_table(event: Event, who: Whereabouts, now: SeatNow) -> Iterator[Act]:
    address = [event.slug, now.round, now.table]
    substitutes = reverse("desk:substitutes", args=address)
    if now.substitute:
        yield Act(
            _("Came after all, or the substitute is wrong"),
            _("Take the substitute out, or give another name: the game is the player’s own again."),
            substitutes,
            _("Substitutes of the table"),
        )
    elif who.ranked and now.is_ahead:
        query = {"player": who.number, "when": "before", "reason": _("did not come")}
        yield Act(
            _("Did not come"),
            _("A substitute plays the seat from the start, or nobody; the penalty by the rules is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    elif who.ranked:
        query = {"player": who.number, "when": "during", "hand": now.hands + 1, "reason": _("had to leave the table")}
        yield Act(
            _("Cannot finish this game"),
            _("A substitute continues from the next hand; the player’s result by the book is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    late = urlencode({"round": now.round, "table": now.table, "player": who.number, "pick": "late"})
    yield Act(
        _("Came late"),
        _("Choose the minutes: the points come from the book. Past the book’s limit it is a replacement."),
        f"{reverse('desk:give_foul', args=[event.slug])}?{late}",
        _("Penalty"),
    )
    yield Act(
        _("Sits in a wrong seat"),
        _("Choose the other of the two, at this table or another; say whether hands go with seats or with names."),
        f"{reverse('desk:seats', args=address)}?{urlencode({'seat': now.seat})}",
        _("Change seats"),
    )


def _whole_event(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = [event.slug, who.number]
    if who.withdrawn or any(seat.substitute for seat in who.ahead):
        yield Act(
            _("Is back"),
            _("Substitutes at tables where play has not begun are taken out; games already played stay as they are."),
            reverse("desk:player_back", args=address),
            _("Is back"),
        )
    if not who.withdrawn:
        yield Act(
            _("Leaves for good"),
            _("Games played so far count. A substitute takes the seats that are published; no seat moves."),
            reverse("desk:player_leaves", args=address),
            _("Leaves"),
        )
    yield Act(
        _("Is disqualified"),
        _("Out of the ranking from now on; games played stay, and a substitute takes the seats that are left."),
        reverse("desk:disqualify", args=address),
        _("Disqualify"),
    )
    yield Act(
        _("Somebody else played under this name"),
        _("Two people played under each other’s name: give each the other’s games of the rounds you tick."),
        f"{reverse('desk:wrong_person', args=[event.slug])}?{urlencode({'one': who.number})}",
        _("Correct names"),
    )


# ---------------------------------------------------------------- recent acts and how to undo them
