"""Draw static/tiles/tiles.png, the faces of tiles.svg in one row, for pictures that the desk draws itself.

`python scripts/draw_tiles.py` needs a Chromium, as the browser tests do. The order is that of the symbols in tiles.svg.
"""

import io
import re
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "static" / "tiles"
WIDTH, HEIGHT = 90, 120
COLOURS = 48
STYLE = """
body { margin: 0; background: transparent; display: flex; width: max-content; }
svg.face { width: 90px; height: 120px; }
"""
IVORY = '<rect x=".5" y=".5" width="29" height="39" rx="3.5" fill="#fbf8ee" stroke="#7f7b6a"/>'
SYMBOL = re.compile(r'<symbol id="tile-([^"]+)"[^>]*>(.*?)</symbol>', re.DOTALL)


def main() -> None:
    """Write the file."""
    faces = SYMBOL.findall((FOLDER / "tiles.svg").read_text(encoding="utf-8"))
    drawn = "".join(f'<svg class="face" viewBox="0 0 30 40">{IVORY}{face}</svg>' for _name, face in faces)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH * len(faces), "height": HEIGHT})
        page.set_content(f"<style>{STYLE}</style>{drawn}")
        shot = page.screenshot(omit_background=True)
        browser.close()
    with Image.open(io.BytesIO(shot)) as picture:
        few = picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
        few.save(FOLDER / "tiles.png", optimize=True)


if __name__ == "__main__":
    main()
