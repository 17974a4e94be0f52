"""Read the logs of Tenhou: the JSON of tenhou.net/6 and the XML of .mjlog.

The JSON tells values in words and no tiles of a win in one place; the XML has both, and of it the tiles are taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from scoring.entries import Abort, Draw, Entry, Nagashi, Ron, Tsumo, Win
from tournament.imports.listing import WRONG_FORM
from tournament.online_logs.readers import LogError, OnlineGame, OnlineHand, after_hand, called_from, number, numbers

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
ABORTS = {
    "九種九牌": "kyuushu_kyuuhai", "四風連打": "suufon_renda", "四家立直": "suucha_riichi", "四開槓": "suukaikan",
    "四槓散了": "suukaikan", "三家和了": "sanchahou",
    "yao9": "kyuushu_kyuuhai", "kaze4": "suufon_renda", "reach4": "suucha_riichi", "kan4": "suukaikan",
    "ron3": "sanchahou",
}  # fmt: skip
# a limit hand below five han: the log keeps its fu to itself, and any from here on pay the same
LEAST_FU = {4: 40, 3: 70}
BY_HAN = frozenset({"dora", "ura", "red", "kita"})  # named once for each han
_KEYS = dict(YAKU)
_NAMED = re.compile(r"(.+)\((?:(\d{1,2})飜|(役満))\)")
_VALUE = re.compile(r"(\d{2,3})符(\d)飜")


# ---------------------------------------------------------------- JSON


def read_tenhou(log: Mapping[str, Any]) -> OnlineGame:
    """Read the JSON of tenhou.net/6. Raises LogError."""
    hands: list[OnlineHand] = []
    try:
        names = [str(name) for name in log["name"]]
        rounds = [_Round(each, hand=at) for at, each in enumerate(log["log"], start=1)]
    except WRONG_FORM as wrong:
        raise LogError(getattr(wrong, "hand", 0)) from wrong
    for at, round_ in enumerate(rounds):
        following = rounds[at + 1] if at + 1 < len(rounds) else None
        try:
            hands.append(round_.read(following))
        except WRONG_FORM as wrong:
            raise LogError(at + 1) from wrong
    return OnlineGame(tuple(names[: rounds[0].players if rounds else SEATS]), tuple(hands))


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
        if word in ABORTS:
            return Abort(reason=ABORTS[word], riichi=riichi)
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
    return Win(seat=seat, han=han, fu=LEAST_FU.get(han, 0), yaku=yaku, pao=liable)


# ---------------------------------------------------------------- XML


def read_mjlog(root: Element) -> OnlineGame:
    """Read the XML of .mjlog. Raises LogError."""
    names: tuple[str, ...] = ()
    reds = True
    hands: list[OnlineHand] = []
    reading: _Xml | None = None
    try:
        for element in root:
            if element.tag == "UN" and not names and element.get("n1") is not None:
                names = tuple(unquote(element.get(f"n{seat}") or "") for seat in range(SEATS))
            elif element.tag == "GO":
                reds = not number(element.get("type") or 0) & NO_REDS
            elif element.tag == "INIT":
                hands += reading.hands() if reading else []
                reading = _Xml(element, reds=reds)
            elif reading:
                reading.take(element)
        hands += reading.hands() if reading else []
    except WRONG_FORM as wrong:
        raise LogError(len(hands) + 1) from wrong
    if not reading:
        return OnlineGame((), ())
    return OnlineGame(names[: reading.players], tuple(hands))


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
        melds = [self._meld(each, seat) for each in _listed(agari, "m")]
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
        return Win(seat=seat, hand=hand)

    def _tiles(self, ids: Iterable[int]) -> str:
        return "".join(tile(each, reds=self.reds) for each in ids)

    def _meld(self, code: int, seat: int) -> dict[str, Any] | None:
        """Return a meld as a hand has it; None for a kita."""
        kind, ids = meld(code)
        if kind == "kita":
            return None
        source = called_from(seat, (seat + (code & 3)) % SEATS, self.players) if code & 3 else None
        return {"kind": kind, "tiles": self._tiles(ids), "from": source}

    def _drawn(self, draw: Element) -> Entry:
        kind, riichi = draw.get("type"), tuple(self.riichi)
        if kind in ABORTS:
            return Abort(reason=ABORTS[kind], riichi=riichi)
        tenpai = tuple(seat for seat in range(self.players) if draw.get(f"hai{seat}"))
        if kind == "nm":
            paid = numbers(draw.attrib["sc"])[1::2]
            return Nagashi(
                winners=tuple(seat for seat in range(self.players) if paid[seat] > 0), tenpai=tenpai, riichi=riichi
            )
        return Draw(tenpai=tenpai, riichi=riichi)


def _listed(element: Element, name: str) -> tuple[int, ...]:
    return numbers(element.get(name)) if element.get(name) else ()


def tile(id_: int, *, reds: bool = True) -> str:
    """Write a tile that goes by a number of 136; of each five the first is the red one.

    >>> [tile(each) for each in (0, 16, 53, 132)], tile(16, reds=False)
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
