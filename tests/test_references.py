"""Every number of the package has a source that is listed, or is marked as unverified."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.assessed import assessed

from robotix.ergonomics.methods.back.low_back import compression_levels, shear_levels
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.model.robots import describe_robot, robot_names

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "robotix"
PAGE = ROOT / "docs" / "references.md"
DATA = sorted(p for p in PACKAGE.glob("*/data/*") if p.suffix in (".toml", ".csv", ".yaml"))
TABLES = sorted(
    path
    for folder in ("ergonomics", "experiments/analysis")
    for path in (ROOT / "tests" / folder / "tables").iterdir()
)
CITING = [
    *DATA,
    *TABLES,
    *sorted(PACKAGE.rglob("*.py")),
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page != PAGE),
]

KEY = re.compile(r"\[((?:[A-Z][A-Za-z]+|deLeva)(?:19|20)\d\d[a-z]?)\]")
ENTRY = re.compile(r"^- \*\*\[(\w+)\]\*\* ", re.MULTILINE)
FROM_MEMORY = re.compile(r"recall|\bmemory\b|not consulted", re.IGNORECASE)
AUTHOR_YEAR = re.compile(r"[A-Z]\w+(?: and [A-Z]\w+| et al\.)?,? \(?(?:19|20)\d\d\)?")
UNVERIFIED_ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def listed() -> list[str]:
    return ENTRY.findall(PAGE.read_text())


@pytest.mark.parametrize("path", [*DATA, *TABLES], ids=name_of)
def test_no_data_rests_on_memory(path: Path) -> None:
    found = [line for line in path.read_text().splitlines() if FROM_MEMORY.search(line)]
    assert found == []


def test_every_key_is_listed() -> None:
    known = set(listed())
    missing = {
        f"{name_of(path)}: {key}"
        for path in [*CITING, PAGE]
        for key in KEY.findall(path.read_text())
        if key not in known
    }
    assert missing == set()


def test_every_entry_is_cited_somewhere_and_says_how_it_was_consulted() -> None:
    cited = {key for path in CITING for key in KEY.findall(path.read_text())}
    assert [key for key in listed() if key not in cited] == []
    publications = PAGE.read_text().split("## Unverified")[0]
    for entry in re.split(r"^- ", publications, flags=re.MULTILINE)[1:]:
        if entry.startswith("**["):
            assert re.search(r"\*(?:Original|Transcription|Credit)\*", entry), entry


def test_entries_are_in_order_and_unique() -> None:
    keys = listed()
    assert keys == sorted(keys, key=str.casefold)
    assert len(keys) == len(set(keys))


def test_docstrings_cite_by_key() -> None:
    found = [
        f"{name_of(path)}: {match}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for match in AUTHOR_YEAR.findall(path.read_text())
    ]
    assert found == []


def flagged(table: object, path: str = "") -> Iterator[str]:
    """Yield where `unverified = true` stands in a file: `table.other`, `table.list[2]`."""
    if isinstance(table, dict):
        if table.get("unverified") is True:
            yield path
        for key, value in table.items():
            yield from flagged(value, f"{path}.{key}" if path else key)
    elif isinstance(table, list):
        for k, value in enumerate(table):
            yield from flagged(value, f"{path}[{k}]")


def unverified_in_files() -> set[tuple[str, str]]:
    return {
        (str(path.relative_to(PACKAGE)), entry)
        for path in DATA
        if path.suffix == ".toml"
        for entry in flagged(tomllib.loads(path.read_text()))
    }


def test_the_list_of_the_unverified_equals_the_flags() -> None:
    section = PAGE.read_text().split("## Unverified")[1]
    assert set(UNVERIFIED_ROW.findall(section)) == unverified_in_files()
    assert len(unverified_in_files()) == 10


def test_unverified_parts_of_robots_are_told() -> None:
    told = {
        (name, entry.parameter)
        for name in robot_names()
        for entry in describe_robot(name).provenance
        if entry.unverified
    }
    assert {("ur5", "mass"), ("amtec_ulwr", "payload"), ("mitsubishi_pa10", "payload")} <= told
    assert {name for name, _ in told}.isdisjoint({"panda", "kuka_lwr", "human"})


STRENGTH = {"capable", "demand"}  # findings by unverified limits or data


def test_no_verdict_uses_an_unverified_quantity() -> None:
    found = assessed("lift", "m")
    given = {each.key for each in found.findings if each.verdict.is_given}
    assert given.isdisjoint(STRENGTH)
    assert given >= {"task", "compression", "shear", "lifting_index", "rula", "reba", "owas"}
    assert {each.severity for each in found.findings if each.key in STRENGTH} == {"unverified"}
    judged = [each.severity for each in found.findings if each.key not in STRENGTH]
    assert found.severity in judged and found.severity != "unverified"


def test_the_usual_back_model_and_its_limits_are_verified() -> None:
    table: Any = tomllib.loads((PACKAGE / "ergonomics/data/low_back.toml").read_text())
    for part in ("sacrum", "flexor", "abdominal", "ten_muscles", "limits"):
        assert "unverified" not in table[part], part
    assert 0.05 in load_low_back().muscle_arm.verified
    assert max(load_low_back().muscle_arm.verified) == 0.05
    assert [level.highest for level in compression_levels()][:2] == [3400, 6400]
    assert [level.highest for level in shear_levels()][:2] == [700, 1000]
