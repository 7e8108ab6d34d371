"""Sessions: what a page shows after its login, in place of the token.

A login gives a browser two secrets. The *cookie* lets it read the page; browsers send cookies to
every port of a host, also to servers of other users. So everything of the room itself needs the
*key* as well, which the page keeps in the storage of its origin (scheme, host and port) and sends
by itself. Both are codes of the token (HMAC), the port and the time at which they end: a page stays
logged in when the server is started again, and nothing has to be stored here.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from robotix.server.live.hub import Role

__all__ = ["SESSION_TIME", "LoginCodes", "Sessions"]

ROLES: tuple[Role, ...] = ("drive", "watch")

SESSION_TIME = 7 * 24 * 3600  # s
CODE_TIME = 300.0  # s in which a login code must be used
MAX_CODES = 16  # that wait


@dataclass(frozen=True)
class Sessions:
    """Makes and checks cookies and keys."""

    token: str
    port: int = 0
    clock: Callable[[], float] = time.time

    @property
    def cookie_name(self) -> str:
        """The name of the cookie: that of another server on this host must not replace it."""
        return f"robotix_{self.port}"

    def cookie(self) -> str:
        """Return the value of a new cookie."""
        return self._signed("page")

    def is_cookie(self, text: str) -> bool:
        """Return whether this is a cookie of this server that has not ended."""
        return self._is_valid(text, "page")

    def key(self, role: Role = "drive") -> str:
        """Return a new key for a role."""
        return self._signed(role)

    def role_of(self, key: str) -> Role | None:
        """Return the role that a key allows; None if it is wrong or has ended."""
        return next((role for role in ROLES if self._is_valid(key, role)), None)

    @property
    def watch_token(self) -> str:
        """The token of those who may only watch."""
        return self._code("watch token")[:32]

    def _signed(self, purpose: str) -> str:
        end = int(self.clock()) + SESSION_TIME
        return f"{purpose}.{end}.{self._code(f'{purpose} {self.port} {end}')}"

    def _is_valid(self, text: str, purpose: str) -> bool:
        given, _, rest = text.partition(".")
        end, _, code = rest.partition(".")
        if given != purpose or not (end.isascii() and end.isdigit() and len(end) <= 12):
            return False
        expected = self._code(f"{purpose} {self.port} {end}")
        return hmac.compare_digest(code.encode(), expected.encode()) and self.clock() < int(end)

    def _code(self, text: str) -> str:
        return hmac.new(self.token.encode(), text.encode(), hashlib.sha256).hexdigest()


@dataclass
class LoginCodes:
    """Codes that log in once, soon, and never again; for links that others might see."""

    clock: Callable[[], float] = time.monotonic
    _ends: dict[str, float] = field(default_factory=dict, repr=False)

    def make(self) -> str:
        """Return a new code."""
        while len(self._ends) >= MAX_CODES:
            del self._ends[next(iter(self._ends))]
        code = secrets.token_urlsafe(24)
        self._ends[code] = self.clock() + CODE_TIME
        return code

    def use(self, code: str) -> bool:
        """Return whether a code is valid, which it is no longer from now on."""
        return self._ends.pop(code, float("-inf")) > self.clock()
