"""Self-collision: distances between the bodies of one robot, and which pairs matter.

Bodies on one link, and on links that a joint connects, cannot be kept apart and are not compared.
Of the other pairs, those are dropped that an SRDF file disables, or that sampling finds pointless:
pairs that nearly touch in the neutral posture or touch in almost every posture, since their solids
are larger than the real links, and pairs that never come near each other.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, place_shapes
from robotix.errors import BadModel
from robotix.files.user_cache import digest_of, keep, recall, stamp_of
from robotix.geometry import Array, Mesh, Pose, Shape
from robotix.kinematics.kernels import clearance as ck
from robotix.kinematics.kernels.tables import tables_of
from robotix.kinematics.obstacles.obstacle import Gap
from robotix.kinematics.posture import Posture
from robotix.kinematics.sampling import joint_ranges
from robotix.meshes import solids
from robotix.meshes.coherence import CoherentDistances
from robotix.meshes.solids import PackedSolids
from robotix.model import Model
from robotix.model.urdf.srdf import load_disabled_pairs

__all__ = ["SelfCollision", "collision_pairs", "known_pairs"]

CACHE_KIND = "pairs"
SAMPLES = 200  # postures that decide which pairs matter
MAX_MEASURED = 50_000  # pairs in all samples together; robots with many bodies get fewer samples
SEED = 1
NEVER_NEAR = 0.05  # m; a pair that stays farther apart in all samples is dropped
NEUTRAL_GAP = 0.015  # m; a pair that is nearer in the neutral posture is dropped
ALMOST_ALWAYS = 0.95  # share of samples in which a pair touches that is dropped

Pairs = tuple[tuple[str, str], ...]


def collision_pairs(
    model: Model, *, srdf: str | os.PathLike[str] | None = None, samples: int = SAMPLES
) -> Pairs:
    """Return the pairs of bodies of a model that can collide, by name.

    Args:
        model: The robot.
        srdf: A file that disables pairs; nothing is learned by sampling then.
        samples: Postures to learn from; with 0 all pairs are kept that no joint connects.
    """
    pairs = _apart_in_tree(model)
    if srdf is not None:
        disabled = load_disabled_pairs(srdf)
        return tuple(pair for pair in pairs if frozenset(pair) not in disabled)
    count = min(samples, 1 + MAX_MEASURED // max(len(pairs), 1))
    return _learned(model, pairs, count) if samples and pairs else pairs


@lru_cache(maxsize=64)
def known_pairs(model: Model) -> Pairs:
    """Return `collision_pairs` of a model, which are kept on disk for the next start."""
    import msgspec  # kinematics is compiled before other dependencies than Numba are installed

    from robotix.visuals.link_shape import contents_of

    program = [Path(__file__), Path(solids.__file__)]
    key = digest_of([stamp_of(*program), *contents_of(model), *_states_of_meshes(model)])
    kept = recall(CACHE_KIND, key)
    if kept is not None:
        try:
            return msgspec.json.decode(kept, type=Pairs)
        except msgspec.MsgspecError:
            pass
    pairs = collision_pairs(model)
    keep(CACHE_KIND, key, msgspec.json.encode(pairs))
    return pairs


def _states_of_meshes(model: Model) -> Iterator[bytes]:
    """Yield what changes with the files of a model's meshes."""
    for body in model.bodies:
        for shape in body.collision:
            if isinstance(shape, Mesh):
                state = os.stat(shape.path)
                yield f"{state.st_mtime_ns} {state.st_size}".encode()


def _apart_in_tree(model: Model) -> Pairs:
    """Return the pairs of bodies with solids whose links no joint connects."""
    t = tables_of(model)
    bodies = [i for i, body in enumerate(model.bodies) if body.collision]
    found = []
    for a, b in combinations(bodies, 2):
        one, other = int(t.body_link[a]), int(t.body_link[b])
        above = [int(t.link_ints[link, 0]) if link >= 0 else -2 for link in (one, other)]
        if one != other and above[0] != other and above[1] != one:
            found.append((model.bodies[a].name, model.bodies[b].name))
    return tuple(found)


def _learned(model: Model, pairs: Pairs, samples: int) -> Pairs:
    own = SelfCollision(model, pairs)
    rng = np.random.default_rng(SEED)
    lower, upper = joint_ranges(model)
    touching, nearest = np.zeros(len(pairs)), np.full(len(pairs), math.inf)
    for k in range(samples):
        q = model.neutral if k == 0 else lower + rng.random(model.n_dof) * (upper - lower)
        distances = own.pair_distances(Posture(model, q), limit=NEVER_NEAR)
        nearest = np.minimum(nearest, distances)
        touching += distances <= 0.0
        if k == 0:
            touching[distances < NEUTRAL_GAP] = math.inf
    keep = (touching < ALMOST_ALWAYS * samples) & (nearest < NEVER_NEAR)
    return tuple(pair for pair, wanted in zip(pairs, keep, strict=True) if wanted)


