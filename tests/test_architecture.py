"""Hold docs/developer/architecture.md to the code: its functions and its picture."""

import ast
import re

from bootstrap import REPO
from scripts.draw_house import PICTURE, picture

PAGE = (REPO / "docs" / "developer" / "architecture.md").read_text(encoding="utf-8")
FUNCTIONS = re.findall(r"`([\w/]+\.py):(\w+)`", PAGE)


def functions_of(path: str) -> set[str]:
    tree = ast.parse((REPO / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_every_function_is_where_the_walk_says() -> None:
    assert len(FUNCTIONS) > 15
    assert [f"{path}:{name}" for path, name in FUNCTIONS if name not in functions_of(path)] == []


def test_the_picture_is_drawn_from_todays_contracts() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
