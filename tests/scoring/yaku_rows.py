"""Hands for every yaku and yakuman: some have it, closed or open, some just miss it, in some it gives way to another.

A row: the yaku; what the hand is to it; the hand line; all the yaku that are counted, in their order, `-` for none, or
the code with which the hand is refused. What each is worth, if anything, the book says: see test_yaku. Where no winds
are given they are East and East; then East is a double wind, and South, West and North are nobody's.
"""

# Tiles that three players have as well, and no call for a sequence: played under every book.
BOTH = """
riichi          | closed               | 123567p44478s99m6s r             | riichi
                | open                 | 123567p78s99m6s 444s r           | hand.not_together
                | nearly: silent       | 123567p44478s99m6s               | -
                | under double_riichi  | 123567p44478s99m6s rr            | double_riichi
                | under suuankou       | 333555p444777s22z r              | suuankou
double_riichi   | closed               | 123567p44478s99m6s rr            | double_riichi
                | with ippatsu         | 123567p44478s99m6s rr i          | double_riichi ippatsu
                | open                 | 123567p78s99m6s 444s rr          | hand.not_together
                | nearly: later        | 123567p44478s99m6s r             | riichi
ippatsu         | closed               | 123567p44478s99m6s r i           | riichi ippatsu
                | with chankan         | 123567p44478s99m6s r i chan      | riichi ippatsu chankan
                | open                 | 123567p78s99m6s 444s i           | hand.ippatsu_without_riichi
                | nearly: no riichi    | 123567p44478s99m6s i             | hand.ippatsu_without_riichi
                | nearly: own quad     | 123567p78s99m6s x4444s r i t rin | hand.not_together
menzen_tsumo    | closed               | 123567p44478s99m6s t             | menzen_tsumo
                | closed: a quad       | 123567p78s99m6s x4444s t         | menzen_tsumo
                | open                 | 123567p78s99m6s 444s t           | -
                | nearly: by ron       | 123567p44478s99m6s               | -
                | under suuankou       | 333555p44477s22z7s t             | suuankou
pinfu           | closed               | 123567p23478s99m6s               | pinfu
                | closed: guest wind   | 123567p23478s33z6s wES           | pinfu
                | closed: or kanchan   | 123567p34456s99m5s               | pinfu
                | with menzen_tsumo    | 123567p23478s99m6s t             | menzen_tsumo pinfu
                | with iipeikou        | 112233p23478s99m6s               | pinfu iipeikou
                | nearly: dragon pair  | 123567p23478s77z6s               | -
                | nearly: seat's pair  | 123567p23478s22z6s wES           | -
                | nearly: round's pair | 123567p23478s11z6s wES           | -
                | nearly: kanchan      | 123567p23468s99m7s               | -
                | nearly: penchan      | 123567p23489s99m7s               | -
                | nearly: tanki        | 123567p234678s99m                | -
                | nearly: a triplet    | 123567p44478s99m6s               | -
                | nearly: a quad       | 123567p78s99m6s x4444s           | -
iipeikou        | closed               | 112233p44478s99m6s               | iipeikou
                | closed: a quad       | 112233p78s99m6s x4444s           | iipeikou
                | open                 | 112233p78s99m6s 444s             | -
                | nearly: off by one   | 122334p44478s99m6s               | -
                | nearly: other suit   | 123p12344478s99m6s               | -
                | under ryanpeikou     | 112233p445566s99m                | ryanpeikou
tanyao          | closed               | 23456755p44478s6s                | tanyao
                | open                 | 23456755p78s6s 444s              | tanyao
                | nearly: a nine       | 23456755p44478s9s                | -
                | nearly: a wind       | 234567p44478s22z6s               | -
                | nearly: open, a nine | 23456755p78s9s 444s              | -
                | under suuankou       | 333555p444777s22s                | suuankou
haku            | closed               | 123567p78s99m555z6s              | haku
                | closed: by the ron   | 123567p678s99m55z5z              | haku
                | closed: a quad       | 123567p78s99m6s x5555z           | haku
                | open                 | 123567p78s99m6s 555z             | haku
                | open: added quad     | 123567p78s99m6s +5555z           | haku
                | nearly: a pair       | 123567p44478s55z6s               | -
                | nearly: open, a pair | 123567p78s55z6s 444s             | -
                | under daisangen      | 123p99s555666777z                | daisangen
hatsu           | closed               | 123567p78s99m666z6s              | hatsu
                | open                 | 123567p78s99m6s 666z             | hatsu
                | open: a quad         | 123567p78s99m6s 6666z            | hatsu
                | nearly: a pair       | 123567p44478s66z6s               | -
chun            | closed               | 123567p78s99m777z6s              | chun
                | open                 | 123567p78s99m6s 777z             | chun
                | with haku            | 123p78s99m6s 555z 777z           | haku chun
                | nearly: a pair       | 123567p44478s77z6s               | -
seat_wind       | closed               | 123567p78s99m222z6s wES          | seat_wind
                | open                 | 123567p78s99m6s 222z wES         | seat_wind
                | with round_wind      | 123567p78s99m6s 222z wSS         | seat_wind round_wind
                | nearly: another's    | 123567p78s99m222z6s wEW          | -
                | nearly: a pair       | 123567p44478s22z6s wES           | -
round_wind      | closed               | 123567p78s99m111z6s wES          | round_wind
                | open                 | 123567p78s99m6s 111z wES         | round_wind
                | with seat_wind       | 123567p78s99m111z6s              | seat_wind round_wind
                | nearly: last round's | 123567p78s99m111z6s wSW          | -
                | nearly: nobody's     | 123567p78s99m444z6s wES          | -
rinshan         | closed               | 123567p78s99m6s x4444s t rin     | menzen_tsumo rinshan
                | open                 | 123567p78s99m6s 4444s t rin      | rinshan
                | open: added quad     | 123567p78s99m6s +4444s t rin     | rinshan
                | nearly: a later draw | 123567p78s99m6s 4444s t          | -
                | nearly: no quad      | 123567p78s99m6s 444s t rin       | hand.rinshan_without_quad
                | nearly: by ron       | 123567p78s99m6s 4444s rin        | hand.not_together
                | nearly: last tile    | 123567p78s99m6s 4444s t rin hai  | hand.not_together
chankan         | closed               | 123567p44478s99m6s chan          | chankan
                | open                 | 123567p78s99m6s 444s chan        | chankan
                | nearly: a discard    | 123567p78s99m6s 444s             | -
                | nearly: by tsumo     | 123567p44478s99m6s t chan        | hand.not_together
                | nearly: holds one    | 123678p44478966s chan            | hand.chankan_of_own_tile
haitei          | closed               | 123567p44478s99m6s t hai         | menzen_tsumo haitei
                | open                 | 123567p78s99m6s 444s t hai       | haitei
                | nearly: by ron       | 123567p78s99m6s 444s hai         | hand.not_together
                | nearly: not the last | 123567p78s99m6s 444s t           | -
houtei          | closed               | 123567p44478s99m6s hou           | houtei
                | open                 | 123567p78s99m6s 444s hou         | houtei
                | nearly: by tsumo     | 123567p44478s99m6s t hou         | hand.not_together
                | nearly: chankan      | 123567p44478s99m6s hou chan      | hand.not_together
                | nearly: not the last | 123567p78s99m6s 444s             | -
chiitoitsu      | closed               | 1133p5577s99m1155z               | chiitoitsu
                | with tanyao          | 22446688p557733s                 | tanyao chiitoitsu
                | with honitsu         | 11335577p112255z                 | chiitoitsu honitsu
                | with honroutou       | 1199p1199s99m1155z               | chiitoitsu honroutou
                | with chinitsu        | 11224455778899p                  | chiitoitsu chinitsu
                | open                 | 1133p5577s115z 999m              | hand.not_winning
                | nearly: four equal   | 1111p5577s99m1155z               | hand.not_winning
                | nearly: a quad       | 33p5577s99m115z x1111p           | hand.not_winning
                | under ryanpeikou     | 112233p445566s99m                | ryanpeikou
                | under tsuuiisou      | 11223344556677z                  | tsuuiisou
sanshoku_doukou | closed               | 11m111p111567s99p1m              | sanshoku_doukou
                | with sanankou        | 111m111p111567s99p               | sanshoku_doukou sanankou
                | open                 | 111p111567s99p 111m              | sanshoku_doukou
                | open: quads          | 567s99p x1111p 1111s 111m        | sanshoku_doukou
                | nearly: 1, 1 and 9   | 11m111p999567s44p1m              | -
                | nearly: a pair       | 111p11567s999s 999m              | -
ittsu           | closed               | 123456789p444s99m                | ittsu
                | with honitsu         | 123456789p44433z wES             | ittsu honitsu
                | open                 | 123456789p99m 444s               | ittsu
                | nearly: two suits    | 123456p444789s99m                | -
                | nearly: 123 456 678  | 123456678p444s99m                | -
                | nearly: open         | 123456p789s99m 444s              | -
chanta          | closed               | 123789p123s333z99m wES           | chanta
                | open                 | 123789p123s99m 333z wES          | chanta
                | nearly: 234          | 123789p234s333z99m wES           | -
                | nearly: simple pair  | 123789p123s333z55p wES           | -
                | nearly: open, 234    | 123789p234s99m 333z wES          | -
                | under junchan        | 1113789p123s999m2p               | junchan
                | under honroutou      | 111p999s99m 111s 333z wES        | toitoi honroutou
                | under tsuuiisou      | 11122277z 555z 666z              | tsuuiisou
toitoi          | closed               | 333555p44477s22z7s               | toitoi sanankou
                | open                 | 333555p22z 444s 777s             | toitoi
                | open: quads          | 333p22z 4444s 777s +5555p        | toitoi
                | nearly: a sequence   | 333555p456s22z 777s              | -
                | under chiitoitsu     | 1199p1199s99m1155z               | chiitoitsu honroutou
                | under suuankou       | 333555p444777s22z                | suuankou
sanankou        | closed               | 333555p44478s99m6s               | sanankou
                | closed: by tsumo     | 333555p44678s99m4s t             | menzen_tsumo sanankou
                | closed: as sequence  | 333555p44456s99m4s               | sanankou
                | closed: a quad       | 333p44478s99m6s x5555p           | sanankou
                | open                 | 333555p444s99m 777s              | toitoi sanankou
                | nearly: by ron       | 333555p44678s99m4s               | -
                | nearly: added quad   | 333p44478s99m6s +5555p           | -
                | nearly: a called one | 333p44478s99m6s 555p             | -
                | under suuankou       | 333555p444777s22z                | suuankou
sankantsu       | closed               | 678s99m x1111p x3333p x4444s     | sanankou sankantsu
                | open                 | 678s99m 1111p 3333p +4444s       | sankantsu
                | nearly: two quads    | 678s99m 1111p 3333p 444s         | -
                | under suukantsu      | 22z 3333p 5555p +4444s 7777s     | toitoi suukantsu
shousangen      | closed               | 123p678s55566677z                | haku hatsu shousangen
                | open                 | 123p678s77z 555z 666z            | haku hatsu shousangen
                | nearly: another pair | 123p678s99m 555z 666z            | haku hatsu
                | nearly: three pairs  | 1122p3399s556677z                | chiitoitsu
                | under daisangen      | 123p99s 555z 666z 777z           | daisangen
honroutou       | closed               | 111p111999s33z99m3z wES          | toitoi sanankou honroutou
                | with chiitoitsu      | 1199p1199s99m1155z               | chiitoitsu honroutou
                | open                 | 111p999s99m 111s 333z wES        | toitoi honroutou
                | nearly: simple pair  | 111p999s55p 111s 333z wES        | toitoi
                | nearly: a sequence   | 123p999s99m 111s 333z wES        | chanta
                | under chinroutou     | 111999p99m 111s 999s             | chinroutou
                | under tsuuiisou      | 11122277z 555z 666z              | tsuuiisou
honitsu         | closed               | 123567888p44433z wES             | honitsu
                | open                 | 123567888p33z 444z wES           | honitsu
                | nearly: two suits    | 567888p123s44433z wES            | -
                | nearly: open         | 567888p33z 999s 444z wES         | -
                | under chinitsu       | 12344456788811p                  | chinitsu
                | under tsuuiisou      | 11122277z 555z 666z              | tsuuiisou
junchan         | closed               | 1113789p123s999m2p               | junchan
                | open                 | 1113789p123s2p 999m              | junchan
                | nearly: a wind       | 13789p123s33z999m2p wES          | chanta
                | nearly: 234          | 1113789p234s999m2p               | -
                | nearly: simple pair  | 12355789p123s999m                | -
                | under chinroutou     | 111999p99m 111s 999s             | chinroutou
ryanpeikou      | closed               | 112233p445566s99m                | ryanpeikou
                | with pinfu           | 112233p45566s99m4s               | pinfu ryanpeikou
                | with junchan         | 111122223333p99m                 | junchan ryanpeikou
                | nearly: off by one   | 112233p455667s99m                | iipeikou
                | nearly: six pairs    | 112233p445577s99m                | chiitoitsu
chinitsu        | closed               | 12344456788811p                  | chinitsu
                | open                 | 12344456711p 888p                | chinitsu
                | with ittsu           | 12345678944466p                  | ittsu chinitsu
                | nearly: an honour    | 123444567888p44z                 | honitsu
                | nearly: another suit | 123444567888p11s                 | -
                | under chuuren_poutou | 11123456789995p                  | chuuren_poutou
kokushi_musou   | closed               | 19m19p19s11234567z               | kokushi_musou
                | closed: 13 waits     | 19m19p19s12345677z               | kokushi_musou
                | closed: by tsumo     | 19m19p19s11234567z t             | kokushi_musou
                | closed: robs a quad  | 19m19p19s11234567z chan          | kokushi_musou
                | open                 | 19m19p19s12345z 777z             | hand.not_winning
                | nearly: one missing  | 199m19p19s1234566z               | hand.not_winning
                | nearly: two missing  | 1199m1199p1199s11z               | chiitoitsu honroutou
chuuren_poutou  | closed               | 11123456789995p                  | chuuren_poutou
                | closed: one wait     | 11123456788999p                  | chuuren_poutou
                | closed: a fourth one | 11123456789991s                  | chuuren_poutou
                | open                 | 23456789995p 111p                | chinitsu
                | nearly: 7 for 8      | 11123456779997p                  | chinitsu
                | nearly: two of 1     | 11234566789997p                  | chinitsu
                | nearly: a quad       | 23456789995p x1111p              | chinitsu
                | nearly: two suits    | 11123456789p999s                 | ittsu
tenhou          | closed               | 123567p44478s99m6s t first       | tenhou
                | open                 | 123567p78s99m6s 444s t first     | hand.not_together
                | nearly: South        | 123567p44478s99m6s t first wES   | chiihou
                | nearly: a quad       | 123567p78s99m6s x4444s t first   | hand.not_together
                | nearly: by ron       | 123567p44478s99m6s first         | hand.not_together
                | nearly: second turn  | 123567p44478s99m6s t             | menzen_tsumo
chiihou         | closed               | 123567p44478s99m6s t first wES   | chiihou
                | closed: of West      | 123567p44478s99m6s t first wEW   | chiihou
                | open                 | 123567p78s99m6s 444s t first wES | hand.not_together
                | nearly: East         | 123567p44478s99m6s t first       | tenhou
                | nearly: second turn  | 123567p44478s99m6s t wES         | menzen_tsumo
suuankou        | closed               | 333555p44477s22z7s t             | suuankou
                | closed: ron on tanki | 333555p444777s22z                | suuankou
                | closed: quads        | 333p444s22z x5555p x7777s        | suuankou
                | open                 | 333555p22z 444s 777s             | toitoi
                | nearly: on shanpon   | 333555p44477s22z7s               | toitoi sanankou
                | nearly: added quad   | 333p444777s22z +5555p            | toitoi sanankou
                | nearly: a sequence   | 333555p444678s22z t              | menzen_tsumo sanankou
suukantsu       | closed               | 22z x3333p x5555p x4444s x7777s  | suuankou suukantsu
                | open                 | 22z 3333p 5555p +4444s 7777s     | toitoi suukantsu
                | nearly: three quads  | 22z 3333p 5555p 4444s 777s       | toitoi sankantsu
ryuuiisou       | closed               | 223344666888s66z                 | ryuuiisou
                | closed: no dragon    | 22334444666888s                  | ryuuiisou
                | open                 | 22334488s 666s 666z              | ryuuiisou
                | nearly: red dragon   | 223344666888s77z                 | iipeikou honitsu
                | nearly: a five       | 222345666888s66z                 | sanankou honitsu
                | nearly: open, a five | 34566688s 222s 666z              | hatsu honitsu
chinroutou      | closed               | 111999p11199s99m9s               | chinroutou
                | with suuankou        | 111999p11199s99m9s t             | suuankou chinroutou
                | open                 | 111999p99m 111s 999s             | chinroutou
                | nearly: a wind       | 111999p11199s33z9s wES           | toitoi sanankou honroutou
                | nearly: a sequence   | 123999p99m 111s 999s             | junchan
tsuuiisou       | closed               | 11223344556677z                  | tsuuiisou
                | open                 | 11122277z 555z 666z              | tsuuiisou
                | nearly: a nine       | 99m222333z 555z 666z             | haku hatsu toitoi honroutou honitsu
daisangen       | closed               | 123p99s555666777z                | daisangen
                | open                 | 123p99s 555z 666z 777z           | daisangen
                | with tsuuiisou       | 11z 222z 555z 666z 777z          | tsuuiisou daisangen
                | nearly: a pair       | 123p678s77z 555z 666z            | haku hatsu shousangen
shousuushii     | closed               | 123p11122233344z                 | shousuushii
                | open                 | 123p44z 111z 222z 333z           | shousuushii
                | nearly: another pair | 123p99s 111z 222z 333z           | seat_wind round_wind chanta
                | nearly: two pairs    | 123789p44z 111z 222z wEW         | round_wind chanta honitsu
                | under daisuushii     | 99m 111z 222z 333z 444z          | daisuushii
daisuushii      | closed               | 99m111222333444z                 | daisuushii
                | with suuankou        | 99m111222333444z t               | suuankou daisuushii
                | open                 | 99m 111z 222z 333z 444z          | daisuushii
                | nearly: a pair       | 123p44z 111z 222z 333z           | shousuushii
daisharin       | closed               | 22334455667788p                  | pinfu tanyao ryanpeikou chinitsu daisharin
                | closed: of bamboos   | 22334455667788s                  | pinfu tanyao ryanpeikou chinitsu daisharin
                | nearly: 1 to 7       | 11223344556677p                  | pinfu ryanpeikou chinitsu
"""

