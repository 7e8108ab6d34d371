"""The robot library against the numbers it was made from."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.errors import BadFile, UnknownName
from robotix.geometry import Array, Capsule, Shape, Sphere
from robotix.model import Model
from robotix.model.robots import describe_robot, load, robot_names

ON_RAIL = ("amtec_ulwr_rail", "kuka_lwr_rail", "mitsubishi_pa10_rail")
ARMS = (
    *("amtec_ulwr", "kuka_lwr", "mitsubishi_pa10", "panda"),
    *("planar_3r", "scara", "ur5", "vishard10"),
)
OWN = tuple(sorted([*ARMS, *ON_RAIL]))  # others come from packages

# Standard rows [a, alpha/pi, d]: of the LWR from CentroEPiaggio/kuka-lwr, kuka-isir, FloBaRoID and
# RCPRG, of the LWA3 from openrave, of the PA-10-7C from choreonoid and openrave.
DH_STANDARD: dict[str, list[tuple[float, float, float]]] = {
    "kuka_lwr": [
        (0, 0.5, 0.3105),
        (0, -0.5, 0),
        (0, -0.5, 0.400),
        (0, 0.5, 0),
        (0, 0.5, 0.390),
        (0, -0.5, 0),
        (0, 0, 0.078),
    ],
    "amtec_ulwr": [
        (0, 0.5, 0.300),
        (0, -0.5, 0),
        (0, 0.5, 0.328),
        (0, -0.5, 0),
        (0, 0.5, 0.2765),
        (0, -0.5, 0),
        (0, 0, 0.1825),
    ],
    "mitsubishi_pa10": [
        (0, -0.5, 0.315),
        (0, 0.5, 0),
        (0, -0.5, 0.450),
        (0, 0.5, 0),
        (0, -0.5, 0.500),
        (0, 0.5, 0),
        (0, 0, 0.080),
    ],
}


def dh_product(rows: list[tuple[float, float, float]], q: Array) -> Array:
    """Rz(q) Tz(d) Tx(a) Rx(alpha), row after row, multiplied out by hand."""
    T = np.eye(4)
    for (a, alpha_pi, d), angle in zip(rows, q, strict=True):
        c, s = math.cos(angle), math.sin(angle)
        ca, sa = math.cos(alpha_pi * math.pi), math.sin(alpha_pi * math.pi)
        T = T @ np.array(
            [
                [c, -s * ca, s * sa, a * c],
                [s, c * ca, -c * sa, a * s],
                [0, sa, ca, d],
                [0, 0, 0, 1],
            ]
        )
    return T


def tip(model: Model, q: Array) -> Array:
    return world_poses(model, q)[model.tip].translation


def postures(model: Model, count: int, seed: int = 0) -> Array:
    low, high = np.maximum(model.lower, -2 * math.pi), np.minimum(model.upper, 2 * math.pi)
    return np.random.default_rng(seed).uniform(low, high, (count, model.n_dof))


# -- the library --------------------------------------------------------------------------------


def test_the_library_offers_these_robots() -> None:
    assert set(OWN) <= set(robot_names())
    assert list(robot_names()) == sorted(robot_names())
    for name in OWN:
        model, info = load(name), describe_robot(name)
        assert model.name == info.name == name
        assert model.tip == "flange"
        assert model.source and info.source and info.title
        assert info.n_dof == model.n_dof
        assert info.mass == pytest.approx(model.mass)
        assert info.reach > 0
        assert info.payload and info.payload > 0
        assert info.confidence in ("high", "medium", "low", "assumed")
        assert hash(info)  # a plain value


@pytest.mark.parametrize("name", robot_names())
def test_every_parameter_has_its_provenance(name: str) -> None:
    model, info = load(name), describe_robot(name)
    told = {item.parameter for item in info.provenance}
    assert {"kinematics", "mass", "inertia", "shape", "payload"} <= told
    for what in ("velocity", "acceleration", "effort"):
        arm = getattr(model, what)[-1]  # the rail's own limits apart
        assert (what in told) or not np.isfinite(arm), what
    assert "limits" in told or np.isinf(model.lower).all()
    for item in info.provenance:
        assert item.sources or item.confidence == "assumed" or item.unverified, item


def test_unknown_names_and_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'kuka_lwr'"):
        load("kuka_lrw")
    for name in ("wheelchair_rail", "panda_rail", "", "../data/ur5", "no-such"):
        with pytest.raises((UnknownName, BadFile)):
            load(name)
    with pytest.raises(UnknownName, match="did you mean 'panda'"):
        describe_robot("pandar")
    with pytest.raises(ValueError, match="no rail to tilt"):
        load("kuka_lwr", tilt=0.1)
    with pytest.raises(ValueError, match="takes no tilt"):
        load(tmp_path / "x.toml", tilt=0.1)
    for tilt in (0.6, -0.3, math.nan):
        with pytest.raises(ValueError, match=r"-15° to 30°"):
            load("kuka_lwr_rail", tilt=tilt)


def test_a_file_is_loaded_like_a_robot(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[[joint]]\na = 1.0\n')
    assert load(path).name == load(str(path)).name == "mine"
    with pytest.raises(BadFile, match="no such file"):
        load(str(tmp_path / "none.toml"))


# -- the three compared arms --------------------------------------------------------------------


@pytest.mark.parametrize("name", DH_STANDARD)
def test_flange_follows_the_published_table(name: str) -> None:
    model = load(name)
    for q in postures(model, 50):
        expected = dh_product(DH_STANDARD[name], q)
        np.testing.assert_allclose(world_poses(model, q)["flange"].matrix, expected, atol=1e-14)


@pytest.mark.parametrize(
    ("name", "height", "upper", "fore", "hand"),
    [
        ("kuka_lwr", 1.1785, 0.400, 0.390, 0.078),
        ("amtec_ulwr", 1.087, 0.328, 0.2765, 0.1825),
        ("mitsubishi_pa10", 1.345, 0.450, 0.500, 0.080),
    ],
)
def test_lengths(name: str, height: float, upper: float, fore: float, hand: float) -> None:
    model = load(name)
    poses = world_poses(model, np.zeros(7))
    np.testing.assert_allclose(poses["flange"].translation, [0, 0, height], atol=1e-15)
    q = postures(model, 1)[0]
    poses = world_poses(model, q)
    shoulder, elbow, wrist = (poses[n].translation for n in ("link2", "elbow", "wrist"))
    assert math.dist(shoulder, elbow) == pytest.approx(upper, abs=1e-15)
    assert math.dist(elbow, wrist) == pytest.approx(fore, abs=1e-15)
    assert math.dist(wrist, poses["flange"].translation) == pytest.approx(hand, abs=1e-15)
    assert describe_robot(name).reach == pytest.approx(upper + fore + hand, abs=1e-12)


@pytest.mark.parametrize(("name", "closest"), [("kuka_lwr", 0.395), ("mitsubishi_pa10", 0.351)])
def test_folded_as_far_as_the_elbow_goes(name: str, closest: float) -> None:
    model = load(name)
    q = np.where(np.arange(7) == 3, model.upper, 0.0)
    poses = world_poses(model, q)
    gap = math.dist(poses["link2"].translation, poses["wrist"].translation)
    assert gap == pytest.approx(closest, abs=5e-4)


def test_limits_of_the_three_arms() -> None:
    lwr, lwa, pa10 = (load(name) for name in ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10"))
    for model, degrees in (
        (lwr, [170, 120, 170, 120, 170, 120, 170]),
        (lwa, [180, 130, 160, 130, 160, 130, 160]),
        (pa10, [177, 91, 174, 137, 255, 165, 255]),
    ):
        np.testing.assert_allclose(model.upper, np.radians(degrees), rtol=1e-15)
        np.testing.assert_array_equal(model.lower, -model.upper)
    assert lwr.dof_names == ("A1", "A2", "E1", "A3", "A4", "A5", "A6")
    assert pa10.dof_names == ("S1", "S2", "S3", "E1", "E2", "W1", "W2")
    np.testing.assert_allclose(np.degrees(lwr.velocity), [110, 110, 128, 128, 204, 184, 184])
    np.testing.assert_allclose(lwr.effort, [176, 176, 100, 100, 100, 38, 38])
    np.testing.assert_allclose(np.degrees(lwa.velocity), [25.1, 33.5, 24.0, 32.0, 27.2, 50, 50])
    fast = [100.5, 134.1, 95.1, 127.9, 108.7, 200.0, 200.0]
    np.testing.assert_allclose(np.degrees(lwa.acceleration), fast)
    np.testing.assert_allclose(lwa.effort, [370, 370, 176, 176, 41.6, 20.1, 9.6])
    np.testing.assert_allclose(pa10.velocity, [1, 1, 2, 2, 2, 6.2832, 6.2832])
    np.testing.assert_allclose(np.degrees(pa10.acceleration), [95.5] * 2 + [191.0] * 5)
    assert np.isinf(pa10.effort).all()  # none was found


def at_zero(model: Model) -> list[Array]:
    """Centres of mass in the base frame while all joints are at zero."""
    poses = world_poses(model, np.zeros(model.n_dof))
    return [poses[body.name].apply(body.com) for body in model.bodies]


def test_masses_of_the_lwr() -> None:
    """FloBaRoID kuka_lwr4.urdf: masses sum to the weighed 16 kg; frames stand along z."""
    model = load("kuka_lwr")
    masses = [1.6, 2.7, 2.7, 2.7, 2.7, 1.7, 1.6, 0.3]
    assert [body.mass for body in model.bodies] == masses
    assert model.mass == pytest.approx(16.0)
    origins = np.cumsum([0, 0.11, 0.2005, 0.2, 0.2, 0.2, 0.19, 0.078])
    coms = [(0, 0.055), (-0.06, 0.13), (0.06, 0.07), (0.06, 0.13), (-0.06, 0.07)]
    coms += [(0, 0.124), (0, 0.0625), (0, 0)]
    expected = [(0, y, origin + z) for origin, (y, z) in zip(origins, coms, strict=True)]
    np.testing.assert_allclose(at_zero(model), expected, atol=1e-15)
    poses = world_poses(model, np.zeros(7))
    turn = poses["link4"].rotation
    inertia = turn @ model.body("link4").inertia @ turn.T
    np.testing.assert_allclose(inertia, np.diag([0.01845, 0.00405, 0.01602]), atol=1e-15)


def test_masses_of_the_lwa3() -> None:
    """Link frames of singlearm.urdf: the odd links hang below their joint, the even stand on it."""
    model = load("amtec_ulwr")
    assert model.mass == pytest.approx(7.35 + 6.1405 + 4.531 + 3.2245 + 2 * 2.318 + 1.120198)
    joints = [0.3, 0.3, 0.628, 0.628, 0.9045, 0.9045]
    along = [-0.0691, 0.0548, -0.0619, 0.0484, -0.0494, 0.0377]
    across = [-0.0217, 0.0269, -0.0188, 0.0238, -0.0166, 0.0232]
    expected = [(0, y, h + z) for h, z, y in zip(joints, along, across, strict=True)]
    np.testing.assert_allclose(at_zero(model)[1:7], expected, atol=1e-15)


def test_masses_of_the_pa10() -> None:
    """HuMAnS (7CE) heights of the centres of mass, moved to the 7C's shoulder, elbow and wrist."""
    model = load("mitsubishi_pa10")
    assert model.mass == pytest.approx(40.0)
    assert sum(body.mass for body in model.bodies[1:]) == pytest.approx(27.14)
    ce = np.array([0.307, 0.517, 0.732, 0.882, 1.163, 1.289, 1.269])
    moved = ce + np.array([-2, -2, -2, -2, 18, 18, 18]) * 1e-3  # d1 -2 mm, d5 +20 mm
    np.testing.assert_allclose([com[2] for com in at_zero(model)[1:]], moved, atol=1e-12)


