"""Limits by body region, as the public transcriptions of ISO/TS 15066 give them."""

from pathlib import Path

import pytest
from support.people import manikin

from robotix.errors import UnknownName
from robotix.safety.body_limits import body_regions, find_region, region_of_segment

REPOSITORY = Path(__file__).parents[2]

# Tables A.2 and A.3 as [ISO2016a] transcribes them: force (N), stiffness (N/mm), mass (kg).
TRANSCRIBED = {
    "skull": (130, 150, 4.4),
    "face": (65, 75, 4.4),
    "neck": (150, 50, 1.2),
    "back": (210, 35, 40),
    "chest": (140, 25, 40),
    "abdomen": (110, 10, 40),
    "pelvis": (180, 25, 40),
    "upper_arm": (150, 30, 3),
    "forearm": (160, 40, 2),
    "hand": (140, 75, 0.6),
    "thigh": (220, 50, 75),
    "lower_leg": (130, 60, 75),
}


def test_forces_stiffnesses_and_masses_are_those_of_the_source() -> None:
    assert {
        name: (each.force, each.stiffness / 1e3, each.mass) for name, each in body_regions().items()
    } == TRANSCRIBED


def test_28_of_the_29_areas_have_a_pressure() -> None:
    areas = [area for each in body_regions().values() for area in each.pressures]
    assert len(areas) == len(set(areas)) == 28
    pressures = {a: p for each in body_regions().values() for a, p in each.pressures.items()}
    assert min(pressures.values()) == pytest.approx(110e4)  # Pa: temple and masticatory muscle
    assert pressures["forefinger pad, dominant"] == pytest.approx(300e4)


def test_every_limit_names_a_source_that_is_described() -> None:
    references = (REPOSITORY / "docs" / "references.md").read_text(encoding="utf-8")
    for region in body_regions().values():
        assert region.sources
        assert set(region.area_sources) <= set(region.pressures)
        for area in region.pressures:
            for source in region.sources_of(area):
                assert f"- **[{source}]** " in references
    hand = find_region("hand")
    assert hand.sources_of("palm, dominant") == ("ISO2016a", "ISO2016b")
    assert hand.sources_of("back of the hand, non-dominant") == ("ISO2016b",)


def test_transient_contact_may_be_twice_as_strong_but_not_at_the_head() -> None:
    for region in body_regions().values():
        factor = 1.0 if region.name in ("skull", "face") else 2.0
        assert region.transient_force == factor * region.force
        assert region.transient_pressure == factor * region.pressure
        assert region.is_contact_permitted == (factor == 2.0)


def test_every_solid_of_the_manikin_belongs_to_a_region() -> None:
    for body in manikin().model.bodies:
        if body.collision:
            assert region_of_segment(body.name)


def test_unknown_names_are_reported_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="hand"):
        find_region("hands")
    with pytest.raises(UnknownName, match="segment"):
        region_of_segment("tail")
