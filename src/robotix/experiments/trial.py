"""A trial: what is asked of an operator, what came of it, and the function between the two.

Studies plan trials and store outcomes; tasks and operators, simulated or not, turn one into the
other. Neither side knows the other; both know this module.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

__all__ = ["TRIAL_STATUSES", "TrialOutcome", "TrialPlan", "TrialRunner", "TrialStatus"]

TrialStatus = Literal["finished", "timeout", "aborted", "interrupted"]
TRIAL_STATUSES: tuple[TrialStatus, ...] = ("finished", "timeout", "aborted", "interrupted")


@dataclass(frozen=True)
class TrialPlan:
    """One trial to be run: who does what, under which levels of the factors."""

    participant: str  # a pseudonym
    task: str
    repeat: int = 1  # counted from 1
    levels: Mapping[str, str] = field(default_factory=dict)  # factor -> level, as arm: kuka_lwr
    seed: int = 0  # of all random numbers of the trial
    time_limit: float = math.inf  # s
    recording: Path | None = None  # the motion file to write; None: no recording
    position: int = 1  # among the trials of the participant, from 1: operators learn

    def __post_init__(self) -> None:
        if self.repeat < 1:
            raise ValueError(f"repeats are counted from 1, not {self.repeat}")
        if not self.time_limit > 0:
            raise ValueError(f"a time limit is positive, not {self.time_limit}")


@dataclass(frozen=True)
class TrialOutcome:
    """What came of a trial.

    `timeout`: the time limit came first. `aborted`: participant or experimenter ended it.
    `interrupted`: the program ended during the trial, which is to be repeated.
    """

    status: TrialStatus
    duration: float  # s, from the start that the task detects to its end
    errors: int = 0  # as the task counts them
    measures: Mapping[str, float] = field(default_factory=dict)  # such as path_length, in SI units
    recording: Path | None = None  # the motion file, if one was written

    def __post_init__(self) -> None:
        if self.status not in TRIAL_STATUSES:
            raise ValueError(f"a trial is {', '.join(TRIAL_STATUSES)}, not {self.status!r}")
        if not (math.isfinite(self.duration) and self.duration >= 0):
            raise ValueError(f"a duration is a finite time, not {self.duration}")
        if self.errors < 0:
            raise ValueError(f"errors are counted from 0, not {self.errors}")
        for name, value in self.measures.items():
            if not math.isfinite(value):
                raise ValueError(f"the measure {name} is {value}; leave out what was not measured")


TrialRunner = Callable[[TrialPlan], TrialOutcome]
"""Runs one trial to its end. Importable by name, since worker processes call it."""