# Characters in the middle, a North seat, called sequences: four players alone.
FOUR = """
pinfu           | closed              | 23467m345p67899s8m             | pinfu
                | open                | 567p23478s99m6s 123p           | -
                | nearly: own wind    | 23467m345p678s44z8m wEN        | -
iipeikou        | open                | 112233p78s99m6s 234m           | -
tanyao          | open                | 34567m345p55s8m 678s           | tanyao
                | nearly: 789 called  | 34567m345p55s8m 789s           | -
seat_wind       | closed: of North    | 123567p78s99m444z6s wEN        | seat_wind
                | open: of North      | 123567p78s99m6s 444z wEN       | seat_wind
sanshoku_doujun | closed              | 12399m123p12368s7s             | sanshoku_doujun
                | with iipeikou       | 112233m123p12399s              | iipeikou sanshoku_doujun junchan
                | with pinfu          | 234m23477p23467s8s             | pinfu tanyao sanshoku_doujun
                | open                | 99m123p12368s7s 123m           | sanshoku_doujun
                | nearly: off by one  | 23499m123p12368s7s             | -
                | nearly: two suits   | 123m123p99m45668s7s            | -
                | nearly: open        | 99m123p12368s7s 234m           | -
sanshoku_doukou | closed              | 44m444p444567s99p4m            | sanshoku_doukou
                | open                | 444p444s99p 444m 567s          | sanshoku_doukou
                | nearly: 4, 4 and 5  | 444p555s99p 444m 567s          | -
ittsu           | closed              | 123456789m444s99p              | ittsu
                | open                | 123456m99s 789m 444s           | ittsu
                | nearly: 789 circles | 123456m99s 789p 444s           | -
chanta          | open                | 123789p44z 123m 999s           | chanta
                | nearly: 234 called  | 123789p44z 234m 999s           | -
sanankou        | open                | 333555p444s99m 678s            | sanankou
junchan         | open                | 123789p11s 123m 999s           | junchan
                | nearly: 234 called  | 123789p11s 234m 999s           | -
honitsu         | closed              | 123567888m44433z wES           | honitsu
                | open                | 234789m55z 567m 222m           | honitsu
                | nearly: circles     | 234789m55z 567m 222p           | -
ryanpeikou      | open                | 112233p456s99m 456s            | -
chinitsu        | closed              | 12344456788811m                | chinitsu
                | open                | 23478999m 567m 222m            | chinitsu
                | nearly: circles     | 23478999m 567m 222p            | -
toitoi          | nearly: 456 called  | 333555p22z 456s 777s           | -
rinshan         | open                | 567p78s99m6s 123m 4444s t rin  | rinshan
chankan         | open                | 567p444s78s99m6s 123m chan     | chankan
haitei          | open                | 567p444s78s99m6s 123m t hai    | haitei
houtei          | open                | 567p444s78s99m6s 123m hou      | houtei
menzen_tsumo    | open                | 567p444s78s99m6s 123m t        | -
chuuren_poutou  | closed              | 11123456789995m                | chuuren_poutou
                | nearly: 123 called  | 11456789999m 123m              | ittsu chinitsu
chiihou         | closed: of North    | 123567p44478s99m6s t first wEN | chiihou
ryuuiisou       | open                | 22334488s 666s 234s            | ryuuiisou
daisharin       | open                | 22334455678p 678p              | tanyao chinitsu
                | closed: characters  | 22334455667788m                | pinfu tanyao ryanpeikou chinitsu daisharin
                | nearly: two suits   | 2233445566p7788m               | tanyao chiitoitsu
"""

