"""A room with a bit of everything, and inputs for it: what recordings are tried out on."""

import numpy as np

from robotix.geometry import Box, Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.model.robots import load
from robotix.scene.commands.basic import Say, StartTimer
from robotix.scene.events.action import Action
from robotix.scene.events.events import Axis, Button, Event, Timer
from robotix.scene.scene import Scene

ROBOT = "planar_3r"


def make_room(*, seed: int = 7, dt: float = 1 / 120, size: float = 0.1) -> Scene:
    """Return a room where an arm follows a stick, a cup trembles and things come and go."""
    scene = Scene(dt=dt, seed=seed)
    graph = scene.graph
    graph.add("table", solids=[Box(np.array([1.0, 1.0, 0.1]))], pose=Pose.at(1, 0, 0.7))
    cup = graph.add("cup", parent="table", solids=[Box(np.full(3, size))])
    arm = scene.add_robot("arm", load(ROBOT))

    def tremble(dt: float) -> None:
        cup.pose = Pose.at(*scene.rng.normal(scale=0.01, size=3))
        reading = scene.inputs.devices.get("stick", Reading())
        rates = np.resize(np.array(reading.axes or (0.0,)), arm.model.n_dof)
        arm.set_q(arm.q + rates * dt)

    def come_and_go(scene: Scene, event: Event) -> Action:
        ball = graph.add(f"ball {scene.tick}", parent="cup")
        for _ in range(5):
            yield
        graph.remove(ball)

    def blink(scene: Scene, event: Event) -> None:
        cup.set(visible=not cup.attributes.visible)

    scene.add_hook("tremble", tremble)
    scene.on(Button("stick", "go"), come_and_go, mode="change")
    scene.on(Button("stick", "go"), StartTimer("beat", 0.05, again=True))
    scene.on(Timer("beat"), blink)
    scene.on(Axis("stick", 0, 0.5), Say("far"), mode="change")
    return scene


def inputs_at(tick: int) -> Inputs:
    """Return what reaches the room at a tick."""
    if tick < 10:
        return Inputs()
    buttons = frozenset({"go"}) if tick // 25 % 2 else frozenset[str]()
    stick = Reading(axes=(round(float(np.sin(tick // 5)), 3), -0.0), buttons=buttons)
    commands = ("nonsense",) if tick == 33 else ()
    return Inputs({"stick": stick}, frozenset({"me"}), commands)
