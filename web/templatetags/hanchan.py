"""Template filters and tags of the house style; `{% load hanchan %}`.

None reads the database. A missing value (None) is shown as a dash, so that a gap on a page is seen.
"""

import functools
import hashlib
import pickle
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from html import escape
from typing import Any, Final

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language, gettext

from scoring import entries, hand_line, shorthand
from tournament.accounts.messages import role_name, role_sentence
from tournament.calls.actions import MAX_COMPLAINT, MAX_QUESTION, MAX_RULING
from tournament.core.limits import MAX_CLAUSE, MAX_LEDGER_REASON, MAX_NAME, MAX_REASON, MAX_TITLE
from tournament.core.time_zones import event_zone_label, zone_label
from tournament.events.models import Event
from tournament.hands.pad import Chip
from tournament.pages.addresses import hall_url
from tournament.pages.requests import MAX_QUERY_LENGTH, MAX_TYPED
from tournament.pages.static_files import static_address
from tournament.people.models import MAX_ALIASES
from tournament.phone_signing import actions as seat_codes
from tournament.players.queries import ClubColour
from tournament.public.queries import GameRow
from tournament.public.rows import CompassSeat, StandingLine, note_game, say_game_place
from tournament.rounds.messages import say_up
from tournament.signup.actions import MAX_NOTE
from tournament.standings.columns import Column
from tournament.standings.queries import UnrankedRow
from tournament.tables.messages import say_who
from tournament.tables.queries import SeatGame
from tournament.text import numbers as formatting
from tournament.text.fouls import say_foul
from tournament.text.languages import colon, comma, join_commas, language_name, plural_text
from tournament.text.money import MAX_AMOUNT_TEXT
from tournament.text.readback import SeatDelta
from tournament.text.rules import say_source
from tournament.wall import actions as wall

register = template.Library()

NOTHING = "\N{EN DASH}"
MAX_DRAWN = 3000  # 100 tables of twelve hands, twice over; some 2 kB each

# how many characters a field takes, by what is typed there
MOST: Final[Mapping[str, int]] = {
    "aliases": MAX_ALIASES,
    "announcement": wall.MAX_TEXT,
    "announcement_title": wall.MAX_TITLE,
    "clause": MAX_CLAUSE,
    "complaint": MAX_COMPLAINT,
    "event_name": MAX_TITLE,
    "fee_note": MAX_NOTE,
    "hand_reason": MAX_LEDGER_REASON,
    "line": shorthand.MAX_LINE,
    "money": MAX_AMOUNT_TEXT,
    "name": MAX_NAME,
    "network": wall.MAX_NETWORK,
    "network_password": wall.MAX_PASSWORD,
    "note": entries.MAX_NOTE,
    "points": MAX_TYPED,
    "query": MAX_QUERY_LENGTH,
    "question": MAX_QUESTION,
    "reason": MAX_REASON,
    "ruling": MAX_RULING,
    "seat_code": seat_codes.MAX_TYPED,
    "tiles": hand_line.MAX_LINE,
}
register.simple_tag(lambda field: MOST[field], name="most")
register.simple_tag(lambda: settings.DEMO_UNTIL, name="demo_until")

_drawn: OrderedDict[tuple[str, str, str, bytes], SafeString] = OrderedDict()
_drawn_lock = threading.Lock()


def _or_dash(write: Callable[[int], str]) -> Callable[[int | None], str]:
    def show(value: int | None) -> str:
        return NOTHING if value is None else write(int(value))

    return show


AMOUNTS = {
    write.__name__: _or_dash(write)
    for write in (formatting.points, formatting.signed, formatting.p, formatting.signed_p)
}
for _name, _write in AMOUNTS.items():
    register.filter(_name, _write)

