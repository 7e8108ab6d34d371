"""Two small models that the tests of motion share."""

import math

import numpy as np
import pytest

from robotix.model import Body, Joint, Mimic, Model


@pytest.fixture(scope="session")
def arm() -> Model:
    """A slider with two hinges, and a hinge that mimics the last."""
    x = np.array([1.0, 0, 0])
    rail = Joint("rail", "prismatic", x, lower=0, upper=2, velocity=1.0, acceleration=2.0)
    shoulder = Joint("shoulder", "revolute", lower=-2, upper=2, velocity=2.0, acceleration=8.0)
    elbow = Joint("elbow", "revolute", lower=-2.5, upper=0, velocity=3.0, acceleration=9.0)
    finger = Joint("finger", "revolute", mimic=Mimic("elbow"))
    bodies = [Body("cart", rail), Body("upper", shoulder, "cart"), Body("lower", elbow, "upper")]
    return Model("arm", (*bodies, Body("tip", finger, "lower")))


@pytest.fixture(scope="session")
def walker() -> Model:
    """A floating root with one hinge."""
    root = Joint("root", "floating", velocity=math.pi)
    return Model("walker", (Body("pelvis", root), Body("leg", Joint("hip", "revolute"), "pelvis")))
