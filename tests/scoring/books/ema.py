# ruff: noqa: E501  (a row is a line, as in the books' own tables)
"""EMA, four players: the 2025 edition (E25) and the 2016 edition (S1, E16n), in which a few things differ."""

from tests.scoring.books.reading import BookTable

# pool of 3,000 (E25 3.4.2, S1 3.4.2); the dealer stays in tenpai and a counter comes either way (E25 3.4.4, 3.4.5)
DRAWS = """
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d     |     0     0     0     0 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d1    |  3000 -1000 -1000 -1000 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d2    | -1000  3000 -1000 -1000 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d3    | -1000 -1000  3000 -1000 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d4    | -1000 -1000 -1000  3000 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d12   |  1500  1500 -1500 -1500 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d13   |  1500 -1500  1500 -1500 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d14   |  1500 -1500 -1500  1500 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d23   | -1500  1500  1500 -1500 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d24   | -1500  1500 -1500  1500 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d34   | -1500 -1500  1500  1500 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d123  |  1000  1000  1000 -3000 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d124  |  1000  1000 -3000  1000 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d134  |  1000 -3000  1000  1000 | E1.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d234  | -3000  1000  1000  1000 | E2.1
draw | E25 3.4.2, S1 3.4.2 | E1.0 | d1234 |     0     0     0     0 | E1.1
draw | E25 3.3.10, S1 3.4.4: deposits stay | E3.1 s1 | d13/13 | 1500-1000 -1500 1500-1000 -1500 | E3.2 s3
"""
# both editions
COMMON = (
    DRAWS
    + """
ron   | E25 4.1.2          | E1.0    | 2r3 330   | 0 3900 -3900 0                      | E2.0
ron   | E25 4.1.2          | E1.0    | 1r3 330   | 5800 0 -5800 0                      | E1.1
ron   | E25 3.4.4: 300 a counter | E2.2 s1 | 1r4 240/1 | -1000+2600+600+2000 0 0 -2600-600 | E3.0
ron   | E25 4.1.2: 11 han and more are a sanbaiman | E1.0 | 2r3 13 | 0 24000 -24000 0   | E2.0
tsumo | E25 4.1.2, 3.4.4   | E1.1    | 2t m      | -4000-100 8000+300 -2000-100 -2000-100 | E2.0
tsumo | E25 4.1.2, 3.4.4   | E1.1    | 1t m      | 12000+300 -4000-100 -4000-100 -4000-100 | E1.2
tsumo | E25 4.2.1: pinfu, 20 fu | E1.0 | 3t 220  | -700 -400 1500 -400                  | E2.0
tsumo | E25 4.2, 4.2.6: yakuman | E1.0 s1 | 1t y/2 | 48000+2000 -16000-1000 -16000 -16000 | E1.1
riichi tile | E25 3.3.10, S1 3.3.14: the discarder's deposit goes back | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 0 | E2.0
riichi tile | E25 3.3.10, S1 3.3.14: and so it is typed | E1.0 s1 | 2r3 330/13b | -1000 3900+2000 -3900 0 | E2.0
stays  | E25 3.4.5: East wins               | S2.3 | 2r1 330 | -5800-900 5800+900 0 0    | S2.4
stays  | E25 3.4.5: East in tenpai          | S2.3 | d2      | -1000 3000 -1000 -1000     | S2.4
passes | E25 3.4.5, 3.4.4: another wins     | S2.3 | 1r2 330 | 3900+900 -3900-900 0 0     | S3.0
passes | E25 3.4.5, 3.4.4: East noten       | E4.3 | d1      | 3000 -1000 -1000 -1000     | S1.4
last hand | E25 3.5: East who wins plays on | S4.0 | 4t 230 | -1000 -1000 -1000 3000 | S4.1
last hand | E25 3.5: and so in tenpai       | S4.0 | d4     | -1000 -1000 -1000 3000 | S4.1
last hand | E25 3.5: noten East ends it     | S4.0 | d      | 0 0 0 0                | end
last hand | E25 3.5: no West round          | S4.0 | 2r3 230 | 0 2000 -2000 0        | end
below zero | E25 3.7, 4.1.4: play goes on   | E1.0 | 2r1 y  | -32000 32000 0 0       | E2.0
chombo | E25 3.4.6, S1 3.4: this hand's deposits go back, older ones stay | E2.1 s1 | c3/13 | 0 0 0 0 | E2.1 s1
liability | E25 3.3.7, S1 3.3.9: tsumo, the whole hand       | E1.1 | 2t y p3  | 0 32000+300 -32000-300 0 | E2.0
liability | E25 3.3.7, S1 3.3.9: ron, half each; the discarder pays the counters | E1.1 | 2r4 y p3 | 0 32000+300 -16000 -16000-300 | E2.0
"""
)
REFUSED = """
E16n, E25 4.2: nagashi mangan is not played | E1.0 | n2 | nagashi.not_in_rules
E25 3.4, S1 3.4.3: no abortive draws | E1.0 | ak | abort.not_in_rules
E25 3.3.5, S1 3.3.10: after the fourth kan play goes on | E1.0 | aq | abort.not_in_rules
E25 3.4, S1 3.4.3: no abortive draws | E1.0 | ar/1234 | abort.not_in_rules
"""
# tied places share their uma (E25 3.7.1); deposits left go to the first, split on a tie, decimals dropped (E25 3.7)
ENDS = """
order   | E25 3.7.1 | 40000 33000 27000 20000 | 0 | 40000 33000 27000 20000 | 0 | 1 2 3 4 | 15000 5000 -5000 -15000 | 25000 8000 -8000 -25000
order   | E25 3.7.1 | 20000 27000 40000 33000 | 0 | 20000 27000 40000 33000 | 0 | 4 3 1 2 | -15000 -5000 15000 5000 | -25000 -8000 25000 8000
1=2     | E25 3.7.1 | 35000 35000 30000 20000 | 0 | 35000 35000 30000 20000 | 0 | 1 1 3 4 | 10000 10000 -5000 -15000 | 15000 15000 -5000 -25000
2=3     | E25 3.7.1 | 40000 30000 30000 20000 | 0 | 40000 30000 30000 20000 | 0 | 1 2 2 4 | 15000 0 0 -15000 | 25000 0 0 -25000
3=4     | E25 3.7.1 | 40000 30000 25000 25000 | 0 | 40000 30000 25000 25000 | 0 | 1 2 3 3 | 15000 5000 -10000 -10000 | 25000 5000 -15000 -15000
1=2 3=4 | E25 3.7.1 | 35000 25000 35000 25000 | 0 | 35000 25000 35000 25000 | 0 | 1 3 1 3 | 10000 -10000 10000 -10000 | 15000 -15000 15000 -15000
1=2=3   | E25 3.7.1 | 32000 32000 24000 32000 | 0 | 32000 32000 24000 32000 | 0 | 1 1 4 1 | 5000 5000 -15000 5000 | 7000 7000 -21000 7000
2=3=4   | E25 3.7.1 | 28000 36000 28000 28000 | 0 | 28000 36000 28000 28000 | 0 | 2 1 2 2 | -5000 15000 -5000 -5000 | -7000 21000 -7000 -7000
all     | E25 3.7.1 | 30000 30000 30000 30000 | 0 | 30000 30000 30000 30000 | 0 | 1 1 1 1 | 0 0 0 0 | 0 0 0 0
deposits | E25 3.7 | 39000 33000 27000 20000 | 1 | 40000 33000 27000 20000 | 0 | 1 2 3 4 | 15000 5000 -5000 -15000 | 25000 8000 -8000 -25000
deposits tied | E25 3.7 | 35000 35000 29000 20000 | 1 | 35500 35500 29000 20000 | 0 | 1 1 3 4 | 10000 10000 -5000 -15000 | 15500 15500 -6000 -25000
deposits tied | E25 3.7: 333 each | 33000 20000 33000 33000 | 1 | 33333 20000 33333 33333 | 1 | 1 4 1 1 | 5000 -15000 5000 5000 | 8333 -25000 8333 8333
"""
# 2 wins 3,900 with riichi; 1 (in riichi) and 4 are tenpai, East (2) is not: 30,500 32,400 24,600 31,500, one deposit for 2
BY_TIME = (("2r3 330/2", "d14/1"), (-4500, 18_400, -20_400, 6500), 0)