register.filter("wind_word", formatting.wind_word)
register.filter("wind_sign", formatting.wind_sign)
register.filter("wind_initial", formatting.wind_initial)
register.filter("side", formatting.side)
register.filter("say_place", formatting.say_place)
register.filter("say_source", say_source)
register.filter("say_foul", say_foul)
register.filter("role_name", role_name)
register.filter("role_sentence", role_sentence)
register.filter("join_commas", lambda words: join_commas(map(str, words)))
register.filter("say_up", lambda hands: say_up(hands or 0))
register.simple_tag(comma, name="comma")
register.simple_tag(colon, name="colon")
register.simple_tag(language_name, name="own_name")  # a language's own, whatever language the page is in
register.simple_tag(formatting.seat_wind, name="seat_wind")  # {% seat_wind 2 dealer=1 seats=3 as wind %}
register.simple_tag(shorthand.whole_pattern, name="whole_hand")  # for static/hands/outbox.js
register.simple_tag(lambda: bool(settings.RELAY), name="at_relay")
register.simple_tag(lambda: int(timezone.now().timestamp() * 1000), name="now_ms")  # for static/js/clock.js


@register.filter
def event_days(event: Event) -> str:
    """Write the day of an event, or its first and last one."""
    days = dict.fromkeys((event.date, event.last_date))
    return " – ".join(date_format(day) for day in days)


@register.simple_tag
def source(text: str) -> str:
    """Write where a rule comes from in the reader's language; what has no translation is marked as English."""
    told = say_source(text)
    return format_html('<span lang="en">{}</span>', told) if told == text else told


@register.filter
def announced(rows: Iterable[UnrankedRow], wanted: bool) -> list[UnrankedRow]:
    """Keep of the unranked those whose disqualification is public, or the others."""
    return [row for row in rows if row.announced == wanted]


@register.filter
def sitter(game: SeatGame) -> str:
    """Name who played a seat's game: a substitute with the replaced player."""
    return say_who(game.substitute, game.player.name) or game.player.name


@register.filter
def unbroken_words(name: str) -> SafeString:
    """Render a name whose words break at a hyphen only where they are wider than a line."""
    words = (format_html('<span class="unbroken">{}</span>', word) if "-" in word else word for word in name.split(" "))
    return format_html_join(" ", "{}", ((word,) for word in words))


@register.filter
def breakable_address(address: str) -> SafeString:
    """Render an address that breaks after a slash of its path rather than within a word."""
    scheme, slashes, path = address.rpartition("//")
    return format_html(
        "{}{}", scheme + slashes, format_html_join(SafeString("/<wbr>"), "{}", ((part,) for part in path.split("/")))
    )


@register.filter
def sign_class(value: int | None) -> str:
    """Give is-plus, is-minus or is-zero; nothing for a missing value."""
    return "" if value is None else formatting.sign_class(int(value))


@register.filter
def ordinal_place(place: int | None, tied: bool = False) -> str:
    """Write a place, "=2" when shared: `{{ row.place|ordinal_place:row.tied }}`."""
    return NOTHING if place is None else formatting.ordinal_place(place, tied)


register.simple_tag(ordinal_place, name="place")  # for rows that may lack `tied`: {% place row.place row.tied %}


@register.filter
def minutes_left(ends_at: datetime | None, now: datetime | None = None) -> int | str:
    """Count begun minutes until `ends_at`; `now` is the present unless given."""
    return NOTHING if ends_at is None else formatting.minutes_left(ends_at, now or timezone.now())


@register.filter
def clock_time(left: timedelta | None) -> str:
    """Write the time left on a clock that stands still."""
    return NOTHING if left is None else formatting.clock_time(left)


@register.filter
def epoch_ms(moment: datetime | None) -> str:
    """Give a moment as milliseconds since 1970, for static/js/clock.js; empty when there is none."""
    return "" if moment is None else str(int(moment.timestamp() * 1000))


@register.simple_tag
def hand_name(round_wind: int | str, kyoku: int, honba: int = 0) -> str:
    """Name a hand: "South 2", "South 2 · 1 honba". `kyoku` counts from 1."""
    name = formatting.hand_name(round_wind, kyoku)
    if not honba:
        return name
    more = plural_text("%(count)d honba", "%(count)d honba", honba)
    return f"{name} · {more}"


