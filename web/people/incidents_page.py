"""The page "Something went wrong" put together: what can have happened to a player, where that is put right, and what
was done lately, with the way back. It words and never decides.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event
from tournament.selectors.access import AuditLine, list_audit
from tournament.selectors.people.incidents import ExchangedRound, ExchangeEffect, SeatNow, SubstituteEffect, Whereabouts
from web.people.substitutes_page import effect_context
from web.words.trail import say_verb

Act = dict[str, Any]
MOST_ROWS = 60  # of the trail that are looked through
MOST_LATELY = 6


def place_words(seat: SeatNow) -> str:
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


def where_words(who: Whereabouts) -> list[str]:
    """Say how a player stands in the event: marks first, then the seat that the player has now."""
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
    return [each for each in (*marks, place_words(now), instead) if each]


def acts_for(event: Event, who: Whereabouts, *, organiser: bool, open_list: bool) -> list[Act]:
    """Return what can have happened to a player: title, what pressing leads to, address and label."""
    if open_list:
        return list(_before_seats(event, who)) if organiser else []
    acts = [*_at_table(event, who, who.now)] if who.now else []
    if organiser:
        acts += _whole_event(event, who)
    return acts


def acts_of_round(event: Event, round_number: int, *, organiser: bool) -> list[Act]:
    """Return what can have gone wrong with a table, the clock or the desk itself, whoever it was."""
    slug = event.slug
    grid = reverse("desk:grid", args=[slug]) + (f"?round={round_number}" if round_number else "")
    acts = [
        _act(
            _("A hand is wrong, forgotten or typed twice"),
            _("Open its table: Correct or Void beside the hand. A signed table is reopened first, with a reason."),
            grid,
            _("Choose the table"),
        ),
        _act(
            _("A result or a sheet is missing"),
            _("The line above the tables names the tables that still play and the sheets that are missing."),
            grid,
            _("Look"),
        ),
        _act(
            _("The network or the laptop fails"),
            _("Print the seats, the sheets and the standings as they are now, and go on by paper."),
            reverse("desk:paper", args=[slug]),
            _("Print"),
        ),
    ]
    if round_number:
        clock = reverse("desk:clock", args=[slug, round_number])
        words = _("Stop it with a reason: it is as if it had not started. Hands stay, and it can be put back.")
        acts.insert(2, _act(_("The clock was started too early"), words, clock, _("To the clock")))
    if organiser:
        words = _("Ticked is who goes on; what each way would change is shown first. Rounds that have begun stay.")
        address = reverse("desk:redraw", args=[slug])
        acts.append(_act(_("Somebody new is here, or many leave at once"), words, address, _("Who goes on")))
    return acts


def lately(event: Event, withdrawn: Iterable[int]) -> list[dict[str, Any]]:
    """Return the newest acts about people, each with the address at which it is taken back, the newest first."""
    gone = set(withdrawn)
    found = ((line, _way_back(event, line, gone)) for line in list_audit(event, most=MOST_ROWS))
    rows = [{"line": line, "words": say_verb(line.verb, line.details), "url": url} for line, url in found if url]
    return rows[:MOST_LATELY]


def exchange_context(effect: ExchangeEffect, one: Whereabouts, other: Whereabouts) -> dict[str, Any]:
    """Return what an exchange of two players changes: round by round, in the ranking, and what stays."""
    staying = [
        ngettext(
            "%(count)d penalty stays with %(name)s",
            "%(count)d penalties stay with %(name)s",
            count,
        )
        % {"count": count, "name": who.name}
        for who, count in zip((one, other), effect.staying, strict=True)
        if count
    ]
    return {
        "rounds": [_exchanged(row, one.name, other.name) for row in effect.rounds],
        "moves": effect_context(SubstituteEffect((), effect.moves, counts=True))["moves"],
        "staying": staying,
    }


def write_seen(rows: Iterable[ExchangedRound]) -> str:
    """Write where the two sit, round by round, as a form carries it."""
    return ",".join(f"{row.round}={_write(row.one)}={_write(row.other)}" for row in rows)


def read_seen(text: str) -> dict[int, tuple[tuple[int, int] | None, tuple[int, int] | None]]:
    """Read what `write_seen` wrote; what cannot be read is left out.

    >>> read_seen("1=2:0=,2=1:3=4:1,x")
    {1: ((2, 0), None), 2: ((1, 3), (4, 1))}
    """
    found = {}
    for part in text[:4000].split(","):
        pieces = part.split("=")
        if len(pieces) == 3 and _is_number(pieces[0]):
            found[int(pieces[0])] = (_read(pieces[1]), _read(pieces[2]))
    return found


# ---------------------------------------------------------------- what can have happened to a player


def _act(title: str, says: str, url: str, label: str) -> Act:
    return {"title": title, "says": says, "url": url, "label": label}


def _before_seats(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = reverse("desk:player", args=[event.slug, who.number])
    yield _act(
        _("Does not come"),
        _("Take the player out: the numbers behind close up. To take it back, add the player again."),
        address,
        _("Take out"),
    )
    yield _act(
        _("Stands in the list twice, or under a wrong name"),
        _("Change the name, or take one of the two out; nothing is merged by itself."),
        address,
        _("Change"),
    )


def _at_table(event: Event, who: Whereabouts, now: SeatNow) -> Iterator[Act]:
    address = [event.slug, now.round, now.table]
    substitutes = reverse("desk:substitutes", args=address)
    if now.substitute:
        yield _act(
            _("Came after all, or the substitute is wrong"),
            _("Take the substitute out, or give another name: the game is the player’s own again."),
            substitutes,
            _("Substitutes of the table"),
        )
    elif who.ranked and now.is_ahead:
        query = {"player": who.number, "when": "before", "reason": _("did not come")}
        yield _act(
            _("Did not come"),
            _("A substitute plays the seat from the start, or nobody; the book’s price is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    elif who.ranked:
        query = {"player": who.number, "when": "during", "hand": now.hands + 1, "reason": _("had to leave the table")}
        yield _act(
            _("Cannot finish this game"),
            _("A substitute goes on from the next hand; the player’s result by the book is shown first."),
            f"{substitutes}?{urlencode(query)}",
            _("Replace"),
        )
    late = urlencode({"round": now.round, "table": now.table, "player": who.number, "pick": "late"})
    yield _act(
        _("Came late"),
        _("Choose the minutes: the points come from the book. Past the book’s limit it is a replacement."),
        f"{reverse('desk:give_foul', args=[event.slug])}?{late}",
        _("Penalty"),
    )
    yield _act(
        _("Sits in a wrong seat"),
        _("Choose the other of the two, at this table or another; say whether hands go with seats or with names."),
        f"{reverse('desk:seats', args=address)}?{urlencode({'seat': now.seat})}",
        _("Change seats"),
    )


def _whole_event(event: Event, who: Whereabouts) -> Iterator[Act]:
    address = [event.slug, who.number]
    if who.withdrawn or any(seat.substitute for seat in who.ahead):
        yield _act(
            _("Is back"),
            _("Substitutes at tables where play has not begun are taken out; games already played stay as they are."),
            reverse("desk:player_back", args=address),
            _("Is back"),
        )
    if not who.withdrawn:
        yield _act(
            _("Leaves for good"),
            _("Games played so far count. A substitute takes the seats that are published; no seat moves."),
            reverse("desk:player_leaves", args=address),
            _("Leaves"),
        )
    yield _act(
        _("Somebody else played under this name"),
        _("Two people stood under each other’s name: give each the other’s games of the rounds you tick."),
        f"{reverse('desk:wrong_person', args=[event.slug])}?{urlencode({'one': who.number})}",
        _("Put names right"),
    )


# ---------------------------------------------------------------- what was done, and the way back


def _way_back(event: Event, line: AuditLine, gone: set[int]) -> str:
    """Return where an act about people is taken back; "" for acts that are no such."""
    ways = {
        "player_withdrawn": _back_of_withdrawal,
        "player_returned": _back_of_return,
        "players_exchanged": _back_of_exchange,
        "players_swapped": _back_of_swap,
        "seats_swapped": _back_of_seats,
        "substitute_put_in": _back_of_substitute,
    }
    way = ways.get(line.verb)
    return way(event, line.details, gone) if way else ""


def _back_of_withdrawal(event: Event, details: Mapping[str, Any], gone: set[int]) -> str:
    number = details["number"]
    return reverse("desk:player_back", args=[event.slug, number]) if number in gone else ""


def _back_of_return(event: Event, details: Mapping[str, Any], gone: set[int]) -> str:
    number = details["number"]
    return "" if number in gone else reverse("desk:player_leaves", args=[event.slug, number])


def _back_of_exchange(event: Event, details: Mapping[str, Any], _gone: set[int]) -> str:
    one, other = details["players"]
    query = urlencode({"one": one, "other": other, "round": details["rounds"], "look": 1}, doseq=True)
    return f"{reverse('desk:wrong_person', args=[event.slug])}?{query}"


def _back_of_swap(event: Event, details: Mapping[str, Any], _gone: set[int]) -> str:
    one, other = details["players"]
    query = urlencode({"round": details["round"], "one": one, "other": other})
    return f"{reverse('desk:swap_players', args=[event.slug])}?{query}"


def _back_of_seats(event: Event, details: Mapping[str, Any], _gone: set[int]) -> str:
    here, there = sorted(details["after"], key=lambda place: (place["table"], place["seat"]))
    same = here["table"] == there["table"]
    query: dict[str, Any] = {"look": 1, "hands": details["hands"], "seat": [here["seat"]]}
    query |= {"seat": [here["seat"], there["seat"]]} if same else {"from": there["player"]}
    address = reverse("desk:seats", args=[event.slug, details["round"], here["table"]])
    return f"{address}?{urlencode(query, doseq=True)}"


def _back_of_substitute(event: Event, details: Mapping[str, Any], _gone: set[int]) -> str:
    return reverse("desk:substitutes", args=[event.slug, details["rounds"][0], details["table"]])


# ---------------------------------------------------------------- an exchange


def _exchanged(row: ExchangedRound, one: str, other: str) -> dict[str, Any]:
    """Return a round of an exchange: of both, in order, where they were and come to, and the result of each place."""
    here, there = (_short(row.one), row.one_result), (_short(row.other), row.other_result)
    both = ((one, here, there), (other, there, here))
    return {
        "round": row.round,
        "both": [
            {"name": name, "was": was[0], "had": was[1], "becomes": to[0], "has": to[1]} for name, was, to in both
        ],
    }


def _short(seat: SeatNow | None) -> str:
    if seat is None:
        return _("no seat")
    return _("table %(table)d, seat %(seat)d") % {"table": seat.table, "seat": seat.seat + 1}


def _write(seat: SeatNow | None) -> str:
    return f"{seat.table}:{seat.seat}" if seat else ""


def _read(text: str) -> tuple[int, int] | None:
    parts = [int(part) for part in text.split(":") if _is_number(part)]
    return (parts[0], parts[1]) if len(parts) == 2 else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6
