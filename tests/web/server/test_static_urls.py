"""The address of a static file is asked for once, and is the storage's own under other settings, too."""

from typing import Any

from django.templatetags.static import static

from tournament.pages.static_files import static_address


def test_it_is_the_storages_own_and_asked_for_once() -> None:
    assert static_address("icons/sprite.svg") == static("icons/sprite.svg")
    assert static_address("icons/sprite.svg") is static_address("icons/sprite.svg")


def test_other_settings_have_other_addresses(settings: Any) -> None:
    before = static_address("icons/sprite.svg")
    hashed = {**settings.STORAGES, "staticfiles": {"BACKEND": "tests.web.server.test_static_urls.Elsewhere"}}
    settings.STORAGES = hashed
    assert (before, static_address("icons/sprite.svg")) == ("/static/icons/sprite.svg", "/elsewhere/icons/sprite.svg")


class Elsewhere:
    def url(self, name: str) -> str:
        return f"/elsewhere/{name}"
