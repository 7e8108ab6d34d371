"""Figures of the device's capability."""

from __future__ import annotations

from xml.etree import ElementTree

from robotix.haptics.capability.claims import check_claims, map_capability
from robotix.haptics.capability.designs import planar_dexterity
from robotix.haptics.capability.figures import capability_page, capability_svg, designs_svg


def test_all_maps_are_drawn_with_their_extremes() -> None:
    found = map_capability(radii=3, heights=2)
    drawn = capability_svg(found)
    ElementTree.fromstring(drawn)  # well-formed
    for values in (found.force, found.torque, found.speed, found.felt_heavy):
        assert f">{values.max():.3g}<" in drawn
        assert f">{values.min():.3g}<" in drawn
    arms = [planar_dexterity(n) for n in (2, 4)]
    ElementTree.fromstring(designs_svg(arms))
    page = capability_page(found, check_claims(found, orientations=3), arms)
    assert page.count("<svg") == 2
    assert "not met" in page
    assert "undecided" in page
