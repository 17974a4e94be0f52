"""The look of an event: its colour with the contrast that WCAG 2.2 asks, its logo and its photo.

A picture from outside is checked, made smaller and drawn again, so that nothing else of its file is stored.
"""

import base64
import hashlib
import io
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from scoring.problems import ProblemType
from tournament.accounts.models import Account
from tournament.core.acts import Act
from tournament.core.errors import DomainError
from tournament.core.transaction import event_transaction
from tournament.events.models import Event, Logo, Photo

if TYPE_CHECKING:
    from PIL import Image


COLOUR_SET = Act("colour_set", "set the event's colour {colour}")
COLOUR_REMOVED = Act("colour_removed", "removed the event's colour")
LOGO_SET = Act("logo_set", "set the event's logo")
LOGO_REMOVED = Act("logo_removed", "deleted the event's logo")
PHOTO_SET = Act("photo_set", "set the event's picture")
PHOTO_REMOVED = Act("photo_removed", "deleted the event's picture")

LOOK_COLOUR_UNKNOWN = ProblemType("look.colour_unknown", "A colour is written like #1f5a44.")


def set_colour(*, event: Event, colour: str, by: Account) -> bool:
    """Set the event's colour, "#rrggbb" or "" for none; one on which white is not read is set darker.

    Raises DomainError for what is no colour.
    """
    wanted = colour.strip().lower()
    with event_transaction(event, COLOUR_SET if wanted else COLOUR_REMOVED, by=by) as change:
        if wanted and not is_colour(wanted):
            raise DomainError(LOOK_COLOUR_UNKNOWN())
        new = readable(wanted) if wanted else ""
        changed = change.set_event(colour=new)
        change.details = {"colour": new} if new else {}
        return changed


class PictureKind(NamedTuple):
    """A picture that an event may have: its rows, how its file is drawn again, and its acts."""

    model: type[Logo | Photo]
    make: Callable[[bytes], bytes]
    set_act: Act
    remove_act: Act
    max_bytes: int


def set_picture(*, event: Event, kind: PictureKind, data: bytes, by: Account) -> bool:
    """Set one of the event's pictures, drawn again; raises DomainError as `make_logo` and `make_photo` do."""
    made = kind.make(data)
    with event_transaction(event, kind.set_act, by=by) as change:
        if change.set_event(**{kind.model.event_column: name_of_picture(made)}):
            text = base64.b64encode(made).decode()
            kind.model.objects.update_or_create(event=change.event, defaults={kind.model.file_column: text})
        return change.changed


def remove_picture(*, event: Event, kind: PictureKind, by: Account) -> bool:
    """Delete one of the event's pictures."""
    with event_transaction(event, kind.remove_act, by=by) as change:
        kind.model.objects.filter(event=change.event).delete()
        changed = change.set_event(**{kind.model.event_column: ""})
        change.details = {}
        return changed


def name_of_picture(png: bytes) -> str:
    """Return the name of a picture, which moves with its content."""
    return hashlib.sha256(png).hexdigest()[:16]


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


LOOK_PICTURE_UNREADABLE = ProblemType(
    "look.picture_unreadable", "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."
)
LOOK_PICTURE_TOO_LARGE = ProblemType("look.picture_too_large", "The picture has more than {most} MB.")
LOOK_PICTURE_TOO_MANY_PIXELS = ProblemType(
    "look.picture_too_many_pixels", "The picture has more than {most} million pixels."
)

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")  # no SVG: it may hold scripts and addresses
MAX_BYTES = 2_000_000
MAX_PHOTO_BYTES = 8_000_000  # as a phone takes it
MAX_PIXELS = 20_000_000
PHOTO_SIZE = (960, 480)
PHOTO_SMALL = 60_000  # bytes: phones load it with the page of the event
SIDES = ((640, 320), (480, 240), (320, 160), (160, 80))  # the first in which the picture is small enough
SMALL = 150_000  # bytes: it is loaded with pages of 45 kB, once


def make_logo(data: bytes) -> bytes:
    """Return a picture as a small PNG without its metadata.

    Raises DomainError for what is too large, of another kind, or broken.
    """
    drawn = _read(data, MAX_BYTES).convert("RGBA")
    made = b""
    for side in SIDES:
        drawn.thumbnail(side)
        made = _png(drawn)
        if len(made) <= SMALL:
            break
    return made


def make_photo(data: bytes) -> bytes:
    """Return a picture as a WebP of one size without its metadata, cut where its shape differs; raises as make_logo."""
    from PIL import Image, ImageOps

    drawn = _read(data, MAX_PHOTO_BYTES).convert("RGBA")
    fresh = Image.new("RGB", PHOTO_SIZE, "white")
    cut = ImageOps.fit(drawn, PHOTO_SIZE)
    fresh.paste(cut, mask=cut)
    made = b""
    for quality in (80, 60, 40, 20):
        out = io.BytesIO()
        fresh.save(out, "WEBP", quality=quality)
        made = out.getvalue()
        if len(made) <= PHOTO_SMALL:
            break
    return made


def _read(data: bytes, most: int) -> "Image.Image":
    """Read a picture of at most so many bytes, turned as its camera was held; raises DomainError as make_logo does."""
    if len(data) > most:
        raise DomainError(LOOK_PICTURE_TOO_LARGE(most=most // 1_000_000))
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow only warns of a bomb that is twice too large
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                picture.draft("RGB", (2 * PHOTO_SIZE[0], 2 * PHOTO_SIZE[0]))  # a JPEG is read smaller than it is
                if picture.width * picture.height > MAX_PIXELS:
                    raise DomainError(LOOK_PICTURE_TOO_MANY_PIXELS(most=MAX_PIXELS // 1_000_000))
                return ImageOps.exif_transpose(picture)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, Warning) as broken:
        raise DomainError(LOOK_PICTURE_UNREADABLE()) from broken


def _png(drawn: "Image.Image") -> bytes:
    from PIL import Image

    fresh = Image.new("RGBA", drawn.size)
    fresh.paste(drawn)
    out = io.BytesIO()
    fresh.save(out, "PNG", optimize=True)
    return out.getvalue()


LOGO = PictureKind(Logo, make_logo, LOGO_SET, LOGO_REMOVED, MAX_BYTES)
PHOTO = PictureKind(Photo, make_photo, PHOTO_SET, PHOTO_REMOVED, MAX_PHOTO_BYTES)
