"""A hand counted by its tiles: the public calculator, the picker at the desk, and the words of the answer."""

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from rules.books import Book, book_keys, load_book
from rules.ruleset import Ruleset, diff
from scoring.count import Count
from scoring.explain import Explanation, GroupRead, Reading, SetAside, explain, kinds_text, score_json
from scoring.fu import FuItem
from scoring.hand import WinningHand, read_hand
from scoring.hand_line import read_hand_line
from scoring.payments import Liability, Payment
from scoring.problems import InvalidInput
from scoring.tiles import Tile, parse_tiles, write_tile
from scoring.value import MANGAN_HAN
from tournament.core.rights import Right
from tournament.events.models import Event
from tournament.events.queries import EVENT_RULES_UNKNOWN
from tournament.pages.permissions import DeskRequest, for_anyone, for_public, who_may
from tournament.pages.public_page import public_context
from tournament.pages.requests import to_int
from tournament.tables.models import Table
from tournament.text.hands import DORA, FU_ITEMS, SOURCES, WAITS, YAKU, kind_tiles, yaku_name
from tournament.text.languages import Words, join_commas
from tournament.text.numbers import points
from tournament.text.problems import problem_text
from tournament.text.readback import say_amount, say_worth
from tournament.text.rules import rules_title

USUAL_RULES = "ema-2025"
NO_TILES = "-"  # a picker's line without concealed tiles, see static/calculator/tile_line.js
MAX_ASIDE = 6
OPEN_GROUPS: Words = {"sequence": "open sequence", "triplet": "open triplet", "quad": "open kan"}
CLOSED_GROUPS: Words = {"sequence": "sequence", "triplet": "triplet", "quad": "closed kan", "pair": "pair"}


class Payer(NamedTuple):
    """A row of who pays how many points, `honba` of them for honba."""

    who: str
    points: int
    honba: int
    sum: bool = False


class YakuRow(NamedTuple):
    """A yaku of a hand; `han` is None for yakuman, `clause` the place in the rule book."""

    name: str
    gloss: str
    han: int | None
    clause: str


class FuTable(NamedTuple):
    """Fu by item (name, fu, tiles), their sum, the sum rounded, and whether they matter for the payment."""

    items: list[tuple[str, int, list[str]]]
    raw: int
    rounded: int
    matters: bool


class ShownReading(NamedTuple):
    """A reading: groups of tiles (each with whether it won the hand) with names, the form without groups, the wait."""

    groups: list[tuple[list[tuple[str, bool]], str]]
    form: str
    wait: str


class ShownAside(NamedTuple):
    """A reading set aside: its value and payment, why it is worth less and how much."""

    worth: str
    amount: str
    reading: ShownReading
    why: str
    less: str


class MeldTile(NamedTuple):
    """A tile of a meld: face down, turned because it was called, with the tile added to it."""

    tile: str
    down: bool
    turned: bool
    added: str


@require_safe
@for_anyone
def calculator(request: HttpRequest) -> HttpResponse:
    """Show the picker with the answer to `?rules=KEY&line=…`; an unknown rule set gives the usual one."""
    book = _book(request) or load_book(USUAL_RULES)
    line = request.GET.get("line", "")
    return _picker(request, book, line)


def _picker(request: HttpRequest, book: Book, line: str, **more: Any) -> HttpResponse:
    # no token: nothing is posted from here, so the page needs no cookie
    own = {"rules": book.ruleset, "line": line, "answer": answer_line(line, book), "csrf_token": "", **more}
    response = render(request, "calculator/calculator.html", own)
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@for_anyone
def count(request: HttpRequest) -> HttpResponse:
    """Answer a hand line with ui/count.html, also where the line or the rule set is wrong."""
    book = _book(request)
    return _count(request, _unknown(request) if book is None else answer_line(request.GET.get("line", ""), book))


def _count(request: HttpRequest, answer: dict[str, Any]) -> HttpResponse:
    response = render(request, "ui/count.html", answer)
    response["Cache-Control"] = "no-store"
    return response


