"""One password hash at a time."""

import threading

from web.server import passwords
from web.server.passwords import SerialArgon2Hasher

SOON = 10


def test_a_hash_waits_for_the_one_before():
    hasher = SerialArgon2Hasher()
    known = hasher.encode("swordfish", hasher.salt())
    found: list[bool] = []
    second = threading.Thread(target=lambda: found.append(hasher.verify("swordfish", known)))
    with passwords._ONE:
        second.start()
        second.join(0.05)
        assert (second.is_alive(), found) == (True, [])
    second.join(SOON)
    assert found == [True]
