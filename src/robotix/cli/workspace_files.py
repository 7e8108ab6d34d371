"""Reachability maps as files: a table, or a picture of two cuts, upright and level."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.kinematics.workspace import ReachabilityMap
from robotix.model import Model

__all__ = ["save_map"]

INK = "#22303c"


def save_map(path: Path, reached: ReachabilityMap, *, model: Model, point: str) -> None:
    """Write a map, as the end of the path says: `.csv` or `.png`."""
    if path.suffix.lower() == ".csv":
        _save_table(path, reached)
    else:
        _save_picture(path, reached, model=model, point=point)


def _save_table(path: Path, reached: ReachabilityMap) -> None:
    """Write one line a cube: its centre, the samples in it, its best dexterity."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["x [m]", "y [m]", "z [m]", "samples", reached.dexterity])
        for centre, count, best in zip(reached.centres, reached.count, reached.best, strict=True):
            place = [f"{value:.9g}" for value in centre]
            writer.writerow([*place, int(count), repr(float(best))])


def _save_picture(path: Path, reached: ReachabilityMap, *, model: Model, point: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 5.2), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    views = figure.subplots(1, 2)
    skeleton = _skeleton(model, point)
    image: Any = None
    for axes, (across, up, through) in zip(views, ((0, 2, 1), (0, 1, 2)), strict=True):
        middle = float(reached.box[:, through].mean())
        image = _draw_cut(axes, reached, middle, across=across, up=up, through=through)
        axes.plot(skeleton[:, across], skeleton[:, up], "o-", color=INK, linewidth=2, markersize=4)
        axes.set_title(f"cut at {'xyz'[through]} = {middle + 0.0:.2f} m", loc="left", fontsize=10)
        axes.set(xlabel=f"{'xyz'[across]} [m]", ylabel=f"{'xyz'[up]} [m]", aspect="equal")
        axes.spines[["top", "right"]].set_visible(False)
    figure.colorbar(image, ax=views, label=f"best {reached.dexterity}", shrink=0.8)
    figure.suptitle(f"Where the {point} of {model.name} gets, and how well", color=INK)
    figure.savefig(path, dpi=110)


def _draw_cut(
    axes: Any, reached: ReachabilityMap, middle: float, *, across: int, up: int, through: int
) -> Any:
    """Draw the best dexterity in a slab about a plane, two or three cubes thick."""
    is_cut = abs(reached.centres[:, through] - middle) <= 1.01 * reached.voxel
    cells = reached.cells[:, [across, up]]
    low, high = cells.min(axis=0), cells.max(axis=0)
    picture: Array = np.full(tuple(high - low + 1), -1.0)
    np.maximum.at(picture, tuple((cells[is_cut] - low).T), reached.best[is_cut])
    extent = np.stack([low, high + 1]).T * reached.voxel
    return axes.imshow(
        np.ma.masked_less(picture.T, 0.0),
        origin="lower",
        extent=extent.ravel(),
        cmap="viridis",
        vmin=0.0,
        vmax=reached.best.max(),
        interpolation="nearest",
    )


def _skeleton(model: Model, point: str) -> Array:
    """Return the origins of the bodies from the base to a point, at the neutral posture."""
    posture = Posture(model)
    joints = [posture.position(body.name) for body in model.chain(point)]
    return np.array([*joints, posture.position(point)])
