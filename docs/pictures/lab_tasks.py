"""Draw `task_books.png`, `task_shelf.png`, `task_chess.png` and `task_tables.png`."""

from pathlib import Path

import numpy as np

import robotix as rx
from robotix.experiments.tasks.library import TASKS, load_task
from robotix.experiments.tasks.room import open_task_room
from robotix.view import Stage, save_png

FOLDER = Path(__file__).parent
STAGE = Stage(floor=0.0, sun=np.array([-0.35, -0.6, 0.75]))

if __name__ == "__main__":
    for name in TASKS:
        room = open_task_room(load_task(name))
        for _ in range(30):
            room.scene.step()
        picture = rx.picture(room.scene, viewpoint="overview", size=(840, 560), stage=STAGE)
        save_png(FOLDER / f"task_{name}.png", picture, colours=256)
        room.close()
        print(f"wrote task_{name}.png")
