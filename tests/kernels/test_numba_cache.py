"""Kernels that lie on disk are loaded without the compiler, by the versions of Numba we know."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.caching import Cache, FunctionCache, IndexDataCacheFile

from robotix.kernels import kernel, numba_cache

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
