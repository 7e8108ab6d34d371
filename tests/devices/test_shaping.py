"""Laws of dead zone, curve, scale, remapping and clutch."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.devices.rigid_transform import RigidTransform, angle_between, unit
from robotix.devices.shaping import Clutch, apply_clutch, apply_dead_zone, make_terms, shape_axis

VALUES = st.floats(-1, 1)
ZONES = st.floats(0, 0.9)
EXPONENTS = st.floats(0.25, 8)
SCALES = st.floats(0.01, 5)
POINTS = st.tuples(*[st.floats(-10, 10)] * 3)
TURNS = (
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda values: math.hypot(*values) > 0.1).map(unit)
)
PLACES = st.builds(RigidTransform, POINTS, TURNS)


@given(VALUES, ZONES)
def test_dead_zone_is_dead_inside_and_whole_outside(value: float, zone: float) -> None:
    result = apply_dead_zone(value, zone)
    if abs(value) <= zone:
        assert result == 0.0
    else:
        assert result > 0.0 if value > 0.0 else result < 0.0
    assert apply_dead_zone(1.0, zone) == pytest.approx(1.0)


@given(ZONES, EXPONENTS, SCALES)
def test_nothing_jumps_at_the_edge_of_the_dead_zone(
    zone: float, exponent: float, scale: float
) -> None:
    beyond = shape_axis(zone + 1e-12, dead_zone=zone, exponent=exponent, scale=scale)
    assert 0.0 <= beyond <= scale * (1e-10) ** min(exponent, 1.0) * 10


@given(VALUES, ZONES, EXPONENTS, SCALES)
def test_shape_is_odd_and_within_its_scale(
    value: float, zone: float, exponent: float, scale: float
) -> None:
    result = shape_axis(value, dead_zone=zone, exponent=exponent, scale=scale)
    assert result == -shape_axis(-value, dead_zone=zone, exponent=exponent, scale=scale)
    assert abs(result) <= min(scale, 1.0)
    assert result * value >= 0.0


@given(VALUES, VALUES, ZONES, EXPONENTS, SCALES)
def test_shape_is_monotone(
    one: float, other: float, zone: float, exponent: float, scale: float
) -> None:
    low, high = sorted((one, other))
    ends = [shape_axis(v, dead_zone=zone, exponent=exponent, scale=scale) for v in (low, high)]
    assert ends[0] <= ends[1]


@given(st.permutations(["x", "y", "z"]), st.tuples(*[st.sampled_from(["", "-"])] * 3), POINTS)
def test_remap_is_a_signed_permutation(
    order: list[str], signs: tuple[str, ...], values: tuple[float, ...]
) -> None:
    terms = make_terms(tuple(sign + name for sign, name in zip(signs, order, strict=True)))
    axes = dict(zip(("x", "y", "z"), values, strict=True))
    result = [term.value(axes, frozenset()) for term in terms]
    assert sorted(map(abs, result)) == sorted(map(abs, values))
    assert result == [
        -axes[name] if sign else axes[name] for sign, name in zip(signs, order, strict=True)
    ]


def test_two_buttons_make_an_axis() -> None:
    (term, none) = make_terms(("Up/Down", ""))
    downs = [{"Up"}, {"Down"}, {"Up", "Down"}, set[str]()]
    assert [term.value({}, frozenset(down)) for down in downs] == [1.0, -1.0, 0.0, 0.0]
    assert none.value({}, frozenset({""})) == 0.0


@pytest.mark.parametrize("texts", [("-",), ("Up/",), ("a/b/c",), ("x", "-x"), ("a/b", "b/c")])
def test_a_remap_that_makes_no_sense_is_refused(texts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"axes must be"):
        make_terms(texts)


@given(PLACES, PLACES, PLACES)
def test_a_clutch_does_not_jump_when_engaged(
    given_: RigidTransform, here: RigidTransform, there: RigidTransform
) -> None:
    clutch = apply_clutch(Clutch(given_), here, held=False)
    assert clutch.pose == given_
    clutch = apply_clutch(clutch, there, held=True)
    assert clutch.pose == given_


@given(PLACES, st.lists(st.tuples(PLACES, st.booleans()), min_size=1, max_size=8), SCALES)
def test_a_clutch_moves_only_while_held(
    start: RigidTransform, steps: list[tuple[RigidTransform, bool]], scale: float
) -> None:
    clutch, was_held = Clutch(start), False
    for place, held in steps:
        before = clutch.pose
        clutch = apply_clutch(clutch, place, held=held, scale=scale)
        if not (held and was_held):
            assert clutch.pose == before
        assert math.hypot(*clutch.pose.quaternion) == pytest.approx(1.0)
        was_held = held


@given(PLACES, PLACES, PLACES, SCALES)
def test_a_held_clutch_moves_like_the_hand(
    start: RigidTransform, here: RigidTransform, there: RigidTransform, scale: float
) -> None:
    held = apply_clutch(Clutch(start), here, held=True)
    moved = apply_clutch(held, there, held=True, scale=scale).pose
    for i in range(3):
        way = there.position[i] - here.position[i]
        assert moved.position[i] == pytest.approx(start.position[i] + scale * way, abs=1e-9)
    turn = angle_between(here.quaternion, there.quaternion)
    assert angle_between(start.quaternion, moved.quaternion) == pytest.approx(turn, abs=1e-6)
    back = apply_clutch(
        apply_clutch(held, there, held=True, scale=scale), here, held=True, scale=scale
    )
    assert back.pose.position == pytest.approx(start.position, abs=1e-9)
