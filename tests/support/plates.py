"""C3D files with force plates of our own making, written with the library's own writer."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ezc3d
import numpy as np

from robotix.capture.markers import MarkerSet
from robotix.geometry import Array

PER_FRAME = 4  # analog samples a frame
CORNERS = np.array([[0, 0.6, 0], [0, 0, 0], [0.4, 0, 0], [0.4, 0.6, 0]])  # m; z of the plate: down
A, B, DEPTH = 0.12, 0.2, 0.05  # m, of the sensors of a plate


@dataclass
class Plate:
    """A plate, with what acts on the person: force (k, 3), N, at points (k, 3), m, z up."""

    kind: int
    force: Array
    centre: Array
    corners: Array = field(default_factory=lambda: CORNERS.copy())
    sign: float = 1.0  # -1: the file holds the force on the plate
    calibration: Array = field(default_factory=lambda: np.eye(6))

    def channels(self) -> Array:
        """What the plate's sensors give, (k, 6 or 8), N, N mm and mm."""
        first, second, _, fourth = self.corners
        x, y = ((first - other) / np.linalg.norm(first - other) for other in (second, fourth))
        axes = np.column_stack([x, y, np.cross(x, y)])
        force = self.sign * self.force @ axes
        at = (self.centre - self.corners.mean(axis=0)) @ axes
        if self.kind == 1:
            return np.column_stack([force, 1000 * at[:, :2], np.zeros(len(at))])
        below = np.array([0, 0, np.sign(-axes[2, 2]) * DEPTH])
        moment = 1000 * np.cross(at - below, force)  # about the sensors
        if self.kind == 3:
            return four_sensors(force, moment)
        raw = np.column_stack([force, moment])
        return raw if self.kind == 2 else np.linalg.solve(self.calibration, raw.T).T


def four_sensors(force: Array, moment: Array) -> Array:
    """Distribute force and moment over sensors at (a, b), (-a, b), (-a, -b), (a, -b)."""
    heights = np.array([[1, 1, 1, 1], [B, B, -B, -B], [-A, A, A, -A], [1, -1, 1, -1]])
    wanted = np.column_stack([force[:, 2], moment[:, :2] / 1000, np.zeros(len(force))])
    z = np.linalg.solve(heights, wanted.T).T
    return np.column_stack([force[:, [0, 0]] / 2, force[:, [1, 1]] / 2, z])


def write_plates(
    path: Path,
    markers: MarkerSet,
    plates: list[Plate],
    *,
    screen: str = "+Z",
    zero: tuple[int, int] = (1, 0),
    offset: float = 0.0,
    change: dict[str, Any] | None = None,
) -> Path:
    """Write markers (m, z up) and plates in mm; `change` replaces parameters of the plates."""
    axes = [0, 1, 2] if screen == "+Z" else [1, 2, 0]  # where x, y, z of the file come from
    file = ezc3d.c3d()
    point = file["parameters"]["POINT"]
    point["RATE"]["value"], point["UNITS"]["value"] = [markers.rate], ["mm"]
    point["LABELS"]["value"] = list(markers.names)
    file.add_parameter("POINT", "Y_SCREEN", [screen])
    points = np.ones((4, len(markers.names), len(markers)))
    points[:3] = 1000 * markers.positions[..., axes].transpose(2, 1, 0)
    file["data"]["points"] = points
    values = [plate.channels() for plate in plates]
    widest = max(value.shape[1] for value in values)
    numbers, first = np.zeros((widest, len(plates))), 1
    for k, value in enumerate(values):
        numbers[: value.shape[1], k] = np.arange(first, first + value.shape[1])
        first += value.shape[1]
    samples = np.concatenate(values, axis=1).T[None] + offset
    analog = file["parameters"]["ANALOG"]
    analog["RATE"]["value"] = [PER_FRAME * float(markers.rate or 1)]
    analog["LABELS"]["value"] = [f"channel {k}" for k in range(samples.shape[1])]
    analog["UNITS"]["value"] = [""] * samples.shape[1]
    file["data"]["analogs"] = samples
    corners = 1000 * np.stack([plate.corners[:, axes].T for plate in plates], axis=2)
    origins = [
        [1000 * A, 1000 * B, -1000 * DEPTH] if plate.kind == 3 else [0, 0, 1000 * DEPTH]
        for plate in plates
    ]
    group: dict[str, Any] = {
        "USED": [len(plates)],
        "TYPE": [plate.kind for plate in plates],
        "ZERO": list(zero),
        "CORNERS": corners,
        "ORIGIN": np.array(origins).T,
        "CHANNEL": numbers,
        "CAL_MATRIX": np.stack([plate.calibration for plate in plates], axis=2),
        **(change or {}),
    }
    for name, value in group.items():
        file.add_parameter(
            "FORCE_PLATFORM", name, value if isinstance(value, list) else np.asarray(value, float)
        )
    file.write(str(path))
    return path
