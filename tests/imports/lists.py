"""Read a list as its import page does; a file that it refuses is a preview without a sheet."""

from collections.abc import Collection, Sequence

from scoring.problems import InvalidInput
from tournament.imports.penalties import PENALTIES, PenaltyPreview, understand_penalties
from tournament.imports.players import PLAYERS, PlayerPreview, understand_players
from tournament.imports.schedules import SchedulePreview, read_schedule_sheet, understand_schedule
from tournament.tables.rows import Entrant


def read_players(data: bytes, filename: str, *, existing: Sequence[str] = ()) -> PlayerPreview:
    try:
        sheet = PLAYERS.read(data, filename)
    except InvalidInput as refusal:
        return PlayerPreview(filename, None, problems=refusal.problems)
    return understand_players(sheet, filename, existing=existing)


def read_penalties(
    data: bytes, filename: str, *, entrants: Sequence[Entrant], rounds: Collection[int]
) -> PenaltyPreview:
    try:
        sheet = PENALTIES.read(data, filename)
    except InvalidInput as refusal:
        return PenaltyPreview(filename, None, problems=refusal.problems)
    return understand_penalties(sheet, filename, entrants=entrants, rounds=rounds)


def read_schedule(
    data: bytes, filename: str, *, entrants: Sequence[Entrant], table_size: int, planned: int
) -> SchedulePreview:
    try:
        sheet = read_schedule_sheet(data, filename, entrants, table_size)
    except InvalidInput as refusal:
        return SchedulePreview(filename, None, problems=refusal.problems)
    return understand_schedule(sheet, filename, entrants=entrants, table_size=table_size, planned=planned)