def test_inertias_of_the_pa10_cannot_be_about_the_joints() -> None:
    """HuMAnS calls them so; moved to the centre of mass four of seven would not be positive."""
    impossible = []
    for body in load("mitsubishi_pa10").bodies[1:]:
        c = body.com
        moved = body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c))
        impossible += [body.name] * bool(np.linalg.eigvalsh(moved)[0] < 0)
    assert impossible == ["link2", "link4", "link5", "link6"]


@pytest.mark.parametrize("name", ARMS)
def test_inertias_are_those_of_real_bodies(name: str) -> None:
    for body in load(name).bodies:
        if body.mass > 0:
            small, middle, large = np.linalg.eigvalsh(body.inertia)
            assert small > 0, body.name
            assert small + middle >= large * (1 - 1e-9), body.name


# -- reach and shape ----------------------------------------------------------------------------

FARTHEST = {  # postures found by optimisation that stretch the arm as far as its limits allow
    "amtec_ulwr": [0, math.pi / 2, 0, 0, 0, 0, 0],
    "kuka_lwr": [0, math.pi / 2, 0, 0, 0, 0, 0],
    "mitsubishi_pa10": [0, math.pi / 2, 0, 0, 0, 0, 0],
    "panda": [0.748, 1.333, -0.378, -0.467, 0, 2.665, 0.697],
    "planar_3r": [1, 0, 0],
    "scara": [1, 0, 0.1, 0],
    "ur5": [-6.158, -math.pi, 0, -0.865, -4.916, 2.547],
    "vishard10": [0, 0, 0, 0, math.pi / 2, math.pi / 2, 0, 0, 0, 0],
}


