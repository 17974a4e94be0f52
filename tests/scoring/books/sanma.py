# ruff: noqa: E501  (a row is a line, as in the books' own tables)
"""Three players: SanMatsuri 2026 (S0 on E25), McGill (S3 on regular riichi), the sanma rule book (S4)."""

from tests.scoring.books.reading import BookTable

# pool of 2,000 (S0: Noten Payments; S4 11); a dealer in tenpai stays
DRAWS = """
draw | S0: Noten Payments | E1.0 | d    |     0     0     0 | E2.1
draw | S0: Noten Payments | E1.0 | d1   |  2000 -1000 -1000 | E1.1
draw | S0: Noten Payments | E1.0 | d2   | -1000  2000 -1000 | E2.1
draw | S0: Noten Payments | E1.0 | d3   | -1000 -1000  2000 | E2.1
draw | S0: Noten Payments | E1.0 | d12  |  1000  1000 -2000 | E1.1
draw | S0: Noten Payments | E1.0 | d13  |  1000 -2000  1000 | E1.1
draw | S0: Noten Payments | E1.0 | d23  | -2000  1000  1000 | E2.1
draw | S0: Noten Payments | E1.0 | d123 |     0     0     0 | E1.1
draw | deposits stay      | E3.1 s1 | d13/13 | 1000-1000 -2000 1000-1000 | E3.2 s3
"""
# in all three a tsumo loses the missing North's share (S0: Tsumo Scoring; S3; S4 9.1)
COMMON = """
ron   | the values of four players | E1.0 | 2r3 330 | 0 3900 -3900 | E2.0
ron   | the values of four players | E1.0 | 1r2 m   | 12000 -12000 0 | E1.1
tsumo | S0: Tsumo Scoring, printed: 1,000 and 2,000 | E1.0 | 2t 330 | -2000 3000 -1000 | E2.0
tsumo | S0: Tsumo Scoring, printed: 4,000 each      | E1.0 | 1t m   | 8000 -4000 -4000 | E1.1
tsumo | 100 a counter from each | E1.1 | 2t m | -4000-100 6000+200 -2000-100 | E2.0
tsumo | 100 a counter from each | E1.1 s1 | 1t m/2 | 8000+200+2000 -4000-100-1000 -4000-100 | E1.2
riichi tile | the discarder's deposit is not paid | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 | E2.0
stays  | East wins    | S2.0 | 2t 230 | -1000 2000 -1000 | S2.1
passes | another wins | S2.3 | 1t 230 | 1500+600 -1000-300 -500-300 | S3.0
chombo | dealt again, this hand's deposits go back | E2.1 s1 | c3/13 | 0 0 0 | E2.1 s1
"""

# start and return 30,000; tied places share (E25 3.7.1)
ENDS = """
order | E25 3.7.1 | 20000 40000 30000 | 0 | 20000 40000 30000 | 0 | 3 1 2 | -15000 15000 0 | -25000 25000 0
1=2   | E25 3.7.1 | 35000 20000 35000 | 0 | 35000 20000 35000 | 0 | 1 3 1 | 7500 -15000 7500 | 12500 -25000 12500
2=3   | E25 3.7.1 | 25000 40000 25000 | 0 | 25000 40000 25000 | 0 | 2 1 2 | -7500 15000 -7500 | -12500 25000 -12500
all   | E25 3.7.1 | 30000 30000 30000 | 0 | 30000 30000 30000 | 0 | 1 1 1 | 0 0 0 | 0 0 0
deposits | E25 3.7 | 39000 30000 20000 | 1 | 40000 30000 20000 | 0 | 1 2 3 | 15000 0 -15000 | 25000 0 -25000
deposits tied | E25 3.7 | 35000 19000 35000 | 1 | 35500 19000 35500 | 0 | 1 3 1 | 7500 -15000 7500 | 13000 -26000 13000
deposits tied | E25 3.7 | 29000 29000 29000 | 3 | 30000 30000 30000 | 0 | 1 1 1 | 0 0 0 | 0 0 0
"""
# start and return 35,000
ENDS_35 = """
order | ours: uma 15 | 25000 45000 35000 | 0 | 25000 45000 35000 | 0 | 3 1 2 | -15000 15000 0 | -25000 25000 0
1=2   | ours: shared | 40000 25000 40000 | 0 | 40000 25000 40000 | 0 | 1 3 1 | 7500 -15000 7500 | 12500 -25000 12500
2=3   | ours: shared | 30000 45000 30000 | 0 | 30000 45000 30000 | 0 | 2 1 2 | -7500 15000 -7500 | -12500 25000 -12500
all   | ours: shared | 35000 35000 35000 | 0 | 35000 35000 35000 | 0 | 1 1 1 | 0 0 0 | 0 0 0
deposits | ours: to the first | 44000 35000 25000 | 1 | 45000 35000 25000 | 0 | 1 2 3 | 15000 0 -15000 | 25000 0 -25000
deposits tied | ours: shared  | 40000 24000 40000 | 1 | 40500 24000 40500 | 0 | 1 3 1 | 7500 -15000 7500 | 13000 -26000 13000
"""
# 2 wins 3,900 with riichi; then 1 (in riichi) and 3 are tenpai, East (2) is not; one deposit is left for 2, who leads
BY_TIME = (("2r3 330/2", "d13/1"), (0, 17_900, -17_900), 0)

