"""What is said of the tests that run again on PostgreSQL is said of tests that are there."""

import ast

from tests.on_postgresql import NOTHING_OF, SOME, TESTS, any_runs_again, runs_again


def functions_of(name: str) -> set[str]:
    """Return the names of the tests of a file, in classes or not."""
    tree = ast.parse((TESTS / f"{name}.py").read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_is_there() -> None:
    assert {name: gone for name, named in SOME.items() if (gone := named - functions_of(name))} == {}
    assert [name for name in sorted(NOTHING_OF) if not (TESTS / f"{name}.py").exists()] == []
    assert set(SOME) & NOTHING_OF == set()


def test_what_is_new_runs_again_unless_it_is_of_a_page() -> None:
    service, page, chosen = (TESTS / f"{name}.py" for name in ("tournament/test_new", "web/test_new", min(SOME)))
    assert [any_runs_again(file) for file in (service, page, chosen)] == [True, False, True]
    assert runs_again(service, "test_new")
    assert not runs_again(page, "test_new")
    assert not runs_again(chosen, "test_new")
    assert runs_again(chosen, min(SOME[min(SOME)]))
