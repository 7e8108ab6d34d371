"""Draw the pictures of `docs/connect_and_cut.md`: scenes whose structure changes, over time.

`python docs/pictures/structures.py [SCENE ...]` draws all of them, or those named.
"""

import sys
from pathlib import Path

import robotix as rx
from robotix.authoring import load_scene
from robotix.scene import Scene
from robotix.scene.console.console import run_command
from robotix.view import Image, Stage, contact_sheet, save_png

SCENES = Path(__file__).parents[2] / "examples" / "scenes"
SIZE = (400, 400)  # pixels of one view
# When the views are taken, in s, and console lines with the times at which they are said.
TIMES = {
    "bar_swing": (0.1, 0.35, 0.6, 1.6),
    "fixed_foot": (0.5, 0.75, 0.9, 1.5),
    "holding_hands": (0.5, 1.5, 1.75, 2.3),
    "caught_chain": (0.1, 0.3, 0.6, 0.9),
    "cut_branch": (0.05, 0.5, 0.72, 0.9),
}
LINES = {
    "bar_swing": {0.62: ("cut left grip", "cut right grip")},
    "holding_hands": {1.5: ("cut one pair", "cut other pair")},
}


def view(scene: Scene) -> Image:
    """Return what is seen from the viewpoint `view`."""
    return rx.picture(scene, viewpoint="view", size=SIZE, stage=Stage(floor=0.0))


def draw(name: str) -> Image:
    """Run a scene, and return its views side by side."""
    scene = load_scene(SCENES / f"{name}.yaml")
    lines = {round(time / scene.dt): said for time, said in LINES.get(name, {}).items()}
    views = []
    for time in TIMES[name]:
        while scene.tick < round(time / scene.dt):
            for line in lines.pop(scene.tick, ()):
                print(f"{name}, {scene.time:.2f} s: {line} {run_command(scene, line)}")
            scene.step()
        views.append(view(scene))
    return contact_sheet(views, columns=len(views))


if __name__ == "__main__":
    for each in sys.argv[1:] or TIMES:
        picture = Path(__file__).with_name(f"{each}.png")
        save_png(picture, draw(each), colours=128)
        print(f"wrote {picture.name}")
