"""What kind of browser somebody sits at, as two words of ours: enough to tell one's own devices apart in a list.

The text that a browser sends about itself is read once and never kept: it is nearly a fingerprint.
"""

import re

# the first that fits: most browsers also name those that they want to be taken for
_BROWSERS = (
    ("edge", re.compile(r"Edg(?:e|A|iOS)?/")),
    ("opera", re.compile(r"OPR/|Opera")),
    ("samsung", re.compile(r"SamsungBrowser/")),
    ("firefox", re.compile(r"Firefox/|FxiOS/")),
    ("chrome", re.compile(r"Chrome/|CriOS/|Chromium/")),
    ("safari", re.compile(r"Version/[\d.]+.*Safari/|AppleWebKit/.*Mobile/")),
)
_SYSTEMS = (
    ("android", re.compile(r"Android")),
    ("iphone", re.compile(r"iPhone|iPod")),
    ("ipad", re.compile(r"iPad")),
    ("windows", re.compile(r"Windows")),
    ("chromeos", re.compile(r"CrOS")),
    ("mac", re.compile(r"Macintosh")),
    ("linux", re.compile(r"Linux|X11")),
)
_MOST = 400


def browser_of(user_agent: str) -> str:
    """Return browser and system as a code, "" where neither is known.

    >>> browser_of("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'firefox android'
    >>> browser_of("curl/8.5")
    ''
    """
    text = user_agent[:_MOST]
    found = (next((code for code, sign in table if sign.search(text)), "") for table in (_BROWSERS, _SYSTEMS))
    return " ".join(code for code in found if code)
