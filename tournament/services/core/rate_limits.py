"""Rate limits: so many tries within a span, then none until it is over. All workers count in the database.

Keys are stored as keyed hashes only.
"""

import datetime as dt
import math
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from scoring.problems import error
from tournament.models import Tries
from tournament.refusal import Refused
from tournament.services.core.clock import now

EXPIRY = dt.timedelta(hours=1)  # longer than any span


@dataclass(frozen=True, slots=True)
class Limit:
    """How many tries of a kind are free within a span that begins with the first try."""

    scope: str
    most: int
    span: dt.timedelta


class TooMany(Refused):
    """Too many tries, with the problem's code: `wait` seconds until the next is free."""

    def __init__(self, code: str, *, wait: int) -> None:
        super().__init__(error(code, wait=wait))
        self.wait = wait


def count_try(limit: Limit, key: str) -> int:
    """Count a try of `key`; return how many seconds it must wait, 0 for none. Tries that must wait write nothing."""
    moment, hashed = now(), _hash(limit, key)
    rows = Tries.objects.filter(scope=limit.scope, key=hashed)
    full = rows.filter(began_at__gt=moment - limit.span, count__gt=limit.most).first()
    if full is not None:
        return _wait(limit, full, moment)
    with transaction.atomic():
        if not rows.filter(began_at__gt=moment - limit.span).update(count=F("count") + 1):
            Tries.objects.filter(began_at__lt=moment - EXPIRY).delete()
            _begin(limit, hashed, moment)
        row = rows.get()
    return 0 if row.count <= limit.most else _wait(limit, row, moment)


def reset_tries(limit: Limit, key: str) -> None:
    """Delete the tries of `key` after a right one."""
    Tries.objects.filter(scope=limit.scope, key=_hash(limit, key)).delete()


def _wait(limit: Limit, row: Tries, moment: dt.datetime) -> int:
    return max(1, math.ceil((row.began_at + limit.span - moment).total_seconds()))


def _begin(limit: Limit, hashed: str, moment: dt.datetime) -> None:
    """Begin a span with one try, or count in the one that another worker began this instant."""
    rows = Tries.objects.filter(scope=limit.scope, key=hashed)
    rows.filter(began_at__lte=moment - limit.span).delete()
    try:
        with transaction.atomic():
            Tries.objects.create(scope=limit.scope, key=hashed, count=1, began_at=moment)
    except IntegrityError:
        rows.update(count=F("count") + 1)


def _hash(limit: Limit, key: str) -> str:
    return salted_hmac(f"hanchan.tries.{limit.scope}", key, algorithm="sha256").hexdigest()
