"""Hands of which the five sources speak, each worked by hand: statements.toml names the row that shows a statement.

A row: the statement's name, the hand line, and han and fu (`y1` a yakuman) with the yaku, or the code with which the
hand is refused. An empty name stands for the one above it.
"""

import pytest

from rules.books import load
from tests.scoring.hand_table import counted, refused, rows_of
from tests.table_test import tabled

# SanMatsuri 2026
S0 = """
each kita is a han            | 123567p78s99m6s 777z k1            | 2/30 chun
                              | 123567p78s99m6s 777z k3            | 4/30 chun
kita is no yaku               | 123567p44478s99m6s k2              | hand.no_yaku
kita counts again as dora     | 123567p78s99m6s 777z k2 d3z        | 5/30 chun
kita counts again as ura      | 123567p44478s99m6s r k1 d1z u3z    | 3/40 riichi
kita ends ippatsu             | 123567p44478s99m6s r i t rin k1    | hand.not_together
kita and double riichi        | 123567p44478s99m6s rr i k1         | hand.double_riichi_ippatsu
                              | 123567p44478s99m6s rr k1           | 3/40 double_riichi
kita ends chiihou             | 123567p44478s99m6s t first wES     | y1 chiihou
                              | 123567p44478s99m6s t first k1 wES  | hand.not_together
kita ends tenhou and renhou   | 123567p44478s99m6s t first k1      | hand.not_together
                              | 123567p44478s99m6s first k1 wES    | hand.not_together
ron on a kita, no chankan     | 123567p444678s4z4z r               | 1/40 riichi
                              | 123567p444678s4z4z r chan          | hand.chankan_of_own_tile
rinshan after kita            | 123567p44478s99m6s t rin k1        | 3/30 menzen_tsumo rinshan
kita is outside the hand      | 23456755p44478s6s k4               | 5/40 tanyao
                              | 12344456788811p k4                 | 10/40 chinitsu
                              | 123p99m 111z 222z 333z k1          | 4/40 seat_wind round_wind chanta
kita in riichi                | 123567p44478s99m6s r k1            | 2/40 riichi
no kita on the last tile      | 123567p44478s99m6s t rin hai k1    | hand.not_together
no chii                       | 567p78s99m6s 777z 123p             | hand.chii_not_in_rules
no characters from 2 to 8     | 123567p78s22m6s 777z               | hand.not_in_set
                              | 123567p78s88m6s 777z               | hand.not_in_set
1m points to 9m, 9m to 1m     | 123567p78s99m6s 777z d1m           | 3/30 chun
                              | 123567p78s11m6s 777z d9m           | 3/30 chun
a red 5p and a red 5s         | 123067p46s99m0s 777z               | 3/30 chun
                              | 123567p78s09m6s 777z               | hand.not_in_set
"""
# EMA, excerpt of the 2016 edition
S1 = """
a win needs a yaku            | 123567p44478s99m6s                 | hand.no_yaku
                              | 123567p44478s99m6s t               | 1/30 menzen_tsumo
ippatsu, broken by a quad     | 123567p44478s99m6s r i             | 2/40 riichi ippatsu
                              | 123567p78s99m6s x4444s r i t rin   | hand.not_together
ura are for riichi            | 123567p44478s99m6s r d9p u2p3s     | 6/40 riichi
                              | 123567p78s99m6s 777z d9p u2p       | hand.ura_without_riichi
a replacement as last tile    | 123567p78s99m6s x4444s t rin hai   | hand.not_together
"""
# Rakkii Nomi 2026
S2 = """
one red five of each suit     | 340m340p340s555z99p                | 6/40 haku sanshoku_doujun
                              | 340m340p300s555z9p9p               | hand.too_many_reds
orphans rob a closed quad     | 19m19p19s11234567z chan            | y1 kokushi_musou
"""
# McGill
S3 = """
no characters from 2 to 8     | 123567p78s55m6s 777z               | hand.not_in_set
orphans and all terminals     | 19m19p19s11234567z                 | y1 kokushi_musou
                              | 111999p99m 111s 999s               | y1 chinroutou
no North seat                 | 123567p78s99m6s 777z wEN           | hand.no_north_seat
no West round                 | 123567p78s99m6s 777z wWE           | hand.round_not_played
a han, and no yaku            | 123567p78s99m6s 777z k1            | 2/30 chun
                              | 123567p44478s99m6s k4              | hand.no_yaku
the hand stays closed         | 123567p44478s99m6s t k2            | 3/30 menzen_tsumo
a North drawn in riichi       | 123567p44478s99m6s r k1            | 2/40 riichi
ron on a kita, no chankan     | 123567p444678s4z4z r               | 1/40 riichi
                              | 123567p444678s4z4z r chan          | hand.chankan_of_own_tile
West makes each worth two     | 123567p78s99m6s 777z k2 d3z        | 5/30 chun
a kita ends ippatsu           | 123567p44478s99m6s r i t rin k1    | hand.not_together
an own kita in the first turn | 123567p44478s99m6s rr i k1         | hand.double_riichi_ippatsu
                              | 123567p44478s99m6s t first k1 wES  | hand.not_together
rinshan after kita            | 123567p44478s99m6s t rin k1        | 3/30 menzen_tsumo rinshan
no open chii                  | 567p78s99m6s 777z 123p             | hand.chii_not_in_rules
regular yaku                  | 123456789p444s99m                  | 2/40 ittsu
                              | 123456789p99m 444s                 | 1/30 ittsu
                              | 333555p22z 444s 777s               | 2/40 toitoi
North is no yakuhai           | 123567p78s99m6s 444z               | hand.no_yaku
a chii is closed, or wins     | 123p567p78s99m6s 777z              | 1/30 chun
pon and kan are open or not   | 123p78s99m6s 777z 5555p            | 1/40 chun
                              | 123p78s99m6s 777z x5555p           | 1/40 chun
"""
# The sanma rule book
S4 = """
no chii                       | 567p78s99m6s 777z 123p             | hand.chii_not_in_rules
a set of a dragon             | 123567p78s99m6s 555z               | 1/30 haku
                              | 123567p78s99m6s 666z               | 1/30 hatsu
iipeikou is closed            | 223344p44478s99m6s                 | 1/40 iipeikou
                              | 223344p78s99m6s 444s               | hand.no_yaku
four sets and a head          | 123567p78s99m6s 777z               | 1/30 chun
                              | 123567p78s9m56s 777z               | hand.not_winning
three indicators alike        | 123567p78s99m6s 777z d9p9p9p       | 4/30 chun
four indicators alike         | 123567p78s99m6s 777z d9p9p9p9p     | 5/30 chun
the next wind, the next dragon | 123567p78s99m6s 222z d1z wSS      | 5/30 seat_wind round_wind
                              | 123567p78s99m6s 777z d6z           | 4/30 chun
                              | 123567p78s99m6s 555z d7z           | 4/30 haku
ura under each indicator      | 123567p44478s99m6s r d9p u2p3s     | 6/40 riichi
                              | 123567p78s99m6s 777z d9p u2p       | hand.ura_without_riichi
ura of a kan                  | 123567p78s99m6s x4444s r d9p9p u2p3s | 8/50 riichi
a kita and ippatsu            | 123567p44478s99m6s r i t rin k1    | hand.not_together
pinfu: what its head may be   | 123567p23478s22z6s wES             | hand.no_yaku
                              | 123567p23478s55z6s wES             | hand.no_yaku
                              | 123567p23478s33z6s wES             | 1/30 pinfu
pinfu: two tiles at the ends  | 123567p23468s99m7s r               | 1/40 riichi
                              | 123567p23412s99m3s r               | 1/40 riichi
                              | 123567p234678s9m9m r               | 1/40 riichi
a kan in riichi               | 123567p78s99m6s x4444s r           | 1/50 riichi
menzen tsumo is closed        | 123567p78s99m6s 444s t             | hand.no_yaku
ippatsu needs riichi          | 123567p44478s99m6s i               | hand.ippatsu_without_riichi
haitei by tsumo, houtei by ron | 123567p44478s99m6s hai            | hand.not_together
                              | 123567p44478s99m6s t hou           | hand.not_together
rinshan by tsumo alone        | 123567p78s99m6s x4444s rin         | hand.not_together
tanyao is of 2 to 8           | 23456755p44468s7s                  | 1/40 tanyao
                              | 23456755p44479s8s                  | hand.no_yaku
no characters from 2 to 8     | 123567p78s55m6s 777z               | hand.not_in_set
North is no seat              | 123567p78s99m6s 777z wEN           | hand.no_north_seat
North is no yakuhai           | 123567p78s99m6s 444z               | hand.no_yaku
a double wind counts twice    | 123567p78s99m6s 222z wSS           | 2/30 seat_wind round_wind
                              | 123567p78s99m6s 333z wWW           | 2/30 seat_wind round_wind
1m points to 9m               | 123567p78s99m6s 777z d1m           | 3/30 chun
an indicator twice            | 123567p78s99m6s 777z d9p9p         | 3/30 chun
kita and dora                 | 123567p78s99m6s 777z k1 d3z        | 3/30 chun
closed after a kita           | 123567p44478s99m6s r k1            | 2/40 riichi
an own kita in the first turn | 123567p44478s99m6s rr i k1         | hand.double_riichi_ippatsu
rinshan after kita            | 123567p44478s99m6s t rin k1        | 3/30 menzen_tsumo rinshan
ron on a kita, no chankan     | 123567p444678s4z4z r               | 1/40 riichi
                              | 123567p444678s4z4z r chan          | hand.chankan_of_own_tile
an added quad robbed          | 123567p44478s99m6s chan            | 1/40 chankan
orphans rob a closed quad     | 19m19p19s11234567z chan            | y1 kokushi_musou
a ron needs a yaku            | 123567p44478s99m6s                 | hand.no_yaku
an open hand loses one han    | 23456755p78s6s 444s                | hand.no_yaku
                              | 123567p78s99m6s 4444s t rin        | hand.no_yaku
                              | 123567p78s99m6s 444s t hai         | hand.no_yaku
                              | 123567p78s99m6s 444s hou           | hand.no_yaku
                              | 123567p78s99m6s 444s chan          | hand.no_yaku
what an open hand may have    | 123567p78s99m6s 777z               | 1/30 chun
                              | 333555p22z 444s 777s               | 2/40 toitoi
menzen tsumo                  | 123567p44478s99m6s t               | 1/30 menzen_tsumo
riichi                        | 123567p44478s99m6s r               | 1/40 riichi
ippatsu                       | 123567p44478s99m6s r i             | 2/40 riichi ippatsu
haitei and houtei             | 123567p44478s99m6s t hai           | 2/30 menzen_tsumo haitei
                              | 123567p44478s99m6s hou             | 1/40 houtei
rinshan                       | 123567p78s99m6s x4444s t rin       | 2/40 menzen_tsumo rinshan
pinfu by ron                  | 123567p23478s99m6s                 | 1/30 pinfu
pinfu by tsumo                | 123567p23478s99m6s t               | 2/20 menzen_tsumo pinfu
chanta                        | 123789p123s333z99m wES             | 2/40 chanta
                              | 123789p123s99m 333z wES            | 1/30 chanta
seven different pairs         | 1133p5577s99m1155z                 | 2/25 chiitoitsu
                              | 1111p5577s99m1155z                 | hand.not_winning
double riichi                 | 123567p44478s99m6s rr              | 2/40 double_riichi
                              | 123567p78s99m6s x4444s rr i        | hand.double_riichi_ippatsu
ittsu                         | 123456789p444s99m                  | 2/40 ittsu
                              | 123456789p99m 444s                 | 1/30 ittsu
sanankou                      | 333555p44478s99m6s                 | 2/50 sanankou
sankantsu                     | 678s99m 1111p 3333p +4444s         | 2/60 sankantsu
sanrenkou                     | 333p444p678s99m 555p               | 2/40 sanrenkou
toitoi                        | 333555p22z 444s 777s               | 2/40 toitoi
shousangen and its dragons    | 123p678s77z 555z 666z              | 4/40 haku hatsu shousangen
honroutou                     | 111p999s99m 111s 333z wES          | 4/50 toitoi honroutou
honitsu                       | 123567888p44433z wES               | 3/50 honitsu
                              | 123567888p33z 444z wES             | 2/30 honitsu
junchan                       | 12789p11789s999m3p                 | 3/40 junchan
                              | 12789p11789s3p 999m                | 2/30 junchan
ryanpeikou, no iipeikou       | 112233p445566s99m                  | 3/40 ryanpeikou
chinitsu                      | 12344456788811p                    | 6/40 chinitsu
                              | 12344456711p 888p                  | 5/30 chinitsu
chiihou, no closed quad       | 123567p44478s99m6s t first wES     | y1 chiihou
                              | 123567p78s99m6s x4444s t first wES | hand.not_together
tenhou, no closed quad        | 123567p44478s99m6s t first         | y1 tenhou
                              | 123567p78s99m6s x4444s t first     | hand.not_together
chinroutou                    | 111999p99m 111s 999s               | y1 chinroutou
chuuren                       | 11123456789995p                    | y1 chuuren_poutou
daisangen                     | 123p99s 555z 666z 777z             | y1 daisangen
shousuushii and daisuushii    | 123p44z 111z 222z 333z             | y1 shousuushii
                              | 99m 111z 222z 333z 444z            | y1 daisuushii
kokushi                       | 19m19p19s11234567z                 | y1 kokushi_musou
ryuuiisou                     | 22334488s 666s 666z                | y1 ryuuiisou
suuankou, ron on the pair     | 333555p444777s22z                  | y1 suuankou
                              | 333555p44477s22z7s                 | 4/50 toitoi sanankou
tsuuiisou                     | 11122277z 555z 666z                | y1 tsuuiisou
suukantsu                     | 22z 3333p 5555p +4444s 7777s       | y1 suukantsu
no renhou unless agreed       | 123567p44478s99m6s first wES       | hand.no_yaku
no daisharin unless agreed    | 22334455667788p                    | 11/30 pinfu tanyao ryanpeikou chinitsu
"""
BOOKS = {"sanmatsuri-2026": S0, "ema-2016": S1, "rakkii-nomi-2026": S2, "mcgill-sanma": S3, "sanma-rule-book": S4}


def told(key: str, line: str) -> str:
    """Return what a hand is worth, with its yaku, or the code with which it is refused."""
    code = refused(line, load(key))
    if code:
        return code
    count = counted(line, load(key))
    worth = f"y{count.yakuman}" if count.yakuman else f"{count.han}/{count.fu}"
    return " ".join([worth, *(name for name, _ in count.yaku)])


@pytest.mark.states("hand")
@tabled("key, row", [(key, row) for key, table in BOOKS.items() for row in rows_of(table)])
def test_a_hand_of_a_source(key: str, row: list[str]) -> None:
    name, line, value = row
    assert (name, told(key, line)) == (name, value)
