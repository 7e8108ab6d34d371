"""Draw the pictures of `docs/human_gallery.md`: people at their tasks.

`python docs/pictures/human_gallery.py [TASK ...]` draws all of them, or those named.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import radians
from pathlib import Path

import numpy as np

from robotix.ergonomics.report.scenery import Scenery, body_meshes
from robotix.human import make_anthropometry, make_manikin, perform
from robotix.human.motion.performance import Performance
from robotix.human.skin.skin import make_skin
from robotix.kinematics import Posture
from robotix.view import (
    Camera,
    Image,
    Mesh3,
    Stage,
    Thing,
    contact_sheet,
    framed,
    render,
    save_animation,
    save_png,
)

FOLDER = Path(__file__).parent
PLAIN = Stage(
    upper=(0.95, 0.96, 0.97),
    floor_colour=(0.95, 0.96, 0.97),
    grid_colour=(0.95, 0.96, 0.97),
    fade=1e3,
)


@dataclass(frozen=True)
class Shot:
    """How a task is shown: who does it, from where, and at which moments."""

    sex: str = "f"
    percentile: float = 50.0
    style: str = "natural"
    azimuth: float = 50.0  # degrees; 0 is in front
    moments: tuple[float, ...] = (0.0, 0.35, 0.65, 1.0)  # shares of the time
    at_once: bool = False  # all moments in one picture
    size: tuple[int, int] = (300, 400)
    field_of_view: float = 30.0  # degrees


def _walking(
    sex: str = "f",
    *,
    moments: tuple[float, ...],
    azimuth: float = 85.0,
    size: tuple[int, int] = (1200, 400),
) -> Shot:
    """Return a shot of somebody who gets around: all moments at once, seen from afar."""
    return Shot(sex, azimuth=azimuth, moments=moments, at_once=True, size=size, field_of_view=10.0)


SHOTS = {
    "stand_up": Shot(azimuth=60),
    "sit_down": Shot("m", azimuth=60),
    "stand_up_at_table": Shot("m", 95, azimuth=75),
    "reach": Shot("f", 5, azimuth=60),
    "lift": Shot("m", azimuth=60, moments=(0.0, 0.22, 0.36, 0.50, 0.72, 1.0), size=(240, 340)),
    "carry": _walking(moments=(0.12, 0.34, 0.48, 0.62, 0.95), azimuth=78),
    "walk": _walking(moments=(0.0, 0.28, 0.45, 0.56, 0.67, 1.0)),
    "walk_around_hole": _walking("m", moments=(0.0, 0.22, 0.41, 0.6, 0.8, 1.0), azimuth=110),
    "climb_stairs": _walking(moments=(0.0, 0.28, 0.46, 0.64, 0.84), size=(760, 520), azimuth=80),
    "climb_ladder": Shot("m", azimuth=125, moments=(0.05, 0.3, 0.6, 0.95)),
    "push": Shot("m", azimuth=75, moments=(0.0, 0.26, 0.55, 1.0)),
    "pull": Shot(azimuth=75, moments=(0.0, 0.26, 0.55, 1.0)),
    "overhead": Shot(azimuth=60, moments=(0.0, 0.2, 0.5, 1.0)),
    "kneel": Shot("m", azimuth=60, moments=(0.0, 0.2, 0.5)),
    "seated": Shot(azimuth=60, moments=(0.0, 0.26, 0.5, 0.72)),
}


def performed(name: str) -> Performance:
    """Return the performance of a task by the body of its shot."""
    shot = SHOTS[name]
    body = make_anthropometry(sex=shot.sex, percentile=shot.percentile)
    return perform(name, make_manikin(body), style=shot.style)


# -- pictures -----------------------------------------------------------------------------------


def picture(name: str, performance: Performance) -> Image:
    """Return the picture of a task."""
    shot, scenery = SHOTS[name], Scenery(performance, make_skin(performance.manikin))
    last = len(performance.motion.times) - 1
    rows = [round(share * last) for share in shot.moments]
    room = list(scenery.room())
    if shot.at_once:
        people = [m for row in rows for m in (*scenery.person(row), *scenery.loads(row))]
        things = [*room, *people, *scenery.balance(rows[-1])]
        stage = Stage(fade=40.0)
        return render(things, _camera(things, shot), size=shot.size, stage=stage)
    scenes: list[list[Thing]] = [
        [*room, *scenery.person(row), *scenery.loads(row), *scenery.balance(row)] for row in rows
    ]
    camera = _camera([thing for scene in scenes for thing in scene], shot)
    images = [render(scene, camera, size=shot.size) for scene in scenes]
    return contact_sheet(images, columns=len(images), gap=4)


def _camera(things: Sequence[Thing], shot: Shot) -> Camera:
    return framed(
        np.concatenate([t.vertices for t in things if isinstance(t, Mesh3)]),
        size=shot.size,
        azimuth=radians(shot.azimuth),
        elevation=radians(12),
        field_of_view=radians(shot.field_of_view),
    )


def animation(name: str, performance: Performance, *, rate: float) -> list[Image]:
    """Return the pictures of a moving picture."""
    scenery = Scenery(performance, make_skin(performance.manikin))
    shot = replace(SHOTS[name], size=(180, 240))
    times = np.arange(0, performance.motion.duration, 1 / rate)
    rows = [performance.row_at(float(t)) for t in times]
    room = list(scenery.room())
    some = [scenery.person(row) for row in rows[:: max(len(rows) // 6, 1)]]
    camera = _camera([*room, *(mesh for body in some for mesh in body)], shot)
    return [
        render(
            [*room, *scenery.person(row), *scenery.loads(row), *scenery.balance(row)],
            camera,
            size=shot.size,
            stage=PLAIN,
        )
        for row in rows
    ]


def people() -> Image:
    """Return a family: women and men of the 5th, 50th and 95th percentile."""
    things: list[Thing] = []
    for sex in "fm":
        for percentile in (5, 50, 95):
            manikin = make_manikin(make_anthropometry(sex=sex, percentile=percentile))
            skin, q = make_skin(manikin), manikin.relaxed.copy()
            q[1] = -0.72 * len(things) / len(skin.parts)
            things += body_meshes(skin, Posture(manikin.model, q))
    shot = Shot(azimuth=18, size=(1200, 460), field_of_view=12)
    return render(things, _camera(things, shot), size=shot.size, stage=Stage(fade=40.0))


def main(names: Sequence[str]) -> None:
    """Draw tasks into files, named after them."""
    if not names or "people" in names:
        save_png(FOLDER / "human_people.png", people(), colours=256)
    for name in [n for n in names if n != "people"] if names else SHOTS:
        performance = performed(name)
        save_png(FOLDER / f"human_{name}.png", picture(name, performance), colours=256)
        if name == "lift":
            images = animation(name, performance, rate=8)
            save_animation(FOLDER / "human_lift.gif", images, rate=8, colours=40)


if __name__ == "__main__":
    main(sys.argv[1:])
