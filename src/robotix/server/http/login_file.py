"""Opens the page in a browser, without a secret on a command line, which every user can read."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path

from robotix.files.user_state import state_folder, write_private

__all__ = ["open_browser", "write_login_file"]

LOGIN_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>robotix</title>
<meta http-equiv="refresh" content="0; url={address}">
<p>Opening the room …</p></html>"""


def write_login_file(address: str, *, port: int) -> Path:
    """Write a file, for the user's eyes only, that leads a browser to a one-time address."""
    path = state_folder() / f"open_{port}.html"
    write_private(path, LOGIN_PAGE.format(address=address).encode())
    return path


def open_browser(address: str, *, port: int) -> None:
    """Open a one-time address in the browser, in a thread, since a browser may be slow to start."""
    file = write_login_file(address, port=port).resolve().as_uri()
    threading.Thread(target=webbrowser.open, args=(file,), daemon=True).start()
