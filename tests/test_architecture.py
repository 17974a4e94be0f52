"""Hold docs/developer/architecture.md to the code: its paths, its functions and its picture."""

import ast
import re

from bootstrap import REPO
from scripts.draw_house import PICTURE, picture

PAGE = (REPO / "docs" / "developer" / "architecture.md").read_text(encoding="utf-8")
ROOMS = ("rules/", "scoring/", "tournament/", "web/", "templates/", "static/", "tests/", "tools/", "scripts/")
PATHS = [path for path in re.findall(r"`([a-z_]+/[\w/.]+)(?::\w+)?`", PAGE) if path.startswith(ROOMS)]
FUNCTIONS = re.findall(r"`([\w/]+\.py):(\w+)`", PAGE)


def functions_of(path: str) -> set[str]:
    tree = ast.parse((REPO / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_the_page_names_enough_to_be_worth_reading() -> None:
    assert len(FUNCTIONS) > 15
    assert len(PATHS) > 20


def test_every_path_exists() -> None:
    assert [path for path in PATHS if "FEATURE" not in path and not (REPO / path).exists()] == []


def test_every_function_is_where_the_walk_says() -> None:
    assert [f"{path}:{name}" for path, name in FUNCTIONS if name not in functions_of(path)] == []


def test_the_picture_is_drawn_from_todays_contracts() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()
