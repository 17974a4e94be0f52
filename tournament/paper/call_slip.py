"""The call slip of a table: a small page on which a referee writes a call, with the counted hand if there is one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from scoring.entries import Entry, Ron, Tsumo
from scoring.problems import errors_of
from scoring.state import TableState
from tournament.calculator.views import FuTable, ShownReading, answer_hand, event_book, hand_faces
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.hands.draft import Draft, count_draft, judge_draft, read_draft, read_draft_back, state_before
from tournament.pages.files import get_head, print_now
from tournament.pages.permissions import DeskRequest, desk_context, who_may
from tournament.pages.requests import load_or_404
from tournament.paper.rows import Faces, Slip, SlipCount, SlipItem, SlipSeat
from tournament.pdf.drawings import Face, drawn
from tournament.pdf.measure import Room, fit
from tournament.pdf.render import Leaves
from tournament.tables.messages import names_at, short_names_at
from tournament.text.languages import join_commas
from tournament.text.numbers import WINDS, signed, wind_word
from tournament.text.problems import problem_text
from tournament.text.readback import hand_name, honba_and_sticks
from tournament.text.rules import say_source


@require_GET
@who_may(Right.SEE_TABLE)
def call_slip(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Print the call slip of a table with the hand of `?line=`, a page for each hand of tiles."""
    loaded = load_or_404(event, round_number, table_number, request.row)
    draft = read_draft(request.GET) if request.GET.get("line", "").strip() else Draft()
    count_draft(loaded, draft, loaded.last_seq)
    wrong = errors_of([*draft.problems, *judge_draft(loaded, draft)])
    if wrong:
        names = short_names_at(loaded)
        context = {"table": loaded, "line": draft.line, "errors": [problem_text(problem, names) for problem in wrong]}
        return render(request, "paper/call_slip.html", desk_context(request, event, "desk", **context), status=422)
    state, head, book = state_before(loaded, draft.hand), get_head(event), event_book(loaded.rules)
    back = read_draft_back(loaded, draft, seat_names(state))
    wins = draft.entry.winners if isinstance(draft.entry, Ron | Tsumo) else ()
    counts: list[SlipCount | None] = [
        _slip_count(answer_hand(win.hand, book), win.hand) for win in wins if win.hand is not None
    ]
    slips = [
        Slip(
            seats=tuple(
                SlipSeat(
                    number=player.seat + 1,
                    wind="ESWN".index(state.wind_of(player.seat)),
                    name=name,
                    does=join_commas(_does(player.seat, draft.entry)),
                    change=signed(back.seats[player.seat].delta) if back else "",
                )
                for player, name in zip(loaded.seats, names_at(loaded), strict=True)
            ),
            round=loaded.round,
            table=loaded.number,
            hand=hand_name(state),
            honba_and_sticks=honba_and_sticks(state),
            what=back.value if back else "",
            pays=back.pays if back else (),
            count=count,
        )
        for count in counts or [None]
    ]
    return print_now(request, event, "call-slip", call_slip_leaves(slips), head, tab="desk")


def seat_names(state: TableState) -> list[str]:
    """Name the seats shortly.

    >>> seat_names(TableState((0, 0, 0), dealer=1))
    ['1 West', '2 East', '3 South']
    """
    return [f"{seat + 1} {wind_word(state.wind_of(seat))}" for seat in range(state.players)]


def _does(seat: int, entry: Entry | None) -> Iterable[str]:
    if isinstance(entry, Ron | Tsumo) and seat in {win.seat for win in entry.winners}:
        yield _("tsumo") if isinstance(entry, Tsumo) else _("ron")
    if isinstance(entry, Ron) and seat == entry.loser:
        yield _("discards")
    if entry is not None and seat in entry.riichi:
        yield _("riichi")


