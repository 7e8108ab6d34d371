"""The exposure over a working shift, from one performance and the job's frequency and hours."""

from __future__ import annotations

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.methods.back.low_back_table import load_low_back
from robotix.ergonomics.report.page import table

__all__ = ["shift_table"]


def shift_table(assessment: Assessment) -> str:
    """Return how often and how long the task strains people in a shift."""
    job, seconds = assessment.job, assessment.performance.motion.duration
    times = 60 * job.per_minute * job.hours
    limits = load_low_back().limits
    rows = [
        ("repetitions", f"{times:.0f}", f"{job.per_minute:g} a minute for {job.hours:g} h"),
        ("time at the task", _duration(times * seconds), f"{seconds:.1f} s each"),
    ]
    carried = sum(phase.load.mass for phase in assessment.performance.loads)
    if carried:
        rows.append(("mass handled", f"{times * carried:.0f} kg", f"{carried:g} kg each time"))
    over = assessment.seconds_above(limits.compression_action)
    reason = f"{over:.1f} s each"
    rows.append(
        (f"compression over {limits.compression_action:g} N", _duration(times * over), reason)
    )
    if assessment.repeated is not None:
        damage = assessment.repeated.result.damage
        rows.append(("damage of the low back (LiFFT)", f"{damage:.2g}", "1 is failure"))
    share = times * seconds / (3600 * job.hours)
    note = ""
    if share > 1:
        note = (
            '<p class="note">As performed here, the task takes longer than its frequency allows: '
            "either it is done faster or less often.</p>"
        )
    return table(("over the shift", "", ""), rows, numbers=(1,)) + note


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
