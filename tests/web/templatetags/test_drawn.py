"""What is drawn once for its values looks as if it were drawn again, in every language, and sees nothing else."""

from typing import Any

import pytest
from django.conf import settings
from django.template import RequestContext, engines
from django.test import RequestFactory
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from web.templatetags import hanchan

SEAT: dict[str, Any] = {"number": 1, "name": "<b>Akelei</b>", "score": 25_000, "wind": "E"}
SEAT_CARD = '{% drawn "ui/seat_card.html" seat=seat %}'


@pytest.fixture(autouse=True)
def _nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hanchan, "_drawn", type(hanchan._drawn)())


def draw(tag: str, **context: Any) -> str:
    """Draw a line of a template."""
    template: Any = engines["django"].from_string("{% load hanchan %}" + tag)
    return str(template.template.render(RequestContext(RequestFactory().get("/"), context)))


def kept() -> int:
    """Count what is kept."""
    return len(hanchan._drawn)


@pytest.mark.parametrize("language", ["en-gb", "ja", "de", "fr"])
def test_it_looks_as_an_include_does_however_often(language: str):
    with translation.override(language):
        included = draw('{% include "ui/seat_card.html" with seat=seat only %}', seat=SEAT)
        assert [draw(SEAT_CARD, seat=SEAT) for _ in range(3)] == [included] * 3
        assert draw(SEAT_CARD, seat=SEAT | {"wind": "W"}) != included
    assert kept() == 2


def test_another_language_is_another_drawing():
    texts = set()
    for language in ("en-gb", "ja", "de", "en-gb"):
        with translation.override(language):
            texts.add(draw(SEAT_CARD, seat=SEAT | {"dealer": True}))
    assert (len(texts), kept()) == (3, 3)


def test_every_value_tells_drawings_apart_and_is_escaped_once():
    for seat in (SEAT, {**SEAT, "score": 26_000}, {**SEAT, "name": gettext_lazy("East")}, SEAT):
        included = draw('{% include "ui/seat_card.html" with seat=seat only %}', seat=seat)
        assert draw(SEAT_CARD, seat=seat) == included
    assert "&lt;b&gt;Akelei&lt;/b&gt;" in draw(SEAT_CARD, seat=SEAT)


def test_a_safe_text_is_not_taken_for_the_same_text_that_must_be_escaped():
    wind = "<i>"
    tags = [draw(SEAT_CARD, seat={**SEAT, "name": name}) for name in (mark_safe(wind), wind)]
    assert [("<i>" in tag, "&lt;i&gt;" in tag) for tag in tags] == [(True, False), (False, True)]


def test_it_sees_no_variable_that_is_not_given():
    assert draw(SEAT_CARD, seat=SEAT, taps=True) == draw(SEAT_CARD, seat=SEAT)


def test_it_keeps_so_many_and_forgets_what_was_asked_longest_ago(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hanchan, "MAX_DRAWN", 2)
    tags = {wind: draw(SEAT_CARD, seat=SEAT | {"wind": wind}) for wind in ("E", "S")}
    tags |= {wind: draw(SEAT_CARD, seat=SEAT | {"wind": wind}) for wind in ("E", "W")}
    assert list(hanchan._drawn.values()) == [tags["E"], tags["W"]]


def test_whoever_writes_templates_sees_each_change(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "DEBUG", True)
    draw(SEAT_CARD, seat=SEAT)
    assert kept() == 0
