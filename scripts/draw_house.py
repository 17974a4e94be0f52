"""Draw docs/developer/house.svg: the four rooms with their tasks, in the order that the import contracts keep.

The tasks come from the contracts in pyproject.toml, so the picture shows what is checked. Run it after a change there.
"""

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
SAYS = {
    "web": "web: how people and programs see it",
    "services": "tournament/services: the only writers; they use selectors",
    "selectors": "tournament/selectors: the only readers",
    "pure": "tournament/seating, draws, sheets, exports, imports, models",
    "scoring": "scoring: what a result is worth, pure",
    "rules": "rules: what the books say, pure",
}


def layers(container: str) -> list[str]:
    """Return the tasks of a room, a row for each layer, the top one first; as the contract of that container says."""
    contracts = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (found,) = [each["layers"] for each in contracts if each.get("containers") == [container]]
    return [row.replace(" | ", " · ") for row in found]


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
    """Return the house as SVG, the top room first: each room and each row uses only what is below it."""
    half = (WIDTH - 3 * GAP) // 2
    drawn: list[str] = []
    y = GAP
    floors: list[list[tuple[str, list[str]]]] = [
        [("web", layers("web"))],
        [("services", layers("tournament.services")), ("selectors", layers("tournament.selectors"))],
        [("pure", [])],
        [("scoring", PURE["scoring"])],
        [("rules", PURE["rules"])],
    ]
    for floor in floors:
        wide = WIDTH - 2 * GAP if len(floor) == 1 else half
        boxes = [box(SAYS[key], rows, GAP + n * (half + GAP), y, wide) for n, (key, rows) in enumerate(floor)]
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
