"""A part of a page that is drawn once for the values it shows; `{% load drawn %}`.

What is drawn follows from its values and the language alone: it sees no other variable. So values are numbers, texts,
and lists, dicts and dataclasses of those. They are told apart by their pickle, which, unlike their `repr`, knows a text
that is safe as it stands from one that must be escaped.
"""

import hashlib
import pickle
import threading
from collections import OrderedDict
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MOST = 3000  # 100 tables of twelve hands, twice over; some 2 kB each

_drawn: OrderedDict[tuple[str, str, bytes], SafeString] = OrderedDict()
_door = threading.Lock()


@register.simple_tag(takes_context=True)
def drawn(context: Context, name: str, **values: Any) -> SafeString:
    """Draw a template as `{% include name with … only %}` does: `{% drawn "ui/hand_row.html" hand=hand %}`."""
    key = (name, get_language() or "", hashlib.sha256(pickle.dumps(values)).digest())
    with _door:
        known = _drawn.get(key)
        if known is not None:
            _drawn.move_to_end(key)
            return known
    assert context.template is not None  # noqa: S101  (a tag stands in one)
    made = context.template.engine.get_template(name).render(context.new(values))
    if not settings.DEBUG:  # whoever writes templates sees each change
        with _door:
            _drawn[key] = made
            while len(_drawn) > MOST:
                _drawn.popitem(last=False)
    return made
