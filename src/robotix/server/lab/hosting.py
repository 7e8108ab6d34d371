"""Serves the pages of the laboratory."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from robotix.experiments.session import LabSession
from robotix.server.http.access import Access
from robotix.server.http.hosting import Hosting, Secure
from robotix.server.lab.access import EXPERIMENTER, LabAccess, study_secret
from robotix.server.lab.app import make_lab_app
from robotix.server.live.service import RoomService

__all__ = ["LabHosting"]


class LabHosting:
    """A web server for the pages of one study, as a context manager.

    It serves this machine; with `secure` also others, by HTTPS, which call it by `names`.
    """

    def __init__(
        self,
        session: LabSession,
        folder: Path,
        *,
        port: int = 0,
        secure: Secure | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self._lab = LabAccess(study_secret(folder))
        addresses = () if secure is None else secure.addresses
        self._hosting = Hosting(
            RoomService(),
            Access.of(secrets.token_urlsafe(24), names),
            port=port,
            secure=secure,
            app=lambda access: make_lab_app(session, access, self._lab, self.other_origins),
        )
        self._lab.port = self._hosting.port
        self.other_origins = tuple(f"https://{each}:{self._hosting.port}" for each in addresses)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._hosting.port}"

    def experimenter_address(self) -> str:
        """Return an address that logs the experimenter in, once."""
        return f"{self.origin}/login?c={self._lab.make_code(EXPERIMENTER)}"

    def open_browser(self) -> None:
        """Open the experimenter's page, without a secret on a command line."""
        from robotix.server.http.login_file import open_browser

        open_browser(self.experimenter_address(), port=self._hosting.port)

    def __enter__(self) -> LabHosting:
        self._hosting.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._hosting.__exit__()
