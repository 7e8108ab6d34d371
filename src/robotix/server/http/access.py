"""Access control: token, cookie, `Host` and `Origin` of requests.

The token is part of the address that is printed; after the first request a cookie replaces it.
Other sites cannot use that cookie: it is `SameSite=Strict`, and their `Origin` is rejected. Unknown
host names are rejected too, which prevents DNS rebinding.
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

__all__ = ["COOKIE", "Access", "machine_token", "state_folder", "write_private"]

COOKIE = "robotix"
COOKIE_SECONDS = 30 * 24 * 3600  # s, lifetime of the cookie: 30 days
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_TOKEN = re.compile(r"[\w-]{16,200}", re.ASCII)


def state_folder() -> Path:
    """Return the folder for token and certificate (mode 700); `ROBOTIX_STATE` overrides it."""
    chosen = os.environ.get("ROBOTIX_STATE")
    if chosen:
        folder = Path(chosen)
    else:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(home) / "robotix"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only the user can read, atomically."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    part.replace(path)


def machine_token(*, renew: bool = False) -> str:
    """Return the token of the user on this machine; it persists, so pages can reconnect.

    It is stored in a file that only the user can read; `ROBOTIX_TOKEN` overrides it. `renew`
    replaces it, which invalidates the cookies of all pages.
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
    """Return the token in a file; empty if it is missing or readable by others."""
    try:
        is_private = path.stat().st_mode & 0o077 == 0
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if is_private and _TOKEN.fullmatch(text) else ""


@dataclass(frozen=True)
class Access:
    """Decides which requests are accepted."""

    token: str
    hosts: frozenset[str] = field(
        default=LOOPBACK_HOSTS
    )  # accepted names and addresses of this machine
    can_embed: bool = False  # in pages of this machine, such as a notebook

    @staticmethod
    def of(token: str, others: Iterable[str] = (), *, can_embed: bool = False) -> Access:
        """Return access through the loopback and through these other host names."""
        return Access(token, LOOPBACK_HOSTS | {name.lower() for name in others}, can_embed)

    @property
    def cookie(self) -> str:
        """Value of the cookie: an HMAC, from which the token cannot be derived."""
        return hmac.new(self.token.encode(), b"robotix page", hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        """Return whether this is the token, comparing in constant time."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_known_host(self, headers: Headers) -> bool:
        """Return whether the `Host` is one of this machine."""
        return _host(headers.get("host", "")) in self.hosts

    def has_cookie(self, connection: HTTPConnection) -> bool:
        """Return whether a request carries the cookie."""
        given = connection.cookies.get(COOKIE, "")
        return hmac.compare_digest(given.encode(), self.cookie.encode())

    def has_bearer(self, headers: Headers) -> bool:
        """Return whether a request carries the token as a bearer token."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_token(given.strip())

    def is_own_origin(self, headers: Headers) -> bool:
        """Return whether the `Origin` is this server."""
        origin = urlsplit(headers.get("origin", ""))
        host = headers.get("host", "")
        return (
            origin.scheme in ("http", "https")
            and origin.netloc.lower() == host.lower()
            and _host(host) in self.hosts
        )

    def refusal(self, connection: HTTPConnection) -> tuple[int, str] | None:
        """Return HTTP status and reason if a request is rejected; None if it is accepted."""
        headers = connection.headers
        if not self.is_known_host(headers):
            return 421, "unknown host name; open the address that robotix printed"
        if self.has_bearer(headers):
            return None
        if not self.has_cookie(connection):
            return 401, "not logged in; open the address that robotix printed"
        is_read = connection.scope.get("method") in ("GET", "HEAD")
        if ("origin" in headers or not is_read) and not self.is_own_origin(headers):
            return 403, "this request comes from another site"
        return None


def _host(text: str) -> str:
    """Return the host name in `name:port`, in lower case."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""
