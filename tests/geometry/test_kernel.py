"""Compiled code on disk is stale as soon as a file changes that may be part of it."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robotix.geometry import kernel as compiling
from robotix.geometry.kernel import fast_kernel, fast_part, inlined_part, kernel, part, stay_apart

INNER = """
from robotix.geometry.kernel import part
@part
def offset():
    return 1.0
"""
OUTER = """
from some_package.geometry.inner_kernels import offset
from robotix.geometry.kernel import kernel
@kernel
def shifted(x):
    return x + offset()
"""
FILES = {"geometry/inner_kernels": INNER, "geometry/outer_kernels": OUTER, "later/kernels": OUTER}
FILES |= {name: "" for name in ("__init__", "geometry/__init__", "later/__init__")}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two packages with kernels: one with shared code, and one that uses it."""
    folder = tmp_path / "some_package"
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(compiling, "__file__", str(folder / "geometry" / "kernel.py"))
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    yield folder
    forget()


def forget() -> None:
    """Act as if nothing had been imported yet."""
    compiling._stamp_of.cache_clear()
    compiling._shared_files.cache_clear()
    for name in [name for name in sys.modules if name.startswith("some_package")]:
        del sys.modules[name]


def answer(module: str) -> tuple[float, bool]:
    """Return what the kernel says in a fresh import, and whether it came from the disk."""
    forget()
    shifted: Any = importlib.import_module(f"some_package.{module}").shifted
    return shifted(1.0), bool(shifted.stats.cache_hits)


@pytest.mark.parametrize("module", ["geometry.outer_kernels", "later.kernels"])
def test_a_change_in_shared_code_is_seen(package: Path, module: str) -> None:
    assert answer(module) == (2.0, False)
    assert answer(module) == (2.0, True)
    (package / "geometry/inner_kernels.py").write_text(INNER.replace("1.0", "10.0"))
    assert answer(module) == (11.0, False)


def test_kernels_of_a_later_package_concern_only_themselves(package: Path) -> None:
    for module in ("geometry.outer_kernels", "later.kernels"):
        answer(module)
    (package / "later/kernels.py").write_text(OUTER.replace("x +", "2.0 * x +"))
    assert answer("geometry.outer_kernels") == (2.0, True)
    assert answer("later.kernels") == (3.0, False)


def test_what_has_no_file_is_compiled_all_the_same() -> None:
    names: dict[str, Any] = {}
    exec("def double(x):\n    return 2.0 * x", names)
    assert kernel(names["double"])(4.0) == 8.0


def test_a_part_is_still_plain_python() -> None:
    @part
    def third(x: float) -> float:
        return x / 3

    assert third.__name__ == "third"
    assert third(np.float64(6.0)) == 2.0


def test_an_inlined_part_does_not_take_along_what_it_calls() -> None:
    @fast_part
    def long_story(x: float) -> float:
        stay_apart()
        return 3.0 * x

    @inlined_part
    def short_story(x: float) -> float:
        return long_story(x) + 1.0

    names: dict[str, Any] = {"short_story": short_story}
    exec("def tell(x):\n    return short_story(x)", names)  # without a file: not kept on disk
    tell: Any = fast_kernel(names["tell"])
    assert tell(2.0) == 7.0
    calls = [
        line for line in "".join(tell.inspect_llvm().values()).splitlines() if " call " in line
    ]
    assert any("long_story" in line for line in calls)
    assert not any("short_story" in line for line in calls)


def test_where_no_lock_can_be_written_nothing_is_locked(tmp_path: Path) -> None:
    done: list[int] = []
    compiling._one_at_a_time(done.append, tmp_path / "missing" / "lock")(1)
    compiling._one_at_a_time(done.append, tmp_path / "lock")(2)
    assert done == [1, 2]
