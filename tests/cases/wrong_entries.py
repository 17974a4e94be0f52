"""Wrong hands that need no yaku: rows 1 to 5 and 11 to 20 of the shared list, clause by clause, and what is beside it.

`line` is what a referee types, `entry` what a program sends; where only the line is given, a program sends its entry.
"""

from tests.cases.wrong_hand import CHUN, EMA, RAK, SAN, T4, WRC, Wrong, hand, one, ron, tsumo


def no_fu(fu: str, hand_of: str, possible: str) -> dict[str, str]:
    """Say that there is no such hand."""
    return {"win.fu_impossible": f"{fu} cannot go with {hand_of}; possible are {possible}."}


def liable(yaku: str) -> dict[str, str]:
    """Say for which yakuman somebody can be liable."""
    return {"pao.not_liable": f"Liability (pao) is only for {yaku}: this hand is not of that kind."}


def differs(player: int, said: str, pays: str, why: str) -> dict[str, str]:
    """Say that something else was announced, and what may be the cause."""
    cause = f" ({why})" if why else ""
    sentence = f"The table announced {said} for Player {player}; the hand pays {pays}{cause}."
    return {"(payment.announced_differs)": sentence}


DERIVED = {"dealer": 3, "honba": 5, "round_wind": "S", "score": 99_000, "sticks": 3}

