"""Kernels that lie on disk are loaded without the compiler, by the versions of Numba we know."""

import importlib.util
import json
import struct
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import event
from numba.core.caching import Cache, FunctionCache, IndexDataCacheFile

from robotix.kernels import kernel, numba_cache
from robotix.kernels.compile_events import CompileCounter
from robotix.scene.scene import Scene
from robotix.warm_up import rooms
from robotix.warm_up.rooms import RehearsalFailed

ROOT = Path(__file__).parent.parent.parent
SCRIPT = """
import json, sys
import numpy as np
from robotix.kinematics import Posture
from robotix.model.robots import load
found = {"pose": Posture(load("kuka_lwr"), np.full(7, 0.3)).pose().matrix.tolist()}
found["has_compiler"] = "numba.np.linalg" in sys.modules
from numba import njit
found["compiles"] = njit(lambda x: np.linalg.norm(x))(np.array([3.0, 4.0]))
print(json.dumps(found))
"""


def test_a_kernel_on_disk_needs_no_compiler_and_others_still_get_it() -> None:
    import numpy as np

    from robotix.kinematics import Posture
    from robotix.model.robots import load

    here = Posture(load("kuka_lwr"), np.full(7, 0.3)).pose().matrix  # compiled by now
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert not found["has_compiler"]
    assert found["pose"] == here.tolist()
    assert found["compiles"] == 5.0


def test_this_numba_is_as_we_know_it() -> None:
    """Fails with a Numba whose cache works otherwise: read `numba_cache` again then."""
    assert numba_cache.is_supported(numba.__version__)
    load: Any = Cache.load_overload
    assert load.__code__.co_names == (
        "refresh",
        "_guard_against_spurious_io_errors",
        "_load_overload",
    )
    assert FunctionCache.__init__ is Cache.__init__
    make: Any = IndexDataCacheFile.__init__
    assert make.__code__.co_varnames[:4] == ("self", "cache_path", "filename_base", "source_stamp")


@pytest.mark.parametrize(
    ("version", "is_known"),
    [("0.60.0", False), ("0.61.0", True), ("0.68.1", True), ("0.69.0rc1", False), ("1.0", False)],
)
def test_versions_that_are_known(version: str, is_known: bool) -> None:
    assert numba_cache.is_supported(version) == is_known


def test_pip_installs_only_versions_that_are_known() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    low, high = (
        ".".join(map(str, v)) for v in (numba_cache.MIN_NUMBA, numba_cache.FIRST_UNSUPPORTED_NUMBA)
    )
    assert f"numba>={low},<{high}" in project["dependencies"]


def test_with_another_numba_nothing_of_it_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", "99.0")

    @kernel
    def double(x: float) -> float:
        return 2.0 * x

    compiled: Any = double
    assert double(4.0) == 8.0
    assert not isinstance(compiled._cache, numba_cache.KernelCache)


def test_other_functions_keep_the_cache_of_numba() -> None:
    @numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
    def double(x: float) -> float:
        return 2.0 * x

    compiled: Any = double
    assert type(compiled._cache) is FunctionCache


def test_where_no_lock_can_be_written_nothing_is_locked(tmp_path: Path) -> None:
    for folder in (tmp_path / "missing", tmp_path):
        with numba_cache._locked(folder):
            pass
    assert [file.name for file in tmp_path.iterdir()] == ["kernels.lock"]


# -- damaged files --------------------------------------------------------------------------

MODULE = """
from robotix.kernels import kernel

@kernel
def double(x: float) -> float:
    return 2.0 * x
"""


def double(file: Path) -> tuple[float, int]:
    """Load the kernel as a new process would; return its result, and how much was compiled."""
    spec = importlib.util.spec_from_file_location("doubling", file)
    assert spec is not None and spec.loader is not None
    module, counter = importlib.util.module_from_spec(spec), CompileCounter()
    spec.loader.exec_module(module)
    with event.install_listener("numba:compile", counter):
        return module.double(21.0), counter.count


def flip(data: bytes) -> bytes:
    """Return data with one byte changed where machine code is."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[: len(data) // 2], flip, lambda data: b"x" * 99],
    ids=["empty", "cut", "flipped", "other"],
)
def test_a_damaged_file_is_thrown_away_and_made_again(
    tmp_path: Path, suffix: str, damage: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "doubling.py"
    file.write_text(MODULE)
    assert double(file) == (42.0, 1)
    cached = [path for path in tmp_path.rglob("*.nb[ic]") if path.suffix == suffix]
    assert len(cached) == 1
    cached[0].write_bytes(damage(cached[0].read_bytes()))
    result, compiled = double(file)
    assert result == 42.0 and (compiled == 1 or (suffix == ".nbi" and damage is flip))
    assert double(file) == (42.0, 0)


def test_damage_that_nothing_else_would_notice_is_found_by_its_check_sum(tmp_path: Path) -> None:
    file = tmp_path / "doubling.py"
    file.write_text(MODULE.replace("2.0", "2.7182818"))
    assert double(file) == (21 * 2.7182818, 1)
    (cached,) = tmp_path.rglob("*.nbc")
    data, constant = cached.read_bytes(), struct.pack("<d", 2.7182818)
    assert constant in data
    cached.write_bytes(data.replace(constant, struct.pack("<d", 3.1415926)))
    assert double(file) == (21 * 2.7182818, 1)


def test_a_rehearsal_that_reports_a_problem_fails() -> None:
    def fail(dt: float) -> None:
        raise ZeroDivisionError

    scene = Scene()
    scene.add_hook("broken", fail)
    with pytest.raises(RehearsalFailed, match="do not work: broken: ZeroDivisionError"):
        rooms._step(scene)
