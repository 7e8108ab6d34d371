"""Where the robots lie that a person has made, when they have no scene to lie beside."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["user_robots_folder"]


def user_robots_folder() -> Path:
    """Return the folder, which may not be there yet; `ROBOTIX_ROBOTS` names another one."""
    chosen = os.environ.get("ROBOTIX_ROBOTS")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "robotix" / "robots"
