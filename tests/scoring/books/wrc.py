# ruff: noqa: E501  (a row is a line, as in the books' own tables)
"""World Riichi Championship, four players: WRC 2025 and Rakkii Nomi Spring 2026 (RK), which modifies it."""

from tests.scoring.books.ema import DRAWS as EMA_DRAWS
from tests.scoring.books.ema import ENDS as EMA_ENDS
from tests.scoring.books.reading import BookTable

DRAWS = EMA_DRAWS.replace("E25 3.4.2, S1 3.4.2", "WRC 2025 9.2").replace("E25 3.3.10, S1 3.4.4", "WRC 2025 9.2")
COMMON = (
    DRAWS
    + """
ron   | WRC 2025 11.2, 13.4         | E1.0 | 2r3 330 | 0 3900 -3900 0 | E2.0
ron   | WRC 2025 13.4: rounded up to mangan | E1.0 | 2r3 430 | 0 8000 -8000 0 | E2.0
ron   | WRC 2025 13.4: rounded up to mangan | E1.0 | 1r3 360 | 12000 0 -12000 0 | E1.1
ron   | WRC 2025 11.2: 13 han and more are 8,000 | E1.0 | 2r3 13 | 0 32000 -32000 0 | E2.0
ron   | WRC 2025 9.1: yakuman add up | E1.0 | 2r3 y2 | 0 64000 -64000 0 | E2.0
ron   | WRC 2025 11.2, 8.9: counters and all deposits | E2.2 s1 | 1r4 240/1 | -1000+2600+600+2000 0 0 -2600-600 | E3.0
tsumo | WRC 2025 11.2 | E1.1 | 2t m | -4000-100 8000+300 -2000-100 -2000-100 | E2.0
tsumo | WRC 2025 11.2 | E1.1 | 1t m | 12000+300 -4000-100 -4000-100 -4000-100 | E1.2
tsumo | WRC 2025 11.3: pinfu, 20 fu | E1.0 | 3t 220 | -700 -400 1500 -400 | E2.0
riichi tile | WRC 2025 8.9: a riichi whose tile is won on puts no deposit | E1.0 s1 | 2r3 330/1 | -1000 3900+2000 -3900 0 | E2.0
stays  | WRC 2025 9.4: East wins       | S2.3 | 2r1 330 | -5800-900 5800+900 0 0 | S2.4
stays  | WRC 2025 9.4: East in tenpai  | S2.3 | d2      | -1000 3000 -1000 -1000  | S2.4
passes | WRC 2025 9.4: another wins    | S2.3 | 1r2 330 | 3900+900 -3900-900 0 0  | S3.0
passes | WRC 2025 9.4: East noten      | E4.3 | d1      | 3000 -1000 -1000 -1000  | S1.4
last hand | WRC 2025 9.4: East who wins plays on | S4.0 | 4t 230 | -1000 -1000 -1000 3000 | S4.1
last hand | WRC 2025 9.4: and so in tenpai       | S4.0 | d4     | -1000 -1000 -1000 3000 | S4.1
last hand | WRC 2025 10.2: noten East ends it    | S4.0 | d      | 0 0 0 0 | end
last hand | WRC 2025 10.2: no West round         | S4.0 | 2r3 230 | 0 2000 -2000 0 | end
below zero | WRC 2025 10.2: play goes on         | E1.0 | 2r1 y  | -32000 32000 0 0 | E2.0
chombo | WRC 2025 12.2: dealt again, counters and winds as they were | E2.1 s1 | c3/13 | 0 0 0 0 | E2.1 s1
liability | WRC 2025 9.1.1: tsumo | E1.1 | 2t y p3 | 0 32000+300 -32000-300 0 | E2.0
liability | WRC 2025 9.1.1: ron, half each | E1.1 | 2r4 y p3 | 0 32000+300 -16000 -16000-300 | E2.0
liability | ours: the liable yakuman's part alone | E1.0 | 2t y2 p3 | -16000 64000 -32000-8000 -8000 | E2.0
"""
)
ENDS = EMA_ENDS.replace("E25 3.7.1", "WRC 2025 10.3")
TIES = "\n".join(row for row in ENDS.splitlines() if not row.startswith("deposits"))

WRC = BookTable(
    key="wrc-2025",
    start=30_000,
    returns=30_000,
    uma=(15_000, 5000, -5000, -15_000),
    chombo=30_000,
    time=(75, 1),
    hands=COMMON,
    # deposits left stay on the table, and nobody gets them
    ends=TIES
    + """
deposits | WRC 2025 10.2 | 39000 33000 27000 20000 | 1 | 39000 33000 27000 20000 | 1000 | 1 2 3 4 | 15000 5000 -5000 -15000 | 24000 8000 -8000 -25000
deposits tied | WRC 2025 10.2 | 35000 35000 28000 20000 | 2 | 35000 35000 28000 20000 | 2000 | 1 1 3 4 | 10000 10000 -5000 -15000 | 15000 15000 -7000 -25000
""",
    by_time=(("2r3 330/2", "d14/1"), (-4500, 17_400, -20_400, 6500), 1000),
    refused="""
WRC 2025 8.11: only the next in turn wins | E1.0 | 4r3 330+2 240 | win.head_bump
WRC 2025 8.11: only the next in turn wins | E1.0 | 1r3 330+2 330+4 330 | win.head_bump
WRC 2025 11.5: nagashi mangan is not among the yaku | E1.0 | n2 | nagashi.not_in_rules
WRC 2025 9.2: no abortive draws | E1.0 | ak | abort.not_in_rules
""",
)
RAKKII = BookTable(
    key="rakkii-nomi-2026",
    start=30_000,
    returns=30_000,
    uma=(15_000, 5000, -5000, -15_000),
    chombo=20_000,
    time=(75, 1),
    hands=COMMON
    + """
multiple ron | RK 2.3: counters and all deposits to the first after the discarder | E1.2 s1 | 4r3 330+2 240/23 | 0 -1000+2600 -1000-3900-2600-600 3900+600+3000 | E2.0
multiple ron | RK 2.3: three, East among them | E1.1 s1 | 1r3 330+2 330+4 330/123 | -1000+5800 -1000+3900 -1000-5800-3900-3900-300 3900+300+4000 | E1.2
multiple ron | RK 2.3, ours: East among the winners stays | S4.0 | 4r1 230+2 230 | -2900-2000 2000 0 2900 | S4.1
nagashi | RK 3.1: a mangan by tsumo, no noten payments | E1.1 s1 | n2 d13 | -4000-100 8000+300+1000 -2000-100 -2000-100 | E2.0
nagashi | RK 3.1: the dealer's, who stays              | E1.1 s1 | n1 | 12000+300+1000 -4000-100 -4000-100 -4000-100 | E1.2
nagashi | RK 3.1, with riichi of the player and another | E1.1 s1 | n2/23 | -4000-100 -1000+8000+300+3000 -1000-2000-100 -2000-100 | E2.0
nagashi | ours: two at once; deposits and counters to the first in turn from the dealer | E1.1 s1 | n24 | -4000-100-4000 8000+300+1000-2000 -2000-100-2000 8000-2000-100 | E2.0
""",
    ends=ENDS.replace("E25 3.7:", "RK 2.2, ours:").replace("E25 3.7 ", "RK 2.2 "),
    by_time=(("2r3 330/2", "d14/1"), (-4500, 18_400, -20_400, 6500), 0),
    refused="""
WRC 2025 9.2: no abortive draws | E1.0 | ak | abort.not_in_rules
""",
)
