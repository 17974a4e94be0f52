"""The addresses and names of this machine in a hall, and which Host headers are safe.

Names and addresses are read from the machine itself, never from the network.
"""

import ipaddress
import socket
from collections.abc import Callable
from typing import Final, Self

import ifaddr
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

# An address kept for documents: connecting a datagram socket to it sends nothing, and shows the machine's own address.
FAR_AWAY: Final = ("192.0.2.1", 9)


def hall_address() -> str | None:
    """Return the address by which the hall's network reaches this machine, or None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(FAR_AWAY)
            address: str = probe.getsockname()[0]
        except OSError:  # no route to the world: a hall's own network
            return other_addresses(None)[0] if other_addresses(None) else None
        return None if ipaddress.ip_address(address).is_loopback else address


def numbered_address(name: str, *args: object) -> Callable[[int], str]:
    """Return what gives each address of a name that ends with a number: its pattern is looked up once for all."""
    before, _, after = reverse(name, args=[*args, 0]).rpartition("0")
    return lambda number: f"{before}{number}{after}"


def proxy_url() -> str:
    """Return the desk's address on https, "" for none; a whole domain among HANCHAN_HOSTS names no machine."""
    named = [host for host in settings.EXTRA_HOSTS if not host.startswith(".")]
    return f"https://{named[0]}/" if settings.HTTPS and named else ""


def hall_url(request: HttpRequest, path: str) -> str:
    """Return an absolute address that phones can open, also where the request came from this machine itself."""
    name, port = _split_host(request)
    found = hall_address() if _is_loopback(name) else None
    if found is None:
        return request.build_absolute_uri(path)
    return f"{request.scheme}://{found}{f':{port}' if port else ''}{path}"


def names_hall(request: HttpRequest) -> bool:
    """Tell whether a request asks for this machine itself or for a private address, and not for a public name."""
    name, _port = _split_host(request)
    return name == "localhost" or is_private(name)


def _split_host(request: HttpRequest) -> tuple[str, str]:
    host = request.get_host()
    name, _colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    return (name, port) if name and port.isdigit() else (host, "")


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def other_addresses(first: str | None) -> list[str]:
    """Return further IPv4 addresses of this machine, those that machines name themselves last."""
    found = [ipaddress.ip_address(text) for text in settings.OWN_ADDRESSES if not text.startswith("[")]
    return [str(ip) for ip in sorted(found, key=lambda ip: ip.is_link_local) if str(ip) != first]


PRIVATE_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
        "169.254.0.0/16",  # no DHCP server in the hall: the machines name themselves
        "100.64.0.0/10",   # providers' and overlay networks
        "::1/128", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip


def is_private(host: str) -> bool:
    """Tell whether a host or an address is one of a private network, or of this machine."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return any(address in network for network in PRIVATE_NETWORKS if network.version == address.version)


class PrivateAddress(str):
    """An entry of ALLOWED_HOSTS that equals every private address as it stands in a Host header.

    Django compares `entry.lower() == host`; that is all that is changed here.
    """

    __slots__ = ()

    def lower(self) -> Self:
        """Stay what it is: Django folds an entry's case before it compares."""
        return self

    def __eq__(self, host: object) -> bool:
        return is_private(str(host))

    __hash__ = str.__hash__


HOUSEHOLD: Final = 64  # bits of an IPv6 address that a provider gives out as one network


def network_of(address: str) -> str:
    """Return the network that an address is counted by: an IPv4 address itself, an IPv6 address its /64.

    A text that is no address is returned as it is.

    >>> network_of("2001:db8:0:1:dead:beef:0:1")
    '2001:db8:0:1::/64'
    >>> network_of("::ffff:192.0.2.7")
    '192.0.2.7'
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, HOUSEHOLD), strict=False))


def own_addresses() -> list[str]:
    """Return the machine's addresses (IPv4 first, loopback left out) as they stand in a link."""
    found = [ip.ip if ip.is_IPv4 else ip.ip[0] for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    parsed = sorted({ipaddress.ip_address(str(text).partition("%")[0]) for text in found}, key=lambda ip: ip.version)
    return [str(ip) if ip.version == 4 else f"[{ip}]" for ip in parsed if not ip.is_loopback]


def own_names() -> list[str]:
    """Return the names that this machine gives itself, without asking a name server."""
    name = socket.gethostname().lower()
    return list(dict.fromkeys(["localhost", name, name.partition(".")[0]]))
