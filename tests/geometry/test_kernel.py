"""Compiled code on disk is stale as soon as any watched file changes."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robotix.geometry import kernel as compiling
from robotix.geometry.kernel import kernel, part

INNER = """
from robotix.geometry.kernel import part
@part
def offset():
    return 1.0
"""
OUTER = """
from some_package.inner_kernels import offset
from robotix.geometry.kernel import kernel
@kernel
def shifted(x):
    return x + offset()
"""


def answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[float, bool]:
    """Return what the kernel says in a fresh import, and whether it came from the disk."""
    monkeypatch.syspath_prepend(folder)
    for name in ["some_package", "some_package.inner_kernels", "some_package.outer_kernels"]:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(compiling, "_source_stamp", compiling._source_stamp.__wrapped__)
    shifted: Any = importlib.import_module("some_package.outer_kernels").shifted
    return shifted(1.0), bool(shifted.stats.cache_hits)


def test_a_change_in_another_file_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    package = tmp_path / "some_package"
    monkeypatch.setattr(compiling, "__file__", str(package / "geometry" / "kernel.py"))
    package.mkdir()
    for name, text in {"__init__": "", "inner_kernels": INNER, "outer_kernels": OUTER}.items():
        (package / f"{name}.py").write_text(text)
    with monkeypatch.context() as first:
        assert answer(tmp_path, first) == (2.0, False)
    with monkeypatch.context() as second:
        assert answer(tmp_path, second) == (2.0, True)
    (package / "inner_kernels.py").write_text(INNER.replace("1.0", "10.0"))
    with monkeypatch.context() as third:
        assert answer(tmp_path, third) == (11.0, False)


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
