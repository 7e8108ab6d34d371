"""What a hand feels of each display, and where the admittance ends."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.haptics.loop.figures import contrast_svg
from robotix.haptics.loop.reference import compare_displays, feel
from robotix.haptics.loop.settings import (
    DisplayMode,
    ForceSensor,
    LoopSettings,
    VirtualHandle,
)


def test_admittance_is_isotropic_and_impedance_display_is_not() -> None:
    found = compare_displays(count=4)
    ideal, own = (found.masses(DisplayMode(name)) for name in ("admittance", "impedance"))
    np.testing.assert_allclose(ideal, 8.0, rtol=0.04)
    assert own.max() > 1.5 * own.min()
    friction = abs(found.frictions(DisplayMode.impedance))
    assert friction.max() > 5 * abs(found.frictions(DisplayMode.admittance)).max()
    assert contrast_svg(found).count("<polygon") == 2


def test_a_late_sensor_ends_the_admittance_at_low_masses() -> None:
    along = np.array([1.0, 0.0, 0.0])

    def felt(mass: float, delay: float) -> float:
        settings = LoopSettings(handle=VirtualHandle(mass=mass), sensor=ForceSensor(delay=delay))
        return feel(settings, along, force=6.0).mass

    assert felt(0.25, 0.0) == pytest.approx(0.25, rel=0.1)
    assert felt(1.0, 0.005) == pytest.approx(1.0, rel=0.1)
    assert not 0.2 < felt(0.25, 0.005) < 0.3  # it rattles
