"""The addresses by which other machines reach this one."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from collections.abc import Iterator

__all__ = ["lan_addresses", "machine_names"]

SIOCGIFADDR = 0x8915  # Linux: ask for the address of a network interface
ELSEWHERE = ("192.0.2.1", 9)  # an address that nobody has; nothing is sent there


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine but for the loopback, the usual one first."""
    found = dict.fromkeys([*_usual(), *_of_interfaces()])
    return [address for address in found if not address.startswith(("127.", "169.254."))]


def machine_names() -> list[str]:
    """Return the names of this machine, as neighbours may know it."""
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return list(dict.fromkeys([name, short, f"{short}.local"])) if short else []


def _usual() -> Iterator[str]:
    """Yield the address by which this machine would talk to others."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        yield str(probe.getsockname()[0])


def _of_interfaces() -> Iterator[str]:
    if sys.platform != "linux":
        with contextlib.suppress(OSError):
            infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            yield from (str(info[4][0]) for info in infos)
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):  # it has no address
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)
                yield socket.inet_ntoa(answer[20:24])
