"""Read logs of mjai (one event a line) and of Tenhou (JSON and XML) into one form of game; `games` judges it.

A reader raises LogError for what is not of its format.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from scoring.entries import Abort, Draw, Entry, Nagashi, Ron, Tsumo, Win
from scoring.hand import SOURCES
from scoring.state import WINDS
from tournament.core.hash_chain import checksum
from tournament.imports.listing import WRONG_FORM

MAX_POINTS = 10_000_000
STICK = 1000  # the points of a riichi, in every format


class LogError(Exception):
    """A log is not of its form; `hand` is the hand where it was noticed, from 1, or 0. `hidden`: it hides tiles."""

    def __init__(self, hand: int, *, hidden: bool = False) -> None:
        super().__init__(hand)
        self.hand, self.hidden = hand, hidden


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
    """A game of a log: the names of its players by seat, "" for an unknown one, and its finished hands.

    `begun` is the number of hands that were dealt.
    """

    names: tuple[str, ...]
    hands: tuple[OnlineHand, ...]
    begun: int

    @property
    def mark(self) -> str:
        """A checksum over the course of the scores: the same game has the same in every format."""
        return checksum([[*hand.place, *hand.before, *hand.after] for hand in self.hands])


def number(value: Any) -> int:
    """Return a whole number of a log, or of its text. Raises ValueError or TypeError for anything else."""
    found = int(value) if isinstance(value, str) and len(value) < 10 else value
    if type(found) is not int or abs(found) > MAX_POINTS:
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


# ---------------------------------------------------------------- mjai


HONOURS = "ESWNPFC"
NOTEN_POOL = 3000  # more than that goes to nagashi mangan alone
LIVE_WALL = {4: 70, 3: 55}
CALLS = {"chi": "chi", "pon": "pon", "daiminkan": "daiminkan", "kakan": "shouminkan", "ankan": "ankan"}
# what abortive draws are called, their spellings without the letters that differ between programs
MJAI_ABORTS = {
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
                if any("?" in deal for deal in event["tehais"]):
                    raise LogError(len(tables) + 1, hidden=True)
                tables.append(_Table(event))
            elif tables:
                tables[-1].take(event)
        following = [*tables[1:], None]
        # a log may break off within a hand
        hands = [table.read(after) for table, after in zip(tables, following, strict=True) if table.wins or table.draw]
    except WRONG_FORM as wrong:
        raise LogError(len(tables)) from wrong
    return OnlineGame(names[: tables[0].players if tables else 4], tuple(hands), len(tables))


def read_mjai_tile(name: str) -> str:
    """Write a tile of mjai as a hand does.

    >>> [read_mjai_tile(name) for name in ("1m", "5pr", "E", "C")]
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
        self.tiles = [read_mjai_tile(name) for name in tiles]
        self.melds: list[dict[str, Any]] = []
        self.kita = 0
        self.discards: list[str] = []
        self.riichi = 0
        self.ippatsu = False
        self.replacement = False  # the tile drawn last came after a kan or a kita

    def lose(self, names: Sequence[str]) -> list[str]:
        """Take tiles out of the hand, and return them."""
        gone = [read_mjai_tile(name) for name in names]
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
        self.indicators = [read_mjai_tile(start["dora_marker"])]
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
        player.tiles.append(read_mjai_tile(event["pai"]))
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
        self.indicators.append(read_mjai_tile(event["dora_marker"]))

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
            taken = [read_mjai_tile(event["pai"])] if kind != "ankan" else []
            source = called_from(seat, number(event["target"]), self.players) if taken else None
            tiles = sorted([*own, *taken], key=lambda each: (each[1], each[0].replace("0", "5")))
            player.melds.append({"kind": CALLS[kind], "tiles": "".join(tiles), "from": source})

    def _hora(self, event: Mapping[str, Any]) -> None:
        seat, self.loser = number(event["actor"]), number(event["target"])
        player, tsumo = self.seats[seat], self.loser == seat
        win = (
            player.tiles[-1]
            if tsumo
            else read_mjai_tile(self.last["pai"] if "pai" in self.last else self.last["consumed"][0])
        )
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
            "ura": "".join(
                read_mjai_tile(each) for each in event.get("ura_markers") or event.get("uradora_markers") or ()
            ),
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
        if said in MJAI_ABORTS or not (said or self.drawn == LIVE_WALL[self.players]):
            return Abort(reason=MJAI_ABORTS.get(said) or self._abort(), riichi=riichi)
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


