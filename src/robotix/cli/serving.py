"""The page of a room: served, told about, opened."""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from robotix.server import Hosting, RoomService, Secure

__all__ = ["serving"]


@contextmanager
def serving(
    *, port: int, lan: bool, opens: bool, renew: bool, to_stderr: bool
) -> Iterator[RoomService]:
    """Serve a page, which waits for the room, and say where it is."""
    from robotix.server import Access, Hosting, RoomService, machine_token

    secure, names = _for_others() if lan else (None, [])
    access = Access.of(machine_token(renew=renew), names)
    service = RoomService()
    with Hosting(service, access, port=port, secure=secure) as hosting:
        if hosting.other_addresses:
            service.lan = hosting.other_addresses[0].split("/login")[0]
        _tell(hosting, err=to_stderr)
        if opens:  # a browser may take its time
            opening = threading.Thread(target=webbrowser.open, args=(hosting.address,), daemon=True)
            opening.start()
        yield service


def _for_others() -> tuple[Secure, list[str]]:
    """Return what other machines need, and the names by which they know this one."""
    from robotix.server import Secure
    from robotix.server.http.addresses import lan_addresses, machine_names
    from robotix.server.http.certificate import machine_certificate

    addresses = lan_addresses()
    if not addresses:
        raise ValueError("this machine is in no network; connect it, or leave --lan out")
    names = [*addresses, *machine_names()]
    return Secure(addresses, machine_certificate(names)), names


def _tell(hosting: Hosting, *, err: bool) -> None:
    typer.echo(f"open {hosting.address}", err=err)
    others = hosting.other_addresses
    for address in others:
        typer.echo(f"on other machines {address}", err=err)
    stream = sys.stderr if err else sys.stdout
    if others:
        typer.echo("the browser there will ask once whether it trusts this machine", err=err)
        if stream.isatty():
            import segno

            segno.make(others[0], error="l").terminal(out=stream, compact=True)
    stream.flush()
