"""Files of a design: the arm as URDF, and a scene with it on the wheelchair, for `robotix run`."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from robotix.authoring.rooms import room_path
from robotix.experiments.design.parameters import Design
from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.ready import task_points
from robotix.experiments.tasks.room import ARM, RIDER
from robotix.model.urdf.writer import save_urdf

__all__ = ["ARM_FILE", "SCENE_FILE", "write_design"]

ARM_FILE, SCENE_FILE = "arm.urdf", "design.yaml"
SHARED = ("wheelchair.yaml", "materials.yaml")  # of the rooms in the package
COLOURS = ("#e66101", "#5e3c99", "#018571", "#a6611a")  # of the points of one task each
POINT_RADIUS = 0.012  # m


def write_design(folder: Path, design: Design, tasks: Sequence[str]) -> Path:
    """Write a design into a new or empty folder; return the scene file."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(17, "is there already; choose a new name", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    save_urdf(design.arm_model, folder / ARM_FILE)
    for name in SHARED:
        text = room_path("flat").with_name(name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    scene = folder / SCENE_FILE
    scene.write_text(_scene(design, tasks), encoding="utf-8")
    return scene


def _scene(design: Design, tasks: Sequence[str]) -> str:
    objects: dict[str, Any] = {
        "floor": {"plane": True, "material": "floor_boards"},
        "sun": {
            "light": {"kind": "sun", "strength": 2.4},
            "at": [-2, -6, 6],
            "rpy_deg": [-40, -18, 0],
        },
        "daylight": {"light": {"kind": "ambient", "strength": 0.7}},
        "overview": {
            "viewpoint": {"field_of_view_deg": 44},
            "at": [2.6, -1.6, 2.2],
            "rpy_deg": [0, 27, 142],
        },
    }
    materials = {f"points_{task}": {"colour": COLOURS[k % 4]} for k, task in enumerate(tasks)}
    for task in tasks:
        for number, point in enumerate(task_points(load_task(task)), start=1):
            objects[f"{task}_{number}"] = {
                "sphere": POINT_RADIUS, "at": [round(float(each), 4) for each in point],
                "material": f"points_{task}", "collidable": False,
            }  # fmt: skip
    values = ", ".join(f"{name} {value:.4g}" for name, value in design.values.items())
    return "\n".join([
        f"# {design.arm}, {design.mounting}: {values}",
        "robotix: 1",
        f"name: {json.dumps(f'Design of {design.arm}, {design.mounting}')}",
        f"include: {json.dumps(list(SHARED[:1]))}",
        f"materials: {json.dumps(materials)}",
        f"robots: {json.dumps({ARM: _robot(design)})}",
        f"people: {json.dumps(RIDER)}",
        "objects:",
        *(f"  {name}: {json.dumps(entry)}" for name, entry in objects.items()),
        "",
    ])  # fmt: skip


def _robot(design: Design) -> dict[str, Any]:
    values = design.values
    if design.mounting == "rail":
        options = {"rail": True, "tilt": math.radians(values["tilt_deg"])}
        return {"model": ARM_FILE, "on": "wheelchair", "options": options}
    return {
        "model": ARM_FILE,
        "on": "wheelchair",
        "at": [values["forward"], values["left"], values["up"]],
        "rpy_deg": [0.0, values["lean_deg"], values["yaw_deg"]],
    }
