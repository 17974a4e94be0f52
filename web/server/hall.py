"""The address under which phones in the hall reach this machine."""

import ipaddress
import socket

from django.conf import settings
from django.http import HttpRequest


def hall_address() -> str | None:
    """Return the address by which the hall's network reaches this machine, or None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documents; connecting a datagram socket sends nothing
            address: str = probe.getsockname()[0]
        except OSError:  # no route to the world: a hall's own network
            return other_addresses(None)[0] if other_addresses(None) else None
        return None if ipaddress.ip_address(address).is_loopback else address


def hall_url(request: HttpRequest, path: str) -> str:
    """Return an absolute address that phones can open, also where the request came from this machine itself."""
    host = request.get_host()
    name, _colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    name, port = (name, port) if name and port.isdigit() else (host, "")
    found = hall_address() if _is_loopback(name) else None
    if found is None:
        return request.build_absolute_uri(path)
    return f"{request.scheme}://{found}{f':{port}' if port else ''}{path}"


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def other_addresses(first: str | None) -> list[str]:
    """Return further IPv4 addresses of this machine, those that machines name themselves last."""
    found = [ipaddress.ip_address(text) for text in settings.OWN_ADDRESSES if not text.startswith("[")]
    return [str(ip) for ip in sorted(found, key=lambda ip: ip.is_link_local) if str(ip) != first]
