"""Body and loads of a motion, written as markers of the motion, so that files contain them.

0 s     body: sex=female stature=1.525 mass=51.3
2.25 s  box weighs 8 kg in both hands
0 s     followed: 1.2 cm driven, 3.1 cm not used
0 s     not followed: driven points are 32.0 cm off
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from robotix.human.body.anthropometry import Anthropometry, make_anthropometry
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.loads import Load, LoadPhase
from robotix.human.motion.recording_fit import RecordingFit
from robotix.motion import Marker, Motion

__all__ = [
    "body_in",
    "body_marker",
    "carried_in",
    "load_markers",
    "tracking_in",
    "with_body",
    "with_tracking",
]

BODY_PREFIX = "body:"
FOLLOWED_PREFIX, FAULT_PREFIX = "followed: ", "not followed: "
SOURCE = "as the motion's file says"
LENGTH_TOLERANCE = 1e-9  # m; measures nearer than that to the survey's are its own
HANDS: dict[str, tuple[Side, ...]] = {
    "both hands": tuple(SIDES),
    "the right hand": ("right",),
    "the left hand": ("left",),
}
_WEIGHS = re.compile(rf"(.+) weighs (\S+) kg in ({'|'.join(HANDS)})")


def body_marker(body: Anthropometry) -> Marker:
    """Return the marker that describes a body: sex, stature, mass, and lengths of its own."""
    usual = _usual(body.sex, body.stature, body.mass)
    own = {name: body[name] for name in body if abs(body[name] - usual[name]) > LENGTH_TOLERANCE}
    sizes = {"stature": body.stature, "mass": body.mass, **own}
    words = " ".join(f"{name}={value!r}" for name, value in sizes.items())
    return Marker(0.0, f"{BODY_PREFIX} sex={body.sex} {words}")


def with_body(motion: Motion, body: Anthropometry) -> Motion:
    """Return a motion with the marker of its body."""
    others = tuple(mark for mark in motion.markers if not mark.label.startswith(BODY_PREFIX))
    return replace(motion, markers=(*others, body_marker(body)))


def body_in(motion: Motion) -> Anthropometry | None:
    """Return the body that the markers of a motion describe, or None.

    Raises:
        ValueError: The marker does not describe a possible body.
    """
    label = next(
        (mark.label for mark in motion.markers if mark.label.startswith(BODY_PREFIX)), None
    )
    if label is None:
        return None
    words = dict(word.partition("=")[::2] for word in label.removeprefix(BODY_PREFIX).split())
    try:
        sex, stature, mass = words.pop("sex"), float(words.pop("stature")), float(words.pop("mass"))
        own = {name: float(value) for name, value in words.items()}
    except (KeyError, ValueError):
        raise ValueError(f"marker {label!r} must say sex, stature and mass") from None
    body = _usual(sex, stature, mass)
    for name, value in own.items():
        if not 0 < value < 3 or not body[name]:  # the body raises on an unknown name
            raise ValueError(f"{name} of {value:g} m is no length of a body")
    measures = tuple(
        replace(each, value=own[each.name], source=SOURCE) if each.name in own else each
        for each in body.measures
    )
    return replace(body, stature_source=SOURCE, mass_source=SOURCE, measures=measures)


def with_tracking(motion: Motion, tracking: RecordingFit) -> Motion:
    """Return a motion with markers that say how well it follows a recording."""
    labels = (
        FOLLOWED_PREFIX + tracking.summary,
        *(FAULT_PREFIX + problem for problem in tracking.problems),
    )
    prefixes = (FOLLOWED_PREFIX, FAULT_PREFIX)
    others = tuple(mark for mark in motion.markers if not mark.label.startswith(prefixes))
    return replace(motion, markers=(*others, *(Marker(0.0, label) for label in labels)))


def tracking_in(motion: Motion) -> RecordingFit | None:
    """Return how well a motion follows a recording, as its markers say, or None."""
    labels = [mark.label for mark in motion.markers]
    found = [label for label in labels if label.startswith(FOLLOWED_PREFIX)]
    faults = [label for label in labels if label.startswith(FAULT_PREFIX)]
    if not found and not faults:
        return None
    summary = found[0].removeprefix(FOLLOWED_PREFIX) if found else ""
    return RecordingFit(summary, tuple(label.removeprefix(FAULT_PREFIX) for label in faults))


def _usual(sex: str, stature: float, mass: float) -> Anthropometry:
    return make_anthropometry(sex=sex, stature=stature, mass=mass)


def load_markers(phases: Iterable[LoadPhase]) -> list[Marker]:
    """Return the markers that describe the mass and the hands of loads."""
    names = {hands: words for words, hands in HANDS.items()}
    return [Marker(phase.start, _weight_label(phase.load, names)) for phase in phases]


def _weight_label(load: Load, names: dict[tuple[Side, ...], str]) -> str:
    hands = tuple(side for side in SIDES if side in load.hands)
    return f"{load.name} weighs {load.mass!r} kg in {names[hands]}"


def carried_in(motion: Motion) -> dict[str, tuple[float, tuple[Side, ...]]]:
    """Return mass (kg) and hands by name of a load, as far as markers describe them."""
    found = {}
    for mark in motion.markers:
        match = _WEIGHS.fullmatch(mark.label)
        if match is not None:
            found[match[1]] = (_mass(match[2], mark.label), HANDS[match[3]])
    return found


def _mass(text: str, label: str) -> float:
    try:
        mass = float(text)
    except ValueError:
        mass = -1.0
    if not 0 <= mass <= 1e4:
        raise ValueError(f"marker {label!r} must give a mass in kg")
    return mass