# With Norths set aside, which touch no yaku (S0 North Winds): under books that have kita.
KITA = """
riichi         | kita                 | 123567p44478s99m6s r k1           | riichi
               | nearly: kita alone   | 123567p44478s99m6s k4             | -
double_riichi  | kita later           | 123567p44478s99m6s rr k1          | double_riichi
menzen_tsumo   | kita: stays closed   | 123567p44478s99m6s t k2           | menzen_tsumo
pinfu          | kita                 | 123567p23478s99m6s k3             | pinfu
               | kita: pair of North  | 123567p23478s44z6s k2 wES         | pinfu
tanyao         | kita is no honour    | 23456755p44478s6s k4              | tanyao
rinshan        | kita is replaced     | 123567p44478s99m6s t rin k1       | menzen_tsumo rinshan
               | kita: open           | 123567p78s99m6s 444s t rin k1     | rinshan
chankan        | nearly: off a kita   | 123567p444678s44z k1              | -
chiitoitsu     | kita                 | 1133p5577s99m1155z k1             | chiitoitsu
               | kita: pair of North  | 1133p5577s99m1144z k2             | chiitoitsu
chanta         | kita                 | 123789p123s333z99m wES k2         | chanta
toitoi         | kita                 | 333555p22z 444s 777s k4           | toitoi
sankantsu      | nearly: kita no quad | 678s99m 1111p 3333p 444s k4       | -
honroutou      | kita                 | 111p999s99m 111s 333z wES k1      | toitoi honroutou
honitsu        | kita                 | 123567888p44433z wES k1           | honitsu
junchan        | kita is no honour    | 1113789p123s999m2p k2             | junchan
chinitsu       | kita is no honour    | 12344456788811p k4                | chinitsu
round_wind     | nearly: North        | 123567p78s99m444z6s wES k1        | -
kokushi_musou  | kita                 | 19m19p19s11234567z k3             | kokushi_musou
chuuren_poutou | kita                 | 11123456789995p k1                | chuuren_poutou
tenhou         | nearly: kita before  | 123567p44478s99m6s t first k1     | hand.not_together
chiihou        | nearly: kita before  | 123567p44478s99m6s t first wES k1 | hand.not_together
suukantsu      | nearly: kita no quad | 22z 3333p 5555p 4444s 777s k4     | toitoi sankantsu
ryuuiisou      | kita is no honour    | 22334444666888s k4                | ryuuiisou
chinroutou     | kita is no honour    | 111999p99m 111s 999s k1           | chinroutou
shousuushii    | kita: pair of North  | 123p44z 111z 222z 333z k2         | shousuushii
               | nearly: no triplet   | 123p99s 111z 222z 333z k4         | seat_wind round_wind chanta
daisuushii     | nearly: a kita       | 123p99m 111z 222z 333z k4         | seat_wind round_wind chanta
"""

