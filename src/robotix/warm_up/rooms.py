"""Kernels of scenes, each called once: to compile them, or to load them before they are needed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Box, Halfspace, Mesh, Pose, Sphere
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.model.robots import load
from robotix.motion import Motion
from robotix.scene.commands.basic import Say
from robotix.scene.commands.postures import PreferPosture
from robotix.scene.contact.picking import pick
from robotix.scene.events.events import Button, Collision, RegionEntry
from robotix.scene.graph.content import Region
from robotix.scene.robots.contact_stop import ContactStop
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import HandDrag, Tracking, TrackOptions
from robotix.scene.scene import Scene

__all__ = ["RehearsalFailed", "move_arm", "run_flat", "run_room", "touch_meshes", "warm_up"]


class RehearsalFailed(RobotixError, RuntimeError):
    """A scene that only serves to compile kernels reported a problem."""

    def __init__(self, who: str, what: str) -> None:
        super().__init__(who, what)

    def __str__(self) -> str:
        who, what = self.args
        return f"the kernels do not work: {who}: {what}; run `robotix compile` again"


MAX_MODELS = 4  # a few milliseconds each, after the first

# A corner of a cube: four triangles.
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def move_arm() -> None:
    """Move an arm among objects without the solver, which another process compiles."""
    scene, arm = _make_arm_scene()
    arm.move([0.1] * arm.model.n_dof, ticks=2)
    arm.ellipsoid.show()
    _step(scene)
    scene.contacts.touching("arm", "box")
    scene.contacts.distance("arm", "box")
    _step(scene)


def run_flat() -> None:
    """Run the flat for some ticks, and press every key that triggers a rule."""
    from robotix.authoring import load_scene
    from robotix.authoring.rooms import default_room

    scene = load_scene(default_room())
    try:
        warm_up(scene)
        sources = (rule.source for rule in scene.rules)
        keys = sorted({each.button for each in sources if isinstance(each, Button)})
        for buttons in ((), *((key,) for key in keys), ()):
            keyboard = Reading(buttons=frozenset(buttons))
            stick, wheels = Reading(axes=(0.5,) * 3), Reading(axes=(0.5,) * 2)
            _step(scene, Inputs({"keyboard": keyboard, "stick": stick, "wheels": wheels}))
    finally:
        scene.plugins.close()


def run_room() -> None:
    """Move an arm among objects for some ticks."""
    scene, arm = _make_arm_scene()
    _exercise(scene, arm, near="box")
    scene.contacts.distance("arm", "box")


def _make_arm_scene() -> tuple[Scene, Robot]:
    """Return a scene with objects and rules, and an arm in it."""
    scene = Scene()
    arm = scene.add_robot("arm", load("kuka_lwr"))
    scene.graph.add("box", solids=[Box(np.ones(3))], pose=Pose.at(2, 0, 0))
    scene.graph.add("floor", solids=[Halfspace()], pose=Pose.at(0, 0, -1))
    scene.graph.add("zone", solids=[Sphere(1.0)], content=Region())
    scene.on(Collision("arm", "*"), Say("ouch"))
    scene.on(RegionEntry("zone", "arm"), Say("here"))
    return scene, arm


def warm_up(room: Scene) -> None:
    """Load the kernels that the robots of a scene may use, in a scene of their own.

    Compiled code is read from disk on its first call, and meshes are prepared for distances when
    they are first measured; both would delay a running scene.
    """
    models = list({id(robot.model): robot.model for robot in room.robots.values()}.values())
    if not models:
        return
    has_meshes = any(isinstance(each, Mesh) for node in room.graph for each in node.solids)
    for model in models[:MAX_MODELS]:
        scene = Scene(dt=room.dt)
        arm = scene.add_robot("arm", model)
        scene.messages.clear()  # what its file lacks is no reason not to rehearse
        ahead = Pose(translation=arm.tip_position() + np.array([0.3, 0.0, 0.0]))
        scene.graph.add("box", solids=[Box(np.full(3, 0.1))], pose=ahead)
        with suppress(RobotixError, ValueError, OSError):  # some robots do not support some motions
            arm.avoid_self()
            _exercise(scene, arm, near="box")
            _touch(scene, arm)
    if has_meshes:
        touch_meshes()
        with suppress(RobotixError, OSError):  # rules that need a broken mesh report it
            room.contacts.prepare()


def _touch(scene: Scene, arm: Robot) -> None:
    """Use what any command may need of contacts, and of a preferred posture."""
    scene.contacts.touching("arm", "box")
    scene.contacts.distance("arm", "box")
    PreferPosture(tuple(arm.q.tolist())).apply(arm)
    arm.move_xyz(arm.tip_position() + 0.01, ticks=2)
    _step(scene)
    arm.guard = ContactStop(scene.contacts, scene.physics.is_simulated)
    scene.graph.add("obstacle", solids=[Box(np.full(3, 0.2))], pose=Pose.at(*arm.tip_position()))
    arm.move([0.2] * arm.model.n_dof, ticks=2)
    _step(scene)


def _exercise(scene: Scene, arm: Robot, *, near: str) -> None:
    """Run every kind of motion of an arm for some ticks."""
    arm.move([0.1] * arm.model.n_dof, ticks=2)
    _step(scene)
    arm.play(Motion.of(arm.model, [0.0, 1.0], q=[arm.q, arm.model.neutral]))
    _step(scene)
    arm.ellipsoid.show()
    for _ in range(2):  # without an obstacle, then with it
        arm.move_xyz(arm.tip_position() + 0.01, ticks=2)
        _step(scene)
        arm.add_obstacle(near, 0.1)
    stick = Inputs({"stick": Reading(axes=(0.1,) * 6)})
    scene.step(stick)
    Tracking(arm, "stick", TrackOptions(turn=True)).engage(arm)
    _step(scene, stick)
    x, y, z = arm.tip_position().tolist()
    for shift in (0.0, 0.01):
        hand = Inputs({"glove": Reading(position=(x, y, z + shift))})
        scene.step(hand)
        if not shift:
            arm.drive = HandDrag(arm, arm.chain.point.body, "glove")
        _step(scene, hand)


def _step(scene: Scene, inputs: Inputs | None = None) -> None:
    """Run some ticks; raise `RehearsalFailed` if anything goes wrong in them."""
    for _ in range(3):
        scene.step(inputs)
        for message in scene.messages:
            if isinstance(message, Problem):
                raise RehearsalFailed(message.who, message.what)


def touch_meshes() -> None:
    """Measure contacts and distances between meshes and other shapes."""
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
