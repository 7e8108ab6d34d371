"""A kernel computes the same whatever else has been compiled or loaded in its process."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary

# The copies of a part in two kernels differ here by a constant. Elsewhere they differ by how they
# were optimised, which is seen in the last bits of some results only.
SCRIPT = """
import os, sys
from robotix.kernels import kernel, part, stay_apart

SHIFT = float(os.environ["SHIFT"])

@part
def shifted(x):
    stay_apart()
    return x + SHIFT

@kernel
def first(x):
    return shifted(x)

@kernel
def second(x):
    return 10.0 * shifted(x)

print([globals()[name](0.0) for name in sys.argv[1:]])
"""


@pytest.mark.parametrize("order", ["first second", "second first"])
def test_a_kernel_calls_its_own_copies_in_whatever_order_kernels_come(
    tmp_path: Path, order: str
) -> None:
    script = tmp_path / "shifts.py"
    script.write_text(SCRIPT)

    def run(names: str, shift: str) -> str:
        path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
        folder = str(tmp_path / "kernels")
        more = {"SHIFT": shift, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": path}
        command = [sys.executable, str(script), *names.split()]
        return subprocess.check_output(command, env=os.environ | more, text=True).strip()

    assert run("first", "1") == "[1.0]"
    assert run("second", "2") == "[20.0]"
    loaded = {"first second": "[1.0, 20.0]", "second first": "[20.0, 1.0]"}
    assert run(order, "3") == loaded[order]


def test_numba_still_links_as_we_know_it() -> None:
    """Fails with a Numba that links otherwise: read `closed_code` again then."""
    finalize: Any = CPUCodeLibrary.finalize
    assert finalize.__code__.co_names[-2:] == ("verify", "_finalize_final_module")
    link: Any = CPUCodeLibrary._get_module_for_linking
    assert "_shared_module" in link.__code__.co_names and "linkonce_odr" in link.__code__.co_consts
    assert JITCodeLibrary._finalize_final_module is CPUCodeLibrary._finalize_final_module
