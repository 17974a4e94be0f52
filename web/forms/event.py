"""The short form that makes an event. It maps to plain values; whether they can stand is the verb's to say."""

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rules.ruleset import book_keys, load
from web.formatting import p, signed_p

OWN_BOOKS_FIRST = ("sanmatsuri-2026", "rakkii-nomi-2026")


def rule_choices() -> list[tuple[str, str]]:
    """List the books with one line each, the organisers' own first."""
    keys = sorted(book_keys(), key=lambda key: (key not in OWN_BOOKS_FIRST, key.startswith("tenhou"), key))
    return [(key, _describe(key)) for key in keys]


def _describe(key: str) -> str:
    rules = load(key)
    uma = " / ".join(signed_p(points) for points in rules.uma)
    minutes = _("%(count)d minutes") % {"count": rules.minutes} if rules.minutes else _("no time limit")
    return _("%(title)s: %(players)d players, start %(start)s, uma %(uma)s, %(minutes)s") % {
        "title": rules.title,
        "players": rules.players,
        "start": p(rules.start_points),
        "uma": uma,
        "minutes": minutes,
    }


class EventForm(forms.Form):
    """Name, date, rule set, rounds and minutes of a new event."""

    name = forms.CharField(label=_("Name"), max_length=120)
    date = forms.DateField(
        label=_("Date"), initial=lambda: timezone.localdate(), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    rules_key = forms.ChoiceField(label=_("Rule set"), choices=rule_choices, widget=forms.RadioSelect)
    rounds = forms.IntegerField(label=_("Rounds"), initial=6, min_value=1, max_value=30)
    minutes = forms.IntegerField(
        label=_("Minutes a round"),
        required=False,
        min_value=0,
        max_value=600,
        help_text=_("Left empty, the rule set's own; 0 for no limit."),
    )
    place = forms.CharField(label=_("Place"), max_length=120, required=False)
