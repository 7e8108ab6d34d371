"""Static stability of the wheelchair: the table of the data, closed forms, the search."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.experiments.wheelchair.chair import load_chair, load_rider, load_with_rail
from robotix.experiments.wheelchair.stability import (
    ChairLoad,
    StabilityResult,
    edge_distances,
    evaluate_stability,
    find_worst_posture,
    folded_posture,
    sample_stability,
    stretched_posture,
    sweep_stability,
)
from robotix.kinematics import Posture
from robotix.model.robots import load

# Smallest tip angles in degrees: folded, stretched, stretched with the rated payload; worst over 61
# rail positions and 73 azimuths. Computed once by another program, from masses of the same sources.
TABLE = {
    (60.0, False): {
        "kuka_lwr": ([11.9, 9.3, 3.6], [6.0, -1.0, -12.4]),
        "amtec_ulwr": ([8.7, 5.6, 2.1], [0.3, -7.2, -13.1]),
        "mitsubishi_pa10": ([5.6, 1.1, -5.8], [-4.2, -13.6, -23.1]),
    },
    (60.0, True): {
        "kuka_lwr": ([18.9, 16.7, 11.5], [20.2, 14.8, 3.2]),
        "amtec_ulwr": ([16.3, 13.6, 10.4], [14.4, 8.3, 2.1]),
        "mitsubishi_pa10": ([13.9, 9.9, 3.4], [10.1, 1.7, -9.1]),
    },
    (100.0, True): {
        "kuka_lwr": ([21.6, 19.7, 15.1], [25.3, 21.6, 12.2]),
        "amtec_ulwr": ([19.0, 16.8, 13.9], [19.9, 15.6, 10.3]),
        "mitsubishi_pa10": ([16.7, 13.2, 7.2], [15.7, 9.3, -0.8]),
    },
}
PAYLOADS = {"kuka_lwr": 7.0, "amtec_ulwr": 5.0, "mitsubishi_pa10": 10.0}
TOLERANCE_DEG = 0.3  # masses and centres of mass of the arms differ a little


@pytest.mark.parametrize("arm", PAYLOADS)
@pytest.mark.parametrize(("chair_mass", "anti_tip"), TABLE)
@pytest.mark.parametrize("person", [True, False])
def test_the_table_is_reproduced(arm: str, chair_mass: float, anti_tip: bool, person: bool) -> None:
    bare, model = load(arm), load_with_rail(arm)
    chair, rider = load_chair().with_mass(chair_mass), load_rider() if person else None
    postures = (
        (folded_posture(bare), 0.0),
        (stretched_posture(bare), 0.0),
        (stretched_posture(bare), PAYLOADS[arm]),
    )
    found = [
        sweep_stability(model, q, load=ChairLoad(chair, rider, payload, anti_tip)).tip_angle
        for q, payload in postures
    ]
    expected = TABLE[chair_mass, anti_tip][arm][0 if person else 1]
    np.testing.assert_allclose(np.degrees(found), expected, atol=TOLERANCE_DEG)


def test_distances_to_the_edges_of_a_square() -> None:
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    points = np.array([[1.0, 1.0], [0.25, 1.0], [2.0, 0.5], [3.0, 1.0]])
    np.testing.assert_allclose(edge_distances(square, points), [1.0, 0.25, 0.0, -1.0])


def test_the_common_centre_of_mass_is_the_weighted_mean() -> None:
    model, load_ = load_with_rail("kuka_lwr"), ChairLoad.typical(payload=2.0)
    q = np.array([1.0, 0.3, -0.4, 0.2, 1.1, 0.0, -0.5, 0.1])
    found = evaluate_stability(model, q[None], load=load_)
    posture = Posture(model, q)
    hand = posture.position() + 0.1 * posture.pose().rotation[:, 2]
    masses = [60.0, 75.0, sum(body.mass for body in model.bodies), 2.0]
    places = np.array([[0.19, 0, 0.30], [0.222, 0, 0.765], posture.com, hand])
    np.testing.assert_allclose(found.com[0], np.average(places, axis=0, weights=masses))
    np.testing.assert_allclose(found.hand[0], hand)


def test_the_search_beats_its_sample_and_the_sweep() -> None:
    model, load_ = load_with_rail("kuka_lwr"), ChairLoad.typical(payload=7.0)
    rng = np.random.default_rng(1)
    sample = sample_stability(model, 20_000, load=load_, rng=rng)
    worst = find_worst_posture(model, sample, load=load_, rng=rng)
    swept = sweep_stability(model, stretched_posture(load("kuka_lwr")), load=load_)
    assert worst.tip_angle <= StabilityResult.worst_of(sample).tip_angle
    assert worst.tip_angle <= swept.tip_angle
    assert np.degrees(worst.tip_angle) == pytest.approx(11.36, abs=0.05)
    assert (model.lower <= worst.q).all() and (worst.q <= model.upper).all()
    again = evaluate_stability(model, worst.q[None], load=load_)
    assert again.tip_angle[0] == pytest.approx(worst.tip_angle)


def test_the_search_ends_in_the_same_place_from_other_samples() -> None:
    model, load_ = load_with_rail("mitsubishi_pa10"), ChairLoad.typical(person=False)
    angles = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        sample = sample_stability(model, 20_000, load=load_, rng=rng)
        assert sample.hand[:, 2].min() >= 0
        angles.append(np.degrees(find_worst_posture(model, sample, load=load_, rng=rng).tip_angle))
    assert max(angles) - min(angles) < 0.1


@pytest.mark.parametrize("payload", [-1.0, 1e4, float("nan")])
def test_payloads_are_checked(payload: float) -> None:
    with pytest.raises(BadField, match="payload"):
        ChairLoad.typical(payload=payload)


@pytest.mark.parametrize("mass", [0.0, -5.0, float("nan")])
def test_the_mass_of_the_chair_is_checked(mass: float) -> None:
    with pytest.raises(BadField, match="mass of the chair"):
        load_chair().with_mass(mass)
