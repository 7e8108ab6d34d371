"""Draw the pictures of `docs/physics.md`: what falls, stands and is knocked over in the flat.

`python docs/pictures/flat_physics.py [PICTURE ...]` draws all of them, or those named.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from flat import STAGE

from robotix.app.scene_things import scene_things
from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.geometry import Array, Box, Pose
from robotix.meshes import Material
from robotix.scene import Attributes, BodyProperties, Inputs, Reading, Scene
from robotix.view import Camera, Image, contact_sheet, render, save_png

SIZE = (400, 400)  # pixels of one view
STILL = (0.0, 0.0, 0.0)
BLOCK, BLOCKS, MINUTE = np.array([0.08, 0.08, 0.05]), 10, 60.0  # m; s

Script = Callable[[Scene], Iterator[None]]  # yields when a view is to be taken


def push_stick(scene: Scene, axes: tuple[float, ...], *, seconds: float, key: str = "") -> None:
    """Let the room run while a stick is pushed, and a key is held down."""
    devices = {
        "keyboard": Reading(buttons=frozenset({key} - {""})),
        "stick": Reading(axes=axes),
    }
    for _ in range(max(1, round(seconds / scene.dt))):
        scene.step(Inputs(devices=devices))


def steer(scene: Scene, point: Array, *, seconds: float = 10.0, within: float = 0.01) -> None:
    """Steer the grip point of the arm to a point by the stick."""
    for _ in range(round(seconds / scene.dt)):
        error = point - scene.graph["grip_point"].world_position
        if np.linalg.norm(error) < within:
            return
        x, y, z = np.clip(8 * error, -1, 1).tolist()
        push_stick(scene, (x, y, z), seconds=0.0)


def engage(scene: Scene) -> None:
    """Let the stick steer the arm."""
    push_stick(scene, STILL, seconds=0.0)
    push_stick(scene, STILL, seconds=0.0, key="T")


def push_a_glass_off(scene: Scene) -> Iterator[None]:
    """Push a glass over the edge of the table; it falls to the floor and stays."""
    engage(scene)
    beside = scene.graph["glass_3"].world_position + np.array([0.15, 0.06, 0.02])
    steer(scene, beside + np.array([0.0, 0.0, 0.2]), within=0.03)
    steer(scene, beside, seconds=3.5)
    yield
    for height in (0.795, 0.5, 0.1):
        while scene.graph["glass_3"].world_position[2] > height:
            push_stick(scene, (-1.0, 0.0, 0.0), seconds=0.0)
        if height < 0.2:
            push_stick(scene, STILL, seconds=2.0)
        yield


def stack_blocks(scene: Scene) -> Iterator[None]:
    """Stack ten blocks on the table for a minute; then push the third one out."""
    for k in range(BLOCKS):
        colour = (0.75, 0.22, 0.17) if k == 2 else (0.78, 0.61, 0.42)
        scene.graph.add(
            f"block {k}",
            solids=[Box(BLOCK)],
            pose=Pose.at(1.0, 0.35, 0.74 + (k + 0.5) * BLOCK[2]),
            attributes=Attributes(material=Material(colour)),
            body=BodyProperties(mass=0.2),
        )
    scene.step()
    yield
    push_stick(scene, STILL, seconds=MINUTE)
    yield
    scene.physics.push("block 2", (0.0, -20.0, 0.0))
    push_stick(scene, STILL, seconds=0.12)
    scene.physics.push("block 2", (0.0, 0.0, 0.0))
    push_stick(scene, STILL, seconds=0.15)
    yield
    push_stick(scene, STILL, seconds=2.0)
    yield


def knock_the_knight_over(scene: Scene) -> Iterator[None]:
    """Move the gripper through the knight of the chess board."""
    scene.graph["wheelchair"].pose = Pose.at(0.05, -0.3, 0.001)  # nearer to the board
    engage(scene)
    knight = scene.graph["knight"].world_position
    steer(scene, knight + np.array([0.0, 0.12, 0.12]), within=0.03)
    steer(scene, knight + np.array([0.0, 0.12, 0.03]), seconds=3.5)
    yield
    for rise in (0.99, 0.8, 0.2):
        while scene.graph["knight"].world_pose.rotation[2, 2] > rise:
            push_stick(scene, (0.0, -1.0, 0.0), seconds=0.0)
        if rise < 0.5:
            push_stick(scene, STILL, seconds=1.0)
        yield


def looking(eye: tuple[float, float, float], *, at: tuple[float, float, float]) -> Camera:
    """Return a camera that looks at a point."""
    return Camera(np.array(eye), np.array(at))


PICTURES: dict[str, tuple[Script, Camera]] = {
    "glass_falls": (push_a_glass_off, looking((-0.6, 1.9, 1.35), at=(0.5, 0.45, 0.38))),
    "stack_stands": (stack_blocks, looking((-0.5, 1.5, 1.5), at=(1.0, 0.3, 0.85))),
    "knight_falls": (knock_the_knight_over, looking((0.6, -0.5, 1.45), at=(1.05, -0.38, 0.78))),
}


def draw(name: str) -> Image:
    """Run the flat, and return the views side by side."""
    script, camera = PICTURES[name]
    scene, views = load_scene(default_room()), []
    for _ in script(scene):
        views.append(render(list(scene_things(scene)), camera, size=SIZE, stage=STAGE))
        print(f"{name}, {scene.time:.2f} s")
    return contact_sheet(views, columns=len(views))


if __name__ == "__main__":
    for each in sys.argv[1:] or PICTURES:
        picture = Path(__file__).with_name(f"{each}.png")
        save_png(picture, draw(each), colours=128)
        print(f"wrote {picture.name}")
