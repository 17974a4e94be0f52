"""Colours as "#rrggbb": how well two stand on each other (WCAG 2.2), and which letters suit a ground."""

import re

READABLE = 4.5  # WCAG 2.2, 1.4.3
DARK, LIGHT = "#111111", "#ffffff"
_HEX = re.compile(r"#[0-9a-f]{6}")
STEPS = 100


def is_colour(text: str) -> bool:
    """Tell whether a text is a colour, in small letters."""
    return bool(_HEX.fullmatch(text))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21.

    >>> round(contrast("#ffffff", "#000000")), round(contrast("#777777", "#ffffff"), 2)
    (21, 4.48)
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def letters_on(ground: str) -> str:
    """Return white or nearly black, whichever is read better on a colour.

    >>> letters_on("#1f5a44"), letters_on("#ffd400")
    ('#ffffff', '#111111')
    """
    return max((LIGHT, DARK), key=lambda letters: contrast(letters, ground))


def readable(colour: str) -> str:
    """Return a colour, or the lightest darker one of its kind on which white letters are read, and it on white paper.

    >>> readable("#1f5a44"), readable("#ffd400")
    ('#1f5a44', '#8c7400')
    """
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    darker = ("#" + "".join(f"{part * step // STEPS:02x}" for part in parts) for step in range(STEPS, -1, -1))
    return next(each for each in darker if contrast(each, LIGHT) >= READABLE)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
