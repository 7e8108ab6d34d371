"""The user's state folder: token, certificate, and which plug-ins may run."""

from __future__ import annotations

import atexit
import logging
import os
import secrets
import shutil
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["state_folder", "write_private"]

LOG = logging.getLogger(__name__)


def state_folder() -> Path:
    """Return the state folder (mode 700); `ROBOTIX_STATE` names another one.

    Where no such folder can be kept, as in a read-only home, it is one for this run only.
    """
    try:
        chosen = os.environ.get("ROBOTIX_STATE")
        home = os.environ.get("XDG_STATE_HOME")
        base = Path(home) if home else Path.home() / ".local" / "state"
        return _private_folder(Path(chosen) if chosen else base / "robotix")
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
        LOG.warning("token and certificate are for this run only: %s", error)
        return _folder_of_this_run()


def _private_folder(folder: Path) -> Path:
    """Make a folder that only the user can read; raise OSError where that is impossible."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    info = folder.stat()
    if info.st_uid not in (os.geteuid(), 0) and os.geteuid() != 0:
        raise PermissionError(f"{folder} belongs to another user")
    if info.st_uid == os.geteuid() and info.st_mode & 0o077:
        folder.chmod(0o700)
    with tempfile.TemporaryFile(dir=folder):  # rights do not tell whether the disk is read-only
        return folder


@cache
def _folder_of_this_run() -> Path:
    folder = tempfile.mkdtemp(prefix="robotix-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only the user can read, atomically."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
            file.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
