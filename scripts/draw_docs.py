"""Draw the pictures of README and docs/ from the running program: `python scripts/draw_docs.py`.

A desk of its own with the samples is started and photographed, so that no picture shows what the program does not do.
Needs the packages of the tests and a Chromium.
"""

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO))

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import bootstrap  # noqa: E402
from tests.e2e.first_event import follow_steps  # noqa: E402
from tests.e2e.own_desk import OwnDesk  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = REPO / "docs" / "pictures"
LAPTOP, PHONE, WALL = (1100, 720), (390, 760), (1280, 720)
ROUND = "/desk/rakkii-nomi-sample/rounds/3/"
FIRST_EVENT = {  # pictures of docs/organiser/before/first-event.md, by the heading of their step
    "Create the event": "first-create.webp",
    "Draw and publish the seats": "first-seats.webp",
    "Start the clock": "first-desk.webp",
    "Enter three hands": "first-hands.webp",
    "Type a sheet": "first-sheets.webp",
    "See the results": "first-results.webp",
}
SETTLED_MS = 300  # after which an answer is drawn
LINE = "2r3 340/2"
TYPING_MS, DONE_MS = 260, 2600  # how long the recording shows a key, and the whole line
MAKE_SAMPLES = """
from datetime import datetime, UTC
from tests.e2e.conftest import session_of
from tests.factories import make_account
from tournament.demo.sample import load_samples
referee = make_account("Referee", superuser=True)
load_samples(now=datetime.now(UTC), by=referee)
print(session_of(referee))
"""


def main() -> None:
    """Draw all pictures into docs/pictures."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "web.settings")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        desk = OwnDesk(Path(data), session="made below")
        desk.run("migrate", "--verbosity", "0")
        desk.start()
        desk.session = desk.run("shell", "--verbosity", "0", "-c", MAKE_SAMPLES).split()[-1]
        browser = playwright.chromium.launch(executable_path=bootstrap.find(bootstrap.BROWSERS), args=["--no-sandbox"])
        try:
            draw(browser, desk)
        finally:
            browser.close()
            desk.kill()


def draw(browser: "Browser", desk: OwnDesk) -> None:
    """Draw each picture of the samples' third round, which is being played; a table that still plays is found."""
    tables = (open_page(browser, desk, LAPTOP, f"{ROUND}tables/{table}/", signed_in=True) for table in range(1, 7))
    record_typing(next(page for page in tables if page.locator("#line").count()))
    phone = open_page(browser, desk, PHONE, "/e/rakkii-nomi-sample/?me=5", scale=2)
    save(phone, "phone.webp")
    wall = open_page(browser, desk, WALL, "/e/rakkii-nomi-sample/display/standings/")
    save(wall, "wall.webp")
    desk_page = open_page(browser, desk, LAPTOP, "/", signed_in=True)
    for step in follow_steps(desk_page):
        if step in FIRST_EVENT:
            desk_page.wait_for_timeout(SETTLED_MS)
            desk_page.evaluate("scrollTo(0, 0)")
            save(desk_page, FIRST_EVENT[step])


def open_page(
    browser: "Browser", desk: OwnDesk, size: tuple[int, int], path: str, *, signed_in: bool = False, scale: int = 1
) -> "Page":
    """Open a page of the desk in a window of this size, in points, with `scale` pixels each."""
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, device_scale_factor=scale, reduced_motion="reduce")  # type: ignore[arg-type]
    if signed_in:
        context.add_cookies([{"name": "sessionid", "value": desk.session, "url": desk.url}])
    page = context.new_page()
    page.goto(desk.url + path)
    page.evaluate("document.fonts.ready")
    return page


def record_typing(page: "Page") -> None:
    """Write typing.webp, in which a line is typed key by key, and hand-page.png, the page at the end of it."""
    page.get_by_role("link", name="No, thanks").click()  # it is asked once
    field = page.locator("#line")
    frames, times = [shot(page)], [TYPING_MS * 3]
    for key in LINE:
        with page.expect_response("**/preview/**"):
            field.press_sequentially(key)
        page.wait_for_timeout(SETTLED_MS)
        frames.append(shot(page))
        times.append(TYPING_MS)
    times[-1] = DONE_MS
    frames[0].save(PICTURES / "typing.webp", save_all=True, append_images=frames[1:], duration=times, quality=70)
    frames[-1].save(PICTURES / "hand-page.png", optimize=True)


def save(page: "Page", name: str) -> None:
    """Write what a page shows."""
    shot(page).save(PICTURES / name, quality=82, method=6)


def shot(page: "Page") -> Image.Image:
    """Return what a page shows."""
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


if __name__ == "__main__":
    main()
