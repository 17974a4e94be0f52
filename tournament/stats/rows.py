"""What the pictures of an event and of its players say; no module here loads a model, as another process draws some."""

from dataclasses import dataclass
from typing import Literal

from tournament.pages.charts import Runner

Kind = Literal["result", "hand", "deal-ins", "lead", "places"]
Shape = Literal["wide", "square", "story"]


@dataclass(frozen=True, slots=True)
class EventCard:
    """What is drawn of an event: its name, where and when, and the best so far as (place, name, total).

    `bars` are their places with totals as parts of the largest, 0 for one below nought; `photo` is a WebP, or empty.
    """

    event: str
    about: str
    fresh: str
    best: tuple[tuple[str, str, str], ...] = ()
    bars: tuple[tuple[int, float], ...] = ()
    photo: bytes = b""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """What a card tells of a player; texts in the reader's language, "" for none.

    `title` says what the `figure` is, "" for the result. `values` are by round, `texts` these in words; `placements`
    how often each place was taken, `tiles` those of the best hand, the winning tile last. `medal` is the place on the
    podium once the event is over, and 1 for a yakuman, 0 for none.
    """

    kind: Kind
    event: str
    fresh: str
    name: str
    title: str
    figure: str
    about: str = ""
    beside: str = ""
    second: str = ""
    sign: int = 0
    values: tuple[int, ...] = ()
    ticks: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    placements: tuple[tuple[str, int], ...] = ()
    best: str = ""
    tiles: tuple[str, ...] = ()
    where: str = ""
    medal: int = 0


@dataclass(frozen=True, slots=True)
class RaceCard:
    """What the moving race says: the best in the order of the standings, and the rounds that it runs through."""

    event: str
    title: str
    fresh: str
    ticks: tuple[str, ...]
    runners: tuple[Runner, ...]
