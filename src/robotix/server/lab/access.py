"""Who a page of the laboratory belongs to: the experimenter, or one participant.

A one-time code in an address becomes a cookie that is signed with a secret of this study: its role
and name are part of what is signed, so that no cookie opens what another one does. The secret is a
private file in the folder of the study, so that pages stay logged in when the server starts again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from robotix.files.user_state import write_private

__all__ = ["EXPERIMENTER", "LabAccess", "study_secret"]

EXPERIMENTER = "experimenter"
SECRET_FILE = ".lab_secret"
CODE_TIME = 900.0  # s in which a code must be used
COOKIE_TIME = 24 * 3600  # s
MAX_CODES = 64  # that wait
_NAME = re.compile(r"[A-Za-z0-9]{1,32}", re.ASCII)


def study_secret(folder: Path) -> str:
    """Return the secret of a study, which only its owner can read; made on first use."""
    path = folder / SECRET_FILE
    try:
        if path.stat().st_mode & 0o077 == 0:
            text = path.read_text(encoding="ascii").strip()
            if len(text) >= 32:
                return text
    except (OSError, UnicodeDecodeError):
        pass
    text = secrets.token_urlsafe(32)
    write_private(path, text.encode())
    return text


@dataclass
class LabAccess:
    """Makes and checks codes and cookies."""

    secret: str
    port: int = 0
    clock: Callable[[], float] = time.time
    _codes: dict[str, tuple[str, float]] = field(default_factory=dict, repr=False)

    @property
    def cookie_name(self) -> str:
        """The name of the cookie; browsers send it to every port of this host."""
        return f"robotix_lab_{self.port}"

    def make_code(self, who: str) -> str:
        """Return a code that logs in once: the experimenter, or the participant of this name."""
        if not _NAME.fullmatch(who):
            raise ValueError(f"{who!r} is no pseudonym")
        while len(self._codes) >= MAX_CODES:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(24)
        self._codes[code] = who, self.clock() + CODE_TIME
        return code

    def use_code(self, code: str) -> str | None:
        """Return whom a code logs in, which it does no longer from now on; None if it is wrong."""
        who, end = self._codes.pop(code, ("", 0.0))
        return who if who and self.clock() < end else None

    def cookie(self, who: str) -> str:
        """Return the value of a cookie."""
        end = int(self.clock()) + COOKIE_TIME
        return f"{who}.{end}.{self._sign(who, end)}"

    def who(self, cookie: str) -> str | None:
        """Return whose cookie this is; None if it is wrong or has ended."""
        parts = cookie.split(".")
        if len(parts) != 3 or not _NAME.fullmatch(parts[0]):
            return None
        who, end, code = parts
        if not (end.isascii() and end.isdigit() and len(end) <= 12):
            return None
        expected = self._sign(who, int(end))
        if not hmac.compare_digest(code.encode(), expected.encode()):
            return None
        return who if self.clock() < int(end) else None

    def _sign(self, who: str, end: int) -> str:
        text = f"lab {self.port} {who} {end}"
        return hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
