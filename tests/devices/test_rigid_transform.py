"""WebXR poses in our axes."""

import math

import pytest

from robotix.devices import (
    Tracked,
)
from robotix.geometry import Pose

SIDEWAYS = [0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]  # WebXR: a quarter turn about its z


def test_webxr_axes_become_ours() -> None:
    """Ahead in WebXR is -z, here it is x; up is y, here z; left is -x, here y."""
    cup = Tracked("cup")
    cup.feed({"position": [-2.0, 3.0, -1.0], "orientation": SIDEWAYS}, 1.0)
    sample = cup.read(1.0)
    assert sample is not None and sample.position is not None
    assert sample.position == (1.0, 2.0, 3.0)
    # A turn about WebXR's z, which points backwards, is one the other way about our x.
    turned = Pose.from_quaternion(sample.position, sample.quaternion)
    assert turned.rotation_vector == pytest.approx([-math.pi / 2, 0.0, 0.0])
