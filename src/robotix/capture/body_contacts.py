"""Where a recorded person leans, pushes or kneels: contacts of hands and knees, found or given.

A knee that is low and slow is on the floor. A hand touches something fixed, or pushes something,
while it stays where it is, or both move on level and alike, if the feet (and knees) alone could not
support the body meanwhile: both the centre of mass and the zero-moment point of a point mass are
then beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.capture.marker_feet import FootPath, Mask, Soles
from robotix.capture.marker_filter import runs_of
from robotix.capture.marker_recording import MarkerRecording
from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.support import support_margins
from robotix.kinematics import Posture, forward_batch

__all__ = [
    "PARTS",
    "GivenContact",
    "hand_rows",
    "has_still_hands",
    "knee_rows",
    "kneels_of",
    "knees_down",
    "parse_contacts",
    "rows_of",
    "standing_rows",
]

PARTS = ("right_hand", "left_hand", "right_knee", "left_knee", "seat")
PAIRS = {"hands": PARTS[:2], "knees": PARTS[2:4]}
GRAVITY = 9.81  # m/s²
MAX_KNEE_HEIGHT = 0.14  # m, of the joint above the floor; its flesh is 6 to 8 cm thick
MAX_KNEE_SPEED = 0.3  # m/s
STILL_SPEED = 0.08  # m/s, of a hand that holds on to something
LEVEL_SPEED = 0.12  # m/s upwards, of hands that push something along
PUSH_SPEED = 1.2  # m/s
ALIKE_SPEED = 0.2  # m/s, between the two hands that push
MIN_OFF = 0.03  # m beside the support
MIN_TIME, MAX_PAUSE = 0.2, 0.3  # s
SMOOTHING = 0.2  # s, of the acceleration of the centre of mass
STRIDE = 5  # rows between two looks at the support


@dataclass(frozen=True)
class GivenContact:
    """A part of the body that touches something from one time to another, both included."""

    part: str  # of `PARTS`
    start: float = -np.inf  # s, of the recording's file
    end: float = np.inf  # s


def parse_contacts(words: Iterable[str]) -> tuple[GivenContact, ...]:
    """Read contacts as a command line gives them: `hands`, `right_knee=1.5:4`, `knees=none`."""
    found = list[GivenContact]()
    for word in words:
        name, _, span = word.partition("=")
        parts = PAIRS.get(name, (name,))
        if parts[0] not in PARTS:
            raise UnknownName("contact", name, (*PARTS, *PAIRS))
        start, end = _span(word, span)
        found += [GivenContact(part, start, end) for part in parts]
    return tuple(found)


def _span(word: str, span: str) -> tuple[float, float]:
    if not span:
        return -np.inf, np.inf
    if span == "none":
        return np.inf, -np.inf
    first, colon, last = span.partition(":")
    try:
        start, end = float(first or "-inf"), float(last or "inf")
    except ValueError:
        colon, start, end = "", 0.0, 0.0
    if not colon or not start < end:
        raise ValueError(f"contact {word!r}: after = come two times in s, START:END, or none")
    return start, end


def rows_of(given: Sequence[GivenContact], part: str, times: Array) -> Mask | None:
    """Return the rows at which a part touches something as given, (k,), or None: nothing is."""
    spans = [each for each in given if each.part == part]
    if not spans:
        return None
    rows = [(each.start <= times) & (times <= each.end) for each in spans]
    return np.asarray(np.logical_or.reduce(rows))


def knee_rows(q: Array, recording: MarkerRecording) -> dict[Side, Mask]:
    """Return the rows at which a knee is on the floor, by side, from postures (k, n_dof)."""
    seen = {each.landmark: each for each in recording.plan.everything()}
    found = dict[Side, Mask]()
    for side in SIDES:
        name = f"{side}_knee"
        path = forward_batch(recording.manikin.model, q, point=recording.manikin.centres[name])[0]
        if name in seen:
            measured = recording.path(seen[name])
            path = np.where(np.isfinite(measured), measured, path)
        low = (path[:, 2] < MAX_KNEE_HEIGHT) & (_speeds(path, recording.dt) < MAX_KNEE_SPEED)
        found[side] = _lasting(_joined(low, recording.dt), recording.dt)
    return found


def knees_down(touches: Mapping[str, Mask], row: int) -> list[Side]:
    """Return the knees that are on the floor at a row."""
    return [side for side in SIDES if f"{side}_knee" in touches and touches[f"{side}_knee"][row]]


def kneels_of(touches: Mapping[str, Mask]) -> dict[Side, Mask] | None:
    """Return where knees are on the floor, by side; None if that is not known."""
    known = {side: touches[f"{side}_knee"] for side in SIDES if f"{side}_knee" in touches}
    return known or None


def standing_rows(feet: Mapping[Side, FootPath], touches: Mapping[str, Mask]) -> Mask:
    """Return where both legs support the body, by foot or knee, (k,)."""
    legs = [
        foot.stands | touches.get(f"{side}_knee", np.zeros_like(foot.stands))
        for side, foot in feet.items()
    ]
    return np.asarray(np.logical_and.reduce(legs))


def has_still_hands(recording: MarkerRecording) -> bool:
    """Return whether a hand could hold on to something at some time."""
    return any(rows.any() for _, rows in _steady(recording))


def hand_rows(
    q: Array,
    recording: MarkerRecording,
    *,
    feet: Mapping[Side, FootPath],
    knees: Mapping[Side, Mask],
    elsewhere: Mask,
) -> dict[Side, Mask]:
    """Return the rows at which a hand supports the body or pushes, by side.

    Args:
        q: Postures that follow the recording without regard to balance, (k, n_dof).
        recording: What was recorded.
        feet: Where the feet stand.
        knees: Where knees are on the floor.
        elsewhere: Rows at which something else supports the body, such as a seat.
    """
    steady = _steady(recording)
    some = np.logical_or.reduce([*(rows for _, rows in steady), np.zeros(len(q), dtype=bool)])
    off = _off_support(q, recording, feet=feet, knees=knees, rows=some & ~elsewhere)
    off = _lasting(off, recording.dt)
    found = {side: np.zeros(len(q), dtype=bool) for side in SIDES}
    for side, rows in steady:
        for start, end in runs_of(rows & ~elsewhere):
            found[side][start:end] |= off[start:end].any()
    return found


def _steady(recording: MarkerRecording) -> list[tuple[Side, Mask]]:
    """Return where a recorded hand stays, and where both move on level and alike, (k,) each."""
    rates = dict[Side, Array]()
    for side in SIDES:
        part = recording.plan.drive.get(f"{side}_hand", ())
        if part:
            rates[side] = _rates(recording.path(part[0]), recording.dt)
    found = list[tuple[Side, Mask]]()
    with np.errstate(invalid="ignore"):
        for side, rate in rates.items():
            speed = np.linalg.norm(rate, axis=1)
            found.append((side, speed < STILL_SPEED))
            if len(rates) == 2:
                apart = np.linalg.norm(rates["right"] - rates["left"], axis=1)
                moves = (abs(rate[:, 2]) < LEVEL_SPEED) & (apart < ALIKE_SPEED)
                found.append((side, moves & (STILL_SPEED <= speed) & (speed < PUSH_SPEED)))
    dt = recording.dt
    return [(side, _lasting(_joined(rows, dt), dt)) for side, rows in found]


def _off_support(
    q: Array,
    recording: MarkerRecording,
    *,
    feet: Mapping[Side, FootPath],
    knees: Mapping[Side, Mask],
    rows: Mask,
) -> Mask:
    """Return where the centre of mass and the zero-moment point are beside the support, (k,)."""
    soles, model = Soles(recording.manikin), recording.manikin.model
    coms = np.array([Posture(model, each).com for each in q])
    second = (
        np.gradient(_rates(coms, recording.dt), recording.dt, axis=0) if len(q) > 2 else 0 * coms
    )
    zmps = coms[:, :2] - coms[:, 2:] / GRAVITY * _averaged(second[:, :2], recording.dt)
    both = np.logical_and.reduce([foot.stands | knees[side] for side, foot in feet.items()])
    found = np.zeros(len(q), dtype=bool)
    for row in range(0, len(q), STRIDE):
        if rows[row] and both[row]:
            down = [side for side in SIDES if knees[side][row]]
            polygon = soles.polygon(Posture(model, q[row]), knees=down)
            points = np.array([coms[row, :2], zmps[row]])
            found[row : row + STRIDE] = support_margins(polygon, points).max() < -MIN_OFF
    return np.asarray(found & rows)


def _rates(path: Array, dt: float) -> Array:
    return np.gradient(path, dt, axis=0) if len(path) > 1 else np.zeros_like(path)


def _speeds(path: Array, dt: float) -> Array:
    return np.asarray(np.linalg.norm(_rates(path, dt), axis=1))


def _averaged(values: Array, dt: float) -> Array:
    width = min(max(1, round(SMOOTHING / dt)), len(values)) | 1
    padded = np.pad(values, ((width // 2, width // 2), (0, 0)), mode="edge")
    kernel = np.ones(width) / width
    return np.column_stack([np.convolve(column, kernel, mode="valid") for column in padded.T])


def _joined(rows: Mask, dt: float) -> Mask:
    """Return rows without short pauses between them."""
    found = rows.copy()
    for start, end in runs_of(~rows):
        if 0 < start and end < len(rows) and (end - start) * dt < MAX_PAUSE:
            found[start:end] = True
    return found


def _lasting(rows: Mask, dt: float) -> Mask:
    """Return rows without phases that are too short."""
    found = rows.copy()
    for start, end in runs_of(rows):
        if (end - start) * dt < MIN_TIME:
            found[start:end] = False
    return found