@register.simple_block_tag(end_name="endone_line")
def one_line(content: str) -> SafeString:
    """Give a rendered block, escaped already, as one line to use more than once: `{% one_line as title %}`."""
    return SafeString(" ".join(content.split()))


@register.simple_tag(takes_context=True)
def public_url(context: Context, path: str) -> str:
    """Return the absolute address of a path, as phones can open it; "" outside a request."""
    request = context.get("request")
    return hall_url(request, path) if request else ""


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of static/icons/sprite.svg; always put its word beside it."""
    address = f"{static_address('icons/sprite.svg')}#{escape(name)}"
    return SafeString(f'<svg class="icon" aria-hidden="true" focusable="false"><use href="{address}"></use></svg>')


@register.simple_tag
def sign(name: str) -> SafeString:
    """Draw a sign that a reader's system may have no letters for: "wind-E", "ja"; say its word beside it."""
    return format_html(
        '<svg class="sign is-{}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        name,
        static_address("icons/sprite.svg"),
        name,
    )


@register.simple_tag
@functools.lru_cache(maxsize=2000)
def placements(text: str) -> SafeString:
    """Draw how many games a player has of each place ("2-0-1-0", "2-0-1-0 1-0-0") as a bar beside its numbers.

    The last place has the colour of a fourth, of three players too.
    """
    counts, parts, at = Counter[int](), [], 0
    for size in (part.split("-") for part in text.split()):
        for place, count in enumerate(size, start=1):
            counts[place if place < len(size) else 4] += int(count)
    for place in sorted(+counts):
        parts.append((place, at, counts[place]))
        at += counts[place]
    bar = format_html_join("", '<path class="p{}" d="M{} 0h{}v1H{}z"/>', ((n, x, w, x) for n, x, w in parts))
    return format_html(
        '<svg class="placed" viewBox="0 0 {} 1" preserveAspectRatio="none" aria-hidden="true">{}</svg> '
        '<span class="placed-count">{}</span>',
        at,
        bar,
        text,
    )


@register.simple_tag
def wind(which: int | str, *, large: bool = False, word: bool = False) -> SafeString:
    """Draw a wind (0..3 or E S W N) as sign and letter, or word; what is not shown is still read aloud."""
    return _wind(which, large, word, get_language())


@functools.lru_cache(maxsize=500)
def _wind(which: int | str, large: bool, word: bool, _language: str | None) -> SafeString:
    letter, said, mark = (say(which) for say in (formatting.wind_letter, formatting.wind_word, formatting.wind_sign))
    initial = formatting.wind_initial(which)
    shown = format_html('<span class="wind-letter" aria-hidden="true">{}</span>', initial) if initial != mark else ""
    if word:
        text = format_html('<span class="{}">{}</span>', "unseen" if said == mark else "wind-word", said)
    else:
        text = format_html('{}<span class="unseen">{}</span>', shown, said)
    kind = f"wind{' is-east' if letter == 'E' else ''}{' is-large' if large else ''}"
    return format_html(
        '<span class="{}"><span class="wind-tile">{}</span>{}</span>', kind, sign(f"wind-{letter}"), text
    )


@register.simple_tag
def amount(value: int | None, kind: str = "points") -> SafeString:
    """Write a number of points: `points` (30,000), `signed` (+1,200), `p` (45.1), `signed_p` (+45.1); None as a dash.

    Its colour only repeats what the sign says.
    """
    mark = sign_class(value) if kind.startswith("signed") else "is-minus" if value is not None and value < 0 else ""
    return SafeString(f'<span class="num{mark and " "}{mark}">{AMOUNTS[kind](value)}</span>')  # digits and signs alone


