"""The repository keeps the rules that no other tool checks."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "robotix"
LINES_A_MODULE = 400
MODULES_A_PACKAGE = 25
LINES_A_FUNCTION = 60
HEAVY = {"PIL", "lxml", "mujoco", "numba", "scipy"}
MIRRORED = (
    *(
        "authoring",
        "capture",
        "collision",
        "devices",
        "dynamics",
        "ergonomics",
        "files",
        "geometry",
    ),
    *("human", "kernels", "kinematics", "meshes", "model", "motion", "scene", "server", "view"),
    "visuals",
)
ACROSS_MODULES = {  # suites that are not about one module
    "authoring/legacy/test_lines.py",
    "authoring/load/test_bad_scene_files.py",
    "authoring/rooms/test_flat_physics.py",
    "authoring/rooms/test_rooms.py",
    "authoring/test_errors_as_data.py",
    "collision/test_distance_oracle.py",
    "devices/test_device_faults.py",
    "devices/test_devices_drive.py",
    "dynamics/test_armature.py",
    "dynamics/simulation/test_faults.py",
    "dynamics/simulation/test_forward.py",
    "ergonomics/methods/back/test_back_measurements.py",
    "files/test_mutated_files.py",
    "kinematics/test_out_of_reach.py",
    "kinematics/test_robustness.py",
    "kinematics/test_running.py",
    "kinematics/obstacles/test_shelf.py",
    "meshes/test_bad_files.py",
    "model/test_bad_files.py",
    "model/test_dh_file.py",
    "model/test_robots_urdf.py",
    "model/test_vishard.py",
    "scene/physics/test_physics_storm.py",
    "scene/recording/test_kill.py",
    "scene/recording/test_standing_still.py",
    "scene/test_exports.py",
    "server/live/test_lost_pages.py",
    "server/live/test_pausing.py",
    "server/live/test_replay.py",
    "server/live/test_rough_pages.py",
    "server/live/test_stalled_viewers.py",
    "server/live/test_stops.py",
}
# Phrases that a reader must translate first, and what to write instead.
DIALECT = {
    r"^Refuse\b": "Raise ValueError (BadFile, …) unless …",
    r"^Tell whether\b": "Return whether …",
    r"\ba row a (?:tick|body|method|joint)\b": "one row per tick",
    r"\bone (?:colour|number|row|sample|value) an? (?:axis|body|joint|pixel|tick)\b": "per",
    r"\bso many (?:ticks|times|rows|seconds)\b": "a number of ticks",
    r"\b(?:anew|for ever|has not got)\b": "again, endlessly, lacks",
    r"\b(?:deeds?|doubts?)\b": "command, warning",
    r"(?:^|[.;:] )Who [a-z]+s\b": "a person who …, or the condition itself",
    r"\bwhat there is to\b": "the thing itself",
}

MACHINE_PATH = re.compile(r"(?<![\w.<])/(?:work|tmp|root|home)\b")
REGISTRY = re.compile(r"pythonhosted\.org|pypi\.org/simple|registry\.npmjs\.org|index[-_]url")


@cache
def repository_files() -> tuple[Path, ...]:
    """Return what is in the repository or would be with the next commit."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip(f"not a git clone: {listing.stderr.strip()}")
    paths = (ROOT / name for name in listing.stdout.split("\0") if name)
    return tuple(path for path in paths if path.is_file())


def lines_of_text() -> Iterator[tuple[str, str]]:
    """Yield `file:line` and the line, for every text file."""
    for path in repository_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def packages() -> list[Path]:
    return sorted({path.parent for path in PACKAGE.rglob("*.py")})


def public_names(module: Path) -> list[str]:
    """Return `__all__` of a module without importing it."""
    assert module.is_file(), f"{module.relative_to(ROOT)} is missing"
    stub = module.with_suffix(".pyi")
    if stub.is_file():  # its names load on first use
        imports = [n for n in ast.parse(stub.read_text()).body if isinstance(n, ast.ImportFrom)]
        return [name.asname or name.name for each in imports for name in each.names]
    for node in ast.parse(module.read_text()).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List() as value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.List() as value)
            ):
                names: list[str] = ast.literal_eval(value)
                return names
    pytest.fail(f"{module.relative_to(ROOT)} has no __all__")


