"""Writes `requirements/dev.txt`: every package of this environment, with version and hash.

Run it by `make lock`, in an environment that `make setup` made anew. pip says which file it would
install and what its SHA-256 is; nothing is installed. The hashes are those of the files for this
version of Python and this platform, which the first lines of the file name.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("dev.txt")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
INSTALL = [
    "install",
    "--quiet",
    "--dry-run",
    "--ignore-installed",
    "--no-deps",
    "--only-binary",
    ":all:",
]
OWN = "robotix"  # installed from this folder


def main() -> None:
    """Write the file."""
    listed = json.loads(_pip("list", "--format", "json", "--exclude-editable"))
    pins = [f"{each['name']}=={each['version']}" for each in listed if each["name"] != OWN]
    with tempfile.TemporaryDirectory() as folder:
        report, wanted = Path(folder) / "report.json", Path(folder) / "wanted.txt"
        wanted.write_text("\n".join(pins) + "\n", encoding="utf-8")
        _pip(*INSTALL, "--report", str(report), "--requirement", str(wanted))
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    TARGET.write_text(to_requirements(found), encoding="utf-8")
    sys.stdout.write(f"{len(found)} packages in {TARGET.name}\n")


def to_requirements(found: list[dict[str, Any]]) -> str:
    """Return what pip reported as a requirements file with hashes."""
    python, machine = ".".join(platform.python_version_tuple()[:2]), platform.machine()
    lines = [
        "# Written by `make lock`; installed by `make locked`.",
        f"# For Python {python} on {platform.system()} {machine}.",
    ]
    for each in sorted(found, key=lambda each: each["metadata"]["name"].lower()):
        name, version = each["metadata"]["name"], each["metadata"]["version"]
        digest = each["download_info"]["archive_info"]["hashes"]["sha256"]
        lines += [f"{name}=={version} \\", f"    --hash=sha256:{digest}"]
    return "\n".join(lines) + "\n"


def _pip(*arguments: str) -> str:
    return subprocess.run([*PIP, *arguments], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
