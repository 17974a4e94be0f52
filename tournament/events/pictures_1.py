"""Pictures that people hand in: checked, made small and drawn again, so that nothing else of the file is kept."""

import io
import warnings
from typing import TYPE_CHECKING

from scoring.problems import ProblemType
from tournament.core.errors import Refused

if TYPE_CHECKING:
    from PIL import Image

LOOK_PICTURE_UNREADABLE = ProblemType(
    "look.picture_unreadable", "The file is not a picture that can be read: use PNG, JPEG, WebP or GIF."
)
LOOK_PICTURE_TOO_LARGE = ProblemType("look.picture_too_large", "The picture has more than {most} MB.")
LOOK_PICTURE_TOO_MANY_PIXELS = ProblemType(
    "look.picture_too_many_pixels", "The picture has more than {most} million pixels."
)

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")  # no SVG: it may hold scripts and addresses
MOST_BYTES = 2_000_000
MOST_PIXELS = 20_000_000
SIDES = ((640, 320), (480, 240), (320, 160), (160, 80))  # the first in which the picture is small enough
SMALL = 150_000  # bytes: it is loaded with pages of 45 kB, once


def logo_of(data: bytes) -> bytes:
    """Return a picture as a small PNG without its metadata.

    Raises Refused for what is too large, of another kind, or broken.
    """
    if len(data) > MOST_BYTES:
        raise Refused(LOOK_PICTURE_TOO_LARGE(most=MOST_BYTES // 1_000_000))
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow only warns of a bomb that is twice too large
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    raise Refused(LOOK_PICTURE_TOO_MANY_PIXELS(most=MOST_PIXELS // 1_000_000))
                drawn = picture.convert("RGBA")
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError, Warning) as broken:
        raise Refused(LOOK_PICTURE_UNREADABLE()) from broken
    made = b""
    for side in SIDES:
        drawn.thumbnail(side)
        made = _png(drawn)
        if len(made) <= SMALL:
            break
    return made


def _png(drawn: "Image.Image") -> bytes:
    from PIL import Image

    fresh = Image.new("RGBA", drawn.size)
    fresh.paste(drawn)
    out = io.BytesIO()
    fresh.save(out, "PNG", optimize=True)
    return out.getvalue()
