"""Wrong hands by yaku and by tiles: rows 6 to 10, 21 and 22 of the shared list, clause by clause.

`line` is what a referee types, `entry` what a program sends; where only the line is given, a program sends its entry.
"""

from tests.cases.wrong_hand import BOOK, CHUN, CLOSED, EMA, OPEN, RAK, SAN, T4, WRC, Wrong, hand, ron, tsumo

TILES: tuple[Wrong, ...] = (
    Wrong(
        "6.1",
        EMA,
        {"yaku.none": "2 han without a yaku: dora do not win without a yaku."},
        entry=ron("2/30", "dora dora"),
    ),
    Wrong(
        "6.1",
        SAN,
        {"yaku.none": "4 han without a yaku: dora do not win without a yaku."},
        entry=ron("4/40", "kita kita kita kita"),
    ),
    Wrong(
        "6.1",
        EMA,
        {"hand.no_yaku": "The hand is complete but has no yaku: it cannot win. Dora are no yaku."},
        line=f"2r3 [{OPEN} d3s]",
        entry=ron("3/30", hand=hand(f"{OPEN} d3s wES")),
    ),
    Wrong(
        "6.1",
        SAN,
        {"hand.no_yaku": "The hand is complete but has no yaku: it cannot win. Dora are no yaku."},
        line=f"2r3 [{OPEN} k4]",
        entry=ron("4/30", hand=hand(f"{OPEN} k4 wES")),
    ),
    Wrong(
        "7.1",
        BOOK,
        {
            "yaku.not_in_such_a_hand": (
                "A closed hand won by tsumo names menzen tsumo as well; in an open one this cannot count: tanyao."
            )
        },
        entry=tsumo("1/30", "tanyao"),
    ),
    Wrong(
        "7.1",
        BOOK,
        {"hand.no_yaku": "The hand is complete but has no yaku: it cannot win. Dora are no yaku."},
        line="2r3 [234567p3378s6s 444s]",
        entry=ron("1/30", hand=hand("234567p3378s6s 444s wES")),
    ),
    Wrong(
        "-",
        BOOK,
        {
            "hand.wait_without_yaku": (
                "For a ron each tile of the wait must give a yaku under these rules; with the 5 of circles none counts."
            )
        },
        line="2r3 [23344p567888s11m2p]",
        entry=ron("1/40", hand=hand("23344p567888s11m2p wES")),
    ),
    Wrong(
        "-",
        BOOK,
        {
            "hand.wait_without_two_han": (
                "With 4 honba each tile of the wait must give two han of yaku; with the West wind there are fewer."
            )
        },
        line="2t [234p567s33z66z6z 777z]",
        entry=tsumo("2/40", hand=hand("234p567s33z66z6z 777z t wES")),  # `honba` is the table's
        before="d1|d1|d1|d1",
    ),
    Wrong(
        "-",
        SAN,
        {
            "hand.double_riichi_ippatsu": (
                "Double riichi with ippatsu cannot be in a hand with a kita of its own: that ends the first turn or the"
                " ippatsu."
            )
        },
        line="2r3 [123567p44478s99m6s rr i k1]/2",
        entry=ron("4/40", riichi=[1], hand=hand("123567p44478s99m6s rr i k1 wES")),
    ),
    Wrong(
        "-",
        EMA,
        {
            "hand.double_riichi_ippatsu": (
                "Double riichi with ippatsu cannot be in a hand with closed kan of its own: that ends the first turn"
                " or the ippatsu."
            )
        },
        entry=ron("5", "double_riichi ippatsu sankantsu", riichi=[1]),
    ),
    Wrong(
        "7.1",
        EMA,
        {"yaku.not_in_rules": "These rules do not count nagashi mangan."},
        entry=tsumo("5", "nagashi_mangan"),
    ),
    Wrong("7.1", EMA, {"nagashi.not_in_rules": "Nagashi mangan is not played under these rules."}, line="n2"),
    Wrong("7.1", T4, {"yaku.not_in_rules": "These rules do not count renhou."}, entry=ron("5", "renhou")),
    Wrong(
        "7.1",
        T4,
        {"hand.no_yaku": "The hand is complete but has no yaku: it cannot win. Dora are no yaku."},
        line=f"2r3 [{CLOSED} first]",
        entry=ron("5", hand=hand(f"{CLOSED} first wES")),
    ),
    Wrong("7.1", EMA, {"yaku.unknown": "'open riichi' is not the name of a yaku."}, entry=ron("2/40", "open_riichi")),
    Wrong(
        "8.1",
        EMA,
        {"yaku.han_differs": "The hand is entered with 4 han; its yaku (haku and chun) and the dora named make 3."},
        entry=ron("4/30", "haku chun dora"),
    ),
    Wrong(
        "8.1",
        SAN,
        {"yaku.han_differs": "The hand is entered with 1 han; its yaku (honitsu) and the dora named make 2."},
        entry=ron("1/40", "honitsu"),
    ),
    Wrong(
        "8.1",
        EMA,
        {"tiles.value_differs": "The tiles count to 1 han 30 fu; entered are 2 han 30 fu."},
        entry=ron("2/30", hand=hand(f"{CHUN} wES")),
    ),
    Wrong(
        "8.1",
        WRC,
        {"yaku.yakuman_differ": "The hand is entered as 1 yakuman; those named make 2."},
        entry=ron("y1", "daisangen tsuuiisou"),
    ),
    Wrong(
        "8.1",
        EMA,
        {"yaku.is_yakuman": "The hand is entered by han, but kokushi musou is a yakuman."},
        entry=ron("13", "kokushi_musou"),
    ),
    Wrong(
        "8.1",
        EMA,
        {"yaku.are_yakuman": "Together, haku, hatsu and chun are daisangen, a yakuman."},
        entry=ron("3/40", "haku hatsu chun"),
    ),
    Wrong(
        "9.1",
        EMA,
        {"yaku.riichi_without_deposit": "Player 2 wins with riichi but put no riichi stick down in this hand."},
        entry=ron("2/40", "riichi tanyao"),
    ),
    Wrong(
        "9.1",
        EMA,
        {"yaku.riichi_without_deposit": "Player 2 wins with riichi but put no riichi stick down in this hand."},
        line=f"2r3 [{CLOSED} r]",
        entry=ron("1/40", hand=hand(f"{CLOSED} r wES")),
    ),
    Wrong(
        "9.1",
        EMA,
        {
            "yaku.deposit_without_riichi": (
                "Player 2 put a riichi stick down in this hand, but riichi is not among the yaku."
            )
        },
        entry=ron("1/40", "tanyao", riichi=[1]),
    ),
    Wrong(
        "9.2",
        EMA,
        {
            "tiles.deposit_and_open_hand": (
                "Player 2 put a riichi stick down, but the hand is open: riichi wants a closed one."
            )
        },
        entry=ron("1/30", hand=hand(f"{CHUN} wES"), riichi=[1]),
    ),
    Wrong(
        "9.2",
        EMA,
        {"hand.not_together": "riichi and an open hand cannot be combined."},
        line=f"2r3 [{CHUN}]/2",
        entry=ron("2/30", hand=hand(f"{CHUN} r wES"), riichi=[1]),
    ),
    Wrong(
        "9.3", EMA, {"yaku.needs_riichi": "Without riichi there is no ippatsu."}, entry=ron("2/40", "ippatsu tanyao")
    ),
    Wrong(
        "9.3",
        EMA,
        {"hand.ippatsu_without_riichi": "Ippatsu needs a riichi."},
        line=f"2r3 [{CLOSED} i]",
        entry=ron("1/40", hand=hand(f"{CLOSED} i wES")),
    ),
    Wrong("9.3", EMA, {"yaku.needs_riichi": "Without riichi there is no ura."}, entry=ron("2/40", "tanyao ura")),
    Wrong(
        "9.3",
        EMA,
        {"hand.ura_without_riichi": "Ura indicators count only with a riichi."},
        line=f"2r3 [{CHUN} u9p]",
        entry=ron("2/30", hand=hand(f"{CHUN} u9p wES")),
    ),
    Wrong("10.1", EMA, {"yaku.fu_differs": "A hand with pinfu won so has 30 fu, not 40."}, entry=ron("1/40", "pinfu")),
    Wrong(
        "10.1",
        EMA,
        {"tiles.value_differs": "The tiles count to 1 han 30 fu; entered are 1 han 40 fu."},
        entry=ron("1/40", hand=hand("123567p23478s99m6s wES")),
    ),
    Wrong(
        "10.2",
        EMA,
        {"yaku.fu_differs": "A hand with pinfu won so has 20 fu, not 30."},
        entry=tsumo("2/30", "menzen_tsumo pinfu"),
    ),
    Wrong(
        "10.3",
        EMA,
        {"yaku.not_together": "One hand cannot have both chiitoitsu and pinfu."},
        entry=ron("3/25", "chiitoitsu pinfu"),
    ),
    Wrong(
        "10.4",
        EMA,
        {"yaku.not_by_ron": "A win by ron cannot have menzen tsumo."},
        entry=ron("2/40", "menzen_tsumo tanyao"),
    ),
    Wrong("10.5", EMA, {"yaku.not_by_ron": "A win by ron cannot have haitei."}, entry=ron("2/40", "haitei tanyao")),
    Wrong(
        "10.5",
        EMA,
        {"hand.not_together": "haitei and ron cannot be combined."},
        line=f"2r3 [{CHUN} hai]",
        entry=ron("2/30", hand=hand(f"{CHUN} hai wES")),
    ),
    Wrong(
        "10.5",
        EMA,
        {"yaku.not_by_tsumo": "A win by tsumo cannot have houtei."},
        entry=tsumo("3/40", "menzen_tsumo houtei tanyao"),
    ),
    Wrong(
        "10.5",
        EMA,
        {"hand.not_together": "houtei and tsumo cannot be combined."},
        line=f"2t [{CHUN} hou]",
        entry=tsumo("2/30", hand=hand(f"{CHUN} t hou wES")),
    ),
    Wrong(
        "10.6",
        EMA,
        {"yaku.not_together": "One hand cannot have both iipeikou and ryanpeikou."},
        entry=ron("4/40", "iipeikou ryanpeikou"),
    ),
    Wrong(
        "21.1",
        SAN,
        {"hand.chii_not_in_rules": "123p: sequences are not called under these rules."},
        line="2r3 [567p78s99m6s 777z 123p]",
        entry=ron("1/30", hand=hand("567p78s99m6s 777z 123p wES")),
    ),
    Wrong(
        "21.2",
        SAN,
        {"hand.not_in_set": "The 2 of characters is not played with under these rules."},
        line="2r3 [123567p78s22m6s 777z]",
        entry=ron("1/30", hand=hand("123567p78s22m6s 777z wES")),
    ),
    Wrong(
        "21.3",
        SAN,
        {"hand.no_north_seat": "With three players nobody sits North."},
        entry=ron("1/30", hand=hand(f"{CHUN} wEN")),
    ),
    Wrong(
        "21.4",
        SAN,
        {"hand.kita_too_many": "5 kita are not possible: there are 4 Norths."},
        line=f"2r3 [{CHUN} k5]",
        entry=ron("6", hand=hand(f"{CHUN} k5 wES")),
    ),
    Wrong(
        "21.4",
        SAN,
        {"yaku.dora_too_many": "5 kita are too many: there are 4."},
        entry=ron("6/30", "chun kita kita kita kita kita"),
    ),
    Wrong(
        "21.5",
        SAN,
        {"hand.not_in_set": "The red five of characters is not played with under these rules."},
        line="2r3 [123567p78s99m6s 777z d0m]",
        entry=ron("1/30", hand=hand(f"{CHUN} d0m wES")),
    ),
    Wrong(
        "21.6",
        EMA,
        {"hand.kita_not_in_rules": "These rules have no kita."},
        line=f"2r3 [{CHUN} k1]",
        entry=ron("2/30", hand=hand(f"{CHUN} k1 wES")),
    ),
    Wrong("21.6", EMA, {"yaku.not_in_rules": "These rules do not count kita."}, entry=ron("2/30", "chun kita")),
    Wrong(
        "22.1",
        EMA,
        {
            "hand.five_copies": (
                "There are 5 of the red dragon among hand, melds, kita and indicators; the set has four."
            )
        },
        line=f"2r3 [{CHUN} d7z7z]",
        entry=ron("1/30", hand=hand(f"{CHUN} d7z7z wES")),
    ),
    Wrong(
        "22.1",
        SAN,
        {
            "hand.five_copies": (
                "There are 5 of the North wind among hand, melds, kita and indicators; the set has four."
            )
        },
        line="2r3 [123p78s99m444z6s 777z k2]",
        entry=ron("3/40", hand=hand("123p78s99m444z6s 777z k2 wES")),
    ),
    Wrong(
        "22.2",
        EMA,
        {"hand.not_in_set": "The red five of circles is not played with under these rules."},
        line="2r3 [123067p78s99m6s 777z]",
        entry=ron("2/30", hand=hand("123067p78s99m6s 777z wES")),
    ),
    Wrong(
        "22.2",
        RAK,
        {"hand.too_many_reds": "There are 2 of the red five of circles; these rules play with 1."},
        line="2r3 [12300p78s99m66s 777z]",
        entry=ron("3/30", hand=hand("12300p78s99m66s 777z wES")),
    ),
    Wrong(
        "22.2",
        RAK,
        {"yaku.dora_too_many": "4 red fives are too many: there are 3."},
        entry=ron("5/30", "chun red red red red"),
    ),
)