# ---------------------------------------------------------------- Tenhou


SEATS = 4  # in a game of three the fourth is empty
HUNDRED = 100
NO_REDS = 2  # the bit of a game's kind
# the yaku in the order of the XML's numbers, with the word of the JSON
YAKU = (
    ("門前清自摸和", "menzen_tsumo"), ("立直", "riichi"), ("一発", "ippatsu"), ("槍槓", "chankan"),
    ("嶺上開花", "rinshan"), ("海底摸月", "haitei"), ("河底撈魚", "houtei"), ("平和", "pinfu"), ("断幺九", "tanyao"),
    ("一盃口", "iipeikou"), ("自風 東", "seat_wind"), ("自風 南", "seat_wind"), ("自風 西", "seat_wind"),
    ("自風 北", "seat_wind"), ("場風 東", "round_wind"), ("場風 南", "round_wind"), ("場風 西", "round_wind"),
    ("場風 北", "round_wind"), ("役牌 白", "haku"), ("役牌 發", "hatsu"), ("役牌 中", "chun"),
    ("両立直", "double_riichi"), ("七対子", "chiitoitsu"), ("混全帯幺九", "chanta"), ("一気通貫", "ittsu"),
    ("三色同順", "sanshoku_doujun"), ("三色同刻", "sanshoku_doukou"), ("三槓子", "sankantsu"), ("対々和", "toitoi"),
    ("三暗刻", "sanankou"), ("小三元", "shousangen"), ("混老頭", "honroutou"), ("二盃口", "ryanpeikou"),
    ("純全帯幺九", "junchan"), ("混一色", "honitsu"), ("清一色", "chinitsu"), ("人和", "renhou"), ("天和", "tenhou"),
    ("地和", "chiihou"), ("大三元", "daisangen"), ("四暗刻", "suuankou"), ("四暗刻単騎", "suuankou"),
    ("字一色", "tsuuiisou"), ("緑一色", "ryuuiisou"), ("清老頭", "chinroutou"), ("九蓮宝燈", "chuuren_poutou"),
    ("純正九蓮宝燈", "chuuren_poutou"), ("国士無双", "kokushi_musou"), ("国士無双１３面", "kokushi_musou"),
    ("大四喜", "daisuushii"), ("小四喜", "shousuushii"), ("四槓子", "suukantsu"), ("ドラ", "dora"), ("裏ドラ", "ura"),
    ("赤ドラ", "red"), ("抜きドラ", "kita"),
)  # fmt: skip
TENHOU_ABORTS = {
    "九種九牌": "kyuushu_kyuuhai", "四風連打": "suufon_renda", "四家立直": "suucha_riichi", "四開槓": "suukaikan",
    "四槓散了": "suukaikan", "三家和了": "sanchahou",
    "yao9": "kyuushu_kyuuhai", "kaze4": "suufon_renda", "reach4": "suucha_riichi", "kan4": "suukaikan",
    "ron3": "sanchahou",
}  # fmt: skip
# a limit hand below five han: the log keeps its fu to itself, and any from here on pay the same
MIN_FU = {4: 40, 3: 70}
BY_HAN = frozenset({"dora", "ura", "red", "kita"})  # named once for each han
_KEYS = dict(YAKU)
_NAMED = re.compile(r"(.+)\((?:(\d{1,2})飜|(役満))\)")
_VALUE = re.compile(r"(\d{2,3})符(\d)飜")


# ---------------------------------------------------------------- Tenhou: JSON


