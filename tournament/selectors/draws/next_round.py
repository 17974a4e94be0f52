"""Who plays the next round by standing, best first, after the cuts that stand. It draws nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.problems import error
from tournament.draws.by_standing import Standee, StandingField, after_cuts
from tournament.draws.redraw import FieldNow
from tournament.models import Event
from tournament.refusal import Refused
from tournament.selectors.draws.redraws import get_field
from tournament.selectors.public.standings import Standings, list_cuts, read_standings
from tournament.sheets.columns import StandingRow


@dataclass(frozen=True, slots=True)
class _About:
    club: str
    country: str
    team: str


def get_standing_field(event: Event) -> StandingField:
    """Return who plays on; some twenty queries. Raises Refused while a round that is published is not released."""
    waiting = event.rounds.filter(published_at__isnull=False, released_at=None).order_by("number").first()
    if waiting:
        raise Refused(error("next.round_open", round=waiting.number))
    field, standings = get_field(event), read_standings(event, with_held=True)
    played = [each for each in field.rounds if each.stage != "open"]
    about = _about(event)
    cuts = [(frozenset(cut.through), "stop" if cut.others == "stop" else "play_on") for cut in list_cuts(event)]
    return StandingField(
        number=max((each.number for each in played), default=0) + 1,
        groups=after_cuts(_order(field, standings, about), cuts),  # type: ignore[arg-type]  # of two words, both known
        reserves=tuple(
            _standee(guest.number, guest.name, about)
            for guest in field.guests
            if not guest.ranked and not guest.withdrawn
        ),
        played=tuple(each.tables for each in played),
        table_size=field.table_size,
        last=field.last,
        drawn=tuple(each.number for each in field.rounds if each.stage == "open"),
        asked=field.asked,
    )


def _order(field: FieldNow, standings: Standings, about: Mapping[int, _About]) -> list[Standee]:
    """Return the ranked players who have not left, best first."""
    gone = {guest.number for guest in field.guests if guest.withdrawn}
    return [_standee(row.number, row.name, about, row) for row in standings.rows if row.number not in gone]


def _standee(number: int, name: str, about: Mapping[int, _About], row: StandingRow | None = None) -> Standee:
    known = about[number]
    return Standee(
        number=number,
        name=name,
        rank=row.rank if row else 0,
        total=row.total if row else 0,
        group=row.group if row else 0,
        club=known.club,
        country=known.country,
        team=known.team,
    )


def _about(event: Event) -> dict[int, _About]:
    rows = event.players.values_list("number", "person__club", "person__country", "team")
    return {number: _About(club, country, team) for number, club, country, team in rows}
