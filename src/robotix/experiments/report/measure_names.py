"""Names and units of measures, for figures and tables."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["measure_name", "measure_title"]

# Measure -> words, unit; of others the name in the table of trials is taken.
NAMES: Mapping[str, tuple[str, str]] = {
    "duration": ("completion time", "s"),
    "path_length": ("path length", "m"),
    "sparc": ("spectral arc length (SPARC; 0 is smoothest)", ""),
    "log_dimensionless_jerk": ("log of dimensionless jerk (0 is smoothest)", ""),
    "throughput": ("Fitts throughput", "bit/s"),
    "time_near_singularity": ("time near a singularity", "s"),
    "min_distance": ("smallest distance of person and robot", "m"),
    "max_robot_speed": ("largest speed of a point of the robot", "m/s"),
    "max_person_speed": ("largest speed of a point of the person", "m/s"),
    "max_closing_speed": ("largest closing speed", "m/s"),
    "waiting_time": ("waiting time of the robot", "s"),
    "stops": ("stops of the robot", ""),
    "moving_contacts": ("contacts with the robot moving", ""),
    "force_ratio": ("worst contact, share of its limit", ""),
    "too_near_time": ("moving within the separation distance", "s"),
    "min_time_to_contact": ("smallest time to contact", "s"),
    "max_compression": ("largest L5/S1 compression", "N"),
    "mean_compression": ("mean L5/S1 compression", "N"),
    "max_rula": ("largest RULA score", ""),
    "mean_rula": ("mean RULA score", ""),
    "carry_gap": ("gap while carrying together", "m"),
    "fault_reacted": ("reacted to the fault (1: yes)", ""),
    "fault_time_to_react": ("time to the reaction to the fault", "s"),
    "fault_time_to_rest": ("time to rest after the fault", "s"),
    "fault_travel": ("travel after the fault", "m"),
    "fault_min_distance": ("smallest distance after the fault", "m"),
    "fault_contacts": ("contacts after the fault", ""),
    "fault_force_ratio": ("worst contact after the fault, share of its limit", ""),
}


def measure_name(measure: str) -> str:
    """Return the words for a measure, without its unit."""
    return NAMES[measure][0] if measure in NAMES else measure.replace("_", " ")


def measure_title(measure: str) -> str:
    """Return the words for a measure with its unit, if it has one."""
    unit = NAMES[measure][1] if measure in NAMES else ""
    return f"{measure_name(measure)}, {unit}" if unit else measure_name(measure)
