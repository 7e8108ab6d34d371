"""RULA, REBA and OWAS at every row of a motion.

Rows whose inputs all fall into the same bands have the same scores. Only one row of each
combination is scored: thousands of rows have a few dozen combinations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from robotix.dynamics.supports import Flags
from robotix.ergonomics.methods.posture.owas import (
    STANCES,
    OwasPosture,
    OwasResult,
    owas,
    owas_edges,
)
from robotix.ergonomics.methods.posture.reba import RebaPosture, RebaResult, reba, reba_edges
from robotix.ergonomics.methods.posture.rula import (
    Effort,
    RulaPosture,
    RulaResult,
    rula,
    rula_edges,
)
from robotix.ergonomics.methods.tables import EDGE_TOLERANCE
from robotix.ergonomics.methods.verdict import ScoreArray
from robotix.ergonomics.signals.circumstances import Circumstances
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.measured_angles import PostureAngles
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side

__all__ = ["PostureScores", "Scorer", "score_postures"]

PRONATION_FRACTION = 0.75  # of the range of the forearm; beyond, it is near the end
MAX_HANGING_ANGLE = np.radians(
    20.0
)  # from the vertical; an upper arm within it is supported by gravity
RAISED_ELEVATION = np.pi / 2  # rad; beyond, the elevation counts instead of the flexion


@dataclass(frozen=True, eq=False)
class PostureScores:
    """The scores at every row, each (N,)."""

    rula: Mapping[Side, ScoreArray]
    reba: Mapping[Side, ScoreArray]
    owas: ScoreArray  # category
    owas_code: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Arm:
    """Inputs of the methods for one arm, at every row, each (N,)."""

    upper: Array  # rad
    lower: Array
    wrist: Array
    is_abducted: Flags
    rests: Flags
    hangs: Flags
    crosses: Flags
    is_deviated: Flags
    is_pronated: Flags
    held: Array  # kg


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores single rows of a motion by each method."""

    manikin: Manikin
    job: Job
    angles: PostureAngles
    facts: Circumstances

    def rula(self, row: int, side: Side) -> RulaResult:
        """Return the RULA score of one side at a row, with its reasons."""
        arm, job = self._arms[side], self.job
        return rula(
            RulaPosture(
                upper_arm=float(arm.upper[row]),
                lower_arm=float(arm.lower[row]),
                wrist=float(arm.wrist[row]),
                neck=float(self._neck[row]),
                trunk=float(self.angles.trunk[row]),
                neck_twisted=bool(self._neck_twisted[row]),
                arm_abducted=bool(arm.is_abducted[row]),
                arm_supported=bool(arm.rests[row]),
                arm_crosses=bool(arm.crosses[row]),
                wrist_deviated=bool(arm.is_deviated[row]),
                wrist_twisted=bool(arm.is_pronated[row]),
                trunk_twisted=bool(self._twisted[row]),
                trunk_side_bent=bool(self._side_bent[row]),
                legs_supported=bool(self.facts.is_even[row]),
                arm_effort=self._effort(float(arm.held[row])),
                body_effort=self._effort(float(self.facts.load[row])),
                neutral=job.neutral,
            )
        )

    def reba(self, row: int, side: Side) -> RebaResult:
        """Return the REBA score with one arm at a row, with its reasons."""
        arm, job, load = self._arms[side], self.job, float(self.facts.load[row])
        return reba(
            RebaPosture(
                neck=float(self._neck[row]),
                neck_twisted=bool(self._neck_twisted[row]),
                trunk=float(self.angles.trunk[row]),
                knee=float(self._knee[row]),
                upper_arm=float(arm.upper[row]),
                lower_arm=float(arm.lower[row]),
                wrist=float(arm.wrist[row]),
                trunk_twisted=bool(self._twisted[row] or self._side_bent[row]),
                on_one_leg=self.facts.stance(row) in ("right", "left"),
                is_sitting=bool(self.facts.is_sitting[row]),
                arm_abducted=bool(arm.is_abducted[row]),
                arm_supported=bool(arm.hangs[row] or arm.rests[row]),
                wrist_twisted=bool(arm.is_deviated[row] or arm.is_pronated[row]),
                load=load,
                shock=job.has_shocks and load > 0,
                coupling=job.coupling if load > 0 else "good",
                is_static=job.is_static,
                is_repeated=job.is_repeated,
                is_rapid=job.is_rapid,
                neutral=job.neutral,
            )
        )

    def owas(self, row: int) -> OwasResult:
        """Return the OWAS category at a row, with its reasons."""
        angles = self.angles
        return owas(
            OwasPosture(
                trunk=float(angles.trunk[row]),
                trunk_twist=float(angles.trunk_twist[row]),
                trunk_side_bend=float(angles.trunk_side[row]),
                arms=(
                    float(angles.arms["right"].off_plumb[row]),
                    float(angles.arms["left"].off_plumb[row]),
                ),
                knees=(float(angles.knees["right"][row]), float(angles.knees["left"][row])),
                stance=self.facts.stance(row),
                load=float(self.facts.load[row]),
            )
        )

    def _effort(self, load: float) -> Effort:
        kind = self.job.load_kind if load > 0 else "intermittent"
        return Effort(load=load, kind=kind, is_lasting=self.job.is_lasting)

    @cached_property
    def _arms(self) -> dict[Side, _Arm]:
        return {side: self._arm(side) for side in SIDES}

    def _arm(self, side: Side) -> _Arm:
        arm, model = self.angles.arms[side], self.manikin.model
        dof = model.dof_index(f"{side}_forearm_pronation")
        half_forearm = self.manikin.anthropometry["forearm_length"] / 2
        return _Arm(
            upper=np.where(arm.elevation > RAISED_ELEVATION, arm.elevation, arm.flexion),
            lower=arm.elbow,
            wrist=arm.wrist,
            is_abducted=arm.abduction > self.job.abducted,
            rests=self.facts.is_arm_supported[side],
            hangs=arm.off_plumb < MAX_HANGING_ANGLE,
            crosses=(arm.across > 0) | (arm.outside > half_forearm),
            is_deviated=abs(arm.deviation) > self.job.turned,
            is_pronated=(arm.pronation > PRONATION_FRACTION * model.upper[dof])
            | (arm.pronation < PRONATION_FRACTION * model.lower[dof]),
            held=self.facts.held[side],
        )

    @cached_property
    def _knee(self) -> Array:
        return self.angles.knee

    @cached_property
    def _neck(self) -> Array:
        """Flexion of the neck, (N,), rad: as given for the job, or as the eyes need it."""
        given, looking = self.job.neck, self.angles.neck.flexion
        return looking if given is None else np.full_like(looking, given)

    @cached_property
    def _neck_twisted(self) -> Flags:
        return np.asarray(abs(self.angles.neck.rotation) > self.job.turned)

    @cached_property
    def _twisted(self) -> Flags:
        return np.asarray(abs(self.angles.trunk_twist) > self.job.turned)

    @cached_property
    def _side_bent(self) -> Flags:
        return np.asarray(abs(self.angles.trunk_side) > self.job.turned)

    def body_kinds(self) -> ScoreArray:
        """Return the bands of all that concerns trunk, legs and load, (N, k)."""
        angles, facts = self.angles, self.facts
        bent = [angles.trunk, angles.trunk_twist, angles.trunk_side, *angles.knees.values()]
        bent.append(self._neck)
        raised = [arm.off_plumb for arm in angles.arms.values()]
        stances = [STANCES.index(facts.stance(row)) for row in range(len(facts.load))]
        flags = [self._twisted, self._side_bent, facts.is_even, facts.is_sitting, stances]
        flags.append(self._neck_twisted)
        return _kinds([*bent, *raised], [*flags, _numbered(facts.load)], self.job)

    def arm_kinds(self, side: Side) -> ScoreArray:
        """Return the bands of all that concerns one arm, (N, k)."""
        arm = self._arms[side]
        flags = [arm.is_abducted, arm.rests, arm.hangs, arm.crosses, arm.is_deviated]
        numbers = [*flags, arm.is_pronated, _numbered(arm.held)]
        return _kinds([arm.upper, arm.lower, arm.wrist], numbers, self.job)


