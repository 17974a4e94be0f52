"""`manage.py score`: Read hands of tiles; print their yaku, dora, fu and value, and who pays.

It reads standard input, and the database only for a rule set of the site.
"""

from functools import partial
from typing import Any

from django.core.management.base import CommandError, CommandParser

from rules.ruleset import Ruleset, RulesetError
from scoring.explain import explain, score_json
from scoring.hand import read_hand
from scoring.hand_line import read_hand_line
from web.management.json_lines import NAMED_OR_FILE, LinesCommand, named_book


class Command(LinesCommand):
    """Hands in, values out."""

    help = """Reads one hand a line from standard input, writes one answer a line; needs no database for a book. In:
    {"id", "tiles": concealed part with the winning tile, "win": tile, "tsumo", "melds": [{"kind", "tiles", "from"}...],
    "round_wind", "seat_wind", "riichi": 0|1|2, "ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn",
    "dora": indicators, "ura": indicators, "kita": n, "honba": n}; all but tiles, win, tsumo and winds may be left out.
    Or {"id", "line": "340m567p66234s 777z t d1m wES"}, a hand line. Out: {"id", "ok", "han", "fu", "yakuman", "limit",
    "yaku", "dora", "fu_items", "base", "payment", "value", "total"}, and with it the reading taken, those set aside,
    and who is liable. A bad line gets {"id", "ok": false, "problems": [...]} and stops no other line."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the rule set."""
        parser.add_argument("--rules", required=True, metavar="KEY", help=NAMED_OR_FILE)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Answer every line of standard input."""
        try:
            self.answer = partial(score, rules=named_book(options["rules"]).ruleset)
        except RulesetError as wrong:
            raise CommandError(str(wrong)) from wrong
        super().handle()


def score(line: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    """Value one hand; raises InvalidInput with what is wrong with it."""
    value = dict(line)
    if "line" in value:
        value |= read_hand_line(str(value.pop("line")))
    value.pop("id", None)
    hand = read_hand(value, rules)
    return score_json(explain(hand, rules), hand, rules)
