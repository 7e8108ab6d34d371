"""What is pinned for development is complete, hashed, and what the project allows."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PINNED = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")


def test_every_dependency_is_pinned_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = map(Requirement, [*project["dependencies"], *extras["docs"], *extras["dev"]])
    pins = re.findall(r"^([\w.-]+)==(\S+) \\$", PINNED, re.MULTILINE)
    versions = {canonicalize_name(name): version for name, version in pins}
    for each in wanted:
        if each.name != project["name"]:
            assert each.specifier.contains(versions[canonicalize_name(each.name)]), each


def test_every_pin_has_a_hash_and_no_file_names_where_it_comes_from() -> None:
    lines = [line for line in PINNED.splitlines() if not line.startswith("#")]
    for pin, digest in zip(lines[::2], lines[1::2], strict=True):
        assert pin.endswith(" \\") and re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", digest), pin
    assert "://" not in PINNED
