"""Compiles a group of kernels in two processes, and reports every stage."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TypeAlias

from numba.core import event

from robotix.files.parent_process import named_parent
from robotix.kernels.compile_events import CompileCounter
from robotix.kernels.compiled_groups import mark_compiled
from robotix.warm_up.stages import PLANS, KernelGroup, WarmUpStage

__all__ = ["GROUPS_WITHIN", "StageReport", "compile_group", "compiling_in_background", "run_stages"]

GROUPS_WITHIN: dict[KernelGroup, tuple[KernelGroup, ...]] = {
    "room": ("room",),
    "all": ("room", "all"),
}
LOWEST_PRIORITY = 19  # niceness of the background process


@dataclass(frozen=True)
class StageReport:
    """Result of one stage."""

    name: str
    functions: int  # compiled, as opposed to loaded from disk
    seconds: float

    def __str__(self) -> str:
        return f"kernels: {self.name}, {self.functions} functions in {self.seconds:.0f} s"


StageReporter: TypeAlias = Callable[[StageReport], None]


def compile_group(group: KernelGroup, report: StageReporter) -> int:
    """Compile the kernels that are not on disk; return the number of compiled functions."""
    plan, count = PLANS[group], 0

    def counted(done: StageReport) -> None:
        nonlocal count
        count += done.functions
        report(done)

    with _second_process(group, counted):
        run_stages(plan.first, counted)
    # If the second process has failed, its stages are compiled here, and errors appear here.
    run_stages(plan.second, lambda done: counted(done) if done.functions else None)
    run_stages(plan.last, counted)
    mark_compiled(*GROUPS_WITHIN[group])
    return count


def run_stages(stages: tuple[WarmUpStage, ...], report: StageReporter) -> None:
    """Run one stage after the other."""
    for stage in stages:
        begin, counter = time.perf_counter(), CompileCounter()
        with event.install_listener("numba:compile", counter):
            stage.run()
        report(StageReport(stage.name, counter.count, time.perf_counter() - begin))


@contextmanager
def _second_process(group: KernelGroup, report: StageReporter) -> Iterator[None]:
    """Run the second half of a plan in another process, if there is a core for it."""
    if (os.cpu_count() or 1) < 2:
        yield
        return
    command = [sys.executable, "-m", "robotix.warm_up", "second", group]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | named_parent(),
    ) as process:
        assert process.stdout is not None
        reading = threading.Thread(target=_relay, args=(process.stdout, report), daemon=True)
        reading.start()
        try:
            yield
            reading.join()
            process.wait()
        finally:
            process.kill()


def _relay(lines: IO[str], report: StageReporter) -> None:
    """Report the stages of the other process."""
    for line in lines:
        name, functions, seconds = line.rstrip("\n").split("\t")
        report(StageReport(name, int(functions), float(seconds)))


@contextmanager
def compiling_in_background() -> Iterator[None]:
    """Compile all kernels in another process of the lowest priority; stop it on exit.

    So kernels are on disk before their first use. Those compiled before the process is stopped stay
    on disk.
    """
    command = ["nice", "-n", str(LOWEST_PRIORITY), sys.executable, "-m", "robotix.warm_up", "rest"]
    quiet = subprocess.DEVNULL
    try:
        environment = os.environ | named_parent()
        process = subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment
        )
    except OSError:  # no `nice`: kernels are compiled on first use
        yield
        return
    try:
        yield
    finally:
        process.kill()
        process.wait()
