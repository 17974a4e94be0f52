"""The treasurer's list: who has paid, pasted as it is, and whom each line of it matches. Writes nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.core.errors import DomainError
from tournament.players.models import Player
from tournament.signup.models import SignUp
from tournament.text.money import parse_money
from tournament.text.names import fold

MAX_LINES = 2_000
# words are folded
_HEADINGS = re.compile("paid|bezahlt|paye|paiement|betaald|pagato|zaplacone|入金|支払い?|amount|betrag|montant|金額")
_NO = re.compile("no|nein|non|n|open|offen|unpaid|unbezahlt|impaye|nee|いいえ|未(払い)?|[-–0]")
_MONEY = re.compile(r"(?:[€$£¥]|\b[A-Z]{3}) ?[0-9.,']+|[0-9.,']+ ?(?:[€$£¥]|[A-Z]{3}\b)|\b[0-9]+[.,][0-9]{2}\b")
_NOT_PAID = re.compile(r"\b(not|non|nicht|pas|un)[ -]?(yet |noch )?(paid|paye|bezahlt)|\boffen\b|\bunpaid\b|未払")
_COMMA = re.compile(r",(?!\d{1,2}(?:\D|$))")  # not that of an amount


@dataclass(frozen=True, slots=True)
class Payer:
    """Somebody whose fee is known: a sign-up, or a player without one; what is `open` and `paid`, in hundredths."""

    key: str
    who: SignUp | Player
    name: str
    marks: tuple[str, ...]
    open: int
    paid: int = 0


@dataclass(frozen=True, slots=True)
class PaidLine:
    """A line as it was pasted, whom it matches, and what it says: paid or not, with an amount or None."""

    text: str
    payers: tuple[Payer, ...]
    paid: bool
    amount: int | None = None
    again: bool = False

    @property
    def payer(self) -> Payer | None:
        """The one person whom it matches."""
        return self.payers[0] if len(self.payers) == 1 else None

    @property
    def to_note(self) -> int:
        """What would be noted: what is missing to the sum that it says, else the open fee; 0 for nothing."""
        if not self.paid or self.payer is None or self.again:
            return 0
        return max(self.payer.open if self.amount is None else self.amount - self.payer.paid, 0)


def read_paid_list(text: str, payers: Sequence[Payer], currency: str) -> list[PaidLine]:
    """Read a list with a name in each line, alone or in columns, numbered or not; a column "paid" says who has paid.

    Without such a column everybody listed has paid whose line does not say otherwise.
    """
    lines = [line for line in text.splitlines()[:MAX_LINES] if line.strip()]
    column = _paid_column(lines[0]) if lines else None
    found, seen = list[PaidLine](), set[str]()
    for line in lines[column is not None :]:
        cells, matched = _cells(line), _match(line, payers)
        said = cells[column : column + 1] if column is not None else [*cells[1:], *_MONEY.findall(line)]
        amount = next(_amounts(said, currency), None)
        paid = _is_yes(said) if column is not None else not _NOT_PAID.search(fold(line))
        key = matched[0].key if len(matched) == 1 else ""
        found.append(PaidLine(line.strip()[:200], matched, paid and amount != 0, amount, key in seen))
        seen |= {key} - {""}
    return found


def _cells(line: str) -> list[str]:
    sign = next((each for each in "\t;|" if each in line), "")
    return [cell.strip().strip('"') for cell in (line.strip("|").split(sign) if sign else _COMMA.split(line))]


def _paid_column(line: str) -> int | None:
    cells = [fold(cell).strip(" ?:") for cell in _cells(line)]
    return next((at for at, cell in enumerate(cells) if _HEADINGS.fullmatch(cell)), None) if len(cells) > 1 else None


def _is_yes(cells: Sequence[str]) -> bool:
    return bool(cells and cells[0] and not _NO.fullmatch(fold(cells[0]).strip(" .!?")))


def _amounts(cells: Sequence[str], currency: str) -> Iterator[int]:
    for cell in cells:
        try:
            yield parse_money(cell, currency)
        except DomainError:
            continue


def _match(line: str, payers: Sequence[Payer]) -> tuple[Payer, ...]:
    """Return whom a line names: by reference, EMA number or email, else by the longest name that is all in it."""
    marks = set(re.split(r"[\s,;|()<>\"]+", line.casefold()))
    if sure := [each for each in payers if marks & set(each.marks)]:
        return tuple(sure)
    words, bare = set(_words(line)), fold(re.sub(r"\s", "", line))
    named = [
        (len(own), each)
        for each in payers
        if (own := _words(each.name))
        and (set(own) <= words or (each.name[0] >= "\u2e80" and fold("".join(each.name.split())) in bare))
    ]
    longest = max((length for length, _each in named), default=0)
    return tuple(each for length, each in named if length == longest)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))
