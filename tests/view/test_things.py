"""Drawable objects: meshes are checked."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.view import (
    Mesh3,
)


def test_a_mesh_with_a_missing_corner_is_refused() -> None:
    with pytest.raises(ValueError, match="corner"):
        Mesh3(np.zeros((3, 3)), np.array([[0, 1, 3]]))