@register.simple_tag
def seat_cards(seats: Iterable[Mapping[str, Any]], taps: object = None) -> SafeString:
    """Draw the players of a table for <ul class="seats">; with `taps` as buttons for static/hands/hand_pad.js."""
    word, deals = escape(gettext("Seat")), escape(gettext("dealer"))
    return SafeString("".join(_seat_card(seat, word, deals if seat["dealer"] else "", taps) for seat in seats))


def _seat_card(seat: Mapping[str, Any], word: str, dealer: str, taps: object) -> str:
    name, number, initial = escape(seat["name"]), seat["number"], formatting.wind_initial(seat["wind"])
    place = formatting.say_place(seat["place"], seat["tied"]) if seat["place"] else ""
    notes = "".join([f"<span>{note}</span> " for note in (place, dealer) if note])
    tap = (
        f'<button class="seat-tap with-script" type="button" tabindex="-1" data-card="{number}" data-wind="{initial}"'
        f'{dealer and " data-dealer"} aria-pressed="false" aria-label="{name}"></button>'
    )
    return (
        f'<li class="seat{dealer and " is-dealer"}"> '
        f'<span class="seat-key key"><span class="unseen">{word} </span>{number}</span> '
        f'<span class="seat-name">{name}</span> <span class="seat-wind">{wind(seat["wind"])}</span> '
        f'<span class="seat-score">{amount(seat["score"])}</span> <span class="seat-note"> {notes}</span> '
        f"{tap if taps else ''}</li>"
    )


@register.simple_tag
def hand_cells(seats: Iterable[SeatDelta], columns: int = 0) -> SafeString:
    """Draw what a hand changes and the score after it, a cell for each seat; a void hand has a gap of all `columns`."""
    word, points = escape(gettext("Seat")), AMOUNTS["points"]
    cells = "".join(
        f'<td class="hand-seat"><span class="who">{word} {seat.number}</span> {amount(seat.delta, "signed")} '
        f'<span class="num after">{points(seat.score)}</span></td>'
        for seat in seats
    )
    return SafeString(cells or (columns and f'<td class="hand-seat" colspan="{columns}"></td>') or "")


@register.simple_tag
def seat_changes(seats: Iterable[SeatDelta]) -> SafeString:
    """Write what a hand changes, an item for each seat."""
    key = f'<span class="key"><span class="unseen">{escape(gettext("Seat"))} </span>'
    return SafeString("".join(f"<li>{key}{seat.number}</span> {amount(seat.delta, 'signed')}</li>" for seat in seats))


@register.simple_tag
def moved(places: int | None) -> SafeString:
    """Draw the places gained or lost since the round before, gained ones positive; None draws nothing."""
    if places is None:
        return SafeString("")
    mark = '<span aria-hidden="true">=</span>' if not places else icon("up" if places > 0 else "down")
    word = gettext("same place") if not places else gettext("up") if places > 0 else gettext("down")
    count = f" {abs(places)}" if places else ""
    return SafeString(f'<span class="moved">{mark}<span class="unseen">{escape(word)}</span>{count}</span>')


@register.simple_tag
def club_mark(club: ClubColour | None) -> SafeString:
    """Draw the colour of a player's club, with its name, before the player's; None draws nothing."""
    if club is None:
        return SafeString("")
    return format_html('<span class="club club-{}" role="img" title="{}"></span>', *club)


@register.simple_tag
def club_legend(clubs: Mapping[int, ClubColour]) -> SafeString:
    """Draw which club has which colour; nothing where none has one."""
    item = '<li><span class="club club-{}" aria-hidden="true"></span>{}</li>'
    items = format_html_join("", item, sorted(set(clubs.values())))
    return format_html('<ul class="clubs" aria-label="{}">{}</ul>', gettext("Clubs"), items) if clubs else items


@register.simple_tag
def compass_seats(seats: Iterable[CompassSeat]) -> SafeString:
    """Draw the seats of a player's next table, an item for each."""
    you = f' <span class="tag">{escape(gettext("you"))}</span>'
    return SafeString(
        "".join(
            f'<li class="compass-seat is-{seat.side}">{wind(seat.wind, large=seat.me, word=True)} '
            f"<span>{escape(seat.name)}{you if seat.me else ''}</span></li>"
            for seat in seats
        )
    )


