# ruff: noqa: E501  (a row is a line, as in the books' own tables)
"""Tenhou, for four and for three: counted yakuman, West rounds, seat order on ties, nagashi that is a draw."""

from tests.scoring.books.ema import DRAWS as DRAWS_OF_FOUR
from tests.scoring.books.reading import BookTable
from tests.scoring.books.sanma import DRAWS as DRAWS_OF_THREE

DRAWS = "\n".join(
    row.replace("E25 3.4.2, S1 3.4.2", "manual: noten").replace("E25 3.3.10, S1 3.4.4", "manual: riichi")
    for row in DRAWS_OF_FOUR.splitlines()
)

TENHOU_YONMA = BookTable(
    key="tenhou-yonma",
    start=25_000,
    returns=30_000,
    uma=(20_000, 10_000, -10_000, -20_000),
    chombo=0,
    time=(0, 0),
    hands=DRAWS
    + """
ron   | manual: counters              | E1.1 | 2r3 330 | 0 3900+300 -3900-300 0 | E2.0
ron   | manual: no kiriage            | E1.0 | 2r3 430 | 0 7700 -7700 0 | E2.0
ron   | manual: counted yakuman       | E1.0 (25000 25000 32000 18000) | 2r3 13 | 0 32000 -32000 0 | E2.0
ron   | manual: yakuman add up        | E1.0 (15000 5000 70000 10000) | 2r3 y2 | 0 64000 -64000 0 | E2.0
tsumo | manual: counters              | E1.1 | 2t m    | -4000-100 8000+300 -2000-100 -2000-100 | E2.0
tsumo | manual: counters              | E1.1 | 1t m    | 12000+300 -4000-100 -4000-100 -4000-100 | E1.2
riichi tile | manual: riichi          | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 0 | E2.0
multiple ron | manual: counters and deposits to the first after the discarder | E1.2 s1 | 4r3 330+2 240/23 | 0 -1000+2600 -1000-3900-2600-600 3900+600+3000 | E2.0
multiple ron | manual: a dealer who wins stays | E1.0 | 4r3 330+1 230 | 2900 0 -3900-2900 3900 | E1.1
nagashi | manual: a draw that pays mangan; deposits stay, no counters | E1.1 s1 | n2 | -4000 8000 -2000 -2000 | E2.2 s1
nagashi | manual: the dealer's, in tenpai | E1.1 s1 | n1 d1   | 12000 -4000 -4000 -4000 | E1.2 s1
nagashi | manual: the dealer's, noten     | E1.1 s1 | n1      | 12000 -4000 -4000 -4000 | E2.2 s1
nagashi | manual: with riichi             | E1.1 s1 | n2 d3/3 | -4000 8000 -2000-1000 -2000 | E2.2 s2
nagashi | manual: each is paid            | E1.1 s1 | n23     | -8000 8000-2000 8000-2000 -4000 | E2.2 s1
abort   | manual: dealt again, one counter more | E3.1 s1 | ak  | 0 0 0 0 | E3.2 s1
abort   | manual: dealt again, deposits stay    | E3.1 s1 | ar/1234 | -1000 -1000 -1000 -1000 | E3.2 s5
stays   | manual: East wins     | S2.3 | 2r1 330 | -5800-900 5800+900 0 0 | S2.4
passes  | manual: another wins  | S2.3 | 1r2 330 | 3900+900 -3900-900 0 0 | S3.0
last hand | manual: agari-yame | S4.0 (20000 20000 25000 35000) | 4r1 130 | -1500 0 0 1500 | end
last hand | manual: tenpai-yame | S4.0 (20000 20000 25000 35000) | d4 | -1000 -1000 -1000 3000 | end
last hand | manual: not where another leads | S4.0 (40000 20000 5000 35000) | 4r3 130 | 0 0 -1500 1500 | S4.1
last hand | manual: not by an abortive draw | S4.0 (20000 20000 25000 35000) | ak | 0 0 0 0 | S4.1
last hand | manual: nobody has 30,000: West | S4.0 | d1 | 3000 -1000 -1000 -1000 | W1.1
last hand | manual: somebody has 30,000     | S4.0 | 2r1 340 | -5200 5200 0 0 | end
last hand | manual: West ends as soon as somebody has 30,000 | W1.0 | 1r2 330 | 5800 -5800 0 0 | end
last hand | manual: West plays on below it  | W1.0 | 1r2 230 | 2900 -2900 0 0 | W1.1
last hand | manual: no round after West     | W4.0 | d | 0 0 0 0 | end
below zero | manual: ends the game          | E1.0 | 2r1 y | -32000 32000 0 0 | end
below zero | manual: zero is not below      | E1.0 (12000 38000 25000 25000) | 2r1 h | -12000 12000 0 0 | E2.0
chombo | ours: dealt again | E2.1 s1 | c3/13 | 0 0 0 0 | E2.1 s1
liability | manual: tsumo | E1.1 (25000 25000 40000 10000) | 2t y p3 | 0 32000+300 -32000-300 0 | E2.0
liability | kobalab/tenhou-log: ron, half each; the liable player pays the counters | E1.1 | 2r4 y p3 | 0 32000+300 -16000-300 -16000 | E2.0
liability | RiichiEnv RULES: the whole hand | E1.0 (25000 20000 75000 0) | 2t y2 p3 | 0 64000 -64000 0 | E2.0
liability | RiichiEnv RULES: the whole hand, half each | E1.0 (25000 20000 40000 35000) | 2r4 y2 p3 | 0 64000 -32000 -32000 | E2.0
""",
    # return 30,000: 20,000 for the first on top of his uma; equal scores go by seat, the first East first
    ends="""
order   | manual: uma 10-20, 5,000 from each | 40000 30000 20000 10000 | 0 | 40000 30000 20000 10000 | 0 | 1 2 3 4 | 40000 10000 -10000 -20000 | 50000 10000 -20000 -40000
1=2     | manual: seat order | 35000 35000 20000 10000 | 0 | 35000 35000 20000 10000 | 0 | 1 2 3 4 | 40000 10000 -10000 -20000 | 45000 15000 -20000 -40000
1=2     | manual: seat order | 20000 30000 30000 20000 | 0 | 20000 30000 30000 20000 | 0 | 3 1 2 4 | -10000 40000 10000 -20000 | -20000 40000 10000 -30000
2=3     | manual: seat order | 25000 40000 10000 25000 | 0 | 25000 40000 10000 25000 | 0 | 2 1 4 3 | 10000 40000 -20000 -10000 | 5000 50000 -40000 -15000
3=4     | manual: seat order | 15000 30000 15000 40000 | 0 | 15000 30000 15000 40000 | 0 | 3 2 4 1 | -10000 10000 -20000 40000 | -25000 10000 -35000 50000
1=2 3=4 | manual: seat order | 15000 35000 15000 35000 | 0 | 15000 35000 15000 35000 | 0 | 3 1 4 2 | -10000 40000 -20000 10000 | -25000 45000 -35000 15000
1=2=3   | manual: seat order | 10000 30000 30000 30000 | 0 | 10000 30000 30000 30000 | 0 | 4 1 2 3 | -20000 40000 10000 -10000 | -40000 40000 10000 -10000
2=3=4   | manual: seat order | 20000 20000 40000 20000 | 0 | 20000 20000 40000 20000 | 0 | 2 3 1 4 | 10000 -10000 40000 -20000 | 0 -20000 50000 -30000
all     | manual: seat order | 25000 25000 25000 25000 | 0 | 25000 25000 25000 25000 | 0 | 1 2 3 4 | 40000 10000 -10000 -20000 | 35000 5000 -15000 -25000
deposits | manual: to the first | 20000 33000 30000 15000 | 2 | 20000 35000 30000 15000 | 0 | 3 1 2 4 | -10000 40000 10000 -20000 | -20000 45000 10000 -35000
deposits tied | manual: to the first by seat | 20000 30000 30000 19000 | 1 | 20000 31000 30000 19000 | 0 | 3 1 2 4 | -10000 40000 10000 -20000 | -20000 41000 10000 -31000
""",
    by_time=(("2r3 330/2", "d14/1"), (-14_500, 38_400, -30_400, 6500), 0),
    refused="""
manual: three ron are an abortive draw | E1.0 | 1r3 330+2 330+4 330 | win.triple_ron_aborts
""",
)