class SelfCollision:
    """Distances between the bodies of a robot."""

    def __init__(
        self, model: Model, pairs: Iterable[Sequence[str]] | None = None, *, distance: float = 0.01
    ) -> None:
        """Compare these pairs of bodies (`collision_pairs` of the model for None).

        `distance` (m) is what they are to keep from each other.
        """
        if not (math.isfinite(distance) and distance >= 0):
            raise ValueError(f"distance must be finite and not negative, got {distance}")
        self.model, self.distance = model, distance
        self.pairs: Pairs = tuple(
            (first, second)
            for first, second in (collision_pairs(model) if pairs is None else pairs)
        )
        self._collect()
        self._out = np.empty(RESULT_SIZE)

    def _collect(self) -> None:
        """Pack the solids of all bodies in pairs, and list the pairs of solids."""
        t, model = tables_of(self.model), self.model
        names = {name: None for pair in self.pairs for name in pair}
        shapes: list[Shape] = []
        links: list[int] = []
        rows: dict[str, list[int]] = {}
        for name in names:
            index = model.body_index(name)
            if not model.bodies[index].collision:
                raise BadModel(f"body {name!r}", "has no collision shapes to measure distances of")
            rows[name] = list(range(len(shapes), len(shapes) + len(model.bodies[index].collision)))
            for shape in model.bodies[index].collision:
                shapes.append(_moved(shape, t.offset(index)))
                links.append(int(t.body_link[index]))
        self.solids = PackedSolids.of(shapes)
        self.links: NDArray[np.int64] = np.array(links, dtype=np.int64)
        self.bodies = [name for name in names for _ in rows[name]]
        found = [(p, i, j) for p, (a, b) in enumerate(self.pairs) for i in rows[a] for j in rows[b]]
        self._solid_pairs = np.array(found, dtype=np.int64).reshape(-1, 3)
        self._placed = np.empty_like(self.solids.rows)
        self._distances = CoherentDistances(self.solids, self.solids)

    # -- measuring --------------------------------------------------------------------------

    def _near(self, posture: Posture, limit: float) -> Iterator[tuple[int, int, int, float]]:
        """Yield pair, both solids and the distance of all that are nearer than a limit.

        `self._out` holds the nearest points meanwhile.
        """
        place_shapes(self.solids.rows, self.links, posture.world, self._placed)
        self._distances.move(self._placed, self._placed)
        first, second = self._solid_pairs[:, 1], self._solid_pairs[:, 2]
        bounds = self._distances.bounds()[first, second]
        for p, i, j in self._solid_pairs[bounds < limit].tolist():
            distance = self._distances.measure(i, j, limit=max(limit, 1e-9), out=self._out)
            if distance < limit:
                yield p, i, j, distance

    def pair_distances(self, posture: Posture, *, limit: float = math.inf) -> Array:
        """Return the distance of every pair, (n_pairs,), in m; infinite beyond `limit`."""
        least = np.full(len(self.pairs), math.inf)
        for p, _, _, distance in self._near(posture, limit):
            least[p] = min(least[p], distance)
        return least

    def gaps(self, posture: Posture, *, limit: float = 0.1) -> tuple[Gap, ...]:
        """Return the gaps below a limit (m), tightest first; the second body is the `obstacle`."""
        found = [
            Gap(
                self.bodies[i], self.bodies[j], distance, self._out[1:4].copy(),
                self._out[4:7].copy(), self._out[7:10].copy(),
            )
            for _, i, j, distance in self._near(posture, limit)
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda gap: gap.distance))

    def slack(self, posture: Posture) -> float:
        """Return the smallest distance minus the one to keep; infinite without pairs."""
        distances = self.pair_distances(posture)
        return float(distances.min(initial=math.inf)) - self.distance

    def rows(self, posture: Posture, influence: float) -> Array:
        """Return gaps with a slack below `influence` as rows of `find_gaps`, (n, N_GAP).

        In place of an obstacle is the second solid, as -1 - its index.
        """
        found = [
            [distance - self.distance, i, -1 - j, *self._out[1:10]]
            for _, i, j, distance in self._near(posture, self.distance + influence)
        ]
        return np.array(found, dtype=float).reshape(-1, ck.N_GAP)


def _moved(shape: Shape, link_from_body: Pose) -> Shape:
    return replace(shape, pose=link_from_body @ shape.pose)
