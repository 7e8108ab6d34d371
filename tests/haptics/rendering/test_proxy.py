"""Proxies: they stay outside, at the nearest place, on solids and meshes, also at corners."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.errors import BadField
from robotix.geometry import Box, Halfspace, Mesh, Pose, Sphere
from robotix.haptics.rendering.proxy import ProxyBall

R = 0.005


def write_cube(path: Path, half: float) -> Mesh:
    corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f " + " ".join(map(str, face)) for face in faces]
    path.write_text("\n".join(lines) + "\n")
    return Mesh(str(path))


def test_free_space_is_followed_at_once() -> None:
    ball = ProxyBall([Halfspace()], (0, 0, 0.1), radius=R)
    np.testing.assert_allclose(ball.follow((0.3, -0.2, 0.05)), (0.3, -0.2, 0.05), atol=1e-6)
    assert ball.contacts == ()


def test_a_floor_holds_the_ball_above_the_handle() -> None:
    ball = ProxyBall([Halfspace()], (0, 0, 0.1), radius=R)
    found = ball.follow((0.02, 0.01, -0.03))
    np.testing.assert_allclose(found, (0.02, 0.01, R), atol=1e-4)
    assert len(ball.contacts) == 1
    np.testing.assert_allclose(ball.contacts[0].normal, (0, 0, 1), atol=1e-9)


def test_three_walls_hold_it_in_their_corner() -> None:
    walls = [
        Box(np.array(size), Pose.at(*place))
        for size, place in (
            ((1.0, 1.0, 0.2), (0.0, 0.0, -0.1)),
            ((0.2, 1.0, 1.0), (-0.1, 0.0, 0.0)),
            ((1.0, 0.2, 1.0), (0.0, -0.1, 0.0)),
        )
    ]
    ball = ProxyBall(walls, (0.1, 0.1, 0.1), radius=R)
    np.testing.assert_allclose(ball.follow((-0.03, -0.02, -0.01)), (R, R, R), atol=2e-4)
    assert len(ball.contacts) == 3


def test_a_thin_wall_is_not_passed_through() -> None:
    ball = ProxyBall([Box(np.array([1.0, 1.0, 0.001], dtype=float))], (0, 0, 0.05), radius=R)
    for z in np.linspace(0.04, -0.2, 40):
        ball.follow((0.0, 0.0, z))
    assert ball.position[2] == pytest.approx(0.0005 + R, abs=1e-4)


def test_a_mesh_is_touched_like_the_solid_that_it_is(tmp_path: Path) -> None:
    mesh = write_cube(tmp_path / "cube.obj", 0.05)
    on_mesh = ProxyBall([mesh], (0.0, 0.0, 0.1), radius=R)
    on_box = ProxyBall([Box(np.array([0.1, 0.1, 0.1], dtype=float))], (0.0, 0.0, 0.1), radius=R)
    rng = np.random.default_rng(0)
    goal = np.array([0.0, 0.0, 0.1])
    for _ in range(60):
        goal = np.clip(goal + rng.normal(scale=0.01, size=3), -0.045, 0.06)
        a, b = on_mesh.follow(goal), on_box.follow(goal)
        assert max(abs(a).max(), abs(b).max()) > 0.05  # never inside
        np.testing.assert_allclose(a, b, atol=5e-4)


def test_it_slides_over_an_edge_without_a_jump() -> None:
    ball = ProxyBall([Box(np.array([0.1, 0.1, 0.1], dtype=float))], (0.0, 0.0, 0.07), radius=R)
    way = [ball.follow((x, 0.0, 0.0535)) for x in np.linspace(0, 0.07, 141)]
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    assert steps.max() < 4e-3
    np.testing.assert_allclose(way[-1], (0.07, 0.0, 0.0535), atol=1e-3)


def test_friction_sticks_within_its_cone() -> None:
    ball = ProxyBall([Halfspace()], (0, 0, 0.02), radius=R, friction=0.5)
    ball.follow((0.0, 0.0, -0.02))
    stuck = ball.follow((0.005, 0.0, -0.02))
    assert abs(stuck[0]) < 1e-3
    slid = ball.follow((0.05, 0.0, -0.02))
    assert 0.02 < slid[0] < 0.05


def test_wrong_starts_are_refused() -> None:
    with pytest.raises(BadField, match="outside all solids"):
        ProxyBall([Sphere(0.1)], (0, 0, 0))
    with pytest.raises(BadField, match="positive length"):
        ProxyBall([], (0, 0, 0), radius=0.0)
    with pytest.raises(BadField, match="three finite"):
        ProxyBall([], (0, 0, 0)).follow((np.nan, 0, 0))