# Three triplets in a row may be read as three equal sequences, so these stand alone: sanrenkou of 2 han.
SANRENKOU = """
sanrenkou | closed             | 333444p678s99m555p        | sanrenkou
          | with sanankou      | 333444555p67s99m8s        | sanankou sanrenkou
          | open               | 333444p678s99m 555p       | sanrenkou
          | open: quads        | 678s99m x3333p 4444p 555p | sanrenkou
          | nearly: 3, 4 and 6 | 333444p678s99m 666p       | -
          | nearly: two suits  | 333444p678s99m 555s       | -
          | nearly: 8, 9 and 1 | 888999p678s99m 111p       | -
          | nearly: 8, 9, East | 123p888999s99m 111z wSS   | -
"""

# A ron before one's own first draw: what is counted where renhou is none, a mangan that stands alone, a yakuman.
RENHOU = """
no other yaku      | 123567p44478s99m6s first wES      | -        | renhou   | renhou
a cheaper hand     | 23456755p44478s6s first wES       | tanyao   | renhou   | renhou
a dearer hand      | 12344456788811p first wES         | chinitsu | chinitsu | renhou
dearer by dora     | 23456755p44478s6s first wES d4p3s | tanyao   | tanyao   | renhou
a yakuman          | 333555p444777s22z first wEW       | suuankou | suuankou | renhou suuankou
by tsumo           | 123567p44478s99m6s first wES t    | chiihou  | chiihou  | chiihou
of the second turn | 23456755p44478s6s wES             | tanyao   | tanyao   | tanyao
"""

# Several yakuman in one hand: how many there are.
SEVERAL = """
2 | 22z x3333p x5555p x4444s x7777s | suuankou suukantsu
2 | 11z 222z 555z 666z 777z         | tsuuiisou daisangen
2 | 19m19p19s11234567z t first      | tenhou kokushi_musou
2 | 11123456789995p t first wES     | chiihou chuuren_poutou
3 | 55z111222333444z t              | suuankou tsuuiisou daisuushii
3 | 66s x2222s x3333s x4444s x8888s | suuankou suukantsu ryuuiisou
4 | 55z x1111z x2222z x3333z x4444z | suuankou suukantsu tsuuiisou daisuushii
4 | 22z111555666777z t first        | tenhou suuankou tsuuiisou daisangen
"""
