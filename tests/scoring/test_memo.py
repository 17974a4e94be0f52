"""A Memo computes each value once and is cleared when full."""

from scoring.readings import Memo


def test_a_value_is_computed_once_and_a_full_memo_is_cleared() -> None:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    squares = Memo(square, most=2)
    assert [squares[number] for number in (2, 3, 2)] == [4, 9, 4]
    assert asked == [2, 3]
    assert (squares[4], dict(squares)) == (16, {4: 16})