@require_GET
@who_may(Right.SEE_TABLE)
def table_count(request: DeskRequest, event: Event, round_number: int, table_number: int) -> HttpResponse:
    """Answer a hand line with ui/count.html by the table's rules, also where the line is wrong."""
    table = get_object_or_404(Table.objects, round__event=event, round__number=round_number, number=table_number)
    return _count(request, answer_line(request.GET.get("line", ""), event_book(table.rules_in(event))))


@require_safe
@for_public
def event_calculator(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the picker with the answer to `?line=…` by the event's rules; of two, those for `?rules=3` players."""
    own = {"page_url": reverse("public:calculator", args=[event.slug]), "version_url": "", "sizes": event.rulesets}
    return _picker(request, _event_book(request, event), request.GET.get("line", ""), **public_context(event, "") | own)


@require_safe
@for_public
def event_count(request: HttpRequest, event: Event) -> HttpResponse:
    """Answer a hand line with ui/count.html by the rules of `event_calculator`, also where the line is wrong."""
    return _count(request, answer_line(request.GET.get("line", ""), _event_book(request, event)))


def _event_book(request: HttpRequest, event: Event) -> Book:
    return event_book(event.rules_for(to_int(request.GET.get("rules"))))


def _unknown(request: HttpRequest) -> dict[str, Any]:
    key = request.GET.get("rules", "")[:40]
    return {"line": "", "errors": [problem_text(EVENT_RULES_UNKNOWN(key=key, known=tuple(book_keys())))]}


def _book(request: HttpRequest) -> Book | None:
    key = request.GET.get("rules", USUAL_RULES)
    return load_book(key) if key in book_keys() else None


def answer_line(line: str, book: Book) -> dict[str, Any]:
    """Return the context of ui/count.html for a hand line under a book: a count, problems, or nothing for no line."""
    text = " ".join(line.split())
    if not text or text.startswith(NO_TILES):
        return {"line": text}
    try:
        return {"line": text, **answer_hand(read_hand_line(text), book)}
    except InvalidInput as wrong:
        return {"line": text, "errors": [problem_text(problem) for problem in wrong.problems]}


def answer_hand(hand: Mapping[str, Any], book: Book) -> dict[str, Any]:
    """Return the count of a hand of the contract as ui/count.html shows it; raises InvalidInput as `read_hand` does."""
    read = read_hand(hand, book.ruleset)
    explained = explain(read, book.ruleset)
    counted, rules = explained.counted, book.ruleset
    return {
        "headline": say_worth(counted),
        "amount": say_amount(explained.payment),
        "how": _how(read),
        "pays": list(_pays(explained.payment, read, rules)),
        "yaku": [_yaku_row(line, counted, book) for line in counted.yaku],
        "dora": _dora_rows(counted),
        "yakuman": bool(counted.yakuman),
        "count_han": counted.han,
        "fu": None if counted.yakuman else _fu(explained, read),
        "reading": _reading(explained.reading, read),
        "aside": [_aside(each, explained, read) for each in explained.aside[:MAX_ASIDE]],
        "more_aside": max(0, len(explained.aside) - MAX_ASIDE),
        "liable": [_liable(each, read, rules) for each in explained.liable],
        "json": json.dumps(score_json(explained, read, rules), separators=(",", ":")),
        "book": book.ruleset.title,
    }


def event_book(rules: Ruleset) -> Book:
    """Return an event's own rules with the clauses of the book they came from; a value of its own has no clause.

    The title says how many rules are not the book's.
    """
    rules = dataclasses.replace(rules, title=rules_title(rules))
    book = load_book(rules.key) if rules.key in book_keys() else Book(rules, "", {})
    changed = {each.field for each in diff(rules, book.ruleset)}
    clauses = {name: citation for name, citation in book.citations.items() if name not in changed}
    return dataclasses.replace(book, ruleset=rules, citations=clauses)


def _how(hand: WinningHand) -> str:
    who = _("dealer") if hand.deals else ""
    return join_commas(part for part in (who, _("tsumo") if hand.tsumo else _("ron")) if part)


def _pays(payment: Payment, hand: WinningHand, rules: Ruleset) -> Iterator[Payer]:
    """Yield who pays how much, honba included, and then the sum."""
    honba = hand.honba * (rules.honba_tsumo if hand.tsumo else rules.honba_ron)
    if payment.ron is not None:
        yield Payer(_("the discarder pays"), payment.ron + honba, honba)
        return
    others = payment.payers - bool(payment.dealer)
    if others:
        many = _("each player pays") if hand.deals else _("each non-dealer pays")
        who = many if hand.deals or others > 1 else _("the other non-dealer pays")
        yield Payer(who, payment.others + honba, honba)
    if payment.dealer:
        yield Payer(_("the dealer pays"), payment.dealer + honba, honba)
    yield Payer(_("total"), payment.total(hand.honba, rules), 0, sum=True)


def _yaku_row(line: tuple[str, int], counted: Count, book: Book) -> YakuRow:
    name, han = line
    citation = book.citations.get(name)
    gloss = _(YAKU[name]) if name in YAKU else ""
    return YakuRow(yaku_name(name), gloss, None if counted.yakuman else han, citation.text if citation else "")


def _dora_rows(counted: Count) -> list[tuple[str, int]]:
    if counted.yakuman:
        return []
    han = {name: getattr(counted.dora, name) for name in ("dora", "red", "ura", "kita")}
    return [(_(DORA[name]), count) for name, count in han.items() if count]


def _fu(explained: Explanation, hand: WinningHand) -> FuTable:
    """Return fu item by item, with the sum before and after rounding."""
    ronned = {group.tiles for group in explained.reading.groups if group.completed and not hand.tsumo}
    counted = explained.counted
    items = [(_(FU_ITEMS[_why(item, ronned)]), item.fu, kind_tiles(item.tiles)) for item in counted.fu_items]
    return FuTable(items, counted.raw_fu, counted.fu, matters=counted.han < MANGAN_HAN)


def _why(item: FuItem, ronned: set[str]) -> str:
    """Return the item's name, another one for a triplet that is open only because the ron completed it."""
    return "ron_triplet" if item.why == "open_triplet" and kinds_text(item.tiles) in ronned else item.why


def _reading(reading: Reading, hand: WinningHand) -> ShownReading:
    """Return a reading with the tiles as they are: red fives put back, the winning tile marked."""
    form = _(YAKU[reading.form]) if reading.form in ("chiitoitsu", "kokushi_musou") else ""
    groups = _pairs(hand) if form else list(_groups(reading.groups, hand))
    return ShownReading(groups, form, _(WAITS.get(reading.wait, reading.wait)))


def _groups(groups: tuple[GroupRead, ...], hand: WinningHand) -> Iterator[tuple[list[tuple[str, bool]], str]]:
    for group, tiles in zip(groups, _with_reds(groups, hand), strict=True):
        win = _win_at(tiles, hand.win) if group.completed else -1
        yield [(write_tile(tile), at == win) for at, tile in enumerate(tiles)], _group_name(group)


def _group_name(group: GroupRead) -> str:
    if group.called:
        return _(OPEN_GROUPS.get(group.kind, group.kind))
    return _(CLOSED_GROUPS.get(group.kind, group.kind))


def _with_reds(groups: tuple[GroupRead, ...], hand: WinningHand) -> list[list[Tile]]:
    """Return the tiles of each group with the hand's concealed red fives put back; melds have their own.

    A red winning tile goes into the group that it completed, any other red five elsewhere if it can.
    """
    reds = Counter(tile.kind for tile in hand.tiles if tile.red)
    drawn = [parse_tiles(group.tiles) for group in groups]
    concealed = range(len(groups) - len(hand.melds))
    for index in sorted(concealed, key=lambda index: groups[index].completed != hand.win.red):
        for at, tile in enumerate(drawn[index]):
            if reds[tile.kind]:
                reds[tile.kind] -= 1
                drawn[index][at] = Tile(tile.kind, red=True)
    return drawn


def _win_at(tiles: list[Tile], win: Tile) -> int:
    """Return the index of the winning tile, the red one if it was red, else any of its kind."""
    exact = [at for at, tile in enumerate(tiles) if tile == win]
    return (exact or [at for at, tile in enumerate(tiles) if tile.kind == win.kind] or [-1])[-1]


def _pairs(hand: WinningHand) -> list[tuple[list[tuple[str, bool]], str]]:
    """Return the tiles of a hand without groups, equal ones together."""
    ordered = sorted(hand.tiles)
    win = max(at for at, tile in enumerate(ordered) if tile == hand.win)
    groups: dict[object, list[tuple[str, bool]]] = {}
    for at, tile in enumerate(ordered):
        groups.setdefault(tile.kind, []).append((write_tile(tile), at == win))
    return [(groups[kind], "") for kind in sorted({tile.kind for tile in ordered})]


def _aside(aside: SetAside, explained: Explanation, hand: WinningHand) -> ShownAside:
    less = explained.payment.value - aside.payment.value
    return ShownAside(
        say_worth(aside.counted),
        say_amount(aside.payment),
        _reading(aside.reading, hand),
        _why_less(explained.counted, aside.counted),
        _("%(points)s less") % {"points": points(less)} if less else _("pays the same"),
    )


def _why_less(taken: Count, other: Count) -> str:
    """Say what a reading lacks compared with the one taken, and what it has instead."""
    mine, its = Counter(dict(taken.yaku)), Counter(dict(other.yaku))
    lacks = join_commas(yaku_name(name) for name in mine - its)
    instead = join_commas(yaku_name(name) for name in its - mine)
    parts = [
        _("without %(yaku)s") % {"yaku": lacks} if lacks else "",
        _("with %(yaku)s instead") % {"yaku": instead} if instead else "",
    ]
    if not other.yakuman and not taken.yakuman and other.fu != taken.fu:
        parts.append(_("%(fu)d fu") % {"fu": other.fu})
    return join_commas(part for part in parts if part)


def _in_part(liability: Liability, rules: Ruleset) -> bool:
    return rules.pao_part == "liable_part" and liability.yakuman != "rinshan"


def _liable(liability: Liability, hand: WinningHand, rules: Ruleset) -> str:
    words = {
        "yaku": yaku_name(liability.yakuman),
        "where": _(SOURCES[liability.source]),
        "what": _("the part of this yakuman") if _in_part(liability, rules) else _("the whole hand"),
    }
    if hand.tsumo:
        return _("%(yaku)s: the player %(where)s is liable and pays %(what)s alone.") % words
    shared = _(
        "%(yaku)s: the player %(where)s is liable. If another player discarded the winning tile, the two share "
        "%(what)s, half each."
    )
    return shared % words


def hand_faces(hand: Mapping[str, Any]) -> dict[str, Any]:
    """Return a hand of the contract as ui/tiles.html draws it: concealed tiles, the winning tile, melds, indicators."""
    concealed = parse_tiles(str(hand["tiles"]))
    win = parse_tiles(str(hand["win"]))[0]
    if win in concealed:
        concealed.remove(win)
    return {
        "concealed": [write_tile(tile) for tile in sorted(concealed)],
        "win": write_tile(win),
        "melds": [(meld["kind"] == "ankan", _meld_tiles(meld)) for meld in hand.get("melds") or ()],
        **{key: [write_tile(tile) for tile in parse_tiles(str(hand.get(key) or ""))] for key in ("dora", "ura")},
        "kita": ["4z"] * int(hand.get("kita") or 0),
    }


_TURNED = {"left": 0, "across": 1, "right": -1}


def _meld_tiles(meld: Mapping[str, Any]) -> list[MeldTile]:
    """Return a meld's tiles: the called one turned where that is known, the outer ones of a closed kan face down.

    Which tile of a sequence was called is not recorded: none is turned.
    """
    tiles = [write_tile(tile) for tile in sorted(parse_tiles(str(meld["tiles"])))]
    closed = meld["kind"] == "ankan"
    turned = None if meld["kind"] == "chi" else _TURNED.get(str(meld.get("from")))
    added = tiles.pop() if meld["kind"] == "shouminkan" and turned is not None else ""
    at = None if turned is None else turned % len(tiles)
    return [
        MeldTile(tile, down=closed and index in (0, 3), turned=index == at, added=added if index == at else "")
        for index, tile in enumerate(tiles)
    ]
