"""One test of a whole table: each row is tried, and each that fails is named, with what was found.

To collect, set up and report a test takes longer than a pure function takes for hundreds of rows. Where a row needs a
database, a folder or another fixture of its own, it is a test of its own: pytest.mark.parametrize.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
SHOWN = 20  # failures that are told whole; of more only the rows are named
LONGEST_ROW = 200
LONGEST_ERROR = 2000


def tabled(names: str, rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Make a test of these arguments, "key, name", one that tries all rows; a row of one argument stands bare.

    Other arguments of the test are fixtures as ever. An error in a row fails the row, and the rows after it are tried.
    """
    arguments = names.split(", ")
    table = [row if len(arguments) > 1 else (row,) for row in rows]
    assert table, "a table without rows tests nothing"
    assert {len(row) for row in table} == {len(arguments)}

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def whole(*of_class: Any, **fixtures: Any) -> None:
            trying = functools.partial(test, *of_class, **fixtures)
            tried = [(number, row, _error_of(trying, arguments, row)) for number, row in enumerate(table, start=1)]
            failed = [(number, row, error) for number, row, error in tried if error]
            if failed:
                pytest.fail(_told(failed, len(table)), pytrace=False)

        signature = inspect.signature(test)
        others = [each for name, each in signature.parameters.items() if name not in arguments]
        assert len(others) + len(arguments) == len(signature.parameters)
        whole.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return whole

    return decorate


def _error_of(test: Test, arguments: Sequence[str], row: Any) -> BaseException | None:
    """Try one row."""
    try:
        test(**dict(zip(arguments, row, strict=True)))
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001  (no row is passed over)
        return error
    return None


def _told(failed: list[tuple[int, Any, BaseException]], rows: int) -> str:
    """Return a text with every row that failed: the first ones with their error and the line of the test."""
    told = [f"{len(failed)} of {rows} rows failed:"]
    for at, (number, row, error) in enumerate(failed):
        told.append(f"row {number}: " + _shown(", ".join(map(repr, row)), LONGEST_ROW))
        if at < SHOWN:
            line = error.__traceback__.tb_next.tb_lineno  # of the test, not of what it calls
            said = _shown(f"{type(error).__name__}: {error}", LONGEST_ERROR)
            told.append(f"    line {line}: " + said.replace("\n", "\n    "))
    return "\n".join(told)


def _shown(text: str, longest: int) -> str:
    """Return a text, or its beginning: a row may hold megabytes."""
    return text if len(text) <= longest else text[:longest] + "\N{HORIZONTAL ELLIPSIS}"
