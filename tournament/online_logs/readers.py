"""What a log of an online game says, in one form for all formats; `online_games` reads a file and judges it.

A reader of a format takes a log as it is written; what is not of its form raises LogError.

Read logs of mjai, one event a line, as programs that play write them: each hand's tiles are followed to its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scoring.entries import Abort, Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.hand import SOURCES
from scoring.state import WINDS
from tournament.core.hash_chain import checksum
from tournament.imports.listing import WRONG_FORM

MOST_POINTS = 10_000_000
STICK = 1000  # the points of a riichi, in every format


class LogError(ValueError):
    """A log is not of its form; `hand` is the hand where it was noticed, from 1, or 0."""

    def __init__(self, hand: int) -> None:
        super().__init__(hand)
        self.hand = hand


@dataclass(frozen=True, slots=True)
class OnlineHand:
    """One hand as a log says it, all by seat, 0 for the first East: where it began, what happened, scores after it.

    `round` 0 is East. A win in `entry` has its value, or only its tiles.
    """

    round: int
    dealer: int
    honba: int
    sticks: int
    before: tuple[int, ...]
    entry: Entry
    after: tuple[int, ...]

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Round wind, number of the deal, honba and riichi sticks at its beginning."""
        return WINDS[self.round % 4], self.dealer + 1, self.honba, self.sticks


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A game of a log: the names of its players by seat, "" for an unknown one, and its hands."""

    names: tuple[str, ...]
    hands: tuple[OnlineHand, ...]

    @property
    def mark(self) -> str:
        """A checksum over the course of the scores: the same game has the same in every format."""
        return checksum([[*hand.place, *hand.before, *hand.after] for hand in self.hands])


def number(value: Any) -> int:
    """Return a whole number of a log, or of its text. Raises ValueError or TypeError for anything else."""
    found = int(value) if isinstance(value, str) and len(value) < 10 else value
    if type(found) is not int or abs(found) > MOST_POINTS:
        raise ValueError("no whole number")
    return found


def numbers(values: Any) -> tuple[int, ...]:
    """Return the whole numbers of a list, or of a text with commas."""
    parts = values.split(",") if isinstance(values, str) else values
    return tuple(number(each) for each in parts)


def after_hand(before: Sequence[int], riichi: Sequence[int], *deltas: Sequence[int]) -> tuple[int, ...]:
    """Return the scores after a hand: those before it, less the riichi sticks put down in it, and what was paid."""
    scores = [score - STICK * (seat in riichi) for seat, score in enumerate(before)]
    for paid in deltas:
        scores = [score + part for score, part in zip(scores, paid, strict=True)]
    return tuple(scores)


def called_from(caller: int, giver: int, players: int) -> str | None:
    """Return from where a tile was called, in the words of a hand: left, across or right; None for their own tile.

    >>> [called_from(0, giver, 4) for giver in range(4)], called_from(0, 2, 3)
    ([None, 'right', 'across', 'left'], 'left')
    """
    step = (giver - caller) % players
    return SOURCES[-1] if step == 1 else SOURCES[0] if step == players - 1 else SOURCES[1] if step else None


HONOURS = "ESWNPFC"
NOTEN_POOL = 3000  # more than that goes to nagashi mangan alone
LIVE_WALL = {4: 70, 3: 55}
CALLS = {"chi": "chi", "pon": "pon", "daiminkan": "daiminkan", "kakan": "shouminkan", "ankan": "ankan"}
# what abortive draws are called, their spellings without the letters that differ between programs
ABORTS = {
    "kyushukyuhai": "kyuushu_kyuuhai", "sufonrenta": "suufon_renda", "sufonrenda": "suufon_renda",
    "sufurenta": "suufon_renda", "suchareach": "suucha_riichi", "sucharichi": "suucha_riichi",
    "suchariichi": "suucha_riichi", "sukaikan": "suukaikan", "sukansansen": "suukaikan", "sukansanra": "suukaikan",
    "sanchaho": "sanchahou", "sanchahou": "sanchahou",
}  # fmt: skip


def read_mjai(events: Sequence[Mapping[str, Any]]) -> OnlineGame:
    """Read the events of one game. Raises LogError."""
    names: tuple[str, ...] = ()
    tables: list[_Table] = []
    try:
        for event in events:
            if event["type"] == "start_game":
                names = tuple(str(name) for name in event.get("names") or ())
            elif event["type"] == "start_kyoku":
                tables.append(_Table(event))
            elif tables:
                tables[-1].take(event)
        following = [*tables[1:], None]
        # a log may break off within a hand
        hands = [table.read(after) for table, after in zip(tables, following, strict=True) if table.wins or table.draw]
    except WRONG_FORM as wrong:
        raise LogError(len(tables)) from wrong
    return OnlineGame(names[: tables[0].players if tables else 4], tuple(hands))


def tile(name: str) -> str:
    """Write a tile of mjai as a hand does.

    >>> [tile(name) for name in ("1m", "5pr", "E", "C")]
    ['1m', '0p', '1z', '7z']
    """
    if name in HONOURS and len(name) == 1:
        return f"{HONOURS.index(name) + 1}z"
    if len(name) not in (2, 3) or name[0] not in "123456789" or name[1] not in "mps" or name[2:] not in ("", "r"):
        raise ValueError("no tile")
    return f"0{name[1]}" if name[2:] else name


class _Player:
    """What one player has: concealed tiles, melds, and what a win asks about riichi and turns."""

    def __init__(self, tiles: Sequence[str]) -> None:
        self.tiles = [tile(name) for name in tiles]
        self.melds: list[dict[str, Any]] = []
        self.kita = 0
        self.discards: list[str] = []
        self.riichi = 0
        self.ippatsu = False
        self.replacement = False  # the tile drawn last came after a kan or a kita

    def lose(self, names: Sequence[str]) -> list[str]:
        """Take tiles out of the hand, and return them."""
        gone = [tile(name) for name in names]
        for each in gone:
            self.tiles.remove(each)
        return gone


class _Table:
    """One hand from its deal on."""

    def __init__(self, start: Mapping[str, Any]) -> None:
        deals = [each for each in start["tehais"] if each]
        self.players = len(deals)
        self.seats = [_Player(each) for each in deals]
        self.round = WINDS.index(start["bakaze"])
        self.dealer = number(start["oya"])
        self.honba, self.sticks = number(start["honba"]), number(start["kyotaku"])
        self.before = numbers(start["scores"])[: self.players]
        self.indicators = [tile(start["dora_marker"])]
        self.drawn = 0
        self.called = False
        self.declared: int | None = None  # who has said riichi and not yet paid
        self.riichi: list[int] = []
        self.last: Mapping[str, Any] = {}  # the act that may be won on
        self.wins: list[Win] = []
        self.loser = 0
        self.draw: Mapping[str, Any] | None = None
        self.deltas: list[tuple[int, ...]] = []

    def take(self, event: Mapping[str, Any]) -> None:
        """Take one event of the hand; what is unknown says nothing about it."""
        kind = event["type"]
        if kind in ("tsumo", "chi", "pon", "daiminkan"):
            self._pay_riichi()
        if kind in CALLS or kind in ("kita", "nukidora"):
            self._call(event)
        elif kind in ("tsumo", "dahai", "reach", "reach_accepted", "dora", "hora", "ryukyoku"):
            getattr(self, f"_{kind}")(event)

    def read(self, following: "_Table | None") -> OnlineHand:
        """Return the hand; where it was a draw, the one after it tells what the log leaves open."""
        riichi = tuple(self.riichi)
        if self.wins:
            kind: dict[str, Any] = {"winners": tuple(self.wins), "riichi": riichi}
            tsumo = self.loser == self.wins[0].seat
            entry: Entry = Tsumo(**kind) if tsumo else Ron(loser=self.loser, **kind)
        else:
            entry = self._drawn(cast("Mapping[str, Any]", self.draw), riichi, following)
        after = after_hand(self.before, riichi, *self.deltas)
        return OnlineHand(self.round, self.dealer, self.honba, self.sticks, self.before, entry, after)

    # ------------------------------------------------------------ events

    def _pay_riichi(self) -> None:
        if self.declared is not None and self.last.get("type") == "dahai":
            self.riichi.append(self.declared)
            self.declared = None

    def _tsumo(self, event: Mapping[str, Any]) -> None:
        player = self.seats[number(event["actor"])]
        player.tiles.append(tile(event["pai"]))
        player.replacement = self.last.get("type") in (*CALLS, "kita", "nukidora")
        if player.replacement:  # a kan that is won on breaks no ippatsu
            self._end_ippatsu()
        self.drawn += 1
        self.last = event

    def _end_ippatsu(self) -> None:
        for each in self.seats:
            each.ippatsu = False

    def _dahai(self, event: Mapping[str, Any]) -> None:
        player = self.seats[number(event["actor"])]
        player.discards += player.lose([event["pai"]])
        if player.riichi and self.declared != event["actor"]:
            player.ippatsu = False
        self.last = event

    def _reach(self, event: Mapping[str, Any]) -> None:
        player = self.seats[number(event["actor"])]
        player.riichi = 1 if player.discards or self.called else 2
        player.ippatsu = True
        self.declared = number(event["actor"])

    def _reach_accepted(self, event: Mapping[str, Any]) -> None:
        if self.declared == event["actor"]:
            self._pay_riichi()

    def _dora(self, event: Mapping[str, Any]) -> None:
        self.indicators.append(tile(event["dora_marker"]))

    def _call(self, event: Mapping[str, Any]) -> None:
        seat, kind = number(event["actor"]), event["type"]
        player = self.seats[seat]
        if kind in ("chi", "pon", "daiminkan"):
            self._end_ippatsu()
        self.called = True
        self.last = event
        if kind in ("kita", "nukidora"):
            player.lose(["N"])
            player.kita += 1
        elif kind == "kakan":
            added = player.lose([event["pai"]])[0]
            pon = next(each for each in player.melds if each["kind"] == "pon" and _same(each["tiles"][:2], added))
            pon |= {"kind": "shouminkan", "tiles": pon["tiles"] + added}
        else:
            own = player.lose(event["consumed"])
            taken = [tile(event["pai"])] if kind != "ankan" else []
            source = called_from(seat, number(event["target"]), self.players) if taken else None
            tiles = sorted([*own, *taken], key=lambda each: (each[1], each[0].replace("0", "5")))
            player.melds.append({"kind": CALLS[kind], "tiles": "".join(tiles), "from": source})

    def _hora(self, event: Mapping[str, Any]) -> None:
        seat, self.loser = number(event["actor"]), number(event["target"])
        player, tsumo = self.seats[seat], self.loser == seat
        win = player.tiles[-1] if tsumo else tile(self.last["pai"] if "pai" in self.last else self.last["consumed"][0])
        robbed = not tsumo and self.last["type"] in (*CALLS, "kita", "nukidora")
        at_end = self.drawn == LIVE_WALL[self.players]
        rinshan = tsumo and player.replacement
        hand = {
            "tiles": "".join(player.tiles if tsumo else [*player.tiles, win]),
            "win": win,
            "melds": [dict(each) for each in player.melds],
            "kita": player.kita,
            "riichi": player.riichi if seat in self.riichi else 0,
            "ippatsu": player.ippatsu and seat in self.riichi,
            "rinshan": rinshan,
            "chankan": robbed and self.last["type"] in CALLS,  # a kita can be won on, which is no chankan
            "haitei": at_end and tsumo and not rinshan,
            "houtei": at_end and not tsumo and not robbed,
            "first_turn": not (player.discards or self.called) and (tsumo or seat != self.dealer),
            "dora": "".join(self.indicators),
            "ura": "".join(tile(each) for each in event.get("ura_markers") or event.get("uradora_markers") or ()),
        }
        self.wins.append(Win(seat=seat, hand=hand))
        self.deltas.append(numbers(event["deltas"])[: self.players])

    def _ryukyoku(self, event: Mapping[str, Any]) -> None:
        if len(self.riichi) == self.players - 1:
            self._pay_riichi()
        self.draw = event
        self.deltas.append(numbers(event.get("deltas") or [0] * self.players)[: self.players])

    # ------------------------------------------------------------ draws

    def _drawn(self, draw: Mapping[str, Any], riichi: tuple[int, ...], following: "_Table | None") -> Entry:
        said = str(draw.get("reason") or "").replace("_", "").replace("uu", "u").lower()
        if said in ABORTS or not (said or self.drawn == LIVE_WALL[self.players]):
            return Abort(reason=ABORTS.get(said) or self._abort(), riichi=riichi)
        paid = tuple(seat for seat, part in enumerate(self.deltas[-1]) if part > 0)
        tenpai = self._tenpai(draw, paid, riichi, following)
        if sum(self.deltas[-1][seat] for seat in paid) > NOTEN_POOL or said.startswith("nagashi"):
            return Nagashi(winners=paid, tenpai=tenpai, riichi=riichi)
        return Draw(tenpai=tenpai, riichi=riichi)

    def _tenpai(
        self, draw: Mapping[str, Any], paid: tuple[int, ...], riichi: tuple[int, ...], following: "_Table | None"
    ) -> tuple[int, ...]:
        told = draw.get("tenpais")
        if told:
            return tuple(seat for seat in range(self.players) if told[seat])
        stays = following is not None and (following.round, following.dealer) == (self.round, self.dealer)
        total = sum(self.deltas[-1][seat] for seat in paid)
        if total == NOTEN_POOL or (self.players == 3 and 0 < total <= NOTEN_POOL):
            return paid
        if paid:  # nagashi mangan: only the dealer's hand matters
            return tuple({*riichi, *((self.dealer,) if stays else ())})
        return tuple(range(self.players)) if stays or riichi else ()

    def _abort(self) -> str:
        """Return the abortive draw that a log does not name."""
        first = [player.discards[0] for player in self.seats if player.discards]
        if len(self.riichi) == self.players:
            return "suucha_riichi"
        if sum(each["kind"] in ("daiminkan", "shouminkan", "ankan") for seat in self.seats for each in seat.melds) == 4:
            return "suukaikan"
        if len(first) == self.players and len(set(first)) == 1 and not self.called:
            return "suufon_renda"
        return "kyuushu_kyuuhai" if self.last.get("type") == "tsumo" else "sanchahou"


def _same(tile_: str, other: str) -> bool:
    """Whether two tiles are of one kind, red or not."""
    return tile_.replace("0", "5") == other.replace("0", "5")
