"""Masses of the segments, against the table of de Leva."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin

from robotix.human.body.segments import load_segment_rows
from robotix.model import Model

# [deLeva1996] Table 4: share of body mass
FRACTIONS = {
    "male": {"head": 0.0694, "trunk": 0.4346, "upper_arm": 0.0271, "forearm": 0.0162,
             "hand": 0.0061, "thigh": 0.1416, "shank": 0.0433, "foot": 0.0137},
    "female": {"head": 0.0668, "trunk": 0.4257, "upper_arm": 0.0255, "forearm": 0.0138,
               "hand": 0.0056, "thigh": 0.1478, "shank": 0.0481, "foot": 0.0129},
}  # fmt: skip


# Table 4: centre of the whole trunk, from suprasternale to the middle of the hips; its length, m;
# how well the parts fit (the table's own male rows differ by 3 mm)
TRUNK_CENTRE = {"male": (0.4486, 0.5319, 0.006), "female": (0.4151, 0.5293, 2e-4)}


@pytest.mark.parametrize("sex", TRUNK_CENTRE)
def test_parts_of_the_trunk_have_the_centre_of_the_whole(sex: str) -> None:
    """So their lengths fit the rest of the table."""
    rows = load_segment_rows("male" if sex == "male" else "female")
    parts = [rows[name] for name in ("upper_trunk", "middle_trunk", "lower_trunk")]
    lengths = np.array([part.mean_length for part in parts], dtype=float)
    starts = np.r_[0.0, np.cumsum(lengths)[:-1]]
    centres = starts + np.array([part.com for part in parts]) * lengths
    whole, length, fit = TRUNK_CENTRE[sex]
    assert lengths.sum() == pytest.approx(length, abs=1e-4)
    found = np.average(centres, weights=[part.mass for part in parts]) / length
    assert found == pytest.approx(whole, abs=fit)


def share(model: Model, *names: str) -> float:
    return sum(model.body(name).mass for name in names) / model.mass


@pytest.mark.parametrize("sex", FRACTIONS)
def test_segments_have_the_published_masses(sex: str) -> None:
    model, table = manikin(sex).model, FRACTIONS[sex]
    assert share(model, "head_segment") == pytest.approx(table["head"], abs=2e-5)
    assert share(model, "pelvis", "lumbar", "thorax") == pytest.approx(table["trunk"], abs=1e-4)
    for side in SIDES:
        for name in ("upper_arm", "forearm", "thigh", "shank"):
            assert share(model, f"{side}_{name}") == pytest.approx(table[name], abs=2e-5)
        assert share(model, f"{side}_hand_segment") == pytest.approx(table["hand"], abs=2e-5)
        foot = share(model, f"{side}_foot_segment", f"{side}_toes")
        assert foot == pytest.approx(table["foot"], abs=2e-5)


# de Leva 1996, Table 4: centre of mass from the upper joint, radii of gyration; shares of length
CENTRES = {
    "male": {"thigh": 0.4095, "shank": 0.4459, "upper_arm": 0.5772, "forearm": 0.4608},
    "female": {"thigh": 0.3612, "shank": 0.4416, "upper_arm": 0.5754, "forearm": 0.4592},
}


GYRATION = {
    "male": {"thigh": (0.329, 0.329, 0.149), "shank": (0.255, 0.249, 0.103)},
    "female": {"thigh": (0.369, 0.364, 0.162), "shank": (0.271, 0.267, 0.093)},
}


@pytest.mark.parametrize("sex", CENTRES)
def test_limbs_have_the_published_centres_and_inertias(sex: str) -> None:
    person = manikin(sex)
    for name, com in CENTRES[sex].items():
        body, length = person.model.body(f"right_{name}"), person.anthropometry[f"{name}_length"]
        np.testing.assert_allclose(body.com, [0, 0, -com * length], atol=1e-12)
        if name in GYRATION[sex]:
            radii = np.sqrt(np.diag(body.inertia) / body.mass) / length
            np.testing.assert_allclose(radii, GYRATION[sex][name], atol=1e-12)


@pytest.mark.parametrize(
    # de Leva 1996, Table 4: trunk from suprasternale to the middle of the hips; the three parts in
    # the same table make 0.4541 for men
    ("sex", "com"),
    [("male", 0.4486), ("female", 0.4151)],
)
def test_the_cut_trunk_is_the_whole_trunk(sex: str, com: float) -> None:
    person = manikin(sex)
    model, at = person.model, person.skeleton
    parts = [model.body(name) for name in ("pelvis", "lumbar", "thorax")]
    origins = [at["pelvis"], at["l5s1"], at["t12l1"]]
    moments = [b.mass * (b.com + o) for b, o in zip(parts, origins, strict=True)]
    centre = np.sum(moments, axis=0) / sum(b.mass for b in parts)
    top, bottom = at["suprasternale"][2], at["pelvis"][2]
    assert (top - centre[2]) / (top - bottom) == pytest.approx(com, abs=0.006)
    np.testing.assert_allclose(centre[:2], 0, atol=1e-12)


def test_the_weight_above_l5s1() -> None:
    """De Leva's men: 0.49 of body mass above the navel, 0.53 with a part of the lower trunk."""
    model = manikin("male").model
    below = share(model, "pelvis") + 2 * share(
        model, "right_thigh", "right_shank", "right_foot_segment", "right_toes"
    )
    assert 0.491 < 1 - below < 0.53
