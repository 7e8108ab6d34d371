"""Recordings to be shown again: an arm that follows a stick, and a cup that it carries away."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from support.recorded_rooms import inputs_at, make_room

from robotix.geometry import Pose
from robotix.scene.recording.recorder import Recorder
from robotix.scene.scene import Scene

GRIPPED = 40  # tick from which the cup hangs on the arm
World = dict[int, dict[str, NDArray[np.float64]]]  # rows of the graph, by tick and node


def record_take(path: Path, *, ticks: int = 120, seed: int = 7) -> World:
    """Record a run; return where everything was, at every tick."""
    scene = make_room(seed=seed)
    link = scene.robots["arm"].node.name
    seen: World = {}
    with Recorder(path, scene) as recorder:
        _note(scene, seen)
        for _ in range(ticks):
            if scene.tick == GRIPPED:
                scene.graph.attach("table", link)
            if scene.tick > GRIPPED:
                scene.graph["table"].pose = Pose.at(0.01 * (scene.tick - GRIPPED), 0, 0.7)
            scene.step(inputs_at(scene.tick + 1))
            if scene.tick == GRIPPED + 1:
                scene.say("gripped")
            recorder(scene)
            _note(scene, seen)
    return seen


def _note(scene: Scene, seen: World) -> None:
    scene.graph.update()
    seen[scene.tick] = {node.name: scene.graph.world[node.row].copy() for node in scene.graph}
