"""What deletes for good asks first: a page that calls such an action asks by `confirm_first`."""

import ast
from pathlib import Path

import tournament

ROOT = Path(tournament.__file__).parent
# its page asks for the name of the event and a reason; nobody is asked by a thread
OWN_PAGES = {"delete_event", "delete_expired_sessions", "delete_rows"}


def test_every_page_that_deletes_asks_first():
    callers: dict[str, set[str]] = {}
    for path in ROOT.rglob("*.py"):
        used = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        for name in used:
            if (name.startswith("delete_") or name == "discard_letter") and name not in OWN_PAGES:
                callers.setdefault(name, set()).add(path.name)
                if "views" in path.name:
                    assert "confirm_first" in used, f"{path} calls {name} without asking"
    assert {"delete_season", "delete_team", "delete_line_ups", "delete_rule_set", "delete_drill"} <= set(callers)
