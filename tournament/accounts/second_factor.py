"""Verbs on two-step sign-in: six digits of an authenticator app (TOTP, RFC 6238), or a recovery code, after a password.

The app's key is sealed with the desk's secret key, which a plain backup does not hold. Recovery codes are kept as
digests and need no key, so they work after a restore, too.
"""

import base64
import datetime as dt
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.db import transaction
from django.utils.crypto import salted_hmac

from scoring.problems import ProblemType
from tournament.accounts.models import Account, SecondFactor
from tournament.core.acts import Act
from tournament.core.audit import append_audit
from tournament.core.errors import DomainError
from tournament.core.now import now
from tournament.core.rate_limits import Limiter, RateLimitedError, Source

SECOND_FACTOR_ON = Act("second_factor_on", "switched two-step sign-in on")
SECOND_FACTOR_OFF = Act("second_factor_off", "switched two-step sign-in off")
RECOVERY_CODES_RENEWED = Act("recovery_codes_renewed", "created new recovery codes")
RECOVERY_CODE_USED = Act("recovery_code_used", "signed in by a recovery code")

SECOND_FACTOR_WRONG_CODE = ProblemType(
    "second_factor.wrong_code", "This code does not fit: type the one that the app shows now, each once."
)
SECOND_FACTOR_TOO_MANY_TRIES = ProblemType(
    "second_factor.too_many_tries", "Too many codes were tried: try again in {wait}. Nothing is lost."
)
SECOND_FACTOR_NO_PASSWORD = ProblemType(
    "second_factor.no_password", "Set a password first: the code is asked for after it."
)

TRIES = Limiter(scope="second_factor", span=dt.timedelta(minutes=15), proven=10, pair=10, account=20)
DIGITS, STEP = 6, 30  # of a code; seconds for which the app shows it
KEY_BYTES = 20
RECOVERY_CODES = 8
ISSUER = "Hanchan Desk"


def new_key() -> str:
    """Return a key for an app, as 32 letters and digits that a person can type."""
    return base64.b32encode(secrets.token_bytes(KEY_BYTES)).decode()


def address_of(account: Account, key: str) -> str:
    """Return the otpauth address that an app scans."""
    return _totp(key).get_provisioning_uri(account.username, ISSUER)


def find_second_factor(account: Account) -> SecondFactor | None:
    """Return the two-step sign-in of an account; None where it is off."""
    return SecondFactor.objects.filter(account=account).first()


def switch_on(*, key: str, code: str, by: Account) -> list[str]:
    """Switch it on with a key whose code proves that the app has it; return the recovery codes.

    Where it is on already nothing changes and there are none. Raises DomainError without a password, and for a wrong
    code.
    """
    if by.device is not None or not by.has_usable_password():
        raise DomainError(SECOND_FACTOR_NO_PASSWORD())
    step = _step_of(key, code, after=0) if key else None
    with transaction.atomic():
        if SecondFactor.objects.select_for_update().filter(account=by).exists():
            return []
        if step is None:
            raise DomainError(SECOND_FACTOR_WRONG_CODE())
        codes = _recovery_codes()
        SecondFactor.objects.create(
            account=by, sealed_key=_seal().encrypt(key.encode()).decode(), step=step, made_at=now(),
            recovery=[_digest(each) for each in codes],
        )  # fmt: skip
        append_audit(None, SECOND_FACTOR_ON, {}, by=str(by.uid), at=now())
    return codes


def switch_off(*, by: Account, code: str, source: Source) -> bool:
    """Switch it off; return whether it was on. Raises as `use_code` does."""
    use_code(account=by, code=code, source=source)
    with transaction.atomic():
        count, _ = SecondFactor.objects.filter(account=by).delete()
        if count:
            append_audit(None, SECOND_FACTOR_OFF, {}, by=str(by.uid), at=now())
    return count > 0


def renew_recovery_codes(*, by: Account, code: str, source: Source) -> list[str]:
    """Return new recovery codes in place of the old; none where two-step sign-in is off. Raises as `use_code` does."""
    use_code(account=by, code=code, source=source)
    codes = _recovery_codes()
    with transaction.atomic():
        found = SecondFactor.objects.filter(account=by).update(recovery=[_digest(each) for each in codes])
        if found:
            append_audit(None, RECOVERY_CODES_RENEWED, {}, by=str(by.uid), at=now())
    return codes if found else []


def use_code(*, account: Account, code: str, source: Source) -> None:
    """Take a code of the app, or a recovery code, each once.

    Raises RateLimitedError, and DomainError for a wrong one.
    """
    wait = TRIES.count(source)
    if wait:
        raise RateLimitedError(SECOND_FACTOR_TOO_MANY_TRIES, wait=wait)
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().filter(account=account).first()
        if factor and not (_use_step(factor, code) or _use_recovery(factor, code)):
            raise DomainError(SECOND_FACTOR_WRONG_CODE())
    TRIES.forget(source)


def _use_step(factor: SecondFactor, code: str) -> bool:
    try:
        key = _seal().decrypt(factor.sealed_key.encode()).decode()
    except InvalidToken:  # restored beside another secret key: a recovery code lets in
        return False
    step = _step_of(key, code, after=factor.step)
    if step is None:
        return False
    factor.step = step
    factor.save(update_fields=["step"])
    return True


def _use_recovery(factor: SecondFactor, code: str) -> bool:
    digest = _digest(code)
    if digest not in factor.recovery:
        return False
    factor.recovery = [each for each in factor.recovery if each != digest]
    factor.save(update_fields=["recovery"])
    append_audit(None, RECOVERY_CODE_USED, {}, by=str(factor.account.uid), at=now())
    return True


def _step_of(key: str, code: str, *, after: int) -> int | None:
    """Return the step whose code this is: the present one or a neighbour, as clocks differ; None for a wrong one."""
    typed = "".join(code.split()).encode()
    present = int(now().timestamp()) // STEP
    steps = [step for step in (present, present - 1, present + 1) if step > after]
    return next((step for step in steps if hmac.compare_digest(_totp(key).generate(step * STEP), typed)), None)


def _totp(key: str) -> TOTP:
    return TOTP(base64.b32decode(key), DIGITS, SHA1(), STEP)  # noqa: S303 - what every app knows


def _seal() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(salted_hmac("hanchan.second_factor", "", algorithm="sha256").digest()))


def _recovery_codes() -> list[str]:
    """Return codes of 80 random bits, as abcd-efgh-ijkl-mnop."""
    texts = [base64.b32encode(secrets.token_bytes(10)).decode().lower() for _ in range(RECOVERY_CODES)]
    return ["-".join(text[at : at + 4] for at in range(0, len(text), 4)) for text in texts]


def _digest(code: str) -> str:
    return hashlib.sha256("".join(code.lower().replace("-", " ").split()).encode()).hexdigest()
