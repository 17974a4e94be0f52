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

HAND: dict[str, Any] = {"name": "<b>Akelei</b>", "what": "E", "value": "3 han", "seats": ()}
HAND_ROW = '{% drawn "ui/hand_row.html" hand=hand %}'


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
        included = draw('{% include "ui/hand_row.html" with hand=hand only %}', hand=HAND)
        assert [draw(HAND_ROW, hand=HAND) for _ in range(3)] == [included] * 3
        assert draw(HAND_ROW, hand=HAND | {"what": "W"}) != included
    assert kept() == 2


def test_another_language_is_another_drawing():
    texts = set()
    for language in ("en-gb", "ja", "de", "en-gb"):
        with translation.override(language):
            texts.add(draw(HAND_ROW, hand=HAND | {"void": True}))
    assert (len(texts), kept()) == (3, 3)


def test_every_value_tells_drawings_apart_and_is_escaped_once():
    for hand in (HAND, {**HAND, "value": "4 han"}, {**HAND, "name": gettext_lazy("East")}, HAND):
        included = draw('{% include "ui/hand_row.html" with hand=hand only %}', hand=hand)
        assert draw(HAND_ROW, hand=hand) == included
    assert "&lt;b&gt;Akelei&lt;/b&gt;" in draw(HAND_ROW, hand=HAND)


def test_a_safe_text_is_not_taken_for_the_same_text_that_must_be_escaped():
    wind = "<i>"
    tags = [draw(HAND_ROW, hand={**HAND, "name": name}) for name in (mark_safe(wind), wind)]
    assert [("<i>" in tag, "&lt;i&gt;" in tag) for tag in tags] == [(True, False), (False, True)]


def test_it_sees_no_variable_that_is_not_given():
    assert draw(HAND_ROW, hand=HAND, columns=4) == draw(HAND_ROW, hand=HAND)


def test_it_keeps_so_many_and_forgets_what_was_asked_longest_ago(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hanchan, "MAX_DRAWN", 2)
    tags = {wind: draw(HAND_ROW, hand=HAND | {"what": wind}) for wind in ("E", "S")}
    tags |= {wind: draw(HAND_ROW, hand=HAND | {"what": wind}) for wind in ("E", "W")}
    assert list(hanchan._drawn.values()) == [tags["E"], tags["W"]]


def test_whoever_writes_templates_sees_each_change(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settings, "DEBUG", True)
    draw(HAND_ROW, hand=HAND)
    assert kept() == 0
