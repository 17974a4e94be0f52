"""Every example in a docstring is true.

Pytest would look for them in each of a thousand files, import it and walk it; here only the files that hold one are.
"""

import doctest
import importlib
import re

import pytest

from bootstrap import REPO

ROOMS = ("rules", "scoring", "tournament", "web", "tests", "tools")
WITH_EXAMPLES = [
    ".".join(path.relative_to(REPO).with_suffix("").parts)
    for room in ROOMS
    for path in sorted((REPO / room).rglob("*.py"))
    if re.search(rb"^ +>>> ", path.read_bytes(), re.MULTILINE)
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_of_a_module_are_true(module: str) -> None:
    failed, tried = doctest.testmod(
        importlib.import_module(module), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert tried
    assert not failed  # told above, example by example


def test_there_are_examples_in_every_room() -> None:
    assert {module.split(".")[0] for module in WITH_EXAMPLES} >= {"rules", "scoring", "tournament", "web"}