@register.simple_tag
def rival_lines(rivals: Iterable[Mapping[str, Any]]) -> SafeString:
    """Draw whom a player meets again at the next table (tournament.stats.views.rival_items), an item for each."""
    return SafeString(
        "".join(
            f'<li><b>{row["ahead"]}:{row["behind"]}</b> <a href="{escape(row["url"])}">{escape(row["name"])}</a> '
            f"<span>{amount(row['points'], 'signed') if row['told'] else ''}</span></li>"
            for row in rivals
        )
    )


@register.simple_tag
def standing_heads(columns: Iterable[Column]) -> SafeString:
    """Draw the headings of ui/standings.html."""
    language = get_language()
    return SafeString("".join([_standing_head(column, language) for column in columns]))


@functools.lru_cache(maxsize=500)
def _column_title(column: Column, _language: str | None) -> str:
    return escape(column.title())


@functools.lru_cache(maxsize=500)
def _standing_head(column: Column, language: str | None) -> str:
    kind = "" if column.kind in ("text", "placements") else ' class="is-num"'
    title = _column_title(column, language)
    if column.round:
        title = f'<abbr title="{title}">R{column.round}</abbr>'
    elif column.key in ("moved", "country"):
        title = f'<span class="unseen">{title}</span>'
    elif column.on_page:
        title = escape(column.on_page())
    return f'<th scope="col" role="columnheader"{kind}>{title}</th>'


@register.simple_tag
def standing_rows(lines: Iterable[StandingLine], drawn: dict[tuple[int, bool], str]) -> SafeString:
    """Draw rows of ui/standings.html but for those that are `drawn` already, by number and whether it is the reader's.

    A template would take six times as long.
    """
    keys = []
    for line in lines:
        key = line.row.number, line.mine
        keys.append(key)
        if key not in drawn:
            drawn[key] = _standing_row(line)
    return SafeString("".join(drawn[key] for key in keys))


def _standing_row(line: StandingLine) -> str:
    row = line.row
    marks = (("is-mine", line.mine), ("is-out", line.out), ("is-podium", row.rank <= 3), ("is-cut", line.cut))
    kind, own = " ".join(name for name, is_so in marks if is_so), ' id="me"' if line.mine else ""
    language = get_language()
    cells = "".join([_standing_cell(line, column, value, language) for column, value in line.cells])
    return f'<tr role="row" class="{kind}"{own}>{cells}</tr>'


def _standing_cell(line: StandingLine, column: Column, value: Any, language: str | None) -> str:
    signed_p = AMOUNTS["signed_p"]
    match column.round or column.key:
        case int(number):
            figure = f'<span class="num {sign_class(value)}">{signed_p(value)}</span>'
            return f'<td role="cell" class="round is-num" data-label="R{number}">{figure}</td>'
        case "rank":
            return f'<td role="cell" class="place is-num">{ordinal_place(value.number, value.shared)}</td>'
        case "moved":
            return f'<td role="cell" class="change">{moved(value)}</td>'
        case "country":
            return f'<td role="cell" class="country">{escape(value)}</td>'
        case "player":
            tags = [gettext("you")] * line.mine + [line.out] * bool(line.out)
            small = [line.carried] * bool(line.carried) + [gettext("below the cut")] * line.cut
            more = [f'<span class="tag">{escape(tag)}</span>' for tag in tags]
            more += [f"<small>{escape(text)}</small>" for text in small]
            name = f"<span>{club_mark(line.club)}{escape(value)}</span>" if line.club else escape(value)
            who = " ".join([f'<a href="{escape(line.url)}">{name}</a>', *more])
            return f'<th role="rowheader" scope="row" class="who">{who}</th>'
        case "total":
            figure = f'<span class="num {sign_class(value)}">{signed_p(value)}</span>'
            return f'<td role="cell" class="total is-num">{figure}</td>'
        case "placements":
            return f'<td role="cell" class="placements">{placements(value) if value else ""}</td>'
        case "penalties":
            figure = f'<span class="num is-minus">{signed_p(value)}</span>' if value else ""
            none, title = "" if value else " is-none", _column_title(column, language)
            return f'<td role="cell" class="penalty is-num{none}" data-label="{title}">{figure}</td>'
        case gap:
            unseen = f'<span class="unseen">{_column_title(column, language)} </span>'
            figure = "" if value is None else f"{unseen}{AMOUNTS['p'](value)}"
            return f'<td role="cell" class="gap is-num is-{gap}">{figure}</td>'


