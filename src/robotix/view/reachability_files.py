"""Reachability maps as files: a CSV table, or a PNG image of two sections."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.kinematics.workspace import ReachabilityMap
from robotix.model import Model

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["save_map"]

INK = "#22303c"
SCALE = 3  # supersampling factor, for smooth lines
SIZE = (1150, 560)  # pixels
EDGE, TOP, BOTTOM, GAP, LEGEND = 62, 78, 58, 76, 100  # pixels, around and between the sections
TICK = 40  # approximate minimum distance between axis labels, pixels
VIRIDIS = np.array(  # every 16th colour of the colour map (CC0)
    [
        [68, 1, 84], [72, 24, 106], [71, 45, 123], [66, 64, 134], [59, 82, 139], [51, 99, 141],
        [44, 114, 142], [38, 130, 142], [33, 145, 140], [31, 160, 136], [40, 174, 128],
        [63, 188, 115], [94, 201, 98], [132, 212, 75], [173, 220, 48], [216, 226, 25],
        [253, 231, 37],
    ]
)  # fmt: skip


def save_map(path: Path, reached: ReachabilityMap, *, model: Model, point: str) -> None:
    """Write a map; the suffix of the path, `.csv` or `.png`, selects the format."""
    if path.suffix.lower() == ".csv":
        _save_table(path, reached)
    else:
        _save_picture(path, reached, model=model, point=point)


def _save_table(path: Path, reached: ReachabilityMap) -> None:
    """Write one line per voxel: centre, number of samples, best dexterity."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["x [m]", "y [m]", "z [m]", "samples", reached.dexterity])
        for centre, count, best in zip(reached.centres, reached.count, reached.best, strict=True):
            centre_text = [f"{value:.9g}" for value in centre]
            writer.writerow([*centre_text, int(count), repr(float(best))])


def _save_picture(path: Path, reached: ReachabilityMap, *, model: Model, point: str) -> None:
    from PIL import Image, ImageDraw

    sheet = Image.new("RGB", (SCALE * SIZE[0], SCALE * SIZE[1]), "white")
    draw = ImageDraw.Draw(sheet)
    cuts = [_cut(reached, *axes) for axes in ((0, 2, 1), (0, 1, 2))]
    space = SIZE[0] - EDGE - GAP - LEGEND, SIZE[1] - TOP - BOTTOM
    spans = [cut.high - cut.low for cut in cuts]
    metre = min(space[0] / (spans[0][0] + spans[1][0]), space[1] / max(spans[0][1], spans[1][1]))
    best, left = float(reached.best.max()), float(EDGE)
    for cut, span in zip(cuts, spans, strict=True):
        top = TOP + (space[1] - metre * span[1]) / 2
        frame = _Frame(cut.low, (left, top + metre * span[1]), metre)
        _draw_cut(sheet, frame, cut, best=best)
        _draw_axes(draw, frame, cut)
        _draw_skeleton(draw, frame.pixels(_skeleton(model, point)[:, list(cut.axes[:2])]))
        left += metre * span[0] + GAP
    _draw_legend(draw, (left - GAP + 34, TOP), space[1], best=best, label=reached.dexterity)
    title = f"Reachable workspace and dexterity: {point} of {model.name}"
    _write(draw, (SIZE[0] / 2, 24), title, size=17, anchor="mm")
    sheet.resize(SIZE, Image.Resampling.BOX).save(path, format="PNG", optimize=True)


@dataclass(frozen=True, eq=False)
class _Cut:
    """The best dexterity in a slab about a plane, two or three voxels thick."""

    axes: tuple[int, int, int]  # horizontal, vertical, and normal of the plane
    middle: float  # m, of the plane
    low: Array  # (2,), m
    high: Array  # (2,), m
    best: Array  # (columns, rows); -1 where the point does not reach


@dataclass(frozen=True, eq=False)
class _Frame:
    """Maps metres of a section to pixels."""

    low: Array  # (2,), m
    corner: tuple[float, float]  # pixels, of `low`
    metre: float  # pixels

    def pixels(self, points: Array) -> Array:
        """Return the pixels of points, (..., 2)."""
        return self.corner + (points - self.low) * (self.metre, -self.metre)


def _cut(reached: ReachabilityMap, across: int, up: int, through: int) -> _Cut:
    middle = float(reached.box[:, through].mean())
    is_cut = abs(reached.centres[:, through] - middle) <= 1.01 * reached.voxel
    cells = reached.cells[:, [across, up]]
    low, high = cells.min(axis=0), cells.max(axis=0) + 1
    best: Array = np.full(tuple(high - low), -1.0)
    np.maximum.at(best, tuple((cells[is_cut] - low).T), reached.best[is_cut])
    voxel = reached.voxel
    return _Cut((across, up, through), middle, low * voxel, high * voxel, best)


