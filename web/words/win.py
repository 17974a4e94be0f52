"""A winner's yaku by name and tiles against what was entered: what is wrong with them, in sentences.

It decides nothing; web.words.problems fills the parameters in.
"""

from web.words.languages import Words

SENTENCES: Words = {
    "win.no_paarenchan": "{seat} has no paarenchan: it is the dealer's win after keeping the deal eight times himself; "
    "so far {deals} times.",
    "win.paarenchan": "{seat} wins the ninth deal in a row: paarenchan, a yakuman. Is the hand to be entered by han?",
    "yaku.unknown": "'{yaku}' is not the name of a yaku.",
    "yaku.not_in_rules": "These rules do not count {yaku}.",
    "yaku.twice": "Named twice among the yaku: {yaku}.",
    "yaku.not_by_tsumo": "A win by tsumo cannot have {yaku}.",
    "yaku.not_by_ron": "A win by ron cannot have {yaku}.",
    "yaku.not_together": "One hand cannot have both {one} and {other}.",
    "yaku.riichi_without_deposit": "{seat} wins with riichi but put no deposit down in this hand.",
    "yaku.deposit_without_riichi": "{seat} put a deposit down in this hand, but riichi is not among the yaku.",
    "yaku.needs_riichi": "Without riichi there is no {yaku}.",
    "yaku.no_yakuman_named": "{seat} wins with a yakuman, but none of the yaku named is one.",
    "yaku.yakuman_differ": "The hand is entered as {yakuman} yakuman; those named make {named}.",
    "yaku.is_yakuman": "The hand is entered by han, but {yaku} is a yakuman.",
    "yaku.dora_too_many": "{given} {yaku} are too many: there are {most}.",
    "yaku.needs_other": "A hand with {yaku} has one of these as well: {counted}.",
    "yaku.are_yakuman": "Together, {yaku} are {other}, a yakuman.",
    "win.two_han_needed": "With {honba} counters {seat} needs two han of yaku at least, not a hand of {han} han.",
    "yaku.two_han_needed": "With so many counters the yaku must make {least} han, and {yaku} do not.",
    "yaku.none": "{han} han without a yaku: dora alone cannot win.",
    "yaku.not_in_such_a_hand": (
        "A closed hand won by tsumo names menzen tsumo as well; in an open one this cannot count: {yaku}."
    ),
    "yaku.han_differs": "The hand is entered with {han} han; its yaku ({yaku}) and the dora named make {named}.",
    "yaku.fu_differs": "A hand with {yaku} won so has {wanted} fu, not {fu}.",
    "tiles.other_winds": "{seat}: the tiles come with round and seat wind {given}; in this hand they are {derived}.",
    "tiles.other_honba": "The tiles are given with {given} counters; in this hand there are {derived}.",
    "tiles.other_way_to_win": "The tiles are given as a {given}; the hand is entered as a {entered}.",
    "tiles.deposit_and_open_hand": "{seat} put a deposit down, but the hand is open: riichi wants a closed one.",
    "tiles.yakuman_differ": "The tiles count to {counted} yakuman ({han} han), and {given} are entered.",
    "tiles.value_differs": "The tiles count to {counted_han} han {counted_fu} fu; entered are {han} han {fu} fu.",
    "tiles.yaku_differ": "The tiles have {counted}; entered are {entered}.",
    "tiles.pao_differs": "By the melds {seat} is liable for this hand.",
    "tiles.no_pao": "By the melds nobody is liable for this hand, and {seat} is entered.",
}

# a slip that a table may have made with a payment (scoring.announced)
CAUSES: Words = {
    "counters_forgotten": "were the counters forgotten?",
    "counters_doubled": "were the counters paid twice?",
    "one_counter_less": "was one counter too few paid?",
    "one_counter_more": "was one counter too many paid?",
    "as_dealer": "was it paid as to the dealer?",
    "not_as_dealer": "was it paid as if the winner were not the dealer?",
    "kiriage_forgotten": "was the rounding up to mangan forgotten?",
    "kiriage_taken": "was it rounded up to mangan, which these rules do not know?",
    "one_fu_step_less": "was it paid with ten fu less?",
    "one_fu_step_more": "was it paid with ten fu more?",
    "one_han_less": "was it paid with one han less?",
    "one_han_more": "was it paid with one han more?",
    "liability_forgotten": "was the liable player forgotten?",
    "tsumo_loss_forgotten": "was the missing North's share paid as well?",
}
