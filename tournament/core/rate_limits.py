"""Rate limits: so many tries within a span, then none until it is over. All workers count in the database.

Keys are stored as keyed hashes only.
"""

import datetime as dt
import math
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.accounts.models import Tries
from tournament.core.errors import DomainError
from tournament.core.now import now

EXPIRY = dt.timedelta(hours=1)  # at least any span


@dataclass(frozen=True, slots=True)
class Source:
    """Where a try comes from and which account, card or mail address it is for.

    `proven`: a known browser, a letter's link or the like shows that nobody else can come from here.
    """

    network: str = ""
    account: str = ""
    proven: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limiter:
    """How many tries of a kind are free within a span, None for any number.

    Counted from narrow to wide: for one account from one network, from one network, for one account, of everybody. A
    wide limit has a narrow one below it, so that one guest uses up neither an account nor the desk. A proven source is
    counted by itself.
    """

    scope: str
    span: dt.timedelta
    proven: int | None = None
    pair: int | None = None
    network: int | None = None
    account: int | None = None
    everybody: int | None = None

    def __post_init__(self) -> None:
        """Refuse a wide limit that one network could use up."""
        for narrow, wide in ((self.pair, self.account), (self.network, self.everybody)):
            if wide is not None and (narrow is None or narrow >= wide):
                raise ValueError(f"{self.scope}: a limit of {wide} needs a narrower one.")
        if self.span > EXPIRY:
            raise ValueError(f"{self.scope}: tries are kept for {EXPIRY}.")

    def count(self, source: Source) -> int:
        """Count a try up to the first limit that refuses it; return how many seconds it must wait, 0 for none.

        A try that must wait writes nothing.
        """
        limits, moment = self._limits_of(source), now()
        rows = Tries.objects.filter(scope=self.scope, key__in=list(limits))
        known = rows.filter(began_at__gt=moment - self.span)
        full = [row for row in known if row.count >= limits[row.key]]
        if full:
            return max(self._wait(row, moment) for row in full)
        with transaction.atomic():
            Tries.objects.filter(began_at__lt=moment - EXPIRY).delete()
            rows.filter(began_at__lte=moment - self.span).delete()
            new = [Tries(scope=self.scope, key=key, began_at=moment) for key in limits]
            Tries.objects.bulk_create(new, ignore_conflicts=True)
            for key, most in limits.items():
                row = rows.filter(key=key)
                if not row.filter(count__lt=most).update(count=F("count") + 1):
                    return self._wait(row.get(), moment)
        return 0

    def forget(self, source: Source) -> None:
        """Forget the tries for an account after a right one, which counts no more for its network and everybody."""
        limits = list(self._limits_of(source))
        wide = [self._key("network", source.network), self._key("everybody")]
        rows = Tries.objects.filter(scope=self.scope, key__in=limits)
        with transaction.atomic():
            rows.exclude(key__in=wide).delete()
            rows.filter(key__in=wide, count__gt=0).update(count=F("count") - 1)

    def _limits_of(self, source: Source) -> dict[str, int]:
        """Return the limits of a source by their keys, the narrowest first."""
        if source.proven:
            limits = {self._key("proven", source.account): self.proven}
        else:
            limits = {
                self._key("pair", source.account, source.network): self.pair,
                self._key("network", source.network): self.network,
                self._key("account", source.account): self.account,
                self._key("everybody"): self.everybody,
            }
        return {key: most for key, most in limits.items() if most is not None}

    def _key(self, *parts: str) -> str:
        return salted_hmac(f"hanchan.tries.{self.scope}", "\n".join(parts), algorithm="sha256").hexdigest()

    def _wait(self, row: Tries, moment: dt.datetime) -> int:
        return max(1, math.ceil((row.began_at + self.span - moment).total_seconds()))


class RateLimitedError(DomainError):
    """Too many tries, with the problem's type: `wait` seconds until the next is free."""

    def __init__(self, kind: ProblemType, *, wait: int) -> None:
        super().__init__(kind(wait=wait))
        self.wait = wait
