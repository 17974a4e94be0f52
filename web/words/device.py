"""The words about table devices and sessions: browsers, refusals, the acts of the trail. It decides nothing."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from web.words.languages import Words

BROWSERS: Mapping[str, str] = {  # brands: the same in every language
    "edge": "Edge",
    "opera": "Opera",
    "samsung": "Samsung Internet",
    "firefox": "Firefox",
    "chrome": "Chrome",
    "safari": "Safari",
}
SYSTEMS: Mapping[str, str] = {
    "android": "Android",
    "iphone": "iPhone",
    "ipad": "iPad",
    "windows": "Windows",
    "chromeos": "ChromeOS",
    "mac": "Mac",
    "linux": "Linux",
}

SENTENCES: Words = {
    "device.card_invalid": "This card does not work any more. Ask the organiser for a new one.",
    "device.pin_wrong": "This PIN does not go with this card.",
    "device.too_many_tries": (
        "This PIN was tried too often: it can be tried again in {minutes} minutes. A new card and PIN from the "
        "organiser work at once."
    ),
    "device.expires_out_of_range": "Choose a day from today on, at most {days} days ahead.",
    "device.ended": "This device is shut out already: make a new one.",
    "sessions.not_of_this_event": "Only whoever runs this desk can sign this person out: they have a role elsewhere.",
    "again.wrong_password": "This is not your password.",
    "again.too_many_tries": "The password was tried too often: try again in {minutes} minutes. Nothing is lost.",
    "search.too_many": "Too many searches come from here: wait {seconds} seconds. The list of all names stays open.",
    "link.too_many": "Too many links that do not work came from here: wait {minutes} minutes.",
}

VERBS: Words = {
    "devices_made": "let devices in at tables {tables} (0 is any table)",
    "device_renewed": "made a new card and PIN for the device of table {table} (0 is any table)",
    "devices_revoked": "shut out the devices of tables {tables} (0 is any table)",
    "member_signed_out": "signed somebody out everywhere ({sessions})",
    "sessions_ended": "signed out elsewhere ({sessions})",
}


def say_browser(code: str) -> str:
    """Put the code of a browser into words.

    >>> say_browser("firefox android"), say_browser("windows"), say_browser("")
    ('Firefox on Android', 'A browser on Windows', 'A browser')
    """
    words = code.split()
    browser = next((BROWSERS[word] for word in words if word in BROWSERS), _("A browser"))
    system = next((SYSTEMS[word] for word in words if word in SYSTEMS), "")
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser
