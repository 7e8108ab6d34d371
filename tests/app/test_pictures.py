"""Pictures of robots and scenes from Python, without a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import robotix as rx
from robotix.app.scene_things import scene_things
from robotix.view import Mesh3

SIZE = (120, 90)
SCENE = """
robotix: 1
objects:
  red: {box: [0.4, 0.4, 0.4], at: [0, 0, 0.2], material: {colour: [0.9, 0.05, 0.05]}}
  eye: {viewpoint: {}, at: [-2, 0, 0.2]}
"""


def redness(image: np.ndarray) -> float:
    pixels = image.astype(float)
    return float(np.mean((pixels[..., 0] > 2 * pixels[..., 1]) & (pixels[..., 0] > 60)))


def test_a_robot_is_drawn_and_moves(tmp_path: Path) -> None:
    image = rx.picture("kuka_lwr", tmp_path / "arm.png", size=SIZE)
    assert image.shape == (90, 120, 3)
    with Image.open(tmp_path / "arm.png") as file:
        assert file.size == SIZE
    model = rx.load("kuka_lwr")
    q = np.clip(model.neutral + 0.8, model.lower, model.upper)
    bent = rx.picture(model, q=q, size=SIZE)
    assert np.abs(bent.astype(int) - image).mean() > 1
    np.testing.assert_array_equal(bent, rx.picture(rx.Posture(model, q), size=SIZE))


def test_a_scene_is_drawn_from_its_viewpoint(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(SCENE)
    from_eye = rx.picture(file, viewpoint="eye", size=SIZE)
    assert 0.02 < redness(from_eye) < 0.5
    assert redness(rx.picture(file, size=SIZE)) > redness(from_eye)  # framed: larger
    with pytest.raises(ValueError, match="no viewpoint"):
        rx.picture(file, viewpoint="red", size=SIZE)


def test_meshes_keep_their_place_and_scale(tmp_path: Path) -> None:
    (tmp_path / "tri.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"
    )
    (tmp_path / "room.yaml").write_text(
        "robotix: 1\nobjects:\n  it: {mesh: tri.obj, scale: 0.5, at: [1, 2, 3]}\n"
    )
    things = list(scene_things(rx.load_scene(tmp_path / "room.yaml")))
    (mesh,) = (thing for thing in things if isinstance(thing, Mesh3))
    np.testing.assert_allclose(mesh.vertices.min(axis=0), [1, 2, 3])
    np.testing.assert_allclose(mesh.vertices.max(axis=0), [1.5, 2.5, 3.5])


def test_a_motion_becomes_an_animation(tmp_path: Path) -> None:
    model = rx.load("scara")
    motion = rx.Motion.of(model, [0.0, 0.2], q=[model.neutral, model.neutral + 0.1])
    rx.animation(model, motion, tmp_path / "arm.gif", rate=10, size=(60, 40))
    with Image.open(tmp_path / "arm.gif") as film:
        film.seek(2)
        with pytest.raises(EOFError):
            film.seek(3)


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a picture is a \.png file"):
        rx.picture("scara", tmp_path / "arm.jpeg", size=SIZE)
    with pytest.raises(ValueError, match="nothing to be seen"):
        rx.picture(rx.Scene(), size=SIZE)
    with pytest.raises(ValueError, match=r"a \.gif"):
        rx.animation(rx.load("scara"), None, tmp_path / "arm.mp4")  # type: ignore[arg-type]