@pytest.mark.parametrize("name", ARMS)
def test_reach_is_the_largest_distance_from_the_first_axis(name: str) -> None:
    model, reach = load(name), describe_robot(name).reach
    farthest = np.hypot(*tip(model, np.array(FARTHEST[name]))[:2])
    assert farthest == pytest.approx(reach, abs=2e-4)
    for q in postures(model, 60):
        assert np.hypot(*tip(model, q)[:2]) <= reach + 1e-4


def depth(shape: Shape, point: Array) -> float:
    """How deep a point of the body lies in one of its capsules or spheres."""
    assert isinstance(shape, Capsule | Sphere)
    place = shape.pose.inverse().apply(point)
    half = shape.length / 2 if isinstance(shape, Capsule) else 0.0
    place[2] -= np.clip(place[2], -half, half)
    return float(shape.radius - np.linalg.norm(place))


@pytest.mark.parametrize("name", OWN)
def test_every_link_has_a_sensible_shape(name: str) -> None:
    model = load(name)
    for body in model.bodies:
        if body.name in ("rail", "carriage"):
            continue
        assert body.collision or (body.name == "base" and name in ("planar_3r", "vishard10"))
        assert [visual.shape for visual in body.visuals] == list(body.collision)
        for shape in body.collision:
            assert isinstance(shape, Capsule | Sphere)
            assert 0.01 < shape.radius < 0.15
            assert np.linalg.norm(shape.pose.translation) < 1.3
    flange = model.point("flange")
    deepest = max(depth(shape, flange.pose.translation) for shape in model.bodies[-1].collision)
    allowed = 0.021 if name == "vishard10" else 1e-9  # its tip is inside the handle
    assert -0.02 < deepest < allowed


