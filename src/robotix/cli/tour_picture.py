"""The picture of the tour: the arm at several moments, its way, the lamp, and two curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

from robotix.cli.solids import Colour, Painted, all_polygons, body_solids, placed
from robotix.cli.tour_scene import KEEP, OBSTACLES, Tour
from robotix.geometry import Array, Box, Capsule, Cylinder, Pose, Sphere
from robotix.kinematics import Posture
from robotix.kinematics.dexterity import velocity_ellipsoid

__all__ = ["save_picture"]

ARM: Colour = (0.96, 0.55, 0.14, 1.0)
STEEL: Colour = (0.50, 0.54, 0.60, 1.0)
SEAT: Colour = (0.70, 0.76, 0.83, 1.0)
CUP: Colour = (0.16, 0.50, 0.60, 1.0)
WOOD: Colour = (0.86, 0.74, 0.56, 1.0)
GLASS: Colour = (0.98, 0.90, 0.55, 1.0)
FLOOR: Colour = (0.93, 0.94, 0.95, 1.0)
BLUE, RED, INK, GREY = "#1f5fa8", "#c8372d", "#22303c", "#8a949e"


def save_picture(path: Path, tour: Tour) -> None:
    """Draw the tour into a PNG file."""
    figure = Figure(figsize=(12.0, 6.4), facecolor="white")
    FigureCanvasAgg(figure)
    room = figure.add_axes((-0.10, -0.17, 0.88, 1.30), projection="3d")
    _draw_room(room, tour)
    _draw_gaps(figure.add_axes((0.68, 0.56, 0.29, 0.34)), tour)
    _draw_dexterity(figure.add_axes((0.68, 0.11, 0.29, 0.30)), tour)
    words = "A wheelchair's arm carries a cup along a line; its elbow ducks under the lamp."
    figure.text(0.03, 0.93, words, fontsize=12, color=INK)
    figure.savefig(path, dpi=100)


# -- the room -------------------------------------------------------------------------------


def _draw_room(axes: Any, tour: Tour) -> None:
    axes.computed_zorder = False  # all solids are one collection; lines go over it
    axes.set_axis_off()
    axes.set_proj_type("persp", focal_length=0.8)
    axes.view_init(elev=20, azim=20)
    drive = tour.clear
    nearest = int(drive.gap.argmin())
    solids = [*_chair(tour), *_things(), *_arm(tour, drive.motion.q[nearest], 1.0)]
    for row in (0, -1):
        solids += _arm(tour, drive.motion.q[row], 0.22)
    _add(axes, [(Box(np.array([2.2, 1.5, 1e-4]), Pose.at(0.45, 0.04, 0.0)), FLOOR)], zorder=0)
    _add(axes, solids, zorder=1)
    _add_ellipsoid(axes, Posture(tour.model, drive.motion.q[nearest]))
    axes.plot(*drive.tip.T, color=BLUE, linewidth=2.2, zorder=5)
    axes.plot(*tour.plain.elbow.T, color=RED, linewidth=1.4, linestyle=(0, (3, 2)), zorder=5)
    axes.plot(*drive.elbow.T, color=BLUE, linewidth=1.4, zorder=5)
    for place, text, colour in (
        (tour.plain.elbow[-1], "elbow, not avoiding ", RED),
        (drive.elbow[-1], "elbow ", BLUE),
    ):
        axes.text(*place, text, color=colour, fontsize=8.5, ha="right", va="center", zorder=6)
    low, high = np.array([[-0.40, -0.6, 0.22], [1.20, 0.9, 1.52]])
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set_box_aspect(high - low, zoom=1.27)


def _add(axes: Any, solids: list[Painted], *, zorder: int) -> None:
    faces, colours = all_polygons(solids)
    edges = np.where(colours[:, 3:] == 1, colours, 0.0)  # edges of their own colour hide the seams
    axes.add_collection3d(
        Poly3DCollection(
            faces,
            facecolors=colours,
            edgecolors=edges,
            linewidths=0.3,
            zorder=zorder,
            clip_on=False,
        )
    )


def _arm(tour: Tour, q: Array, opacity: float) -> list[Painted]:
    """Return the arm at a posture, and the cup it holds."""
    posture = Posture(tour.model, q)
    colour = (*ARM[:3], opacity)
    cup = posture.pose() @ Pose.at(0.0, 0.0, 0.05, rpy=(0, np.pi / 2, 0))  # upright
    return [*body_solids(posture, colour), (Cylinder(0.035, 0.09, cup), (*CUP[:3], opacity))]


def _chair(tour: Tour) -> list[Painted]:
    """Return the rail, and enough of a wheelchair to see what it is."""
    rail = tour.model.body("rail")
    solids: list[Painted] = [
        (placed(visual.shape, rail.placement), STEEL) for visual in rail.visuals
    ]
    solids += [
        (Box(np.array([0.46, 0.46, 0.07]), Pose.at(0.14, 0.0, 0.50)), SEAT),
        (Box(np.array([0.07, 0.46, 0.55]), Pose.at(-0.12, 0.0, 0.76, rpy=(0, -0.12, 0))), SEAT),
        (Box(np.array([0.20, 0.34, 0.03]), Pose.at(0.52, 0.0, 0.14, rpy=(0, 0.2, 0))), SEAT),
    ]
    for side in (-1, 1):
        wheel = Pose.at(0.0, side * 0.30, 0.30, rpy=(np.pi / 2, 0, 0))
        caster = Pose.at(0.45, side * 0.22, 0.09, rpy=(np.pi / 2, 0, 0))
        post = Pose.at(0.0, side * 0.34, 0.46)
        solids += [
            (Cylinder(0.30, 0.04, wheel), STEEL),
            (Cylinder(0.09, 0.04, caster), STEEL),
            (Capsule(0.015, 0.30, post), STEEL),
        ]
    return solids


def _things() -> list[Painted]:
    """Return the table with its legs, and the lamp on its cord."""
    table, lamp = OBSTACLES["table"].shape, OBSTACLES["lamp"].shape
    x, y, z = lamp.pose.translation
    solids: list[Painted] = [(table, WOOD), (lamp, GLASS)]
    solids.append((Capsule(0.006, 0.18, Pose.at(x, y, z + 0.19)), STEEL))
    x, y, _ = table.pose.translation
    for dx in (-0.18, 0.18):
        for dy in (-0.58, 0.58):
            solids.append((Cylinder(0.02, 0.70, Pose.at(x + dx, y + dy, 0.35)), WOOD))
    return solids


def _add_ellipsoid(axes: Any, posture: Posture) -> None:
    """Draw the velocity ellipsoid around the tip, at a size that fits."""
    ellipsoid = velocity_ellipsoid(posture)
    ball, _ = all_polygons([(Sphere(1.0), CUP)])
    scale = 0.17 * ellipsoid.half_lengths / ellipsoid.half_lengths[0]
    faces = ellipsoid.centre + (ball * scale) @ ellipsoid.axes.T
    axes.add_collection3d(
        Poly3DCollection(
            faces,
            facecolors=(0.12, 0.37, 0.66, 0.10),
            edgecolors=(0.12, 0.37, 0.66, 0.25),
            linewidths=0.4,
            zorder=4,
        )
    )


# -- the curves -----------------------------------------------------------------------------


def _draw_gaps(axes: Any, tour: Tour) -> None:
    times = tour.clear.motion.times
    axes.axhspan(-100, 1e3 * KEEP, color=RED, alpha=0.08, linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.plot(times, 1e3 * tour.plain.gap, color=RED, linestyle=(0, (3, 2)))
    axes.plot(times, 1e3 * tour.clear.gap, color=BLUE, linewidth=2)
    _title(axes, "nearest distance to an obstacle", "mm")
    axes.set(ylim=(-90, 130))
    axes.text(0.05, 1e3 * KEEP - 4, "distance to keep", color=RED, va="top", fontsize=8.5)
    _label(axes, times, 1e3 * tour.plain.gap, text="not avoiding: into the lamp", color=RED)


def _draw_dexterity(axes: Any, tour: Tour) -> None:
    times = tour.clear.motion.times
    axes.plot(times, tour.plain.isotropy, color=RED, linestyle=(0, (3, 2)), label="not avoiding")
    axes.plot(times, tour.clear.isotropy, color=BLUE, linewidth=2, label="keeping clear")
    _title(axes, "dexterity of the flange (isotropy)", "")
    axes.set(ylim=(0, 0.5), xlabel="s")
    axes.legend(frameon=False, fontsize=8.5, loc="lower left", labelcolor=INK)


def _title(axes: Any, title: str, unit: str) -> None:
    axes.set_title(f"{title}  [{unit}]" if unit else title, loc="left", fontsize=10, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GREY)
    axes.tick_params(colors=INK, labelsize=8.5)
    axes.set_xlim(0, None)


def _label(axes: Any, times: Array, values: Array, *, text: str, color: str) -> None:
    """Write a text under the lowest place of a curve."""
    lowest = int(values.argmin())
    axes.annotate(
        text, (times[lowest], values[lowest]), (0, -6), textcoords="offset points",
        ha="center", va="top", color=color, fontsize=8.5,
    )  # fmt: skip