TENHOU_SANMA = BookTable(
    key="tenhou-sanma",
    start=35_000,
    returns=40_000,
    uma=(20_000, 0, -20_000),
    chombo=0,
    time=(0, 0),
    hands=DRAWS_OF_THREE.replace("S0: Noten Payments", "manual: noten")
    + """
ron   | manual: 200 a counter   | E1.1 | 2r3 330 | 0 3900+200 -3900-200 | E2.0
ron   | manual: no kiriage      | E1.0 | 2r3 430 | 0 7700 -7700 | E2.0
ron   | manual: counted yakuman | E1.0 | 2r3 13 | 0 32000 -32000 | E2.0
tsumo | manual: tsumo loss      | E1.1 | 2t m | -4000-100 6000+200 -2000-100 | E2.0
tsumo | manual: tsumo loss      | E1.1 | 1t m | 8000+200 -4000-100 -4000-100 | E1.2
riichi tile | manual: riichi    | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 | E2.0
multiple ron | manual: counters and deposits to the first after the discarder | E1.1 s2 | 3r1 330+2 m/23 | -8000-3900-200 -1000+8000+200+4000 -1000+3900 | E2.0
multiple ron | manual: a dealer who wins stays | E1.0 | 3r2 330+1 230 | 2900 -3900-2900 3900 | E1.1
nagashi | manual: a draw that pays mangan; deposits stay, no counters | E1.1 s1 | n2 | -4000 6000 -2000 | E2.2 s1
nagashi | manual: the dealer's, in tenpai | E1.1 s1 | n1 d1 | 8000 -4000 -4000 | E1.2 s1
nagashi | manual: with riichi  | E1.1 s1 | n2 d3/3 | -4000 6000 -2000-1000 | E2.2 s2
nagashi | manual: each is paid | E1.1 s1 | n23 | -8000 6000-2000 6000-2000 | E2.2 s1
abort   | manual: dealt again  | E3.1 s1 | ak | 0 0 0 | E3.2 s1
stays   | manual: East wins    | S2.3 | 2r1 330 | -5800-600 5800+600 0 | S2.4
passes  | manual: another wins | S2.3 | 1r2 330 | 3900+600 -3900-600 0 | S3.0
last hand | manual: agari-yame | S3.0 (33000 33000 39000) | 3r1 230 | -2900 0 2900 | end
last hand | manual: tenpai-yame | S3.0 (33000 33000 39000) | d3 | -1000 -1000 2000 | end
last hand | manual: the target is 40,000 | S3.0 (33000 34100 37900) | d3 | -1000 -1000 2000 | S3.1
last hand | manual: nobody has 40,000: West | S3.0 | 2r1 330 | -3900 3900 0 | W1.0
last hand | manual: somebody has 40,000     | S3.0 | 2r1 340 | -5200 5200 0 | end
last hand | manual: West ends as soon as somebody has 40,000 | W1.0 | 1r2 340 | 7700 -7700 0 | end
last hand | manual: no round after West | W3.0 | d | 0 0 0 | end
below zero | manual: ends the game | E1.0 (15900 39100 50000) | 2r1 b | -16000 16000 0 | end
below zero | manual: zero is not below | E1.0 (16000 39000 50000) | 2r1 b | -16000 16000 0 | E2.0
chombo | ours: dealt again | E2.1 s1 | c3/13 | 0 0 0 | E2.1 s1
liability | manual: tsumo, with tsumo loss | E1.1 | 2t y p3 | 0 24000+200 -24000-200 | E2.0
liability | kobalab/tenhou-log: ron, half each; the liable player pays the counters | E1.1 | 2r1 y p3 | -16000 32000+200 -16000-200 | E2.0
""",
    ends="""
order | manual: uma 20, 5,000 from each | 45000 35000 25000 | 0 | 45000 35000 25000 | 0 | 1 2 3 | 35000 0 -20000 | 40000 -5000 -35000
1=2   | manual: seat order | 25000 40000 40000 | 0 | 25000 40000 40000 | 0 | 3 1 2 | -20000 35000 0 | -35000 35000 0
2=3   | manual: seat order | 30000 45000 30000 | 0 | 30000 45000 30000 | 0 | 2 1 3 | 0 35000 -20000 | -10000 40000 -30000
all   | manual: seat order | 35000 35000 35000 | 0 | 35000 35000 35000 | 0 | 1 2 3 | 35000 0 -20000 | 30000 -5000 -25000
deposits | manual: to the first | 35000 44000 25000 | 1 | 35000 45000 25000 | 0 | 2 1 3 | 0 35000 -20000 | -5000 40000 -35000
deposits tied | manual: to the first by seat | 24000 40000 40000 | 1 | 24000 41000 40000 | 0 | 3 1 2 | -20000 35000 0 | -36000 36000 0
""",
    by_time=(("2r3 330/2", "d13/1"), (-5000, 32_900, -27_900), 0),
    refused="""
manual: four winds and four riichi need four players | E1.0 | aw | abort.not_in_rules
two opponents at most | E1.0 | 1r2 330+3 330+4 330 | seat.not_at_table
""",
)
