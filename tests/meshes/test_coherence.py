"""What moves little is measured little, and yet exactly."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from robotix.collision.distance import RESULT_SIZE
from robotix.collision.distance_kernels import ROTATION, TRANSLATION
from robotix.geometry import Array, Halfspace, Mesh, Pose, Shape, Sphere, exp_rotation
from robotix.meshes import coherence
from robotix.meshes.coherence import CoherentDistances
from robotix.meshes.solids import PackedSolids, solid_distance

LIMIT = 0.2  # m


@pytest.fixture(scope="module")
def meshes(tmp_path_factory: pytest.TempPathFactory) -> list[Shape]:
    folder = tmp_path_factory.mktemp("meshes")
    trimesh.creation.torus(0.3, 0.1, major_sections=24, minor_sections=12).export(
        folder / "ring.obj"
    )
    trimesh.creation.box((0.4, 0.2, 0.1)).export(folder / "box.stl")
    return [Mesh(str(folder / "ring.obj")), Mesh(str(folder / "box.stl")), Sphere(0.1)]


def walk(rows: Array, rng: np.random.Generator, step: float) -> Array:
    """Return the rows of solids that moved a little."""
    after = rows.copy()
    for row in after:
        R = row[ROTATION:TRANSLATION].reshape(3, 3)
        row[ROTATION:TRANSLATION] = (exp_rotation(step * rng.normal(size=3)) @ R).ravel()
        row[TRANSLATION:] += step * rng.normal(size=3)
    return after


def scattered(shapes: list[Shape], rng: np.random.Generator) -> PackedSolids:
    packed = PackedSolids.of(shapes)
    return PackedSolids(
        walk(packed.rows, rng, 0.6), packed.middles, packed.radii, packed.trees, packed.sides
    )


@pytest.mark.parametrize("step", [0.002, 0.05])
def test_distances_are_those_from_scratch_and_bounds_hold(meshes: list[Shape], step: float) -> None:
    rng, fresh, out = np.random.default_rng(3), np.empty(RESULT_SIZE), np.empty(RESULT_SIZE)
    first = scattered([*meshes, *meshes], rng)
    second = scattered([*meshes, Halfspace()], rng)
    distances = CoherentDistances(first, second)
    rows, others, compared, skipped = first.rows, second.rows, 0, 0
    for _ in range(60):
        rows, others = walk(rows, rng, step), walk(others, rng, step)
        distances.move(rows, others)
        bounds = distances.bounds().copy()
        for i in range(len(rows)):
            for k in range(len(others)):
                expected = solid_distance(
                    first, i, rows[i], second, k, others[k], limit=LIMIT, out=fresh
                )
                if bounds[i, k] >= LIMIT:
                    assert expected >= LIMIT - 1e-9
                    skipped += 1
                    continue
                assert expected >= bounds[i, k] - 1e-9 or bounds[i, k] <= 0.0
                found = distances.measure(i, k, limit=LIMIT, out=out)
                assert found == pytest.approx(expected if expected < LIMIT else np.inf, abs=1e-9)
                compared += expected < LIMIT
    assert compared > 100 and skipped > 20


def test_what_stays_away_is_not_measured_again(
    meshes: list[Shape], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = []

    def counted(*given: object, **options: object) -> float:
        measured.append(given)
        return solid_distance(*given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(coherence, "solid_distance", counted)
    solids, out = PackedSolids.of(meshes[:1]), np.empty(RESULT_SIZE)
    beside = PackedSolids.of([Mesh(meshes[0].uri, pose=Pose.at(0.84, 0, 0))])  # type: ignore[union-attr]
    distances = CoherentDistances(solids, beside)
    for tick in range(100):  # 4 cm apart, then up to 1 cm nearer; asked for 1 cm
        rows = solids.rows.copy()
        rows[:, TRANSLATION] += 0.01 * np.sin(tick / 50)
        distances.move(rows, beside.rows)
        if distances.bounds()[0, 0] < 0.01:
            assert distances.measure(0, 0, limit=0.01, out=out) == np.inf
    assert len(measured) == 1


def test_what_is_known_moves_to_other_columns(meshes: list[Shape]) -> None:
    solids = PackedSolids.of(meshes)
    one, other = PackedSolids.of(meshes), PackedSolids.of([meshes[2], meshes[0]])
    before, after = CoherentDistances(solids, one), CoherentDistances(solids, other)
    before.note(1, 0, 0.7)
    after.inherit(before, np.array([-1, 0]))
    assert after.bounds_of(1)[1] == pytest.approx(0.7)
    assert after.bounds_of(1)[0] == -np.inf