def read_tenhou(log: Mapping[str, Any]) -> OnlineGame:
    """Read the JSON of tenhou.net/6. Raises LogError."""
    hands: list[OnlineHand] = []
    try:
        names = [str(name) for name in log["name"]]
        rounds = [_Round(each, hand=at) for at, each in enumerate(log["log"], start=1)]
    except WRONG_FORM as wrong:
        raise LogError(0) from wrong
    for at, round_ in enumerate(rounds):
        following = rounds[at + 1] if at + 1 < len(rounds) else None
        try:
            hands.append(round_.read(following))
        except WRONG_FORM as wrong:
            raise LogError(at + 1) from wrong
    return OnlineGame(tuple(names[: rounds[0].players if rounds else SEATS]), tuple(hands), len(rounds))


class _Round:
    """One element of a log: place, scores, indicators, then for each seat its deal, draws and discards; the result."""

    def __init__(self, parts: Sequence[Any], *, hand: int) -> None:
        try:
            deals = [parts[4 + 3 * seat] for seat in range(SEATS)]
            self.players = SEATS if deals[-1] else SEATS - 1
            kyoku, self.honba, self.sticks = numbers(parts[0][:3])
            self.round, self.dealer = divmod(kyoku, SEATS)
            self.before = numbers(parts[1])[: self.players]
            self.discards = [list(parts[6 + 3 * seat]) for seat in range(self.players)]
            self.result = list(parts[16])
        except WRONG_FORM as wrong:
            raise LogError(hand) from wrong

    def read(self, following: "_Round | None") -> OnlineHand:
        """Return the hand; the one after it tells what the result leaves open."""
        word, deltas = str(self.result[0]), [numbers(each)[: self.players] for each in self.result[1::2]]
        infos = self.result[2::2] if word == "和了" else []
        deltas = deltas[: len(infos)] if infos else deltas[:1]
        riichi = tuple(self._riichi(infos, deltas, following))
        entry = _won(infos, riichi) if infos else self._drawn(word, deltas, riichi, following)
        after = after_hand(self.before, riichi, *deltas)
        return OnlineHand(self.round, self.dealer, self.honba, self.sticks, self.before, entry, after)

    def _riichi(
        self, infos: Sequence[Any], deltas: Sequence[Sequence[int]], following: "_Round | None"
    ) -> Iterator[int]:
        """Yield who put a stick down: whose tile of riichi was won on, did not."""
        paid = after_hand(self.before, (), *deltas)
        for seat, discards in enumerate(self.discards):
            if not any(isinstance(each, str) and each.startswith("r") for each in discards):
                continue
            if following:
                put_down = following.before[seat] < paid[seat]
            else:
                last = discards[-1]
                put_down = not (infos and infos[0][1] == seat and isinstance(last, str) and last.startswith("r"))
            if put_down:
                yield seat

    def _drawn(
        self, word: str, deltas: Sequence[Sequence[int]], riichi: tuple[int, ...], following: "_Round | None"
    ) -> Entry:
        if word in TENHOU_ABORTS:
            return Abort(reason=TENHOU_ABORTS[word], riichi=riichi)
        paid = tuple(seat for each in deltas for seat, part in enumerate(each) if part > 0)
        stays = following is not None and (following.round, following.dealer) == (self.round, self.dealer)
        if word == "流し満貫":
            tenpai = (self.dealer,) if stays and self.dealer not in paid else ()
            return Nagashi(winners=paid, tenpai=tuple({*tenpai, *riichi}), riichi=riichi)
        if word not in ("流局", "全員聴牌", "全員不聴"):
            raise ValueError(word)
        whole = word == "全員聴牌" or (word == "流局" and not paid and stays)
        return Draw(tenpai=tuple(range(self.players)) if whole else paid, riichi=riichi)


def _won(infos: Sequence[Any], riichi: tuple[int, ...]) -> Entry:
    wins = tuple(_win(info) for info in infos)
    loser = number(infos[0][1])
    if loser == wins[0].seat:
        return Tsumo(winners=wins, riichi=riichi)
    return Ron(loser=loser, winners=wins, riichi=riichi)


