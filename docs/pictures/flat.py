"""Draw `flat.png`: the room that comes with the package, from its viewpoint `beside`."""

from pathlib import Path

import numpy as np

import robotix as rx
from robotix.authoring.rooms import default_room
from robotix.view import Stage, save_png

PICTURE = Path(__file__).with_suffix(".png")
STAGE = Stage(floor=-0.14, sun=np.array([-0.35, -0.6, 0.75]))

if __name__ == "__main__":
    room = rx.load_scene(default_room())
    save_png(
        PICTURE, rx.picture(room, viewpoint="beside", size=(1120, 640), stage=STAGE), colours=256
    )
    print(f"wrote {PICTURE.name}")
