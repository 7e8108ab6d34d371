"""Compiled code on disk is stale as soon as a file changes that may be part of it."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from robotix.kernels import sources

INNER = """
from robotix.kernels import part
from some_package.geometry.sizes import SIZE
@part
def offset():
    return 1.0 * SIZE
"""
OUTER = """
from some_package.geometry import offset
from robotix.kernels import kernel
@kernel
def shifted(x):
    return x + offset()
"""
FILES = {
    "__init__": "",
    "geometry/__init__": "from some_package.geometry.deep.inner import (\n    offset,\n)\n",
    "geometry/deep/__init__": "",
    "geometry/deep/inner": INNER,
    "geometry/outer": OUTER,
    "geometry/sizes": "from some_package.unrelated import anything\nSIZE = 1.0\n",
    "later/__init__": "",
    "later/outer": OUTER,
    "unrelated": "anything = 1\n",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two packages with kernels: one with shared code, and one that uses it."""
    folder = tmp_path / "some_package"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    yield folder
    forget()


def forget() -> None:
    """Act as if nothing had been imported yet."""
    sources.clear_caches()
    for name in [name for name in sys.modules if name.startswith("some_package")]:
        del sys.modules[name]


def answer(module: str) -> tuple[float, bool]:
    """Return what the kernel says in a fresh import, and whether it came from the disk."""
    forget()
    shifted: Any = importlib.import_module(f"some_package.{module}").shifted
    return shifted(1.0), bool(shifted.stats.cache_hits)


@pytest.mark.parametrize("module", ["geometry.outer", "later.outer"])
def test_a_change_in_code_or_constants_is_seen_wherever_they_are(
    package: Path, module: str
) -> None:
    assert answer(module) == (2.0, False)
    assert answer(module) == (2.0, True)
    (package / "geometry/deep/inner.py").write_text(INNER.replace("1.0", "10.0"))
    assert answer(module) == (11.0, False)
    (package / "geometry/sizes.py").write_text("SIZE = 2.0\n")
    assert answer(module) == (21.0, False)


def test_what_a_kernel_cannot_contain_does_not_matter(package: Path) -> None:
    for module in ("geometry.outer", "later.outer"):
        answer(module)
    (package / "later/outer.py").write_text(OUTER.replace("x +", "2.0 * x +"))
    (package / "unrelated.py").write_text("anything = 2\n")
    assert answer("geometry.outer") == (2.0, True)
    assert answer("later.outer") == (3.0, False)


def test_time_of_a_file_does_not_matter(package: Path) -> None:
    answer("later.outer")
    for file in package.rglob("*.py"):
        file.touch()
    assert answer("later.outer") == (2.0, True)


def test_imports_are_read_as_python_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(
        "import robotix.first\n"
        "from robotix.second import a, b as c\n"
        "from robotix.third import (  # why\n    d,  # what (for)\n    e as f,\n)\n"
        "if TYPE_CHECKING:\n    from robotix.never import g\n"
    )
    assert sources._read(file).imports == (
        ("robotix.first", frozenset()),
        ("robotix.second", frozenset("ab")),
        ("robotix.third", frozenset("de")),
    )


def test_every_kernel_of_the_solver_counts() -> None:
    import robotix.kinematics as kinematics

    folder = Path(kinematics.__file__).parent
    tick = next(folder.rglob("tick.py")).resolve()
    names = {file.name for file in sources.source_files(tick, "robotix.kinematics.kernels.tick")}
    assert {"decorators.py", "task_rows.py", "arena.py", "tables.py"} < names
    assert "solver.py" not in names
