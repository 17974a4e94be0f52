"""Counting tries: so many within a span, then none until the span is over. All workers count in the database.

It knows nothing of requests and writes nobody down: what is counted is kept as a keyed hash.
"""

import datetime as dt
import math
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from scoring.problems import Problem
from tournament.models import Tries
from tournament.refusal import Refused
from tournament.services.core.clock import now

FORGOTTEN = dt.timedelta(hours=1)  # longer than any span


@dataclass(frozen=True, slots=True)
class Limit:
    """How many tries of a kind are free within a span; the span begins with the first try."""

    scope: str
    most: int
    span: dt.timedelta


class TooMany(Refused):
    """Too many tries: `wait` seconds until the next is free."""

    def __init__(self, problem: Problem, wait: int) -> None:
        super().__init__(problem)
        self.wait = wait


def count_try(limit: Limit, key: str) -> int:
    """Count a try of `key` before it is judged; return how many seconds it must wait, 0 where it is free.

    Tries that had to wait do not lengthen the wait.
    """
    moment, hashed = now(), _hash(limit, key)
    rows = Tries.objects.filter(scope=limit.scope, key=hashed)
    with transaction.atomic():
        if not rows.filter(began_at__gt=moment - limit.span).update(count=F("count") + 1):
            Tries.objects.filter(began_at__lt=moment - FORGOTTEN).delete()
            _begin(limit, hashed, moment)
        row = rows.get()
    return 0 if row.count <= limit.most else max(1, math.ceil((row.began_at + limit.span - moment).total_seconds()))


def forget_tries(limit: Limit, key: str) -> None:
    """Forget the tries of `key`: one was right."""
    Tries.objects.filter(scope=limit.scope, key=_hash(limit, key)).delete()


def _begin(limit: Limit, hashed: str, moment: dt.datetime) -> None:
    """Begin a span with one try; where another worker began it this instant, count in that."""
    rows = Tries.objects.filter(scope=limit.scope, key=hashed)
    rows.filter(began_at__lte=moment - limit.span).delete()
    try:
        with transaction.atomic():
            Tries.objects.create(scope=limit.scope, key=hashed, count=1, began_at=moment)
    except IntegrityError:
        rows.update(count=F("count") + 1)


def _hash(limit: Limit, key: str) -> str:
    return salted_hmac(f"hanchan.tries.{limit.scope}", key, algorithm="sha256").hexdigest()
