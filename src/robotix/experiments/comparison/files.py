"""The comparison of arms and mountings beside a study, so that its report can show it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from robotix.errors import BadFile
from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.study.study import Study
from robotix.experiments.tasks.library import TASKS
from robotix.files.json_text import to_plain
from robotix.model.robots import robot_names

__all__ = ["COMPARISON_FILE", "comparable", "load_comparison", "save_comparison"]

COMPARISON_FILE = "comparison.json"
DEFAULT_ARM = "kuka_lwr"  # of studies that name none


def comparable(study: Study) -> tuple[list[str], list[str]]:
    """Return the tasks and the arms of a study that can be compared without trials."""
    tasks = [task for task in study.tasks if task in TASKS]
    factor = study.factors.get("arm")
    arms = factor.levels if factor else (study.settings.get("arm", DEFAULT_ARM),)
    plain = dict.fromkeys(arm.removesuffix("_rail") for arm in arms)
    known = robot_names()
    return tasks, [arm for arm in plain if arm in known or Path(arm).is_file()]


def save_comparison(folder: str | Path, found: Sequence[TargetReach]) -> Path:
    """Write a comparison into the folder of a study."""
    path = Path(folder) / COMPARISON_FILE
    document = {"targets": [to_plain(asdict(each)) for each in found]}
    path.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return path


def load_comparison(folder: str | Path) -> tuple[TargetReach, ...]:
    """Return the comparison in the folder of a study; empty if there is no file."""
    path = Path(folder) / COMPARISON_FILE
    if not path.exists():
        return ()
    try:
        return tuple(map(_target, json.loads(path.read_text(encoding="utf-8"))["targets"]))
    except (ValueError, KeyError, TypeError) as error:
        expected = "what `robotix lab arms --study` writes; delete it to run that again"
        raise BadFile(str(path), f"unreadable ({error})", expected) from error


def _target(plain: Mapping[str, Any]) -> TargetReach:
    def number(name: str) -> float:
        return math.nan if plain[name] is None else float(plain[name])

    return TargetReach(
        str(plain["task"]),
        str(plain["arm"]),
        str(plain["mounting"]),
        int(plain["points"]),
        int(plain["reached"]),
        number("isotropy"),
        number("limit_distance"),
        number("clearance"),
    )
