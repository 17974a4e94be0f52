"""Tile faces in templates; `{% load tiles %}`.

`{% tile "0p" %}` draws one face with its name, `{% hand_tiles hand %}` a whole hand of the contract, `{% counting … %}`
the picker with its answer. They draw from static/tiles/tiles.svg.
"""

import json
from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from rules.books import book_keys, load
from rules.ruleset import Ruleset
from scoring.exclusions import exclusions
from tournament.calculator.views import hand_faces
from tournament.pages.static_files import static_address
from tournament.rulesets.messages import say_size
from tournament.text.hands import PICKER, tile_name

register = template.Library()

SPRITE = "tiles/tiles.svg"
SUITS = (
    (_("Characters"), [f"{rank}m" for rank in "1234506789"]),
    (_("Circles"), [f"{rank}p" for rank in "1234506789"]),
    (_("Bamboos"), [f"{rank}s" for rank in "1234506789"]),
    (_("Winds and dragons"), [f"{rank}z" for rank in "1234567"]),
)
MODES = (
    ("hand", pgettext_lazy("tiles", "Hand")),
    ("chii", _("Chii")),
    ("pon", _("Pon")),
    ("kan", _("Kan")),
    ("closed", _("Closed kan")),
    ("dora", _("Dora")),
    ("ura", _("Ura")),
)
FLAGS = (
    ("ippatsu", _("Ippatsu")),
    ("rinshan", _("Rinshan")),
    ("chankan", _("Chankan")),
    ("haitei", _("Haitei")),
    ("houtei", _("Houtei")),
    ("first", _("First turn")),
)


@register.simple_tag
def tile(code: str, state: str = "") -> SafeString:
    """Draw a tile with its name for those who listen; `state` adds classes; "back" is a tile face down."""
    name = gettext("tile face down") if code == "back" else tile_name(code)
    return _face(code, state, f'role="img" aria-label="{escape(name)}"')


@register.simple_tag
def tile_face(code: str, state: str = "") -> SafeString:
    """Draw a tile whose name stands beside it."""
    return _face(code, state, 'aria-hidden="true"')


@register.filter(name="tile_name")
def tile_name_of(code: str) -> str:
    """Name a tile."""
    return tile_name(code)


def _face(code: str, state: str, said: str) -> SafeString:
    """Draw a face; `state` is a template's own text, `said` is escaped."""
    return SafeString(
        f'<svg class="face{state and " "}{state}" {said} viewBox="0 0 30 40" focusable="false">'
        f'<use href="{static_address(SPRITE)}#tile-{escape(code)}"></use></svg>'
    )


@register.inclusion_tag("ui/tiles.html")
def hand_tiles(hand: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a hand of the contract."""
    return hand_faces(hand)


@register.inclusion_tag("ui/tile_picker.html")
def counting(
    rules: Ruleset,
    line: str = "",
    answer: Mapping[str, Any] | None = None,
    uid: str = "count",
    *,
    choose: bool = False,
    address: str = "",
    page: str = "",
    sizes: Mapping[int, Ruleset] = MappingProxyType({}),
) -> dict[str, Any]:
    """Show a picker with its answer.

    `answer` is what calculator.views.answer_line says of `line`; `uid` makes ids differ where a page has several;
    `choose` lets the person choose among all books and keeps the state in the address. `address` counts instead of the
    public calculator; the page then tells the picker by script what is given, see static/calculator/count_dialog.js.
    `page` is the address of an event's calculator, which counts by the event's rules alone: of two `sizes` of tables
    the person chooses one.
    """
    books = [(key, load(key)) for key in book_keys()] if choose else sizes.items() if len(sizes) > 1 else ()
    return {
        "uid": uid,
        "count_url": address or (f"{page}count/" if page else reverse("count")),
        "page_url": page or reverse("calculator"),
        "keeps_address": choose or bool(page),
        "given": bool(address),
        "rules": rules,
        "facts": picker_facts(rules),
        "books": [
            {
                "key": key,
                "title": say_size(each) if sizes else each.title,
                "facts": picker_facts(each),
                "chosen": each.key == rules.key and each.players == rules.players,
            }
            for key, each in books
        ],
        "line": line,
        "answer": answer or {"line": ""},
        "words": json.dumps({key: gettext(text) for key, text in PICKER.items()}),
        "sprite": static_address(SPRITE),
        "suits": SUITS,
        "modes": MODES,
        "flags": FLAGS,
        "winds": "ESWN",
    }


def picker_facts(rules: Ruleset) -> str:
    """Return what static/calculator/tile_rules.js needs of a rule set, as JSON."""
    facts = {
        "players": rules.players,
        "reds": rules.red_fives,
        "kita": rules.kita,
        "chii": rules.chii,
        "ura": rules.ura_dora,
        "rounds": rules.rounds + rules.extra_rounds,
        "excluded": [" ".join((each.why, *each.together)) for each in exclusions(rules)],
    }
    return json.dumps(facts)
