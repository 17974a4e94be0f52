"""What every test here gets."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Begin with nothing cached: a rolled-back test leaves its event's number, and so its cache key, to the next."""
    cache.clear()
    yield
    cache.clear()
