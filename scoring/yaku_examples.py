"""An example of each yaku that tiles alone make: what is drawn on the list of yaku, and what completes the hand."""

from dataclasses import dataclass

from scoring.hand import COPIES, Meld, WinningHand
from scoring.tiles import SOUTH, parse_tiles, write_tile


@dataclass(frozen=True, slots=True)
class Example:
    """Tiles that make a yaku, `called` groups before `tiles`; with the `rest` they are a hand of the second player.

    Four equal tiles of `called` are an ankan, three a pon. The last tile of all is the winning one.
    """

    tiles: str = ""
    rest: str = ""
    called: tuple[str, ...] = ()

    def hand(self, *, tsumo: bool = False) -> WinningHand:
        """Return the whole hand in the East round."""
        concealed = (*parse_tiles(self.tiles), *parse_tiles(self.rest))
        groups = [tuple(parse_tiles(text)) for text in self.called]
        melds = tuple(Meld("ankan" if len(tiles) == COPIES else "pon", tiles) for tiles in groups)
        return WinningHand(tiles=concealed, win=concealed[-1], tsumo=tsumo, melds=melds, seat_wind=SOUTH)

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The tiles to draw, group by group, as they lie."""
        return tuple(tuple(map(write_tile, parse_tiles(text))) for text in (*self.called, self.tiles) if text)


# of circles, bamboos and honours where possible, so that they can be had with three players as well
EXAMPLES = {
    "pinfu": Example("34p567p345s678s99s2p"),
    "iipeikou": Example("223344p", "678s999s11z"),
    "tanyao": Example("234p678p33s456s888s"),
    "haku": Example("555z", "234p567p678s99s"),
    "hatsu": Example("666z", "234p567p678s99s"),
    "chun": Example("777z", "234p567p678s99s"),
    "seat_wind": Example("222z", "234p567p678s99s"),
    "round_wind": Example("111z", "234p567p678s99s"),
    "chiitoitsu": Example("1133p5577s99s1133z"),
    "sanshoku_doujun": Example("456m456p456s", "789p22s"),
    "sanshoku_doukou": Example("111m111p111s", "456p99s"),
    "ittsu": Example("123456789p", "456s11z"),
    "chanta": Example("123p789p123s111z99s"),
    "toitoi": Example("555p333z", "99s", ("222p", "888s")),
    "sanankou": Example("222p555p888s", "234s11z"),
    "sankantsu": Example("", "234s11z", ("2222p", "5555p", "8888s")),
    "shousangen": Example("555z666z77z", "234p567s"),
    "honroutou": Example("999s222z555z11s", "", ("111p",)),
    "sanrenkou": Example("444555666p", "234s11z"),
    "honitsu": Example("123p345p678p111z55z"),
    "junchan": Example("123p789p123s789s99p"),
    "ryanpeikou": Example("223344p667788s", "99s"),
    "chinitsu": Example("12223345567888p"),
    "kokushi_musou": Example("19m19p19s12345677z"),
    "chuuren_poutou": Example("1112345678999p5p"),
    "suuankou": Example("222p555p888s333z", "99s"),
    "suukantsu": Example("", "55z", ("1111p", "5555p", "9999s", "2222z")),
    "ryuuiisou": Example("223344s666s888s66z"),
    "chinroutou": Example("999p111s999s11m", "", ("111p",)),
    "tsuuiisou": Example("222z555z666z33z", "", ("111z",)),
    "daisangen": Example("555z666z777z", "234p99s"),
    "shousuushii": Example("111z222z333z44z", "234p"),
    "daisuushii": Example("111z222z333z444z", "99s"),
    "daisharin": Example("22334455667788p"),
}
