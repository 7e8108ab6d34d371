"""What rooms compile, called once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from robotix.geometry import Box, Halfspace, Mesh, Pose, Sphere
from robotix.model.robots import load
from robotix.scene.basic_deeds import Say
from robotix.scene.events import Collision, RegionEntry
from robotix.scene.inputs import Inputs, Reading
from robotix.scene.node import Region
from robotix.scene.picking import pick
from robotix.scene.scene import Scene
from robotix.scene.tracking import Tracking, TrackOptions

__all__ = ["run_room", "touch_meshes"]

# A corner of a cube: four triangles.
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def run_room() -> None:
    """Let an arm move among things for some ticks."""
    scene = Scene()
    arm = scene.add_robot("arm", load("kuka_lwr"))
    scene.graph.add("box", solids=[Box(np.ones(3))], pose=Pose.at(2, 0, 0))
    scene.graph.add("floor", solids=[Halfspace()], pose=Pose.at(0, 0, -1))
    scene.graph.add("zone", solids=[Sphere(1.0)], content=Region())
    scene.on(Collision("arm", "*"), Say("ouch"))
    scene.on(RegionEntry("zone", "arm"), Say("here"))
    arm.move([0.1] * arm.model.n_dof, steps=2)
    for _ in range(3):
        scene.step()
    arm.keep_clear("box", 0.1)
    arm.move_xyz(arm.posture.position() + 0.01, steps=2)
    for _ in range(3):
        scene.step()
    scene.contacts.distance("arm", "box")
    stick = Inputs({"stick": Reading(axes=(0.1,) * 6)})
    scene.step(stick)
    Tracking(arm, "stick", TrackOptions(turn=True)).engage(arm)
    for _ in range(3):
        scene.step(stick)


def touch_meshes() -> None:
    """Ask how meshes stand to each other, and to everything else."""
    with TemporaryDirectory(prefix="robotix-") as folder:
        file = Path(folder) / "corner.stl"
        file.write_text(_stl())
        scene = Scene()
        for name in ("a", "b"):
            scene.graph.add(name, solids=[Mesh(str(file))])
        scene.graph.add("box", solids=[Box(np.ones(3))])
        scene.graph.add("floor", solids=[Halfspace()])
        scene.graph.add("zone", solids=[Mesh(str(file))], content=Region())
        for other in ("b", "box", "floor"):
            scene.contacts.touching("a", other)
            scene.contacts.distance("a", other)
        scene.contacts.is_inside("zone", "box")
        pick(scene.graph, [0.1, 0.1, 5.0], [0.0, 0.0, -1.0])


def _stl() -> str:
    lines = ["solid corner"]
    for face in FACES:
        rows = (f"vertex {x} {y} {z}" for x, y, z in CORNERS[list(face)])
        lines += ["facet normal 0 0 0", "outer loop", *rows, "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid corner", ""])
