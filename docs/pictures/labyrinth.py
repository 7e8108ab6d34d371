"""Draw `labyrinth.png`: the labyrinth on its table, the device above it, half-way to the goal."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from flat import camera, gloss, link_meshes

from robotix.authoring import load_scene
from robotix.authoring.rooms import room_path
from robotix.geometry import Halfspace
from robotix.haptics.labyrinth.plan import LABYRINTH
from robotix.meshes import Material
from robotix.scene import Inputs, Reading, Scene, Viewpoint
from robotix.view import Mesh3, Stage, render, save_png, solid_mesh

PICTURE = Path(__file__).with_suffix(".png")


def meshes(scene: Scene) -> Iterator[Mesh3]:
    """Yield all that is to be seen."""
    scene.graph.update()
    for node in scene.graph:
        if node.robot is not None:
            for mesh in link_meshes(scene, node):  # as in the game: the ball is seen behind it
                yield replace(mesh, opacity=0.35, casts=False)
            continue
        look = node.attributes.material or Material()
        shapes = {id(each.shape): each.shape for each in node.visuals}
        for shape in shapes.values():
            if not isinstance(shape, Halfspace):
                yield solid_mesh(
                    shape, pose=node.world_pose, colour=look.colour, opacity=look.opacity,
                    gloss=gloss(look), casts=look.opacity > 0.5,
                )  # fmt: skip


def play(scene: Scene) -> None:
    """Lead the ball to the third corner."""
    for corner in LABYRINTH.waypoints[:3]:
        for _ in range(2000):
            gap = np.array(corner) - scene.graph["ball"].pose.translation[:2]
            if np.hypot(*gap) < 0.02:
                break
            axes = (*np.clip(8 * gap, -1, 1), 0.0)
            scene.step(Inputs(devices={"stick": Reading(axes=axes)}))


if __name__ == "__main__":
    room = load_scene(room_path("labyrinth"))
    play(room)
    eye = room.graph["overview"]
    assert isinstance(eye.content, Viewpoint)
    stage = Stage(floor=0.0, sun=np.array([-0.35, -0.6, 0.75]))
    image = render(list(meshes(room)), camera(eye.world_pose, eye.content), size=(1120, 640),
                   stage=stage)  # fmt: skip
    save_png(PICTURE, image, colours=256)
    print(f"wrote {PICTURE.name}")
