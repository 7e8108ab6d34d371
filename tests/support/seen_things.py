"""Things seen by a camera."""

from __future__ import annotations

import numpy as np

from robotix.view import (
    Camera,
    Stage,
    Thing,
    View,
    render_view,
)

SIZE = (160, 120)


EMPTY = Stage(floor=None)


def ahead(distance: float = 4.0) -> Camera:
    return Camera(np.array([distance, 0.0, 0.0]), np.zeros(3))


def seen(things: list[Thing], camera: Camera, **options: object) -> View:
    return render_view(things, camera, **{"size": SIZE, "stage": EMPTY, **options})  # type: ignore[arg-type]
