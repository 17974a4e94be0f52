"""What Django keeps for each thread stands in no other, and costs no lock that all threads pass."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.apps import apps
from django.core.cache import caches
from django.urls import base, get_script_prefix, set_script_prefix
from django.utils import timezone, translation
from django.utils.translation import trans_real


def test_each_thread_has_its_language_prefix_and_zone():
    apps.get_app_config("web").ready()  # a test that changed the settings had Django's own put back
    here = (translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name())

    def elsewhere() -> tuple[str | None, str, str]:
        translation.activate("ja")
        set_script_prefix("/there/")
        timezone.activate("Asia/Tokyo")
        return translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(elsewhere).result() == ("ja", "/there/", "Asia/Tokyo")
    assert (translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name()) == here


def test_no_lock_is_passed():
    apps.get_app_config("web").ready()
    places = ((trans_real, "_active"), (timezone, "_active"), (base, "_prefixes"), (base, "_urlconfs"))
    kept = [type(getattr(place, name)) for place, name in (*places, (caches, "_connections"))]
    assert kept == [threading.local] * 5
