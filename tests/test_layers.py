"""The import contracts reject what they should: a wrong import, a package without a layer."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
CONTRACTS: list[dict[str, Any]] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
IDS = [contract["name"] for contract in CONTRACTS]
EXHAUSTIVE = [contract for contract in CONTRACTS if contract.get("exhaustive")]


def layers_of(contract: dict[str, Any]) -> list[list[str]]:
    """Return the packages of every layer, top first, without optional ones, in parentheses."""
    rows = [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    rows = [[name for name in row if not name.startswith("(")] for row in rows]
    return [row for row in rows if row]


def add_package(tree: Path, name: str, text: str = "") -> None:
    """Add a package and its parents; `text` is its source."""
    folder = tree
    for part in name.split("."):
        folder /= part
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
    (folder / "__init__.py").write_text(text, encoding="utf-8")


def lint(tree: Path) -> tuple[int, str]:
    """Run import-linter on a tree; return its exit status and output."""
    run = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", run, "--no-cache"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())  # without line breaks


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a tree of empty packages, one for every layer, with the contracts of the project."""
    shutil.copy(PYPROJECT, tmp_path)
    for contract in CONTRACTS:
        for container in contract["containers"]:
            for row in layers_of(contract):
                for name in row:
                    add_package(tmp_path, f"{container}.{name}")
    return tmp_path


def test_packages_in_their_layers_are_accepted(tree: Path) -> None:
    status, output = lint(tree)
    assert status == 0, output


@pytest.mark.parametrize("contract", CONTRACTS, ids=IDS)
def test_an_import_of_a_higher_layer_is_rejected(tree: Path, contract: dict[str, Any]) -> None:
    container = contract["containers"][0]
    rows = layers_of(contract)
    highest, lowest = f"{container}.{rows[0][0]}", f"{container}.{rows[-1][0]}"
    add_package(tree, lowest, f"import {highest}\n")
    status, output = lint(tree)
    assert status == 1 and f"{lowest} is not allowed to import {highest}" in output, output


@pytest.mark.parametrize("contract", EXHAUSTIVE, ids=[each["name"] for each in EXHAUSTIVE])
def test_a_package_without_a_layer_is_rejected(tree: Path, contract: dict[str, Any]) -> None:
    name = f"{contract['containers'][0]}.attic"
    add_package(tree, name)
    status, output = lint(tree)
    assert status == 1 and "attic" in output, output
