"""Where this machine keeps what outlives a run of the server: its token, its certificate."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["state_folder", "write_private"]


def state_folder() -> Path:
    """Return the folder, made for the user alone; `ROBOTIX_STATE` names another one."""
    chosen = os.environ.get("ROBOTIX_STATE")
    if chosen:
        folder = Path(chosen)
    else:
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        folder = Path(home) / "robotix"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only the user can read; never half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    part.replace(path)
