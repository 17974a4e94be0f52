"""Wrong hands that need no yaku: rows 1 to 5 and 11 to 20 of the shared list, clause by clause, and what is beside it.

`line` is what a referee types, `entry` what a program sends; where only the line is given, a program sends its entry.
"""

from tests.cases.wrong_hand import CHUN, EMA, RAK, SAN, T4, WRC, Wrong, hand, one, ron, tsumo

DERIVED = {"dealer": 3, "honba": 5, "round_wind": "S", "score": 99_000, "sticks": 3}

ENTRIES: tuple[Wrong, ...] = (
    Wrong("1.1", EMA, {"seat.not_at_table": "4 4"}, line="5r1 330"),
    Wrong("1.1", SAN, {"seat.not_at_table": "3 3"}, line="4t 230"),
    Wrong("1.1", SAN, {"seat.not_at_table": "3 3"}, line="1r4 330"),
    Wrong("1.1", SAN, {"seat.not_at_table": "3 3"}, line="1r2 330/4"),
    Wrong("1.1", SAN, {"seat.not_at_table": "3 3"}, line="n4"),
    Wrong("1.1", EMA, {"entry.negative": "entry.winners.seat"}, entry=ron("3/30", seat=-1)),
    Wrong("2.1", EMA, {"win.winner_is_discarder": "1"}, line="2r2 330"),
    Wrong("2.1", SAN, {"win.winner_is_discarder": "0"}, line="1r1 y"),
    Wrong("3.1", EMA, {"win.fu_impossible": "37 3 ron 25 30 40 50 60 70 80 90 100 110"}, line="2r3 337"),
    Wrong("3.1", SAN, {"win.fu_impossible": "37 5 tsumo 20 25 30 40 50 60 70 80 90 100 110 120 130"}, line="1t 5.37"),
    Wrong("3.2", EMA, {"win.fu_impossible": "20 3 ron 25 30 40 50 60 70 80 90 100 110"}, line="2r3 320"),
    Wrong("3.3", EMA, {"win.fu_impossible": "20 1 tsumo 30 40 50 60 70 80 90 100"}, line="1t 120"),
    Wrong("3.4", EMA, {"win.fu_impossible": "25 1 ron 30 40 50 60 70 80 90 100"}, line="2r3 125"),
    Wrong("3.4", SAN, {"win.fu_impossible": "25 1 tsumo 30 40 50 60 70 80 90 100"}, line="1t 125"),
    Wrong("3.5", EMA, {"win.fu_impossible": "25 2 tsumo 20 30 40 50 60 70 80 90 100 110"}, line="1t 225"),
    Wrong("3.6", EMA, {"win.fu_without_seven_pairs": "25"}, entry=ron("3/25", "riichi tanyao ippatsu", riichi=[1])),
    Wrong("4.1", EMA, {"win.han_zero": "0"}, line="1t 0.30", entry=tsumo("0/30", seat=0)),
    Wrong("4.1", SAN, {"win.han_zero": "0"}, line="1t 0", entry=tsumo("0", seat=0)),
    Wrong("4.2", EMA, {"win.han_too_many": "40 39"}, line="1t 40.30"),
    Wrong("4.2", T4, {"win.han_too_many": "40 39"}, line="2r3 40.30"),
    Wrong("5.1", EMA, {"win.fu_missing": "3"}, line="2r3 3"),
    Wrong("5.1", SAN, {"win.fu_missing": "3"}, line="1t 3.0", entry=tsumo("3/0", seat=0)),
    Wrong("11.1", EMA, {"pao.by_winner": "1"}, line="2t y p2"),
    Wrong("11.2", EMA, {"pao.not_liable": "daisangen daisuushii"}, line="2r3 330 p1"),
    Wrong("11.2", SAN, {"pao.not_liable": "daisangen daisuushii"}, entry=tsumo("y1", "kokushi_musou", pao=2)),
    Wrong("11.2", EMA, {"pao.not_liable": "daisangen daisuushii"}, entry=tsumo("y1", "suukantsu", pao=2)),
    Wrong("11.2", WRC, {"pao.not_liable": "daisangen daisuushii suukantsu"}, line="2r3 13 p1"),
    Wrong("11.3", EMA, {"pao.by_discarder": "2"}, line="2r3 y p3"),
    Wrong("12.1", EMA, {"win.winner_twice": "1"}, line="2r3 330+2 340"),
    Wrong("12.1", SAN, {"win.winner_twice": "1"}, line="n22"),
    Wrong("12.2", EMA, {"win.winner_is_discarder": "2"}, line="2r3 330+3 340"),
    Wrong("12.3", WRC, {"win.head_bump": "2"}, line="2r3 330+4 340"),
    Wrong("12.4", SAN, {"seat.not_at_table": "3 3"}, line="1r2 330+3 330+4 330"),
    Wrong("12.4", SAN, {"win.winner_is_discarder": "1"}, line="1r2 330+3 330+2 330"),
    Wrong("12.4", T4, {"win.triple_ron_aborts": ""}, line="1r2 330+3 330+4 330"),
    Wrong("13.1", EMA, {"(draw.riichi_noten)": "1"}, line="d1/2"),
    Wrong("13.1", SAN, {"(draw.riichi_noten)": "2"}, line="d/3"),
    Wrong("14.1", EMA, {"riichi.twice": "1"}, line="2r3 330/22"),
    Wrong("14.1", SAN, {"riichi.twice": "0"}, line="d1/11"),
    Wrong("15.1", EMA, {"(riichi.short)": "2 -6100 1000"}, line="2t m/3", before="2r3 s|3r2 330|4r3 b"),
    Wrong("15.1", T4, {"riichi.short": "2 0 1000"}, line="2t m/3", before="4r3 s|4r3 130"),
    Wrong("15.1", SAN, {"(riichi.short)": "2 -6100 1000"}, line="2t m/3", before="2r3 s|3r2 330|1r3 b"),
    Wrong("16.1", EMA, {"nagashi.not_in_rules": ""}, line="n1"),
    Wrong("16.1", WRC, {"nagashi.not_in_rules": ""}, line="n1"),
    Wrong("16.2", RAK, {"(nagashi.closed_hand)": "0"}, line="n1"),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "entry.winners.han"},
        entry={"kind": "nagashi", "winners": [{"seat": 1, "han": 5}]},
    ),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "entry.loser"},
        entry={"kind": "nagashi", "winners": [{"seat": 1}], "loser": 2},
    ),
    Wrong("16.3", SAN, {"shorthand.unreadable": "n2"}, line="n2+1 330"),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "entry.nagashi"},
        entry={"kind": "ron", "loser": 2, "winners": [one("3/30")], "nagashi": [1]},
    ),
    Wrong("17.1", EMA, {"chombo.no_offender": ""}, line="c"),
    Wrong("17.1", SAN, {"chombo.no_offender": ""}, line="c"),
    Wrong("18.1", EMA, {"tiles.other_winds": "1 E E E S"}, entry=ron("1/30", hand=hand(f"{CHUN} wEE"))),
    Wrong("18.1", EMA, {"tiles.other_honba": "2 0"}, entry=ron("1/30", hand=hand(f"{CHUN} h2 wES"))),
    Wrong("19.1", SAN, {"game.ended": ""}, line="2r3 330", before="2t 230|3t 230|1t 230|2t 230|3t 230|1t 230"),
    Wrong("19.1", T4, {"game.ended": ""}, line="d12", before="2r1 s|2r1 330"),
    Wrong(
        "20.1",
        EMA,
        {"(payment.announced_differs)": "1 3900 4500 honba_forgotten"},
        line="2r3 330 !3900",
        before="d1|d1",
    ),
    Wrong("20.1", EMA, {"(payment.announced_differs)": "1 7700 8000 kiriage_forgotten"}, line="2r3 430 !7700"),
    Wrong("20.1", EMA, {"(payment.announced_differs)": "1 5800 3900 as_dealer"}, line="2r3 330 !5800"),
    Wrong("20.1", EMA, {"(payment.announced_differs)": "0 3900 5800 not_as_dealer"}, line="1r3 330 !3900"),
    Wrong(
        "20.1",
        EMA,
        {"(payment.announced_differs)": "1 2600 2000 one_fu_step_more"},
        entry=ron("2/30") | {"announced": {"1": 2600}},
    ),
    Wrong(
        "20.1",
        EMA,
        {"(payment.announced_differs)": "2 -2600 -5200 one_han_less"},
        entry=ron("3/40") | {"announced": {"2": -2600}},
    ),
    Wrong(
        "20.1", SAN, {"(payment.announced_differs)": "1 8000 6000 tsumo_loss_forgotten as_dealer"}, line="2t m !8000"
    ),
    Wrong(
        "20.1",
        EMA,
        {"(payment.announced_differs)": "3 -8000 -32000 liability_forgotten"},
        entry=tsumo("y1", "daisangen", pao=3) | {"announced": {"3": -8000}},
    ),
    Wrong(
        "20.1", EMA, {"(payment.announced_differs)": "1 12345 3900"}, entry=ron("3/30") | {"announced": {"1": 12345}}
    ),
    Wrong("-", SAN, {"dead.wins": "1"}, line="2r3 340 x2"),
    Wrong("-", EMA, {"dead.tenpai": "1"}, line="d12 x2"),
    Wrong("-", EMA, {"abort.not_in_rules": "kyuushu_kyuuhai"}, line="ak"),
    Wrong("-", EMA, {"correction.not_zero": "100"}, line="=100,0,0,0 found"),
    Wrong("-", EMA, {"totals.sum": "121000 0 120000 1000 1000"}, line="*31000,30000,30000,30000,0"),
    Wrong("-", EMA, {"totals.leftover_has_owner": "1000 0 41000 0"}, line="*40000,30000,29000,20000,1000"),
    Wrong("-", EMA, {"totals.after_hands": ""}, line="*30000,30000,30000,30000,0", before="2r3 330"),
    *(
        Wrong(
            "18.1",
            EMA,
            {"entry.derived_key": f"entry.{key}"},
            entry={"kind": "draw", "tenpai": [0], key: value},
        )
        for key, value in DERIVED.items()
    ),
)
