"""Access control: token, session, `Host` and `Origin` of requests.

The token is part of the address that is printed; after the first request a session replaces it (see
`sessions`). Other sites cannot use its cookie: it is `SameSite=Strict`, and their `Origin` is
rejected. Unknown host names are rejected too, which prevents DNS rebinding.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from robotix.files.user_state import state_folder, write_private
from robotix.server.http.sessions import LoginCodes, Sessions
from robotix.server.live.hub import Role

__all__ = ["Access", "machine_token"]

KEY_HEADER = "x-robotix-key"
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", re.ASCII)
_TOKEN = re.compile(r"[\w-]{16,200}", re.ASCII)


def machine_token(*, renew: bool = False) -> str:
    """Return the token of the user on this machine; it persists, so pages can reconnect.

    It is stored in a file that only the user can read; `ROBOTIX_TOKEN` overrides it. `renew`
    replaces it, which ends the sessions of all pages.
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
    port: int = 0  # of the server; sessions are valid for one port only
    clock: Callable[[], float] = time.time
    codes: LoginCodes = field(default_factory=LoginCodes, compare=False)

    @staticmethod
    def of(token: str, others: Iterable[str] = (), *, can_embed: bool = False) -> Access:
        """Return access through the loopback and through these other host names."""
        return Access(token, LOOPBACK_HOSTS | {name.lower() for name in others}, can_embed)

    @property
    def sessions(self) -> Sessions:
        """The sessions of pages."""
        return Sessions(self.token, self.port, self.clock)

    def role_of_login(self, *, token: str = "", code: str = "") -> Role | None:
        """Return what a login with a token or a one-time code allows; None if neither is right."""
        if self.is_token(token) or (code and self.codes.use(code)):
            return "drive"
        watch = self.sessions.watch_token
        return "watch" if hmac.compare_digest(token.encode(), watch.encode()) else None

    def is_token(self, given: str) -> bool:
        """Return whether this is the token, comparing in constant time."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_known_host(self, headers: Headers) -> bool:
        """Return whether the `Host` is one of this machine."""
        return _host(headers.get("host", "")) in self.hosts

    def has_cookie(self, connection: HTTPConnection) -> bool:
        """Return whether a request carries the cookie."""
        sessions = self.sessions
        return sessions.is_cookie(connection.cookies.get(sessions.cookie_name, ""))

    def has_bearer(self, headers: Headers) -> bool:
        """Return whether a request carries the token as a bearer token."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_token(given.strip())

    def is_own_origin(self, connection: HTTPConnection) -> bool:
        """Return whether the `Origin` is this server, by the same scheme."""
        headers = connection.headers
        scheme = "https" if connection.scope.get("scheme") in ("https", "wss") else "http"
        host = headers.get("host", "").lower()
        return (
            headers.get("origin", "").lower() == f"{scheme}://{host}" and _host(host) in self.hosts
        )

    def refusal(self, connection: HTTPConnection, *, needs_key: bool) -> tuple[int, str] | None:
        """Return HTTP status and reason if a request is rejected; None if it is accepted.

        With `needs_key`, the cookie does not suffice; to change anything, the key must be that of a
        page that may drive.
        """
        headers = connection.headers
        if not self.is_known_host(headers):
            return 421, "unknown host name; open the address that robotix printed"
        if self.has_bearer(headers):
            return None
        if not self.has_cookie(connection):
            return 401, "not logged in; open the address that robotix printed"
        is_read = connection.scope.get("method") in ("GET", "HEAD")
        if ("origin" in headers or not is_read) and not self.is_own_origin(connection):
            return 403, "this request comes from another site"
        if not needs_key:
            return None
        role = self.sessions.role_of(headers.get(KEY_HEADER, ""))
        if role is None:
            return 401, "not logged in; open the address that robotix printed"
        if role != "drive" and not is_read:
            return 403, "this page may only watch"
        return None


def _host(text: str) -> str:
    """Return the host name in `name:port`, in lower case; empty if it is malformed."""
    name, _, port = text.lower().rpartition(":")
    if not name or (port and not port.isdigit()):
        name = text.lower()
    return name.strip("[]") if _HOST.fullmatch(name) else ""
