"""When a recorded person sits: found from the pelvis and the centre of mass."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robotix.capture.marker_feet import FootPath, Mask, Soles
from robotix.capture.marker_filter import runs_of
from robotix.capture.marker_recording import MarkerRecording
from robotix.geometry import Array
from robotix.human.body.skeleton import Side
from robotix.human.motion.support import support_margins
from robotix.kinematics import Posture

__all__ = ["SEATED_HEIGHT", "sitting_rows", "unsteady_rows"]

SEATED_HEIGHT = 0.8  # of the standing height of the hips; who sits is below
MAX_SEATED_SPEED = 0.15  # m/s, of the hips, upwards or downwards
MIN_OFF_FEET = 0.05  # m; the centre of mass of who squats stays nearer to the feet
MIN_SEATED_TIME = 0.2  # s
RISE = 0.03  # m above the seat: the pelvis has left it
SWING_TIME = 0.8  # s, at most, in which who rises or sits down is carried by momentum
STRIDE = 5  # rows between two looks at the centre of mass


def sitting_rows(
    q: Array,
    recording: MarkerRecording,
    *,
    hips: Array,
    feet: Mapping[Side, FootPath],
    given: bool = False,
    knees: Mapping[Side, Mask] | None = None,
) -> Mask:
    """Return the rows at which the subject sits, (k,).

    Args:
        q: Postures that follow the recording without regard to balance, (k, n_dof).
        recording: What was recorded.
        hips: Height of the hips, (k,), m.
        feet: Where the feet stand.
        given: The subject sits whenever its pelvis is low and slow, wherever its weight is.
        knees: Where knees are on the floor and support it, too; who sits on its heels kneels.
    """
    manikin, dt = recording.manikin, recording.dt
    rate = np.gradient(hips, dt) if len(hips) > 1 else np.zeros(1)
    low = hips < SEATED_HEIGHT * float(manikin.skeleton["pelvis"][2])
    still = low & (abs(rate) < MAX_SEATED_SPEED)
    if knees is not None:
        still &= ~np.logical_or.reduce(list(knees.values()))
    off = still.copy() if given else still & _off_feet(q, recording, feet, rows=still, behind=True)
    found = np.zeros(len(hips), dtype=bool)
    for start, end in runs_of(off):
        if (end - start) * dt < MIN_SEATED_TIME:
            continue
        seat = float(np.median(hips[start:end]))
        around = hips < seat + RISE
        first, last = start, end
        while first > 0 and around[first - 1]:
            first -= 1
        while last < len(hips) and around[last]:
            last += 1
        found[first:last] = True
    return found


def unsteady_rows(
    q: Array, recording: MarkerRecording, *, sits: Mask, feet: Mapping[Side, FootPath]
) -> Mask:
    """Return the rows on the seat, and those around them until the feet support the body, (k,).

    Who rises or sits down swiftly leaves the seat before the weight is over the feet, and meets it
    after it has left them.
    """
    found, longest = sits.copy(), round(SWING_TIME / recording.dt)
    near = np.zeros(len(sits), dtype=bool)
    for start, end in runs_of(sits):
        near[max(0, start - longest) : end + longest] = True
    off = _off_feet(q, recording, feet, rows=near, by=0.0)
    for start, end in runs_of(sits):
        while start > 0 and off[start - 1]:
            start -= 1
        while end < len(sits) and off[end]:
            end += 1
        found[start:end] = True
    return found


def _off_feet(
    q: Array,
    recording: MarkerRecording,
    feet: Mapping[Side, FootPath],
    *,
    rows: Mask,
    by: float = MIN_OFF_FEET,
    behind: bool = False,
) -> Mask:
    """Return where the centre of mass is beside the feet by some distance, (k,).

    With `behind`, only where it is not ahead of them: who pushes leans forward, who sits does not.
    """
    soles, model = Soles(recording.manikin), recording.manikin.model
    both = np.logical_and.reduce([foot.stands for foot in feet.values()])
    found = np.zeros(len(q), dtype=bool)
    for row in range(0, len(q), STRIDE):
        if rows[row] and both[row]:
            posture = Posture(model, q[row])
            polygon = soles.polygon(posture)
            is_off = support_margins(polygon, posture.com[None])[0] < -by
            if is_off and behind and len(polygon):
                left = posture.position("left_thigh") - posture.position("right_thigh")
                from_feet = posture.com[:2] - polygon.mean(axis=0)
                is_off = left[1] * from_feet[0] - left[0] * from_feet[1] < 0
            found[row : row + STRIDE] = is_off
    return np.asarray(found & rows)