def _colours(values: Array) -> Array:
    """Return the colours of values from 0 to 1, (..., 3)."""
    knots = np.linspace(0.0, 1.0, len(VIRIDIS))
    channels = [np.interp(values, knots, channel) for channel in VIRIDIS.T]
    return np.stack(channels, axis=-1)


def _draw_cut(sheet: Image, frame: _Frame, cut: _Cut, *, best: float) -> None:
    from PIL import Image

    seen = cut.best >= 0
    colours = np.where(
        seen[..., None], _colours(cut.best / best if best > 0 else 0 * cut.best), 255
    )
    upright = np.ascontiguousarray(colours.swapaxes(0, 1)[::-1]).astype(np.uint8)
    (x0, y1), (x1, y0) = np.rint(SCALE * frame.pixels(np.stack([cut.low, cut.high]))).astype(int)
    picture = Image.fromarray(upright).resize(
        (max(x1 - x0, 1), max(y1 - y0, 1)), Image.Resampling.NEAREST
    )
    sheet.paste(picture, (x0, y0))


def _draw_axes(draw: ImageDraw, frame: _Frame, cut: _Cut) -> None:
    from robotix.view.charts import nice_ticks

    (left, bottom), (right, top) = frame.pixels(np.stack([cut.low, cut.high]))
    _line(draw, [(left, top), (left, bottom), (right, bottom)])
    for value in nice_ticks(cut.low[0], cut.high[0], count=(right - left) / TICK):
        x = frame.pixels(np.array([value, 0.0]))[0]
        _line(draw, [(x, bottom), (x, bottom + 4)])
        _write(draw, (x, bottom + 8), f"{value:g}", anchor="mt")
    for value in nice_ticks(cut.low[1], cut.high[1], count=(bottom - top) / TICK):
        y = frame.pixels(np.array([0.0, value]))[1]
        _line(draw, [(left - 4, y), (left, y)])
        _write(draw, (left - 8, y), f"{value:g}", anchor="rm")
    across, up, through = ("xyz"[axis] for axis in cut.axes)
    _write(draw, ((left + right) / 2, bottom + 28), f"{across} [m]", anchor="mt")
    _write(draw, (left - 8, top - 12), f"{up} [m]", anchor="rb")
    _write(
        draw,
        (left + 4, top - 12),
        f"cut at {through} = {round(cut.middle, 2) + 0.0:.2f} m",
        anchor="lb",
    )


def _draw_skeleton(draw: ImageDraw, joints: Array) -> None:
    _line(draw, [(x, y) for x, y in joints.tolist()], width=2.5)
    for x, y in SCALE * joints:
        r = 3.5 * SCALE
        draw.ellipse((x - r, y - r, x + r, y + r), fill=INK)


def _draw_legend(
    draw: ImageDraw, corner: tuple[float, float], height: float, *, best: float, label: str
) -> None:
    """Draw the colour bar from 0, at the bottom, to the best value."""
    from robotix.view.charts import nice_ticks

    x, top = corner
    rows = int(SCALE * height)
    for row, colour in enumerate(_colours(np.linspace(1.0, 0.0, rows)).astype(int).tolist()):
        y = SCALE * top + row
        draw.line([(SCALE * x, y), (SCALE * (x + 20), y)], fill=tuple(colour))
    for value in nice_ticks(0.0, best, count=height / TICK):
        y = top + height * (1 - (value / best if best > 0 else 0.0))
        _line(draw, [(x + 20, y), (x + 24, y)])
        _write(draw, (x + 28, y), f"{value:g}", anchor="lm")
    _write(draw, (x, top - 12), f"best {label}", anchor="lb")


def _line(draw: ImageDraw, points: list[tuple[float, float]], *, width: float = 1.0) -> None:
    draw.line([(SCALE * x, SCALE * y) for x, y in points], fill=INK, width=round(SCALE * width))


def _write(
    draw: ImageDraw, position: tuple[float, float], words: str, *, anchor: str, size: int = 13
) -> None:
    from PIL import ImageFont

    font = ImageFont.load_default(SCALE * size)
    draw.text((SCALE * position[0], SCALE * position[1]), words, INK, font, anchor=anchor)


def _skeleton(model: Model, point: str) -> Array:
    """Return the origins of the bodies from the base to a point, at the neutral posture."""
    posture = Posture(model)
    joints = [posture.position(body.name) for body in model.chain(point)]
    return np.array([*joints, posture.position(point)])