def score_postures(scorer: Scorer) -> PostureScores:
    """Score every row by all three methods."""
    body = scorer.body_kinds()
    codes = _once(body, lambda row: int(scorer.owas(row).code))
    rula_scores, reba_scores = {}, {}
    for side in SIDES:
        kinds = np.hstack([body, scorer.arm_kinds(side)])
        rula_scores[side] = _once(kinds, partial(_rula_score, scorer, side))
        reba_scores[side] = _once(kinds, partial(_reba_score, scorer, side))
    categories = _once(body, lambda row: scorer.owas(row).category)
    return PostureScores(rula_scores, reba_scores, categories, tuple(str(code) for code in codes))


def _rula_score(scorer: Scorer, side: Side, row: int) -> int:
    return scorer.rula(row, side).score


def _reba_score(scorer: Scorer, side: Side, row: int) -> int:
    return scorer.reba(row, side).score


def _once(kinds: ScoreArray, score: Callable[[int], int]) -> ScoreArray:
    """Score one row of every combination, and assign its score to all rows of it."""
    _, rows, inverse = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
    scores = np.array([score(int(row)) for row in rows], dtype=np.int64)
    return np.asarray(scores[inverse.ravel()])


def _kinds(angles: Sequence[Array], numbers: Sequence[object], job: Job) -> ScoreArray:
    """Return which bands angles fall into, then the numbers, (N, k); edges are bands as well."""
    published = {*rula_edges(), *reba_edges(), *owas_edges(), float(np.degrees(job.neutral))}
    edges = np.array(sorted({0.0, *published, *(-edge for edge in published)}))
    columns = [np.searchsorted(edges - EDGE_TOLERANCE, np.degrees(angle)) for angle in angles]
    columns += [np.searchsorted(edges + EDGE_TOLERANCE, np.degrees(angle)) for angle in angles]
    columns += [np.asarray(number, dtype=np.int64) for number in numbers]
    return np.stack(columns, axis=1)


def _numbered(masses: Array) -> ScoreArray:
    """Return equal numbers for equal masses."""
    return np.asarray(np.unique(masses, return_inverse=True)[1], dtype=np.int64)