def _win(info: Sequence[Any]) -> Win:
    """Return a win of its seat, discarder, liable player, value in words, and yaku."""
    seat, pao = number(info[0]), number(info[2])
    named = [match for each in info[4:] if (match := _NAMED.fullmatch(str(each)))]
    yaku: tuple[str, ...] | None = None
    if named and all(match[1] in _KEYS for match in named):
        keys = [(_KEYS[match[1]], int(match[2] or 1)) for match in named]
        yaku = tuple(key for key, han in keys for _ in range(han if key in BY_HAN else 1))
    liable = None if pao == seat else pao
    yakuman = sum(match[3] is not None for match in named)
    if yakuman:
        return Win(seat=seat, yakuman=yakuman, yaku=yaku, pao=liable)
    han = sum(int(match[2]) for match in named)
    value = _VALUE.match(str(info[3]))
    if value:
        return Win(seat=seat, han=int(value[2]), fu=int(value[1]), yaku=yaku, pao=liable)
    return Win(seat=seat, han=han, fu=MIN_FU.get(han, 0), yaku=yaku, pao=liable)


# ---------------------------------------------------------------- Tenhou: XML


def read_mjlog(root: Element) -> OnlineGame:
    """Read the XML of .mjlog. Raises LogError."""
    names: tuple[str, ...] = ()
    reds = True
    hands: list[OnlineHand] = []
    reading: _Xml | None = None
    begun = 0
    try:
        for element in root:
            if element.tag == "UN" and not names and element.get("n1") is not None:
                names = tuple(unquote(element.get(f"n{seat}") or "") for seat in range(SEATS))
            elif element.tag == "GO":
                reds = not number(element.get("type") or 0) & NO_REDS
            elif element.tag == "INIT":
                hands += reading.hands() if reading else []
                begun += 1
                if "hai" in element.attrib:  # what one player saw, who sits first in it
                    raise LogError(begun, hidden=True)
                reading = _Xml(element, reds=reds)
            elif reading:
                reading.take(element)
        hands += reading.hands() if reading else []
    except WRONG_FORM as wrong:
        raise LogError(len(hands) + 1) from wrong
    return OnlineGame(names[: reading.players if reading else SEATS], tuple(hands), begun)


