"""Messages for push services: the example of RFC 8291, signatures of RFC 8292, addresses that get nothing."""

import json

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.test import override_settings

from tournament.push.sender import (
    CURVE,
    ORDER,
    as_bytes,
    as_text,
    authorization,
    fits,
    is_service,
    own_key,
    public_key,
    seal,
)

pytestmark = pytest.mark.once

# RFC 8291, appendix A
PLAIN = b"When I grow up, I want to be a watermelon"
OWN = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQ"
    "pu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_is_sealed_as_it_says():
    own = ec.derive_private_key(int.from_bytes(as_bytes(OWN), "big"), CURVE)
    assert as_text(seal(PLAIN, KEY, SECRET, salt=as_bytes(SALT), own=own)) == SEALED
    assert seal(PLAIN, KEY, SECRET) != seal(PLAIN, KEY, SECRET)


def test_a_service_can_verify_who_sends():
    with override_settings(SECRET_KEY="one"):
        header = authorization("https://fcm.googleapis.com/fcm/send/x", 1_000_000, "https://live.example.org/")
        words = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(", "))
        signed, _dot, signature = words["t"].rpartition(".")
        half = as_bytes(signature)
        der = encode_dss_signature(int.from_bytes(half[:32], "big"), int.from_bytes(half[32:], "big"))
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(words["k"]))
        key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(as_bytes(signed.split(".")[1]))
        assert claims == {"aud": "https://fcm.googleapis.com", "exp": 1_043_200, "sub": "https://live.example.org/"}
        one = public_key()
    with override_settings(SECRET_KEY="two"):
        assert public_key() != one
        assert 0 < own_key().private_numbers().private_value < ORDER


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x", "https://localhost/", "https://169.254.169.254/", "https://fcm.googleapis.com:8443/",
        "https://x@fcm.googleapis.com/", "https://evilfcm.googleapis.com.example.org/", "https://[",
        "file:///etc/passwd", "", "https://fcm.googleapis.com/\u00fc", "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\n", "https://fcm.googleapis.com/a\r\nX: y", "https://fcm.googleapis.com/a\x7f",
        "https://fcm.googleapis.com", "https://a..notify.windows.com/x", "https://.notify.windows.com/x",
        f"https://{'a' * 64}.notify.windows.com/x", "https://\u24d0.notify.windows.com/x",
        "https://evil.fcm.googleapis.com/x", "https://notify.windows.com/x", "https://a_b.notify.windows.com/x",
    ],
)  # fmt: skip
def test_nothing_is_sent_elsewhere(endpoint: str):
    assert not is_service(endpoint)


def test_browsers_own_services_are_known():
    for host in (
        "fcm.googleapis.com",
        "updates.push.services.mozilla.com",
        "web.push.apple.com",
        "db5p.notify.windows.com",
    ):
        assert is_service(f"https://{host}/send/abc")
    assert fits(KEY, SECRET)
    assert not fits(KEY[:-4] + "AAAA", SECRET)
    assert not fits(SECRET, KEY)
    assert not fits("", "é")
