"""The body template: builds and volume."""

from __future__ import annotations

from robotix.human.skin.body_template import build_of, enclosed_volume, make_template


def test_heavier_people_are_built_heavier() -> None:
    assert build_of("male", 18.0) < build_of("male", 21.0) < build_of("male", 24.0)
    thin, heavy = (make_template("female", build) for build in (-1.0, 1.0))
    volumes = [enclosed_volume(t.vertices, t.body) for t in (thin, heavy)]
    assert volumes[0] < volumes[1]
