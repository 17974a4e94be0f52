"""Argon2 as Django has it, one hash at a time and in one thread: each takes 100 MB, and a processor alone."""

import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

_ONE = threading.Lock()


class SerialArgon2Hasher(Argon2PasswordHasher):
    """Django's; a password that was hashed in more threads is hashed again when it is next right."""

    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password."""
        with _ONE:
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether a password fits its hash."""
        with _ONE:
            return bool(super().verify(password, encoded))
