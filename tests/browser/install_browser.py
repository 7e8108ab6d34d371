"""Sees to it that there is a browser to test with; `make test` runs this once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
RENDERER = ("libegl1", "libgl1-mesa-dri")  # draws faster than the browser does by itself
OVERRIDE = "ROBOTIX_BROWSER"  # the program to use, whatever else is there


def find_browser() -> str | None:
    """Return the program of a Chromium; None when there is none yet."""
    if chosen := os.environ.get(OVERRIDE):
        return chosen
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or _browser_of_playwright()


def _browser_of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install_browser() -> None:
    """Bring one: a Debian package where we may install those, else Playwright's own."""
    if find_browser() is not None:
        return
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        quiet = {
            "stdout": subprocess.DEVNULL,
            "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        }
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)  # type: ignore[call-overload]
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        for packages in (NAMES[:1], RENDERER):
            subprocess.run([*command, *packages], check=False, **quiet)  # type: ignore[call-overload]
    else:
        command = [sys.executable, "-m", "playwright", "install", "chromium"]
        subprocess.run(command, check=False)
    if find_browser() is None:
        raise SystemExit(
            "The tests need Chromium, and it could not be installed from here. Install it yourself "
            f"(such as `apt-get install chromium`), or name one: {OVERRIDE}=/path/to/chromium"
        )


if __name__ == "__main__":
    install_browser()
