"""What is pinned for development is complete, hashed, and what the project allows."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

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


def audit() -> ModuleType:
    """Return the script behind `make audit` as a module."""
    spec = importlib.util.spec_from_file_location("audit", ROOT / "requirements" / "audit.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # needed by dataclasses
    spec.loader.exec_module(module)
    return module


def test_an_audit_tells_advisories_from_packages_that_could_not_be_looked_up() -> None:
    judge = audit().python_verdict
    fine = {"name": "one", "version": "1.0", "vulns": []}
    bad = {"name": "two", "version": "2.0", "vulns": [{"id": "X-1", "fix_versions": ["2.1"]}]}
    unknown = {"name": "three", "skip_reason": "not found: three"}
    assert judge({"dependencies": [fine]}).code == 0
    found = judge({"dependencies": [fine, bad, unknown]})
    assert found.code == 1 and found.advisories == ("two 2.0: X-1, fixed in 2.1",)
    missing = judge({"dependencies": [fine, unknown]})
    assert missing.code == 2 and "NOT AUDITED" in str(missing) and "three" in str(missing)


def test_an_audit_of_the_page_without_an_answer_is_not_a_clean_one() -> None:
    judge = audit().page_verdict
    assert judge({"vulnerabilities": {}}, 10).code == 0
    assert judge({"vulnerabilities": {"x": {"range": "<2", "severity": "high"}}}, 10).code == 1
    assert judge({"message": "405 Method Not Allowed"}, 10).code == 2
    assert judge({}, 10).code == 2
