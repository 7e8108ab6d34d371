"""Kernels that lie on disk are loaded without the compiler, and do the same."""

import json
import subprocess
import sys

SCRIPT = """
import json, sys
from robotix.cli.kernel_loading import load_kernels_quickly
print_it = {"can": load_kernels_quickly()}
import numpy as np
from robotix.kinematics import Posture
from robotix.model.robots import load
model = load("kuka_lwr")
print_it["pose"] = Posture(model, np.full(7, 0.3)).pose().matrix.tolist()
print_it["has_compiler"] = "numba.np.linalg" in sys.modules
from numba import njit
print_it["compiles"] = njit(lambda x: np.linalg.norm(x))(np.array([3.0, 4.0]))
print(json.dumps(print_it))
"""


def test_a_kernel_on_disk_needs_no_compiler_and_others_still_get_it() -> None:
    import numpy as np

    from robotix.kinematics import Posture
    from robotix.model.robots import load

    here = Posture(load("kuka_lwr"), np.full(7, 0.3)).pose().matrix  # compiled by now
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["can"], "this Numba loads kernels otherwise; look at `kernel_loading` again"
    assert not told["has_compiler"]
    assert told["pose"] == here.tolist()
    assert told["compiles"] == 5.0
