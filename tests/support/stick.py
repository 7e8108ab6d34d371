"""A room with an arm that a stick drives."""

import robotix as rx
from robotix.geometry import Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.messages import Announcement
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import Tracking, TrackOptions
from robotix.scene.scene import Scene

HOME = [0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5]


def room(
    name: str = "kuka_lwr", *, kind: str = "translate3", base: Pose | None = None
) -> tuple[Scene, Robot]:
    scene = Scene()
    scene.devices["stick"] = kind
    robot = scene.add_robot("arm", rx.load(name), pose=base)
    if robot.model.n_dof == 7:
        robot.set_q(HOME)
    return scene, robot


def feed(scene: Scene, reading: Reading | None, *, ticks: int = 1) -> list[str]:
    said: list[str] = []
    for _ in range(ticks):
        scene.step(Inputs(devices={} if reading is None else {"stick": reading}))
        said += [message.text for message in scene.messages if isinstance(message, Announcement)]
    return said


def engaged(scene: Scene, robot: Robot, first: Reading, options: TrackOptions) -> Tracking:
    feed(scene, first)
    robot.tracking = Tracking(robot, "stick", options)
    robot.tracking.engage(robot)
    return robot.tracking
