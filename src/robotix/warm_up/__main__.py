"""Compiles kernels in a process of its own: `python -m robotix.warm_up solver|others|second|rest`.

`solver` compiles the solver, and needs nothing installed but Numba and NumPy: `make run` starts it
while the rest is installed. `others` compiles the other kernels of the flat. `second GROUP` is the
second process of `robotix compile`, and `rest` compiles all kernels without output.
"""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

from robotix.files.parent_process import end_with_parent

if TYPE_CHECKING:
    from robotix.warm_up.compiling import StageReport


def main() -> None:
    """Run the subcommand."""
    match sys.argv[1:]:
        case ["solver"]:
            _compile_solver()
        case ["others"]:
            _compile_second("room", is_readable=True)
        case ["second", "room" | "all" as group]:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends this one
            end_with_parent()
            _compile_second(group, is_readable=False)
        case ["rest"]:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            end_with_parent()
            _compile_rest()
        case _:
            raise SystemExit(__doc__)


def _compile_solver() -> None:
    """Compile the solver; import only kinematics, since other packages may be missing."""
    from robotix.warm_up.kinematics import step_one_solver

    begin = time.perf_counter()
    step_one_solver()
    _write(f"kernels: solver, in {time.perf_counter() - begin:.0f} s")


def _compile_second(group: str, *, is_readable: bool) -> None:
    from robotix.warm_up.compiling import run_stages
    from robotix.warm_up.stages import PLANS

    def report(done: StageReport) -> None:
        if not is_readable:
            _write(f"{done.name}\t{done.functions}\t{done.seconds:.2f}")
        elif done.functions:
            _write(str(done))

    run_stages(next(plan for name, plan in PLANS.items() if name == group).second, report)


def _compile_rest() -> None:
    from robotix.kernels.compiled_groups import mark_compiled
    from robotix.warm_up.compiling import GROUPS_WITHIN, run_stages
    from robotix.warm_up.stages import PLANS

    plan = PLANS["all"]
    run_stages((*plan.first, *plan.second, *plan.last), lambda done: None)
    mark_compiled(*GROUPS_WITHIN["all"])


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