def test_shapes_hold_together_at_zero() -> None:
    """Neighbouring links touch: a capsule of one comes near a capsule of the other."""
    for name in ARMS:
        model = load(name)
        poses = world_poses(model, np.zeros(model.n_dof))
        for body in model.bodies[2:]:
            parent = model.body(str(body.parent))
            ends = [poses[body.name].apply(end) for s in body.collision for end in ends_of(s)]
            back = poses[parent.name].inverse()
            gaps = [-depth(s, back.apply(end)) for end in ends for s in parent.collision]
            radius = max(s.radius for s in body.collision if isinstance(s, Capsule | Sphere))
            assert min(gaps) < radius + 0.03, (name, body.name)


def ends_of(shape: Shape) -> list[Array]:
    half = shape.length / 2 if isinstance(shape, Capsule) else 0.0
    assert isinstance(shape, Capsule | Sphere)
    return [shape.pose.apply([0, 0, side * half]) for side in (-1, 1)]


# -- teaching arms ------------------------------------------------------------------------------


def test_planar_arm_moves_in_its_plane() -> None:
    model = load("planar_3r")
    for q in postures(model, 20):
        a, b, c = np.cumsum(q)
        x = 0.5 * math.cos(a) + 0.4 * math.cos(b) + 0.3 * math.cos(c)
        y = 0.5 * math.sin(a) + 0.4 * math.sin(b) + 0.3 * math.sin(c)
        np.testing.assert_allclose(tip(model, q), [x, y, 0], atol=1e-15)


def test_scara_slides_down() -> None:
    model = load("scara")
    assert [joint.kind for joint in model.joints[1:]] == [
        "revolute",
        "revolute",
        "prismatic",
        "revolute",
    ]
    for q in postures(model, 20):
        a, b = q[0], q[0] + q[1]
        x = 0.35 * math.cos(a) + 0.30 * math.cos(b)
        y = 0.35 * math.sin(a) + 0.30 * math.sin(b)
        np.testing.assert_allclose(tip(model, q), [x, y, 0.40 - 0.10 - q[2]], atol=1e-15)
