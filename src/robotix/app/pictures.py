"""Pictures from Python, without a browser and without graphics hardware."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robotix.app.robot_scene import load_scene_or_robot, robot_scene
from robotix.app.scene_things import scene_things
from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.model.configuration import Configuration, as_configuration
from robotix.scene.graph.content import Viewpoint
from robotix.scene.scene import Scene
from robotix.view import (
    Camera,
    Image,
    Mesh3,
    Size,
    Stage,
    framed,
    render,
    save_animation,
    save_png,
)

if TYPE_CHECKING:
    from robotix.human import Manikin
    from robotix.motion import Motion
    from robotix.view import Thing

__all__ = ["animation", "picture"]

SIZE: Size = (960, 640)
AZIMUTH, ELEVATION = math.radians(-50.0), math.radians(18.0)
MARGIN = 0.06  # of the picture, around what is framed


def picture(
    what: Scene | Model | Posture | Manikin | str | Path,
    file: str | Path = "",
    *,
    q: Configuration | None = None,
    viewpoint: str = "",
    size: Size = SIZE,
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
    stage: Stage | None = None,
) -> Image:
    """Draw a scene, a robot, a posture, a person or a file; return the picture, (height, width, 3).

    Args:
        what: As for `show`; a `Posture` is its robot in it.
        file: Where to write it, as PNG; nowhere when empty.
        q: Joint positions of its first robot, all of them or some by name.
        viewpoint: A viewpoint of the scene to look from; otherwise all is framed.
        size: Width and height in pixels.
        azimuth: Direction from which it is seen, rad; 0 is from the +x side.
        elevation: Height from which it is seen, rad.
        stage: Light, floor and background; by default a floor below everything.

    Examples:
        >>> image = rx.picture("panda", "panda.png", q=[0, -0.5, 0, -2.0, 0, 1.6, 0.8])
        >>> image.shape
        (640, 960, 3)
    """
    scene = _scene_of(what)
    if q is not None:
        robot = scene.robot()
        robot.set_q(as_configuration(robot.model, q, rest=robot.q))
    things = list(scene_things(scene))
    camera = (
        _viewpoint_camera(scene, viewpoint)
        if viewpoint
        else _framing(things, size, azimuth, elevation)
    )
    image = render(things, camera, size=size, stage=stage or _stage(things))
    if str(file):
        _check_suffix(file, (".png",), "a picture is a .png file")
        save_png(file, image)
    return image


def animation(
    model: Model,
    motion: Motion,
    file: str | Path,
    *,
    rate: float = 20.0,
    size: Size = (480, 360),
    azimuth: float = AZIMUTH,
    elevation: float = ELEVATION,
) -> None:
    """Draw a robot in motion, as an endless `.gif` or animated `.png` of `rate` pictures a second.

    The camera stands still and sees all postures.

    Examples:
        >>> model = rx.load("planar_3r")
        >>> motion = rx.Motion.of(model, [0.0, 0.2], q=[[0, 0, 0], [0.4, 0.4, 0]])
        >>> rx.animation(model, motion, "arm.gif", size=(120, 90))
    """
    _check_suffix(file, (".gif", ".png", ".apng"), "an animation is a .gif, .png or .apng file")
    if not rate > 0:
        raise ValueError(f"the rate must be positive, got {rate}")
    scene = robot_scene(model)
    robot = scene.robot()
    times = np.arange(motion.times[0], motion.times[-1] + 0.5 / rate, 1.0 / rate)
    frames: list[list[Thing]] = []
    for time in times:
        robot.set_q(robot.joint_values(motion.at(float(time)), what="q"))
        frames.append(list(scene_things(scene)))
    everything = [thing for things in frames for thing in things]
    camera, stage = _framing(everything, size, azimuth, elevation), _stage(everything)
    images = [render(things, camera, size=size, stage=stage, samples=2) for things in frames]
    save_animation(file, images, rate=rate)


def _scene_of(what: Scene | Model | Posture | Manikin | str | Path) -> Scene:
    if isinstance(what, Scene):
        return what
    if isinstance(what, str | Path):
        return load_scene_or_robot(what)
    if isinstance(what, Posture):
        scene = robot_scene(what.model)
        scene.robot().set_q(what.q)
        return scene
    return robot_scene(what)


def _check_suffix(file: str | Path, known: tuple[str, ...], words: str) -> None:
    if Path(file).suffix.lower() not in known:
        raise ValueError(f"{Path(file).name!r}: {words}")


def _points(things: list[Thing]) -> Array:
    """Return the corners of the boxes around all things, (n, 3)."""
    corners = []
    for thing in things:
        at = thing.vertices if isinstance(thing, Mesh3) else thing.points
        if len(at):
            corners += [at.min(axis=0), at.max(axis=0)]
    if not corners:
        raise ValueError("there is nothing to be seen")
    return np.array(corners)


def _framing(things: list[Thing], size: Size, azimuth: float, elevation: float) -> Camera:
    low_high = _points(things).reshape(-1, 2, 3)
    picks = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).T.reshape(-1, 3)
    corners = np.concatenate([box[pick, [0, 1, 2]][None] for box in low_high for pick in picks])
    return framed(corners, size=size, azimuth=azimuth, elevation=elevation, margin=MARGIN)


def _viewpoint_camera(scene: Scene, name: str) -> Camera:
    node = scene.graph[name]
    if not isinstance(node.content, Viewpoint):
        raise ValueError(f"{name!r} is no viewpoint of this scene")
    pose = node.world_pose
    ahead = pose.translation + pose.rotation[:, 0]
    return Camera(pose.translation, ahead, field_of_view=node.content.field_of_view)


def _stage(things: list[Thing]) -> Stage:
    """Return a floor below everything."""
    lowest = float(_points(things)[:, 2].min())
    return Stage(floor=min(0.0, lowest))