@register.simple_tag
def game_lines(event: Event, games: Iterable[GameRow]) -> SafeString:
    """Draw the released games of a player for <ol class="games">, each once for all pages that show it."""
    language = get_language()
    return SafeString("".join(_game_line(event.slug, game, language) for game in games))


@register.simple_tag
def hands_button(event: Event, games: Sequence[GameRow]) -> SafeString:
    """Link the table of the last of a player's games; nothing where there are none."""
    if not games:
        return SafeString("")
    last = games[-1]
    text = gettext("Round %(round)s: all hands of table %(table)s") % {"round": last.round, "table": last.table}
    url = reverse("public:table", args=[event.slug, last.round, last.table])
    return SafeString(f'<a class="button" href="{escape(url)}">{escape(text)}</a>')


@functools.lru_cache(maxsize=4096)  # a release draws the games of its own round
def _game_line(slug: str, game: GameRow, _language: str | None) -> SafeString:
    return format_html(
        '<li><b><abbr title="{}">R{}</abbr></b> <a href="{}">{}</a> {} <small>{}</small></li>',
        gettext("Round %(number)s") % {"number": game.round},
        game.round,
        reverse("public:table", args=[slug, game.round, game.table]),
        f"{gettext('Table %(number)s') % {'number': game.table}} · {say_game_place(game)}",
        amount(game.result, "signed_p"),
        note_game(game),
    )


@register.simple_tag
def key_buttons(chips: Iterable[Chip]) -> SafeString:
    """Write the keys that can come next in a line, for static/hands/line_steps.js."""
    button = '<button class="step" type="button" tabindex="-1" data-step="{0}"><kbd>{0}</kbd> {1}</button>'
    return format_html_join("", button, ((chip.text, chip.label) for chip in chips))


register.filter(formatting.short_moment)


@register.simple_tag
def time_zone_name(event: Event | None) -> SafeString:
    """Name the zone of an event's times; of a page without an event the desk's."""
    name = event_zone_label(event) if event else zone_label(get_current_timezone(), timezone.now())
    return format_html('<span translate="no" lang="en">{}</span>', name)


register.simple_tag(lambda: str(get_current_timezone()), name="time_zone_key")


@register.simple_tag(takes_context=True)
def drawn(context: Context, name: str, **values: Any) -> SafeString:
    """Draw a template as `{% include name with … only %}` does, once for equal values, language and time zone.

    Values are numbers, texts, and lists, dicts and dataclasses of those. They are compared by their pickle: unlike a
    `repr` it tells a text that is safe as it is from one that must be escaped.
    """
    here = (get_language() or "", str(get_current_timezone()))
    key = (name, *here, hashlib.sha256(pickle.dumps(values)).digest())
    with _drawn_lock:
        known = _drawn.get(key)
        if known is not None:
            _drawn.move_to_end(key)
            return known
    assert context.template is not None  # noqa: S101  (a tag stands in one)
    made = context.template.engine.get_template(name).render(context.new(values))
    if not settings.DEBUG:  # a developer sees each change of a template
        with _drawn_lock:
            _drawn[key] = made
            while len(_drawn) > MAX_DRAWN:
                _drawn.popitem(last=False)
    return made
