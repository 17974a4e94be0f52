"""Draw docs/developer/house.svg: the four rooms with the features, in the order that the import contracts keep.

The features come from the contracts in pyproject.toml: the picture shows what is checked. Run it after a change there.
"""

import textwrap
import tomllib
from html import escape
from itertools import chain
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
PICTURE = REPO / "docs" / "developer" / "house.svg"
WIDTH, ROW, GAP, PAD = 960, 34, 8, 14
PURE = {
    "scoring": [
        "game · alllast · placement · standings",
        "check · payments · value",
        "count · yaku · fu · shape",
        "hand · tiles",
    ],
    "rules": ["books · fouls", "ruleset"],
}
TITLES = {
    "web": "web: the shell: settings, addresses, commands, server",
    "features": "tournament: a folder for each feature",
    "rare": "tournament: features that few need, behind hooks",
    "ground": "tournament: what every feature may use",
    "inside": "in each feature, as far as it needs them",
    "scoring": "scoring: what a result is worth, pure",
    "rules": "rules: what the books say, pure",
}
GROUND = "pages"  # the first feature of the ground floor
WIDE, HALF = 100, 46  # letters of names that fit into a row


def contract(name: str) -> dict[str, list[str]]:
    """Return the import contract whose name begins so."""
    contracts = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    found: dict[str, list[str]]
    (found,) = [each for each in contracts if each["name"].startswith(name)]
    return found


def rows_of(names: list[str], width: int) -> list[str]:
    """Return names in their order, as many in a row as fit into so many letters."""
    return [row.replace(" ", " · ") for row in textwrap.wrap(" ".join(names), width)]


def feature_rows() -> dict[str, list[str]]:
    """Return the rows of the boxes of `tournament`, the top layer first."""
    layers = contract("tournament: ")["layers"]
    rare = [name.removeprefix("tournament.") for name in contract("rare features: ")["forbidden_modules"]]
    ground = layers.index(GROUND)
    inside = [name.strip("()") for name in contract("in a feature: ")["layers"]]
    return {
        "features": rows_of([name for name in layers[:ground] if name not in rare], WIDE),
        "rare": rows_of([name for name in layers if name in rare], HALF),
        "ground": rows_of(layers[ground:], WIDE),
        "inside": rows_of(inside, HALF),
    }


def box(title: str, rows: list[str], left: int, top: int, width: int) -> tuple[list[str], int]:
    """Draw a room with a row for each layer; return its lines and its height."""
    height = PAD * 2 + 22 + len(rows) * (ROW + GAP)
    lines = [
        f'<rect class="room" x="{left}" y="{top}" width="{width}" height="{height}" rx="6"/>',
        f'<text class="title" x="{left + PAD}" y="{top + PAD + 12}">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        y = top + PAD + 22 + number * (ROW + GAP)
        lines += [
            f'<rect class="task" x="{left + PAD}" y="{y}" width="{width - 2 * PAD}" height="{ROW}" rx="4"/>',
            f'<text x="{left + width // 2}" y="{y + 22}" text-anchor="middle">{escape(row)}</text>',
        ]
    return lines, height


def picture() -> str:
    """Return the house as SVG, the top room first: each room and each row uses only what is below or after it."""
    half = (WIDTH - 3 * GAP) // 2
    drawn: list[str] = []
    y = GAP
    web = [row.replace(" | ", " · ") for row in contract("web: ")["layers"]]
    rows = {"web": web, **feature_rows(), **PURE}
    for floor in (["web"], ["rare", "inside"], ["features"], ["ground"], ["scoring"], ["rules"]):
        wide = WIDTH - 2 * GAP if len(floor) == 1 else half
        boxes = [box(TITLES[key], rows[key], GAP + n * (half + GAP), y, wide) for n, key in enumerate(floor)]
        drawn += chain.from_iterable(lines for lines, _height in boxes)
        y += max(height for _lines, height in boxes) + GAP
    style = (
        "text{font:14px sans-serif;fill:#1b211e}.title{font-weight:bold}"
        ".room{fill:#fcfbf5;stroke:#7f7b6a}.task{fill:#dfe9de;stroke:#1d5a45}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" role="img" aria-label="The four rooms">'
    return "\n".join([head, f"<style>{style}</style>", *drawn, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
