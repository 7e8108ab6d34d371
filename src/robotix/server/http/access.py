"""Who may come in: those who know the token, by addresses that are ours, from pages that are ours.

The token comes once, in the address that is printed; a cookie then stands for it. Strangers' pages
cannot use that cookie, since it is `SameSite=Strict`, and their `Origin` is not ours; names that
strangers point at this machine (DNS rebinding) are not ours either.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from robotix.server.http.folders import state_folder, write_private

__all__ = ["COOKIE", "Access", "machine_token"]

COOKIE = "robotix"
MONTH = 30 * 24 * 3600  # s that a page may stay away
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_TOKEN = re.compile(r"[\w-]{16,200}", re.ASCII)


def machine_token(*, renew: bool = False) -> str:
    """Return the user's token on this machine, the same every time, so that pages can come back.

    It lies in a file that only the user can read; `ROBOTIX_TOKEN` stands above it. `renew` makes
    another one: pages that came in by the old one have to be let in anew.
    """
    chosen = os.environ.get("ROBOTIX_TOKEN")
    if chosen:
        if not _TOKEN.fullmatch(chosen):
            raise ValueError("ROBOTIX_TOKEN must be 16 or more letters, digits, - or _")
        return chosen
    path = state_folder() / "token"
    known = "" if renew else _read(path)
    if not known:
        known = secrets.token_urlsafe(24)
        write_private(path, known.encode())
    return known


def _read(path: Path) -> str:
    """Return the token in a file; empty if there is none, or if others could have read it."""
    try:
        is_private = path.stat().st_mode & 0o077 == 0
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if is_private and _TOKEN.fullmatch(text) else ""


@dataclass(frozen=True)
class Access:
    """Decides who may come in."""

    token: str
    hosts: frozenset[str] = field(default=LOOPBACK)  # names and addresses that are ours
    can_embed: bool = False  # in pages of this machine, such as a notebook

    @staticmethod
    def of(token: str, others: Iterable[str] = (), *, can_embed: bool = False) -> Access:
        """Return the access for this machine's own pages, and by these other names."""
        return Access(token, LOOPBACK | {name.lower() for name in others}, can_embed)

    @property
    def cookie(self) -> str:
        """What a page carries once it has shown the token; the token cannot be told from it."""
        return hmac.new(self.token.encode(), b"robotix page", hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        """Tell whether this is the token."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_known_host(self, headers: Headers) -> bool:
        """Tell whether the request was meant for us."""
        return _host(headers.get("host", "")) in self.hosts

    def has_cookie(self, connection: HTTPConnection) -> bool:
        """Tell whether the page was let in before."""
        given = connection.cookies.get(COOKIE, "")
        return hmac.compare_digest(given.encode(), self.cookie.encode())

    def has_bearer(self, headers: Headers) -> bool:
        """Tell whether a program shows the token."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_token(given.strip())

    def is_own_origin(self, headers: Headers) -> bool:
        """Tell whether the page that asks came from here."""
        origin = urlsplit(headers.get("origin", ""))
        host = headers.get("host", "")
        return (
            origin.scheme in ("http", "https")
            and origin.netloc.lower() == host.lower()
            and _host(host) in self.hosts
        )

    def refusal(self, connection: HTTPConnection) -> tuple[int, str] | None:
        """Return why a request is refused, as a status and words; None when it is not."""
        headers = connection.headers
        if not self.is_known_host(headers):
            return 421, "this name is not known here; open the address that robotix printed"
        if self.has_bearer(headers):
            return None
        if not self.has_cookie(connection):
            return 401, "open the address that robotix printed: it lets this browser in"
        is_read = connection.scope.get("method") in ("GET", "HEAD")
        if ("origin" in headers or not is_read) and not self.is_own_origin(headers):
            return 403, "this request comes from another site"
        return None


def _host(text: str) -> str:
    """Return the name in `name:port`, in small letters."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""
