"""What is built and installed is complete: `pip install .`, then `robotix run` from anywhere."""

import json
import os
import subprocess
import sys
import tomllib
import urllib.request
import venv
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
NODE = {"node", "npm", "npx"}


def tracked(*folders: str) -> set[str]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip(f"not a git clone: {listing.stderr.strip()}")
    return {name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()}


def test_a_wheel_holds_modules_data_and_page() -> None:
    files = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {name.removeprefix("src/") for name in tracked("src")} <= files
    assert "robotix/server/static/index.html" in files
    assert any(name.startswith("robotix/server/static/assets/") for name in files)
    assert {name.split("/")[0] for name in files} == {"robotix"}
    assert [name for name in files if "__pycache__" in name] == []


def test_a_source_distribution_holds_what_it_is_built_and_tested_with() -> None:
    files = {file.relative_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    folders = ("src", "web", "tests", "examples", "docs", "benchmarks")
    assert tracked(*folders, "hatch_build.py", "Makefile", "README.md", "CHANGELOG.md") <= files
    assert [name for name in files if "node_modules" in name or "server/static/" in name] == []


def test_a_bill_of_materials_lists_what_a_wheel_contains_and_requires() -> None:
    command = [sys.executable, str(ROOT / "hatch_build.py"), "sbom"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told == subprocess.run(command, capture_output=True, text=True, check=True).stdout
    bill = json.loads(told)
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "robotix")
    parts = {part["purl"].split("@")[0]: part for part in bill["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert len(parts) == len(project["dependencies"]) + 1
    assert parts["pkg:pypi/numpy"]["properties"][0]["value"] == ">=2.1,<3"
    page = json.loads((ROOT / "web" / "package.json").read_text())["dependencies"]
    three = parts["pkg:npm/three"]
    assert three["version"] == page["three"] and len(three["hashes"][0]["content"]) == 128
    for host in ("http://", "https://"):
        assert host not in told


# -- installed -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs of a new environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("elsewhere")
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = ["wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, *pip, *wheel], check=True)
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    (found,) = folder.glob("robotix-*.whl")
    subprocess.run([str(programs / "python"), *pip, "install", str(found)], check=True)
    return programs


def environment(programs: Path, home: Path) -> dict[str, str]:
    """Return an environment without node, and without anything of this user."""
    shells = [Path(name) for name in ("/usr/bin", "/bin")]
    folder = home / "programs"
    folder.mkdir(exist_ok=True)
    for name in ("nice", "sh", "env"):
        program = next(each / name for each in shells if (each / name).exists())
        if not (folder / name).exists():
            (folder / name).symlink_to(program)
    return {"PATH": f"{programs}{os.pathsep}{folder}", "HOME": str(home), "LANG": "C.UTF-8"}


@pytest.mark.soak
def test_an_installed_room_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    surroundings = environment(installed, tmp_path)
    assert not any(
        (Path(folder) / name).exists()
        for folder in surroundings["PATH"].split(":")
        for name in NODE
    )
    done = subprocess.run(
        [str(installed / "robotix"), "run", "--headless", "--seconds", "1", "--json"],
        cwd=tmp_path,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ticks"] > 0
    assert "kernels: solver" in done.stderr


@pytest.mark.soak
def test_an_installed_page_is_served(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "robotix"), "run", "--no-open", "--port", "0", "--seconds", "3"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(installed, tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[1]
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(address, timeout=60) as answer:
                page = answer.read().decode()
            process.communicate(timeout=600)
        finally:
            process.kill()
    assert '<script type="module"' in page
    assert process.returncode == 0
