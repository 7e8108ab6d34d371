"""What a viewer can add to a scene in one line: points, frames, trails, sliders and buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Cylinder, Pose, Sphere, exp_rotation
from robotix.geometry.arrays import Rgb
from robotix.model import Visual
from robotix.scene.commands.sweeping import ClearSweep, Sweep
from robotix.scene.events.events import Event, Signal
from robotix.scene.graph.content import Attributes
from robotix.scene.page_controls import PageControl

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Slider", "add_frame", "add_point", "add_slider", "add_trail", "remove_marker"]

ON = Event(Signal("viewer"), True)
FRAME_COLOURS = ((0.85, 0.15, 0.15, 1.0), (0.15, 0.65, 0.2, 1.0), (0.15, 0.35, 0.9, 1.0))


class Slider:
    """A slider of the page; `value` follows it."""

    def __init__(self, scene: Scene, name: str) -> None:
        """Stand for a slider that the scene has."""
        self._scene, self.name = scene, name

    @property
    def value(self) -> float:
        """Where it is now."""
        return self._scene.page_controls[self.name].value

    def __float__(self) -> float:
        return self.value


def add_point(scene: Scene, name: str, position: ArrayLike, *, colour: Rgb, radius: float) -> None:
    """Show a ball at a position, or move the one of this name."""
    _check_size("radius", radius)
    at = _position(position)
    visuals = (Visual(Sphere(radius), (*colour, 1.0)),)
    _put(scene, name, Pose(translation=at), visuals)


def add_frame(scene: Scene, name: str, pose: Pose | ArrayLike, *, length: float) -> None:
    """Show a frame, its axes x, y, z in red, green and blue, or move the one of this name."""
    _check_size("length", length)
    place = pose if isinstance(pose, Pose) else Pose.from_matrix(np.asarray(pose, dtype=float))
    turns = (exp_rotation(np.array([0.0, np.pi / 2, 0.0])),
             exp_rotation(np.array([-np.pi / 2, 0.0, 0.0])), np.eye(3))  # fmt: skip
    visuals = tuple(
        Visual(Cylinder(length / 40, length, pose=Pose(turn, turn[:, 2] * length / 2)), colour)
        for turn, colour in zip(turns, FRAME_COLOURS, strict=True)
    )
    _put(scene, name, place, visuals)


def _put(scene: Scene, name: str, pose: Pose, visuals: tuple[Visual, ...]) -> None:
    """Add a node that is only seen, or move it if it is there and looks the same."""
    if name in scene.graph:
        _own_node(scene, name)
        node = scene.graph[name]
        if [_look(each) for each in node.visuals] == [_look(each) for each in visuals]:
            node.pose = pose
            return
        scene.graph.remove(name)
    attributes = Attributes(pickable=False, collidable=False)
    scene.graph.add(name, visuals=visuals, pose=pose, attributes=attributes)


def _look(visual: Visual) -> tuple[object, ...]:
    shape = visual.shape
    size = getattr(shape, "radius", None), getattr(shape, "length", None)
    return type(shape), *size, *visual.rgba


def add_trail(scene: Scene, node: str, *, length: int, every: float) -> None:
    """Draw a line behind a node from now on."""
    remove_trail(scene, node)
    command = Sweep(node, "line", every=every, limit=length)
    action = command(scene, ON)
    if action is not None:
        scene.start(action, name=f"trail of {node}")


def remove_trail(scene: Scene, node: str) -> None:
    """Stop the line behind a node and remove it."""
    scene.actions.stop_named(f"trail of {node}")
    ClearSweep(node)(scene, ON)


def remove_marker(scene: Scene, name: str) -> None:
    """Remove a point, a frame, a slider or a button, or the trail of a node."""
    if any(control.name == name for control in scene.page_controls.all):
        scene.page_controls.remove(name)
    elif name in scene.graph and f"trace of {name}" in scene.graph:
        remove_trail(scene, name)
    else:
        _own_node(scene, name)
        scene.graph.remove(name)


def add_slider(
    scene: Scene, control: PageControl, on_change: Callable[[float], object] | None
) -> Slider:
    """Add a slider to the page."""
    scene.page_controls.add(control, on_change)
    return Slider(scene, control.name)


def _own_node(scene: Scene, name: str) -> None:
    node = scene.graph[name]
    if node.robot is not None or node.solids:
        raise ValueError(f"{name!r} is a thing of the scene; choose another name")


def _position(position: ArrayLike) -> Array:
    at = np.asarray(position, dtype=float)
    if at.shape != (3,) or not np.isfinite(at).all():
        raise ValueError(f"a position is three finite numbers, not {position!r}")
    return at


def _check_size(what: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
        raise ValueError(f"{what} must be a positive length in m, got {value}")
