"""Serves the page of a scene from a separate thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robotix.server import Hosting, Secure

__all__ = ["hosted_page", "lan_hosts"]


@contextmanager
def hosted_page(
    *, port: int, lan: bool = False, renew_token: bool = False, can_embed: bool = False
) -> Iterator[Hosting]:
    """Serve a page that waits for a scene; `Hosting.service` opens one.

    Args:
        port: of the page; 0 for any free port.
        lan: whether other machines may connect, by HTTPS.
        renew_token: whether to log out all pages that are logged in.
        can_embed: whether pages of this machine, such as a notebook, may embed it.
    """
    from robotix.server import Access, Hosting, RoomService, machine_token

    secure, names = lan_hosts() if lan else (None, [])
    access = Access.of(machine_token(renew=renew_token), names, can_embed=can_embed)
    service = RoomService()
    with Hosting(service, access, port=port, secure=secure) as hosting:
        if hosting.other_addresses:
            service.lan = hosting.other_addresses[0].split("/login")[0]
        yield hosting


def lan_hosts() -> tuple[Secure, list[str]]:
    """Return addresses and certificate for other machines, and the names they use."""
    from robotix.server import Secure
    from robotix.server.http.certificate import machine_certificate
    from robotix.server.http.hosting import lan_addresses, machine_names

    addresses = lan_addresses()
    if not addresses:
        raise ValueError("this machine has no network address; connect it, or omit --lan")
    names = [*addresses, *machine_names()]
    return Secure(addresses, machine_certificate(names)), names