EMA_2025 = BookTable(
    key="ema-2025",
    start=30_000,
    returns=30_000,
    uma=(15_000, 5000, -5000, -15_000),
    chombo=20_000,
    time=(75, 1),
    hands=COMMON
    + """
ron | E25 4.1.2, 4.1.3: kiriage | E1.0 | 2r3 430 | 0 8000 -8000 0 | E2.0
ron | E25 4.1.2, 4.1.3: kiriage | E1.0 | 1r3 360 | 12000 0 -12000 0 | E1.1
multiple ron | E25 3.4.4, 3.3.10: counters to each, own deposits back, the others to the first after the discarder | E1.2 s1 | 4r3 330+2 240/23 | 0 -1000+2600+600+1000 -1000-3900-2600-1200 3900+600+2000 | E2.0
multiple ron | E25 3.4.4, 3.3.10, 3.4.5: three, East among them | E1.1 s1 | 1r3 330+2 330+4 330/123 | -1000+5800+300+1000 -1000+3900+300+1000 -1000-5800-3900-3900-900 3900+300+2000 | E1.2
multiple ron | E25 3.4.5: East among the winners stays | S4.0 | 4r1 230+2 230 | -2900-2000 2000 0 2900 | S4.1
""",
    ends=ENDS,
    by_time=BY_TIME,
    refused=REFUSED,
)
EMA_2016 = BookTable(
    key="ema-2016",
    start=30_000,
    returns=30_000,
    uma=(15_000, 5000, -5000, -15_000),
    chombo=20_000,
    time=(75, 1),
    hands=COMMON
    + """
ron | E25 revision notes: no kiriage in 2016 | E1.0 | 2r3 430 | 0 7700 -7700 0 | E2.0
ron | E25 revision notes: no kiriage in 2016 | E1.0 | 1r3 360 | 11600 0 -11600 0 | E1.1
multiple ron | S1 3.3.14: all deposits to the first after the discarder | E1.2 s1 | 4r3 330+2 240/23 | 0 -1000+2600+600 -1000-3900-2600-1200 3900+600+3000 | E2.0
multiple ron | S1 3.3.14: three, East among them | E1.1 s1 | 1r3 330+2 330+4 330/123 | -1000+5800+300 -1000+3900+300 -1000-5800-3900-3900-900 3900+300+4000 | E1.2
multiple ron | E25 3.4.5: East among the winners stays | S4.0 | 4r1 230+2 230 | -2900-2000 2000 0 2900 | S4.1
""",
    ends=ENDS,
    by_time=BY_TIME,
    refused=REFUSED,
)
