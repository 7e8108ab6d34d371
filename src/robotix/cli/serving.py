"""Serves the page of a scene, prints its addresses and opens it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from robotix.server import Hosting

__all__ = ["serving"]


@contextmanager
def serving(
    *, port: int, lan: bool, opens: bool, renew: bool, to_stderr: bool
) -> Iterator[Hosting]:
    """Serve a page that waits for the scene, and print its addresses."""
    from robotix.app.page import hosted_page

    with hosted_page(port=port, lan=lan, renew_token=renew) as hosting:
        _print_addresses(hosting, err=to_stderr)
        if opens:
            hosting.open_browser()
        yield hosting


def _print_addresses(hosting: Hosting, *, err: bool) -> None:
    typer.echo(f"open {hosting.address}", err=err)
    others = hosting.other_addresses
    for address in others:
        typer.echo(f"on other machines {address}", err=err)
    stream = sys.stderr if err else sys.stdout
    if others:
        typer.echo(f"only to watch {hosting.watch_addresses[-1]}", err=err)
        typer.echo("the browser there will ask once whether to trust the certificate", err=err)
        if stream.isatty():
            import segno

            segno.make(others[0], error="l").terminal(out=stream, compact=True)
    stream.flush()