def _slip_count(answer: Mapping[str, Any], hand: Mapping[str, Any]) -> SlipCount:
    return SlipCount(
        hand=tuple(laid_out(hand_faces(hand))),
        value=f"{answer['headline']} · {answer['amount']}",
        how=answer["how"],
        yaku=tuple(_yaku(answer)),
        fu=tuple(_fu(answer["fu"])) if answer["fu"] else (),
        fu_note="" if not answer["fu"] or answer["fu"].matters else _("do not matter from five han on"),
        reading=_reading(answer["reading"]),
        aside=tuple(_aside(answer)),
        liable=tuple(answer["liable"]),
        by=_("Counted by %(book)s.") % {"book": answer["book"]},
    )


def laid_out(faces: Mapping[str, Any]) -> Iterable[Faces]:
    """Yield the parts of a hand as they lie: concealed tiles, the winning tile, melds, kita, indicators."""
    yield Faces(_plain(faces["concealed"]))
    yield Faces(_plain([faces["win"]]), _("won with"))
    for _closed, meld in faces["melds"]:
        yield Faces(tuple(Face("back" if each.down else each.tile, each.turned, each.added) for each in meld))
    words = {"kita": _("kita"), "dora": _("dora"), "ura": _("ura")}
    yield from (Faces(_plain(faces[name]), word) for name, word in words.items() if faces[name])


def _plain(tiles: Sequence[str]) -> tuple[Face, ...]:
    return tuple(Face(tile) for tile in tiles)


def _yaku(answer: Mapping[str, Any]) -> Iterable[SlipItem]:
    for row in answer["yaku"]:
        yield SlipItem(row.name, _("yakuman") if row.han is None else str(row.han), say_source(row.clause))
    for name, han in answer["dora"]:
        yield SlipItem(name, str(han))
    if not answer["yakuman"]:
        yield SlipItem(_("han"), str(answer["count_han"]), is_sum=True)


def _fu(fu: FuTable) -> Iterable[SlipItem]:
    for why, points, tiles in fu.items:
        yield SlipItem(why, str(points), tiles=_plain(tiles))
    if fu.raw == fu.rounded:
        yield SlipItem(_("fu"), str(fu.rounded), is_sum=True)
    else:
        yield SlipItem(_("fu, rounded up to ten"), f"{fu.raw} → {fu.rounded}", is_sum=True)


def _reading(reading: ShownReading) -> str:
    """Say a reading: "123m 456p …, open-ended wait", or the form and the wait."""
    groups = ([code for code, _won in tiles] for tiles, _name in reading.groups)
    written = " ".join("".join(code[0] for code in codes) + codes[0][1] for codes in groups)
    return f"{reading.form or written}, {reading.wait}"


def _aside(answer: Mapping[str, Any]) -> Iterable[str]:
    """Yield a line for each reading set aside: its value, how it is read, what it lacks."""
    for each in answer["aside"]:
        why = f": {each.why}" if each.why else ""
        words = {**each._asdict(), "reading": _reading(each.reading)}
        yield _("Set aside: %(worth)s, %(amount)s (%(less)s), %(reading)s") % words + why
    if answer["more_aside"]:
        yield _("and %(more)d other readings") % {"more": answer["more_aside"]}


NAME = Room(56, 4.6, 10, bold=True)


def empty_slip(players: int) -> Slip:
    """Return a slip on which all is written by hand."""
    return Slip(tuple(SlipSeat(number) for number in range(1, players + 1)))


def call_slip_leaves(slips: Sequence[Slip]) -> Leaves:
    """Give call slips, a page each unless a hand has more to say."""
    return Leaves("call_slip", ({"slips": [_slip(slip) for slip in slips]},))


def _slip(slip: Slip) -> dict[str, Any]:
    seats = [(seat, WINDS[seat.wind] if seat.wind is not None else None, fit(seat.name, NAME)) for seat in slip.seats]
    return {"slip": slip, "seats": seats, "count": _count_context(slip.count) if slip.count else None}


def _count_context(count: SlipCount) -> dict[str, Any]:
    return {
        "words": count,
        "hand": [(each.word, _drawn(each.tiles)) for each in count.hand],
        "yaku": [(item, ()) for item in count.yaku],
        "fu": [(item, _drawn(item.tiles)) for item in count.fu],
    }


def _drawn(tiles: Sequence[Face]) -> list[str]:
    return [drawn(tile) for tile in tiles]
