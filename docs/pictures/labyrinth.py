"""Draw `labyrinth.png`: the labyrinth on its table, the device above it, half-way to the goal."""

from pathlib import Path

import numpy as np

import robotix as rx
from robotix.authoring.rooms import room_path
from robotix.haptics.labyrinth.plan import LABYRINTH
from robotix.scene import Inputs, Reading, Scene
from robotix.view import Stage, save_png

PICTURE = Path(__file__).with_suffix(".png")
STAGE = Stage(floor=0.0, sun=np.array([-0.35, -0.6, 0.75]))


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
    room = rx.load_scene(room_path("labyrinth"))
    play(room)
    image = rx.picture(room, viewpoint="overview", size=(1120, 640), stage=STAGE)
    save_png(PICTURE, image, colours=256)
    print(f"wrote {PICTURE.name}")