@pytest.mark.parametrize("fault", [MACHINE_PATH, REGISTRY], ids=["machine paths", "registries"])
def test_nothing_is_tied_to_one_machine(fault: re.Pattern[str]) -> None:
    assert [
        f"{place}: {line.strip()}" for place, line in lines_of_text() if fault.search(line)
    ] == []


def test_changelog_knows_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    "package", packages(), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_package_offers_what_it_says(package: Path) -> None:
    # that the list is sorted is ruff's RUF022; names that are imported lazily only Python can check
    names = public_names(package / "__init__.py")
    module = importlib.import_module(".".join(package.relative_to(PACKAGE.parent).parts))
    assert [name for name in names if not hasattr(module, name)] == []


def test_modules_stay_small() -> None:
    sizes = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in repository_files()
        if path.suffix == ".py"
    }
    assert {name: size for name, size in sizes.items() if size > LINES_A_MODULE} == {}


def test_packages_stay_small() -> None:
    sizes = {
        path.relative_to(PACKAGE).as_posix(): len(list(path.glob("*.py"))) for path in packages()
    }
    assert {name: size for name, size in sizes.items() if size > MODULES_A_PACKAGE} == {}


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield `file:line` and docstring of everything in the package that has one."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(
                node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            ) and (text := ast.get_docstring(node)):
                yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", text


def test_docstrings_are_plain_english() -> None:
    assert [
        f"{place}: write {better!r} for {found[0]!r}"
        for place, text in docstrings()
        for phrase, better in DIALECT.items()
        if (found := re.search(phrase, text))
    ] == []


@pytest.mark.parametrize(
    "text",
    ["Refuse a time that is none.", "Tell whether it is on.", "Return columns, a row a tick."],
)
def test_dialect_is_found(text: str) -> None:
    assert any(re.search(phrase, text) for phrase in DIALECT)


def test_tests_mirror_the_modules_that_they_test() -> None:
    tests = [path for name in MIRRORED for path in (ROOT / "tests" / name).rglob("test_*.py")]
    names = {str(path.relative_to(ROOT / "tests")) for path in tests}
    without_module = {name for name in names if not (PACKAGE / name.replace("test_", "")).is_file()}
    assert without_module == ACROSS_MODULES


def test_functions_stay_small() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: size for name, size in lengths.items() if size > LINES_A_FUNCTION} == {}


def test_import_is_light() -> None:
    code = "import robotix, sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(run.stdout.split()) == set()


def test_no_code_is_for_a_platform_that_is_not_supported() -> None:
    # Linux and macOS: kernels are locked by `fcntl`, which no other system has
    fault = re.compile(r"win32|os\.name\b|except ImportError:.*Windows")
    assert [
        f"{place}: {line.strip()}"
        for place, line in lines_of_text()
        if place.startswith("src/") and fault.search(line)
    ] == []


def test_contributors_see_the_layers_that_are_checked() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    layers = [
        " | ".join(name for name in re.split(r"\s*\|\s*", layer) if not name.startswith("("))
        for layer in tools["importlinter"]["contracts"][0]["layers"]
    ]
    words = " ".join((ROOT / "CONTRIBUTING.md").read_text().split())
    assert " → ".join(filter(None, layers)) in words


@pytest.mark.parametrize(
    ("page", "section", "count"),
    [("reliability", "Found by attack", 40), ("first_five_minutes", "Found by a newcomer", 40)],
)
def test_tests_that_the_docs_name_exist(page: str, section: str, count: int) -> None:
    _, _, table = (ROOT / "docs" / f"{page}.md").read_text().partition(f"## {section}")
    named = re.findall(r"`([\w/]+\.py)` ([a-z0-9 ]+)", table)
    assert len(named) > count
    for file, words in named:
        name = f"def test_{words.strip().replace(' ', '_')}("
        assert name in (ROOT / "tests" / file).read_text(), f"{file}: no {name}"