SANMATSURI = BookTable(
    key="sanmatsuri-2026",
    start=30_000,
    returns=30_000,
    uma=(15_000, 0, -15_000),
    chombo=20_000,
    time=(60, 1),
    hands=DRAWS
    + COMMON
    + """
ron | S0: Honba Payments, 200 a counter | E1.2 s1 | 2r3 330/2 | 0 -1000+3900+400+2000 -3900-400 | E2.0
ron | E25 4.1.2: kiriage | E1.0 | 2r3 430 | 0 8000 -8000 | E2.0
ron | E25 4.1.2: 11 han and more are a sanbaiman | E1.0 | 2r3 13 | 0 24000 -24000 | E2.0
multiple ron | E25 3.4.4, 3.3.10: 200 a counter to each, own deposits back, the others to the first after the discarder | E1.1 s2 | 3r1 330+2 m/23 | -8000-3900-400 -1000+8000+200+3000 -1000+3900+200+1000 | E2.0
multiple ron | E25 3.4.5: East among the winners stays | S3.0 | 3r1 230+2 230 | -2900-2000 2000 2900 | S3.1
nagashi | S0: Nagashi Mangan, with counters; ours: with deposits, no noten payments | E1.1 s1 | n2 d13 | -4000-100 6000+200+1000 -2000-100 | E2.0
nagashi | S0: the dealer's, who stays | E1.1 s1 | n1 | 8000+200+1000 -4000-100 -4000-100 | E1.2
nagashi | S0, with riichi of the player and another | E1.1 s1 | n2 d23/23 | -4000-100 -1000+6000+200+3000 -1000-2000-100 | E2.0
nagashi | ours: two at once, counters to each; deposits to the first in turn from the dealer | E1.1 s1 | n23 | -8000-200 6000+200+1000-2000-100 6000+200-2000-100 | E2.0
last hand | E25 3.5: East who wins plays on | S3.0 | 3t 230 | -1000 -1000 2000 | S3.1
last hand | E25 3.5: and so in tenpai       | S3.0 | d3 | -1000 -1000 2000 | S3.1
last hand | E25 3.5: noten East ends it     | S3.0 | d  | 0 0 0 | end
last hand | E25 3.5: no West round          | S3.0 | 1r2 230 | 2000 -2000 0 | end
below zero | E25 3.7, 4.1.4: play goes on   | E1.0 | 2r1 y | -32000 32000 0 | E2.0
liability | E25 3.3.7, ours: the whole tsumo total, North's share lost | E1.1 | 2t y p3 | 0 24000+200 -24000-200 | E2.0
liability | E25 3.3.7, ours | E1.1 | 1t y p3 | 32000+200 0 -32000-200 | E1.2
liability | E25 3.3.7: ron, half each; the discarder pays the counters | E1.1 | 2r1 y p3 | -16000-200 32000+200 -16000 | E2.0
""",
    ends=ENDS,
    by_time=BY_TIME,
    refused="""
E25 3.4: no abortive draws | E1.0 | ak | abort.not_in_rules
S0: two opponents at most | E1.0 | 1r2 330+3 330+4 330 | seat.not_at_table
""",
)
MCGILL = BookTable(
    key="mcgill-sanma",
    start=35_000,
    returns=35_000,
    uma=(15_000, 0, -15_000),
    chombo=20_000,
    time=(0, 0),
    hands=DRAWS.replace("S0: Noten Payments", "ours: a pool of 2,000")
    + COMMON
    + """
ron | ours: 300 a counter | E1.2 s1 | 2r3 330/2 | 0 -1000+3900+600+2000 -3900-600 | E2.0
ron | S3: the table of regular riichi, no kiriage | E1.0 | 2r3 430 | 0 7700 -7700 | E2.0
ron | ours: counted yakuman at 13 | E1.0 | 2r3 13 | 0 32000 -32000 | E2.0
multiple ron | ours: both in full, deposits to the first after the discarder | E1.1 s2 | 3r1 330+2 m/23 | -8000-3900-600 -1000+8000+300+4000 -1000+3900+300 | E2.0
multiple ron | ours: East among the winners stays | S3.0 | 3r1 230+2 230 | -2900-2000 2000 2900 | S3.1
nagashi | ours: as regular riichi, a draw that pays mangan | E1.1 s1 | n2 | -4000 6000 -2000 | E2.2 s1
nagashi | ours: the dealer's, in tenpai | E1.1 s1 | n1 d1 | 8000 -4000 -4000 | E1.2 s1
nagashi | ours: with riichi  | E1.1 s1 | n2 d3/3 | -4000 6000 -2000-1000 | E2.2 s2
nagashi | ours: each is paid | E1.1 s1 | n23 | -8000 6000-2000 6000-2000 | E2.2 s1
abort | ours: nine terminals, dealt again | E3.1 s1 | ak | 0 0 0 | E3.2 s1
last hand | ours: East who wins plays on | S3.0 | 3t 230 | -1000 -1000 2000 | S3.1
last hand | ours: noten East ends it     | S3.0 | d | 0 0 0 | end
last hand | S3: the West round is never played | S3.0 | 1r2 230 | 2000 -2000 0 | end
below zero | ours: ends the game | E1.0 (15900 39100 50000) | 2r1 b | -16000 16000 0 | end
liability | ours: the tsumo total | E1.1 | 2t y p3 | 0 24000+200 -24000-200 | E2.0
liability | ours: ron, half each; the discarder pays the counters | E1.1 | 2r1 y p3 | -16000-300 32000+300 -16000 | E2.0
""",
    ends=ENDS_35,
    by_time=BY_TIME,
    refused="""
S3: there is no draw by four winds | E1.0 | aw | abort.not_in_rules
S3: there is no draw by four riichi | E1.0 | ar | abort.not_in_rules
""",
)
RULE_BOOK = BookTable(
    key="sanma-rule-book",
    start=35_000,
    returns=35_000,
    uma=(15_000, 0, -15_000),
    chombo=20_000,
    time=(0, 0),
    # in the East round the dealer also stays where nobody is tenpai (S4 3.5)
    hands=DRAWS.replace("S0: Noten Payments", "S4 11, 3.5").replace("0     0     0 | E2.1", "0     0     0 | E1.1")
    + COMMON
    + """
draw | S4 3.5: from the South round on the dealer always stays | S1.0 | d   | 0 0 0 | S1.1
draw | S4 3.5: from the South round on the dealer always stays | S1.0 | d2  | -1000 2000 -1000 | S1.1
draw | S4 3.5: from the South round on the dealer always stays | S1.0 | d23 | -2000 1000 1000 | S1.1
draw | S4 3.5: and in the West round                           | W2.4 | d1  | 2000 -1000 -1000 | W2.5
ron  | ours: 300 a counter | E1.2 s1 | 2r3 330/2 | 0 -1000+3900+600+2000 -3900-600 | E2.0
ron  | S4 9.4, 12: the bet of 1,000 goes to the next winner | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 | E2.0
ron  | ours: no kiriage | E1.0 | 2r3 430 | 0 7700 -7700 | E2.0
ron  | ours: counted yakuman at 13 | E1.0 | 2r3 13 | 0 32000 -32000 | E2.0
multiple ron | S4 9.7: both are paid, East stays; the deposits to the next after the dealer | E1.0 s1 | 1r2 330+3 330/3 | 5800 -5800-3900 -1000+3900+2000 | E1.1
multiple ron | S4 9.7: deposits to the next after the dealer, though the dealer is first after the discarder; ours: he has the counters | E1.1 s1 | 1r3 330+2 330/1 | -1000+5800+300 3900+2000 -5800-3900-300 | E1.2
last hand | S4 3.1, 3.7: a West round | S3.0 | 1r2 230 | 2000 -2000 0 | W1.0
last hand | S4 3.5: another's win ends the West round | W3.0 | 1r2 230 | 2000 -2000 0 | end
last hand | ours: East who wins plays on | W3.0 | 3t 230 | -1000 -1000 2000 | W3.1
last hand | S4 3.5: East stays on any draw | W3.0 | d1 | 2000 -1000 -1000 | W3.1
below zero | ours: ends the game | E1.0 (15900 39100 50000) | 2r1 b | -16000 16000 0 | end
liability | S4 12: full on a tsumo | E1.1 | 2t y p3 | 0 24000+200 -24000-200 | E2.0
liability | S4 12: split with the discarder; ours: who pays the counters | E1.1 | 2r1 y p3 | -16000-300 32000+300 -16000 | E2.0
""",
    ends=ENDS_35,
    by_time=BY_TIME,
    refused="""
ours: S4 names no nagashi mangan | E1.0 | n2 | nagashi.not_in_rules
ours: S4 names no abortive draws | E1.0 | ak | abort.not_in_rules
S4 9.4: a player must have 1,000 points | E1.0 (900 54100 50000) | 2r3 330/1 | riichi.short
""",
)
