"""What a study asks for that no trial has: unknown tasks, arms and levels, before anybody comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from robotix.errors import BadFile, RobotixError, UnknownName
from robotix.experiments.runner import FACTORS, SIMULATED
from robotix.experiments.sharing.rooms import SHARED_TASKS
from robotix.experiments.sharing.trial import SHARED_FACTORS, is_shared
from robotix.experiments.study.plan import TRAINING_PHASES
from robotix.experiments.study.study import Study
from robotix.experiments.tasks.library import TASKS
from robotix.experiments.trial_devices import TRIAL_DEVICES, trial_device
from robotix.model.robots import robot_names
from robotix.safety.faults import parse_fault

__all__ = [
    "TASK_NAMES", "check_study", "level_problems", "room_menu", "study_notes", "study_problems",
]  # fmt: skip

ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10", "ur5", "panda")
TASK_NAMES = (*TASKS, *SHARED_TASKS, *TRAINING_PHASES)


def check_study(study: Study, path: str, *, is_simulated: bool = False) -> None:
    """Raise `BadFile` for the first thing that no trial of this study could run with."""
    for problem in study_problems(study, is_simulated=is_simulated):
        raise BadFile(path, problem, "tasks and levels that the laboratory knows")


def study_problems(study: Study, *, is_simulated: bool = False) -> list[str]:
    """Return which tasks and levels are unknown; to people, or also to simulated operators."""
    found = [
        f"tasks: {UnknownName('task', task, TASK_NAMES)}"
        for task in study.tasks
        if task not in TASK_NAMES
    ]
    for factor, levels in _levels(study).items():
        for known in _tables(study):
            if factor in known:
                found += _unknown_levels(factor, levels, known[factor])
        if is_simulated and any(task in TASKS for task in study.tasks) and factor in SIMULATED:
            found += [
                f"{factor}: simulated operators know {', '.join(SIMULATED[factor])}, not {level}"
                for level in levels
                if level not in SIMULATED[factor]
            ]
    return list(dict.fromkeys(found))


def level_problems(task: str, levels: Mapping[str, str]) -> list[str]:
    """Return which levels a task does not know."""
    known = SHARED_FACTORS if is_shared(task) else FACTORS
    found = list[str]()
    for factor, level in levels.items():
        if factor not in known:
            found.append(str(UnknownName("factor", factor, known)))
        else:
            found += _unknown_levels(factor, (level,), known[factor])
    return found


def room_menu() -> dict[str, list[str]]:
    """Return what an experimenter chooses from to try a room: tasks, arms and mountings."""
    return {
        "task": list(TASK_NAMES), "arm": list(ARMS), "mounting": list(FACTORS["mounting"]),
    }  # fmt: skip


def study_notes(study: Study) -> list[str]:
    """Return which factors and settings are noted with every trial, but change nothing in it."""
    tables, levels = _tables(study), _levels(study)
    found = [
        f"{factor} is stored with every trial and changes nothing in its room"
        for factor in levels
        if tables and not any(factor in known for known in tables)
    ]
    found += [
        f"the device {level} is not known ({', '.join(TRIAL_DEVICES)}): every device counts"
        for level in levels.get("device", ())
        if not trial_device(level)
    ]
    return found


def _levels(study: Study) -> dict[str, tuple[str, ...]]:
    """Return all levels of factors and settings."""
    levels = {name: factor.levels for name, factor in study.factors.items()}
    return {name: (level,) for name, level in study.settings.items()} | levels


def _tables(study: Study) -> list[Mapping[str, tuple[str, ...]]]:
    """Return the factors of each kind of task in the study."""
    kinds = {is_shared(task) for task in study.tasks}
    return [SHARED_FACTORS if shared else FACTORS for shared in sorted(kinds)]


def _unknown_levels(factor: str, levels: tuple[str, ...], known: tuple[str, ...]) -> Iterator[str]:
    for level in levels:
        name = level.removesuffix("_rail")
        if factor == "arm" and name not in robot_names():
            yield f"arm: {UnknownName('robot', name, robot_names())}"
        elif factor == "fault":
            try:
                parse_fault(level)
            except (RobotixError, ValueError) as error:
                yield f"fault: {error}"
        elif known and level not in known:
            yield f"{factor}: {UnknownName(f'level of {factor}', level, known)}"
