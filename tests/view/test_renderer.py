"""Pictures obey optics: sizes, depths, hiding, mirrors, shadows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.seen_things import SIZE, ahead, seen

from robotix.geometry import Box, Halfspace, Pose, Sphere
from robotix.view import (
    FLOOR_ID,
    SKY_ID,
    Camera,
    Polyline,
    Stage,
    Thing,
    orbit,
    render,
    render_view,
    solid_mesh,
)


@given(radius=st.floats(0.1, 0.8), distance=st.floats(3.0, 8.0))
@settings(max_examples=15)
def test_outline_of_a_ball_has_the_size_that_optics_gives(radius: float, distance: float) -> None:
    camera = ahead(distance)
    view = seen([solid_mesh(Sphere(radius))], camera, samples=1)
    focal = camera.intrinsics(SIZE)[0, 0]
    expected = math.pi * (focal * math.tan(math.asin(radius / distance))) ** 2
    assert (view.ids == 0).sum() == pytest.approx(expected, rel=0.03, abs=12)


@given(yaw=st.floats(-3, 3), rise=st.floats(0.1, 1.2), far=st.floats(2.5, 6.0))
@settings(max_examples=15)
def test_depth_of_a_ball_is_the_analytic_one(yaw: float, rise: float, far: float) -> None:
    radius, place = 0.7, np.array([0.3, -0.2, 0.5])
    camera = orbit(place + 0.1, distance=far, azimuth=yaw, elevation=rise)
    view = seen([solid_mesh(Sphere(radius, Pose(translation=place)), around=192)], camera)
    rows, columns = np.nonzero(view.ids == 0)
    pixels = np.stack([columns + 0.5, rows + 0.5, np.ones(len(rows))])
    rays = np.linalg.solve(camera.intrinsics(SIZE), pixels).T
    centre = camera.world_from_camera.inverse().apply(place)
    b, a = rays @ centre, (rays**2).sum(axis=1)
    root = b**2 - a * (centre @ centre - radius**2)
    inner = root > 0.05  # off the outline, where a polyhedron is not a ball
    expected = (b - np.sqrt(np.maximum(root, 0))) / a
    np.testing.assert_allclose(view.depth[rows, columns][inner], expected[inner], atol=2e-3)
    assert inner.sum() > 100


def test_depth_of_the_floor_is_exact_and_ends_at_the_horizon() -> None:
    camera = Camera(np.array([0.0, 0.0, 2.0]), np.array([4.0, 0.0, 1.5]))
    view = render_view([], camera, size=SIZE)
    bottom = view.depth[-1, SIZE[0] // 2]
    ray = np.linalg.solve(camera.intrinsics(SIZE), [SIZE[0] / 2 + 0.5, SIZE[1] - 0.5, 1.0])
    world = camera.world_from_camera.rotation @ ray
    assert bottom == pytest.approx(2.0 / -world[2], rel=1e-5)
    assert (view.ids[-1] == FLOOR_ID).all() and (view.ids[0] == SKY_ID).all()
    assert np.isinf(view.depth[0]).all()


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_near_hides_far_whatever_the_order(order: tuple[int, int]) -> None:
    balls = [solid_mesh(Sphere(0.3, Pose.at(1.0, 0, 0))), solid_mesh(Sphere(0.3))]
    view = seen([balls[k] for k in order], ahead())
    assert view.ids[SIZE[1] // 2, SIZE[0] // 2] == order.index(0)


def test_what_reaches_behind_the_eye_is_still_drawn() -> None:
    camera = Camera(np.zeros(3), np.array([1.0, 0.0, 0.0]))
    ground = solid_mesh(Halfspace(Pose.at(0.0, 0.0, -1.0)))
    view = seen([ground], camera)
    assert (view.ids[SIZE[1] // 2 + 12 :] == 0).all()
    assert (view.ids[: SIZE[1] // 2] == SKY_ID).all()


def still_life(mirror: float) -> list[Thing]:
    return [
        solid_mesh(Box(np.array([0.4, 0.3, 0.5]), Pose.at(0.2, mirror * 0.5, 0.25)), colour=RED),
        solid_mesh(Sphere(0.25, Pose.at(-0.3, mirror * -0.4, 0.25)), gloss=0.5),
        Polyline(np.array([[0.6, mirror * -0.5, 0.02], [0.6, mirror * 0.3, 0.02]])),
    ]


RED = (0.8, 0.3, 0.2)


def test_a_mirrored_scene_gives_the_mirrored_picture() -> None:
    pictures = []
    for mirror in (1.0, -1.0):
        stage = Stage(sun=np.array([0.5, mirror * 0.6, 1.0]))
        camera = Camera(np.array([3.0, 0.0, 1.2]), np.array([0.0, 0.0, 0.3]))
        pictures.append(render(still_life(mirror), camera, size=SIZE, stage=stage))
    difference = abs(pictures[0].astype(int) - pictures[1][:, ::-1].astype(int))
    assert difference.mean() < 0.5
    assert (difference.max(axis=2) > 24).mean() < 0.002  # grain of shadows' edges


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_shadow_lies_away_from_the_sun(way: tuple[int, int]) -> None:
    sun = np.array([*way, 1.0])
    camera = Camera(np.array([0.0, 1e-3, 5.0]), np.zeros(3), np.array([1.0, 0.0, 0.0]))
    stage = Stage(sun=sun, grid_colour=Stage().floor_colour, reach=1e-3)
    ball = solid_mesh(Sphere(0.2, Pose.at(0.0, 0.0, 0.8)))
    view = render_view([ball], camera, size=SIZE, stage=stage)
    dark, lit = (
        view.image[tuple(camera.pixels([place], SIZE)[0, [1, 0]].astype(int))].mean()
        for place in (-0.8 * sun * (1, 1, 0), 0.8 * sun * (1, 1, 0))
    )
    assert dark < lit - 20


def test_sides_towards_the_sun_are_brighter() -> None:
    view = seen(
        [solid_mesh(Sphere(0.8))], ahead(), stage=Stage(floor=None, sun=np.array([0, 1, 0.2]))
    )
    middle = SIZE[1] // 2
    row = view.image[middle].mean(axis=1)
    assert row[SIZE[0] // 2 + 25] > row[SIZE[0] // 2 - 25] + 30  # y is to the right from in front


def test_transparent_things_let_the_rest_through() -> None:
    def green(opacity: float) -> float:
        pane = solid_mesh(
            Box(np.array([0.01, 2, 2]), Pose.at(1, 0, 0)), colour=RED, opacity=opacity
        )
        back = solid_mesh(Box(np.array([0.01, 2, 2])), colour=(0.1, 0.9, 0.1))
        return float(seen([pane, back], ahead()).image[60, 80, 1])

    assert green(0.0) > green(0.5) > green(1.0)


def test_the_same_picture_every_time() -> None:
    camera = orbit((0, 0, 0.3), distance=3, azimuth=0.5, elevation=0.3)
    assert (
        render(still_life(1), camera, size=SIZE) == render(still_life(1), camera, size=SIZE)
    ).all()


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        render([], ahead(), size=(0, 10))
    with pytest.raises(ValueError, match="too many"):
        render([], ahead(), size=(100_000, 100_000))