class _Xml:
    """The elements of one hand: INIT, riichi sticks, and one or more AGARI or a RYUUKYOKU."""

    def __init__(self, init: Element, *, reds: bool) -> None:
        self.reds = reds
        kyoku, self.honba, self.sticks = numbers(init.attrib["seed"])[:3]
        self.round, self.dealer = kyoku // SEATS, number(init.attrib["oya"])
        self.players = SEATS if init.get("hai3") else SEATS - 1
        self.before = tuple(HUNDRED * each for each in numbers(init.attrib["ten"]))[: self.players]
        self.riichi: list[int] = []
        self.ends: list[Element] = []

    def take(self, element: Element) -> None:
        """Take what counts: a stick that is put down, and the end."""
        if element.tag == "REACH" and element.get("step") == "2":
            self.riichi.append(number(element.attrib["who"]))
        elif element.tag in ("AGARI", "RYUUKYOKU"):
            self.ends.append(element)

    def hands(self) -> list[OnlineHand]:
        """Return the hand, or nothing where the log breaks off."""
        if not self.ends:
            return []
        told = numbers(self.ends[-1].attrib["sc"])
        after = tuple(HUNDRED * (told[2 * seat] + told[2 * seat + 1]) for seat in range(self.players))
        won = self.ends[0].tag == "AGARI"
        entry = self._won() if won else self._drawn(self.ends[0])
        return [OnlineHand(self.round, self.dealer, self.honba, self.sticks, self.before, entry, after)]

    def _won(self) -> Entry:
        wins, riichi = tuple(self._win(each) for each in self.ends), tuple(self.riichi)
        loser = number(self.ends[0].attrib["fromWho"])
        if loser == wins[0].seat:
            return Tsumo(winners=wins, riichi=riichi)
        return Ron(loser=loser, winners=wins, riichi=riichi)

    def _win(self, agari: Element) -> Win:
        seat = number(agari.attrib["who"])
        yaku = {YAKU[each][1] for each in (*_listed(agari, "yaku")[::2], *_listed(agari, "yakuman"))}
        melds = [self._meld(each, seat) for each in reversed(_listed(agari, "m"))]  # the newest is first there
        riichi = 2 if "double_riichi" in yaku else int(seat in self.riichi)
        hand = {
            "tiles": self._tiles(_listed(agari, "hai")),
            "win": self._tiles(_listed(agari, "machi")),
            "melds": [meld for meld in melds if meld],
            "kita": melds.count(None),
            "riichi": riichi,
            "first_turn": not yaku.isdisjoint({"tenhou", "chiihou", "renhou"}),
            "dora": self._tiles(_listed(agari, "doraHai")),
            "ura": self._tiles(_listed(agari, "doraHaiUra")),
            **{name: name in yaku for name in ("ippatsu", "rinshan", "chankan", "haitei", "houtei")},
        }
        return Win(seat=seat, hand=hand, pao=number(agari.attrib["paoWho"]) if "paoWho" in agari.attrib else None)

    def _tiles(self, ids: Iterable[int]) -> str:
        return "".join(read_tenhou_tile(each, reds=self.reds) for each in ids)

    def _meld(self, code: int, seat: int) -> dict[str, Any] | None:
        """Return a meld as a hand has it; None for a kita."""
        kind, ids = meld(code)
        if kind == "kita":
            return None
        source = called_from(seat, (seat + (code & 3)) % SEATS, self.players) if code & 3 else None
        return {"kind": kind, "tiles": self._tiles(ids), "from": source}

    def _drawn(self, draw: Element) -> Entry:
        kind, riichi = draw.get("type"), tuple(self.riichi)
        if kind in TENHOU_ABORTS:
            return Abort(reason=TENHOU_ABORTS[kind], riichi=riichi)
        tenpai = tuple(seat for seat in range(self.players) if draw.get(f"hai{seat}"))
        if kind == "nm":
            paid = numbers(draw.attrib["sc"])[1::2]
            return Nagashi(
                winners=tuple(seat for seat in range(self.players) if paid[seat] > 0), tenpai=tenpai, riichi=riichi
            )
        return Draw(tenpai=tenpai, riichi=riichi)


def _listed(element: Element, name: str) -> tuple[int, ...]:
    return numbers(element.get(name)) if element.get(name) else ()


def read_tenhou_tile(id_: int, *, reds: bool = True) -> str:
    """Write a tile that goes by a number of 136; of each five the first is the red one.

    >>> [read_tenhou_tile(each) for each in (0, 16, 53, 132)], read_tenhou_tile(16, reds=False)
    (['1m', '0m', '5p', '7z'], '5m')
    """
    if not 0 <= id_ < 136:
        raise ValueError("no tile")
    suit, rank = divmod(id_ // 4, 9)
    red = reds and rank == 4 and suit < 3 and id_ % 4 == 0
    return f"{0 if red else rank + 1}{'mpsz'[suit]}"


def meld(code: int) -> tuple[str, list[int]]:
    """Return kind and tiles of the number of a meld.

    Its lowest two bits say from whom; then a bit each for chi, pon, added kan and kita; a kan has none of them.

    >>> meld(44618), meld(42031), meld(100 << 8)
    (('pon', [116, 117, 119]), ('chi', [61, 65, 68]), ('ankan', [100, 101, 102, 103]))
    """
    if code & 4:
        base = (code >> 10) // 3
        first = base // 7 * 9 + base % 7
        return "chi", [4 * (first + at) + (code >> (3 + 2 * at) & 3) for at in range(3)]
    if code & 0b11000:
        four = [4 * ((code >> 9) // 3) + copy for copy in range(4)]
        pon = bool(code & 0b1000)
        if pon:
            del four[code >> 5 & 3]
        return "pon" if pon else "shouminkan", four
    if code & 0b100000:
        return "kita", []
    return "daiminkan" if code & 3 else "ankan", [code >> 8 & ~3 | copy for copy in range(4)]
