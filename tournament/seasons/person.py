"""The public page of a person who agreed to one, and the hall of fame: what careers come to, in words and pictures."""

from collections.abc import Iterator
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournament.pages.charts import Curve, FigureChart, phone_and_wide, share_chart
from tournament.pages.hooks import find_address
from tournament.pages.permissions import for_anyone
from tournament.people.models import KnownPerson
from tournament.publication.names import read_for_public
from tournament.seasons.careers import Career, get_career, get_hall_of_fame
from tournament.seasons.messages import all_yakuman_items, hand_items, record_items, say_champions
from tournament.seasons.records import SeasonRecords
from tournament.tables.messages import say_nameless
from tournament.text.languages import colon
from tournament.text.numbers import points, say_place, short_day, short_p, signed_p

WON_IN_A_ROW = 3  # games
NO_LAST = 10  # games without a last place
GAMES_PLAYED = (10, 50, 100)
DEALER = 5  # hands in a row as dealer
LOW = 10_000  # points at most, from which a game was won
POINTS = 40  # of a line: the last events
SHAPES = ("wide", "square", "story")


def find_career(uid: UUID) -> Career | KnownPerson:
    """Return the career of a person with a page, or who the person turned out to be; raises Http404."""
    known = KnownPerson.objects.select_related("merged_into").filter(uid=uid).first()
    if known and known.merged_into:
        return known.merged_into
    with read_for_public(say_nameless):
        career = get_career(known) if known else None
    if career is None:
        raise Http404("There is no such person.")
    return career


@require_safe
@for_anyone
def person(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a person who agreed to that; the id of one who was merged leads to the other."""
    career = find_career(uid)
    if isinstance(career, KnownPerson):
        return redirect("person", career.uid)
    counts = career.counts
    records = SeasonRecords((), tuple((event, each, career.name) for event, each in career.yakuman))
    context = {
        "career": career,
        "played": list(reversed(career.played)),
        "placements": [(say_place(place), count) for place, count in enumerate(counts, start=1)],
        "placement_chart": share_chart([("", counts)]),
        "line": _line(career),
        "titles": list(_titles(career)),
        "hands": hand_items(career.hands),
        "yakuman": all_yakuman_items(records),
        "achievements": list_achievements(career),
        "cards": [(shape, url) for shape in SHAPES if (url := find_address("person_card", uid, shape))],
        "csrf_token": "",
    }
    response = render(request, "seasons/person.html", context)
    response["Cache-Control"] = "no-cache"
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@for_anyone
def hall_of_fame(request: HttpRequest) -> HttpResponse:
    """Show the champions of closed seasons, and the records and yakuman of all public events."""
    with read_for_public(say_nameless):
        hall = get_hall_of_fame()
    context = {
        "champions": [(view.season, say_champions(view)) for view in hall.seasons],
        "records": record_items(hall.records),
        "yakuman": all_yakuman_items(hall.records),
        "csrf_token": "",
    }
    response = render(request, "seasons/hall_of_fame.html", context)
    response["Cache-Control"] = "no-cache"
    return response


def _line(career: Career) -> FigureChart | None:
    """Return the means of games after each of the last events with their band; None before two events."""
    means, played = career.means[-POINTS:], career.played[-POINTS:]
    if len(means) < 2:
        return None
    values = [round(mean) for mean, _half in means]
    texts = [signed_p(_rounded(mean)) for mean, _half in means]
    band = [(round(mean - half), round(mean + half)) for mean, half in means]
    hits = [f"{each.event.name}{colon()}{text}" for each, text in zip(played, texts, strict=True)]
    ticks = [short_day(each.event.date) for each in played]
    chart = phone_and_wide([Curve(values, texts=texts)], ticks, short_p, hits=hits, with_zero=True, band=band)
    edges = [" … ".join(signed_p(_rounded(edge)) for edge in edges) for edges in band]
    rows = [(each.event.name, (text, edge)) for each, text, edge in zip(played, texts, edges, strict=True)]
    return FigureChart(chart["phone"], chart["wide"], (_("Mean"), _("Band")), tuple(rows))


def _rounded(mean: float) -> int:
    return round(mean / 10) * 10


def _titles(career: Career) -> Iterator[tuple[str, str, str]]:
    """Yield what the person won: the word, the name, and the address of a season or an event."""
    for season, rank, _games in career.seasons:
        if rank == 1 and season.closed_at:
            yield _("Champion"), season.name, find_address("season", season.slug)
    for each in reversed(career.played):
        if each.rank == 1 and each.over:
            yield _("Winner"), each.event.name, find_address("public:player", each.event.slug, each.number)


def list_achievements(career: Career) -> list[str]:
    """Name what the places and the hands of all games prove."""
    places = career.places
    sizes = [seats for each in career.played for seats in each.seats]
    in_a_row = _longest(place == 1 for place in places)
    no_last = _longest(place < size for place, size in zip(places, sizes, strict=True))
    won = sum(each.rank == 1 and each.over for each in career.played)
    games = max((count for count in GAMES_PLAYED if len(places) >= count), default=0)
    yakuman, feats = len(career.yakuman), career.feats
    safe = ngettext("%(n)d game without a deal-in", "%(n)d games without a deal-in", feats.safe)
    said = [
        (won > 0, _("Won an event")),
        (in_a_row >= WON_IN_A_ROW, _("Won %(n)d games in a row") % {"n": in_a_row}),
        (no_last >= NO_LAST, _("%(n)d games in a row without a last place") % {"n": no_last}),
        (games > 0, _("Played %(n)d games") % {"n": games}),
        (yakuman > 0, ngettext("%(n)d yakuman", "%(n)d yakuman", yakuman) % {"n": yakuman}),
        (feats.dealer >= DEALER, _("Dealer for %(n)d hands in a row") % {"n": feats.dealer}),
        (feats.safe > 0, safe % {"n": feats.safe}),
        (feats.low is not None and feats.low <= LOW, _("Won a game from %(n)s points") % {"n": points(feats.low or 0)}),
    ]
    return [text for holds, text in said if holds]


def _longest(holds: Iterator[bool]) -> int:
    best = now = 0
    for each in holds:
        now = now + 1 if each else 0
        best = max(best, now)
    return best
