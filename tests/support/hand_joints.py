"""The joints of a tracked hand, as WebXR reports them."""

import math

from robotix.devices.hand import JOINTS


def joints(*, curl: float = 0.0, pinch: float = 0.06) -> list[float]:
    """A hand in front of the face: fingers along -z, each joint bent by `curl` downwards."""
    points = {"wrist": (0.0, 1.2, -0.3)}
    for i, finger in enumerate(("index", "middle", "ring", "little")):
        x, y, z, angle = 0.02 * i, 1.2, -0.35, 0.0
        parts = ("metacarpal", "proximal", "intermediate", "distal", "tip")
        for part, length in zip(parts, (0.0, 0.06, 0.04, 0.03, 0.02), strict=True):
            angle += curl if part not in ("metacarpal", "proximal") else 0.0
            y, z = y - length * math.sin(angle), z - length * math.cos(angle)
            points[f"{finger}_{part}"] = (x, y, z)
    x, y, z = points["index_tip"]
    for part in ("metacarpal", "proximal", "distal"):
        points[f"thumb_{part}"] = (-0.03, 1.2, -0.32)
    points["thumb_tip"] = (x - pinch, y, z)
    return [value for name in JOINTS for value in (*points[name], 0.0, 0.0, 0.0, 1.0)]