ENTRIES: tuple[Wrong, ...] = (
    Wrong("1.1", EMA, {"seat.not_at_table": "Player 5 is not at the table: there are 4 players."}, line="5r1 330"),
    Wrong("1.1", SAN, {"seat.not_at_table": "Player 4 is not at the table: there are 3 players."}, line="4t 230"),
    Wrong("1.1", SAN, {"seat.not_at_table": "Player 4 is not at the table: there are 3 players."}, line="1r4 330"),
    Wrong("1.1", SAN, {"seat.not_at_table": "Player 4 is not at the table: there are 3 players."}, line="1r2 330/4"),
    Wrong("1.1", SAN, {"seat.not_at_table": "Player 4 is not at the table: there are 3 players."}, line="n4"),
    Wrong("1.1", EMA, {"entry.negative": "'entry.winners.seat' must not be negative."}, entry=ron("3/30", seat=-1)),
    Wrong(
        "2.1", EMA, {"win.winner_is_discarder": "Player 2 cannot win by ron from their own discard."}, line="2r2 330"
    ),
    Wrong("2.1", SAN, {"win.winner_is_discarder": "Player 1 cannot win by ron from their own discard."}, line="1r1 y"),
    Wrong(
        "3.1",
        EMA,
        no_fu("37 fu", "3 han by ron", "25, 30, 40, 50, 60, 70, 80, 90, 100 and 110"),
        line="2r3 337",
    ),
    Wrong(
        "3.1",
        SAN,
        no_fu("37 fu", "5 han by tsumo", "20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120 and 130"),
        line="1t 5.37",
    ),
    Wrong(
        "3.2",
        EMA,
        no_fu("20 fu", "3 han by ron", "25, 30, 40, 50, 60, 70, 80, 90, 100 and 110"),
        line="2r3 320",
    ),
    Wrong(
        "3.3",
        EMA,
        no_fu("20 fu", "1 han by tsumo", "30, 40, 50, 60, 70, 80, 90 and 100"),
        line="1t 120",
    ),
    Wrong(
        "3.4",
        EMA,
        no_fu("25 fu", "1 han by ron", "30, 40, 50, 60, 70, 80, 90 and 100"),
        line="2r3 125",
    ),
    Wrong(
        "3.4",
        SAN,
        no_fu("25 fu", "1 han by tsumo", "30, 40, 50, 60, 70, 80, 90 and 100"),
        line="1t 125",
    ),
    Wrong(
        "3.5",
        EMA,
        no_fu("25 fu", "2 han by tsumo", "20, 30, 40, 50, 60, 70, 80, 90, 100 and 110"),
        line="1t 225",
    ),
    Wrong(
        "3.6",
        EMA,
        {"win.fu_without_seven_pairs": "25 fu are those of seven pairs, which is not among the yaku."},
        entry=ron("3/25", "riichi tanyao ippatsu", riichi=[1]),
    ),
    Wrong(
        "4.1",
        EMA,
        {"win.han_zero": "Player 1 wins with 0 han; a win needs at least one."},
        line="1t 0.30",
        entry=tsumo("0/30", seat=0),
    ),
    Wrong(
        "4.1",
        SAN,
        {"win.han_zero": "Player 1 wins with 0 han; a win needs at least one."},
        line="1t 0",
        entry=tsumo("0", seat=0),
    ),
    Wrong(
        "4.2",
        EMA,
        {"win.han_too_many": "40 han is more than any hand has; at most 39 can be entered."},
        line="1t 40.30",
    ),
    Wrong(
        "4.2",
        T4,
        {"win.han_too_many": "40 han is more than any hand has; at most 39 can be entered."},
        line="2r3 40.30",
    ),
    Wrong("5.1", EMA, {"win.fu_missing": "3 han needs its fu."}, line="2r3 3"),
    Wrong("5.1", SAN, {"win.fu_missing": "3 han needs its fu."}, line="1t 3.0", entry=tsumo("3/0", seat=0)),
    Wrong("11.1", EMA, {"pao.by_winner": "Player 2 cannot be liable for their own hand."}, line="2t y p2"),
    Wrong(
        "11.2",
        EMA,
        liable("daisangen and daisuushii"),
        line="2r3 330 p1",
    ),
    Wrong(
        "11.2",
        SAN,
        liable("daisangen and daisuushii"),
        entry=tsumo("y1", "kokushi_musou", pao=2),
    ),
    Wrong(
        "11.2",
        EMA,
        liable("daisangen and daisuushii"),
        entry=tsumo("y1", "suukantsu", pao=2),
    ),
    Wrong(
        "11.2",
        WRC,
        liable("daisangen, daisuushii and suukantsu"),
        line="2r3 13 p1",
    ),
    Wrong(
        "11.3",
        EMA,
        {"pao.by_discarder": "Player 3 discarded the winning tile and pays anyway: enter it without liability."},
        line="2r3 y p3",
    ),
    Wrong("12.1", EMA, {"win.winner_twice": "Player 2 is named twice as a winner."}, line="2r3 330+2 340"),
    Wrong("12.1", SAN, {"win.winner_twice": "Player 2 is named twice as a winner."}, line="n22"),
    Wrong(
        "12.2",
        EMA,
        {"win.winner_is_discarder": "Player 3 cannot win by ron from their own discard."},
        line="2r3 330+3 340",
    ),
    Wrong(
        "12.3",
        WRC,
        {"win.head_bump": ("Only the first winner after the discarder wins under these rules (head bump), not 2.")},
        line="2r3 330+4 340",
    ),
    Wrong(
        "12.4",
        SAN,
        {"seat.not_at_table": "Player 4 is not at the table: there are 3 players."},
        line="1r2 330+3 330+4 330",
    ),
    Wrong(
        "12.4",
        SAN,
        {"win.winner_is_discarder": "Player 2 cannot win by ron from their own discard."},
        line="1r2 330+3 330+2 330",
    ),
    Wrong(
        "12.4",
        T4,
        {"win.triple_ron_aborts": "Three ron on one discard are an abortive draw under these rules."},
        line="1r2 330+3 330+4 330",
    ),
    Wrong(
        "13.1",
        EMA,
        {"(draw.riichi_noten)": "Player 2 had riichi but is not tenpai: a dead hand, or a chombo?"},
        line="d1/2",
    ),
    Wrong(
        "13.1",
        SAN,
        {"(draw.riichi_noten)": "Player 3 had riichi but is not tenpai: a dead hand, or a chombo?"},
        line="d/3",
    ),
    Wrong("14.1", EMA, {"riichi.twice": "Player 2 is named twice among the riichi."}, line="2r3 330/22"),
    Wrong("14.1", SAN, {"riichi.twice": "Player 1 is named twice among the riichi."}, line="d1/11"),
    Wrong(
        "15.1",
        EMA,
        {"(riichi.short)": "Player 3 has −6,100 points, less than the riichi stick of 1,000."},
        line="2t m/3",
        before="2r3 s|3r2 330|4r3 b",
    ),
    Wrong(
        "15.1",
        T4,
        {"riichi.short": "Player 3 has 0 points, less than the riichi stick of 1,000."},
        line="2t m/3",
        before="4r3 s|4r3 130",
    ),
    Wrong(
        "15.1",
        SAN,
        {"(riichi.short)": "Player 3 has −6,100 points, less than the riichi stick of 1,000."},
        line="2t m/3",
        before="2r3 s|3r2 330|1r3 b",
    ),
    Wrong("16.1", EMA, {"nagashi.not_in_rules": "Nagashi mangan is not played under these rules."}, line="n1"),
    Wrong("16.1", WRC, {"nagashi.not_in_rules": "Nagashi mangan is not played under these rules."}, line="n1"),
    Wrong(
        "16.2",
        RAK,
        {"(nagashi.closed_hand)": "Nagashi mangan needs a closed hand: was the hand of Player 1 closed?"},
        line="n1",
    ),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "'entry.winners.han' is not part of this kind of entry."},
        entry={"kind": "nagashi", "winners": [{"seat": 1, "han": 5}]},
    ),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "'entry.loser' is not part of this kind of entry."},
        entry={"kind": "nagashi", "winners": [{"seat": 1}], "loser": 2},
    ),
    Wrong("16.3", SAN, {"shorthand.unreadable": "'n2' cannot be read (from character 1 on)."}, line="n2+1 330"),
    Wrong(
        "16.3",
        SAN,
        {"entry.unknown_key": "'entry.nagashi' is not part of this kind of entry."},
        entry={"kind": "ron", "loser": 2, "winners": [one("3/30")], "nagashi": [1]},
    ),
    Wrong("17.1", EMA, {"chombo.no_offender": "A chombo needs an offender."}, line="c"),
    Wrong("17.1", SAN, {"chombo.no_offender": "A chombo needs an offender."}, line="c"),
    Wrong(
        "18.1",
        EMA,
        {
            "tiles.other_winds": (
                "Player 2: the tiles come with round and seat wind E and E; in this hand they are E and S."
            )
        },
        entry=ron("1/30", hand=hand(f"{CHUN} wEE")),
    ),
    Wrong(
        "18.1",
        EMA,
        {"tiles.other_honba": "The tiles are given with 2 honba; in this hand there are 0."},
        entry=ron("1/30", hand=hand(f"{CHUN} h2 wES")),
    ),
    Wrong(
        "19.1",
        SAN,
        {"game.ended": "The game is over: no further hand can be entered."},
        line="2r3 330",
        before="2t 230|3t 230|1t 230|2t 230|3t 230|1t 230",
    ),
    Wrong(
        "19.1",
        T4,
        {"game.ended": "The game is over: no further hand can be entered."},
        line="d12",
        before="2r1 s|2r1 330",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(2, "3,900", "4,500", "were the honba forgotten?"),
        line="2r3 330 !3900",
        before="d1|d1",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(2, "7,700", "8,000", "was the rounding up to mangan forgotten?"),
        line="2r3 430 !7700",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(2, "5,800", "3,900", "was it paid as to the dealer?"),
        line="2r3 330 !5800",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(1, "3,900", "5,800", "was it paid as if the winner were not the dealer?"),
        line="1r3 330 !3900",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(2, "2,600", "2,000", "was it paid with ten fu more?"),
        entry=ron("2/30") | {"announced": {"1": 2600}},
    ),
    Wrong(
        "20.1",
        EMA,
        differs(3, "−2,600", "−5,200", "was it paid with one han less?"),
        entry=ron("3/40") | {"announced": {"2": -2600}},
    ),
    Wrong(
        "20.1",
        SAN,
        differs(2, "8,000", "6,000", "was the missing North's share paid as well? or was it paid as to the dealer?"),
        line="2t m !8000",
    ),
    Wrong(
        "20.1",
        EMA,
        differs(4, "−8,000", "−32,000", "was the liable player forgotten?"),
        entry=tsumo("y1", "daisangen", pao=3) | {"announced": {"3": -8000}},
    ),
    Wrong(
        "20.1",
        EMA,
        differs(2, "12,345", "3,900", ""),
        entry=ron("3/30") | {"announced": {"1": 12345}},
    ),
    Wrong("-", SAN, {"dead.wins": "Player 2 cannot win: the hand is dead."}, line="2r3 340 x2"),
    Wrong("-", EMA, {"dead.tenpai": "Player 2 cannot be tenpai: the hand is dead, and pays as noten."}, line="d12 x2"),
    Wrong(
        "-",
        EMA,
        {
            "abort.not_in_rules": (
                "This abortive draw (nine terminals and honours) is not played: no abortive draws in this event."
            )
        },
        line="ak",
    ),
    Wrong(
        "-",
        EMA,
        {"correction.not_zero": "A correction moves points between players: its numbers must sum to 0, not 100."},
        line="=100,0,0,0 found",
    ),
    Wrong(
        "-",
        EMA,
        {
            "totals.sum": (
                "The scores sum to 121,000 with 0 left over, over by 1,000 (borrowed points counted twice?); "
                "they must make 120,000."
            )
        },
        line="*31000,30000,30000,30000,0",
    ),
    Wrong(
        "-",
        EMA,
        {
            "totals.leftover_has_owner": (
                "1,000 points of riichi sticks cannot stay with nobody: these rules give them to the first place. "
                "Either enter 41,000 for Player 1, with 0 left over, or, where the event plays that nobody gets them, "
                "have an organiser change that rule first."
            )
        },
        line="*40000,30000,29000,20000,1000",
    ),
    Wrong(
        "-",
        EMA,
        {"totals.after_hands": "There are hands at this table: it is signed, not entered by totals."},
        line="*30000,30000,30000,30000,0",
        before="2r3 330",
    ),
    *(
        Wrong(
            "18.1",
            EMA,
            {"entry.derived_key": f"'entry.{key}' is not entered: the desk works it out from the hands."},
            entry={"kind": "draw", "tenpai": [0], key: value},
        )
        for key, value in DERIVED.items()
    ),
)
