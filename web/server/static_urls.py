"""Where a static file is, asked of its storage once: a page names the file of its icons a hundred times.

It decides no address: the storage does, and does not change its mind while a process runs.
"""

import functools
from typing import Any

from django.core.signals import setting_changed
from django.templatetags.static import static


@functools.cache
def static_address(path: str) -> str:
    """Return the address of a static file, as `{% static %}` does; raises ValueError for one that was not collected."""
    return static(path)


def _forget(**_what: Any) -> None:
    static_address.cache_clear()


setting_changed.connect(_forget)  # a test gives other settings
