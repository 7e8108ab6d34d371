"""The browser is opened without a secret on its command line, which every user can read."""

from __future__ import annotations

import stat
import webbrowser
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import unquote, urlparse

import pytest
from support.served_room import PATIENCE, TOKEN, served

from robotix.scene.scene import Scene


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[str]:
    """What browsers were started with."""
    found = SimpleQueue[str]()

    def note(address: str) -> bool:
        found.put(address)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    return found


@pytest.mark.parametrize("has_home", [True, False])
def test_no_secret_is_on_the_command_line_of_the_browser(
    opened: SimpleQueue[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, has_home: bool
) -> None:
    (tmp_path / "file").touch()
    state = tmp_path / ("state" if has_home else "file/state")  # nothing can lie below a file
    monkeypatch.setenv("ROBOTIX_STATE", str(state))
    with served(Scene(name="empty")) as room:
        room.hosting.open_browser()
        address = opened.get(timeout=PATIENCE)
        secrets = (TOKEN, *room.hosting.access.codes._ends)
    assert address.startswith("file:") and not any(secret in address for secret in secrets)
    path = Path(unquote(urlparse(address).path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert TOKEN not in text and "/login?c=" in text
    assert path.is_relative_to(state) == has_home
