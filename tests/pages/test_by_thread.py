"""Language, address prefix and time zone of a thread are in no other."""

from concurrent.futures import ThreadPoolExecutor

from django.urls import get_script_prefix, set_script_prefix
from django.utils import timezone, translation


def test_each_thread_has_its_language_prefix_and_zone():
    here = (translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name())

    def elsewhere() -> tuple[str | None, str, str]:
        translation.activate("ja")
        set_script_prefix("/there/")
        timezone.activate("Asia/Tokyo")
        return translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(elsewhere).result() == ("ja", "/there/", "Asia/Tokyo")
    assert (translation.get_language(), get_script_prefix(), timezone.get_current_timezone_name()) == here
