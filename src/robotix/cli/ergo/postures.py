"""`robotix ergo rula|reba|owas`: scores of postures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag, spread
from robotix.cli.ergo.output import print_result

if TYPE_CHECKING:
    from robotix.ergonomics import RebaPosture, RulaPosture

__all__ = ["owas", "reba", "rula"]


def _flag(name: str, text: str) -> Any:
    return typer.Option(f"--{name}", help=text)


def _angle(text: str) -> Any:
    return typer.Option(metavar="A", help=f"{text}, in degrees; backwards is negative.")


UpperArm: TypeAlias = Annotated[float, _angle("Upper arm, from hanging along the trunk")]
LowerArm: TypeAlias = Annotated[float, _angle("Elbow")]
Wrist: TypeAlias = Annotated[float, _angle("Wrist")]
Neck: TypeAlias = Annotated[float, _angle("Neck, against the trunk")]
Trunk: TypeAlias = Annotated[float, _angle("Trunk, from the vertical")]
ShoulderRaised: TypeAlias = Annotated[bool, _flag("shoulder-raised", "The shoulder is raised.")]
ArmSupported: TypeAlias = Annotated[bool, _flag("arm-supported", "The arm is supported.")]
LoadOption: TypeAlias = Annotated[
    float, typer.Option(metavar="KG", help="Mass held, or force over g, in kg.")
]
Neutral: TypeAlias = Annotated[
    float, typer.Option(metavar="A", help="Angles up to this count as 0, in degrees.")
]


@dataclass(frozen=True)
class RulaOptions:
    """A posture, as RULA sees it; load and lasting count for the arm and for the body alike."""

    upper_arm_deg: UpperArm = 0.0
    lower_arm_deg: LowerArm = 90.0
    wrist_deg: Wrist = 0.0
    neck_deg: Neck = 0.0
    trunk_deg: Trunk = 0.0
    shoulder_raised: ShoulderRaised = False
    arm_abducted: Annotated[bool, _flag("arm-abducted", "The upper arm is abducted.")] = False
    arm_supported: ArmSupported = False
    arm_crosses: Annotated[
        bool, _flag("arm-crosses", "The lower arm crosses the midline, or works out to the side.")
    ] = False
    wrist_deviated: Annotated[bool, _flag("wrist-deviated", "The wrist is bent sideways.")] = False
    wrist_twisted: Annotated[
        bool, _flag("wrist-twisted", "The forearm is turned near the end of its range.")
    ] = False
    neck_twisted: Annotated[bool, _flag("neck-twisted", "The neck is twisted.")] = False
    neck_side_bent: Annotated[bool, _flag("neck-side-bent", "The neck is bent sideways.")] = False
    trunk_twisted: Annotated[bool, _flag("trunk-twisted", "The trunk is twisted.")] = False
    trunk_side_bent: Annotated[bool, _flag("trunk-side-bent", "The trunk is bent sideways.")] = (
        False
    )
    trunk_supported: Annotated[
        bool, _flag("trunk-supported", "Sitting, the trunk well supported.")
    ] = False
    legs_unsupported: Annotated[
        bool, _flag("legs-unsupported", "The legs are not supported, or not evenly loaded.")
    ] = False
    load: LoadOption = 0.0
    load_kind: Annotated[
        str, typer.Option(metavar="KIND", help="intermittent, static, repeated or shock.")
    ] = "intermittent"
    lasting: Annotated[
        bool, _flag("lasting", "Held for over a minute, or repeated 4 times a minute.")
    ] = False
    neutral_deg: Neutral = 0.0

    def posture(self) -> RulaPosture:
        """Return the posture."""
        from robotix.ergonomics import Effort, RulaPosture

        effort = Effort(load=self.load, kind=self.load_kind, is_lasting=self.lasting)
        return RulaPosture(
            upper_arm=math.radians(self.upper_arm_deg),
            lower_arm=math.radians(self.lower_arm_deg),
            wrist=math.radians(self.wrist_deg),
            neck=math.radians(self.neck_deg),
            trunk=math.radians(self.trunk_deg),
            shoulder_raised=self.shoulder_raised,
            arm_abducted=self.arm_abducted,
            arm_supported=self.arm_supported,
            arm_crosses=self.arm_crosses,
            wrist_deviated=self.wrist_deviated,
            wrist_twisted=self.wrist_twisted,
            neck_twisted=self.neck_twisted,
            neck_side_bent=self.neck_side_bent,
            trunk_twisted=self.trunk_twisted,
            trunk_side_bent=self.trunk_side_bent,
            trunk_supported=self.trunk_supported,
            legs_supported=not self.legs_unsupported,
            arm_effort=effort,
            body_effort=effort,
            neutral=math.radians(self.neutral_deg),
        )


@dataclass(frozen=True)
class RebaOptions:
    """A posture, as REBA sees it."""

    neck_deg: Neck = 0.0
    trunk_deg: Trunk = 0.0
    knee_deg: Annotated[float, _angle("The knee that is bent more")] = 0.0
    upper_arm_deg: UpperArm = 0.0
    lower_arm_deg: LowerArm = 90.0
    wrist_deg: Wrist = 0.0
    neck_twisted: Annotated[
        bool, _flag("neck-twisted", "The neck is twisted or bent sideways.")
    ] = False
    trunk_twisted: Annotated[
        bool, _flag("trunk-twisted", "The trunk is twisted or bent sideways.")
    ] = False
    on_one_leg: Annotated[bool, _flag("on-one-leg", "On one leg, or unstable.")] = False
    sitting: Annotated[bool, _flag("sitting", "Sitting.")] = False
    arm_abducted: Annotated[
        bool, _flag("arm-abducted", "The upper arm is abducted or rotated.")
    ] = False
    shoulder_raised: ShoulderRaised = False
    arm_supported: ArmSupported = False
    wrist_twisted: Annotated[
        bool, _flag("wrist-twisted", "The wrist is bent sideways or twisted.")
    ] = False
    load: LoadOption = 0.0
    shock: Annotated[bool, _flag("shock", "The force comes as a shock.")] = False
    coupling: Annotated[
        str, typer.Option(metavar="GRIP", help="good, fair, poor or unacceptable.")
    ] = "good"
    static: Annotated[bool, _flag("static", "Some part is held for over a minute.")] = False
    repeated: Annotated[bool, _flag("repeated", "More than 4 times a minute.")] = False
    rapid: Annotated[bool, _flag("rapid", "Rapid large changes of posture.")] = False
    neutral_deg: Neutral = 0.0

    def posture(self) -> RebaPosture:
        """Return the posture."""
        from robotix.ergonomics import RebaPosture

        return RebaPosture(
            neck=math.radians(self.neck_deg),
            trunk=math.radians(self.trunk_deg),
            knee=math.radians(self.knee_deg),
            upper_arm=math.radians(self.upper_arm_deg),
            lower_arm=math.radians(self.lower_arm_deg),
            wrist=math.radians(self.wrist_deg),
            neck_twisted=self.neck_twisted,
            trunk_twisted=self.trunk_twisted,
            on_one_leg=self.on_one_leg,
            is_sitting=self.sitting,
            arm_abducted=self.arm_abducted,
            shoulder_raised=self.shoulder_raised,
            arm_supported=self.arm_supported,
            wrist_twisted=self.wrist_twisted,
            load=self.load,
            shock=self.shock,
            coupling=self.coupling,
            is_static=self.static,
            is_repeated=self.repeated,
            is_rapid=self.rapid,
            neutral=math.radians(self.neutral_deg),
        )


@spread
def rula(*, options: RulaOptions, json: JsonFlag = False) -> None:
    """Score a posture of the upper limbs, 1 to 7.

    Load and lasting are counted for the arm and for the body alike.
    """
    from robotix import ergonomics

    found = ergonomics.rula(options.posture())
    values = {
        "score": found.score,
        "posture_a": found.posture_a,
        "posture_b": found.posture_b,
        "score_c": found.score_c,
        "score_d": found.score_d,
    }
    title = (
        f"RULA {found.score} of 7: arm {found.posture_a} (with effort {found.score_c}), "
        f"body {found.posture_b} (with effort {found.score_d})"
    )
    print_result(found, values, title=title, as_json=json)


@spread
def reba(*, options: RebaOptions, json: JsonFlag = False) -> None:
    """Score a posture of the whole body, 1 to 15."""
    from robotix import ergonomics

    found = ergonomics.reba(options.posture())
    values = {
        "score": found.score,
        "score_a": found.score_a,
        "score_b": found.score_b,
        "score_c": found.score_c,
    }
    title = f"REBA {found.score} of 15: A {found.score_a}, B {found.score_b}, C {found.score_c}"
    print_result(found, values, title=title, as_json=json)


def owas(
    *,
    back: Annotated[
        int,
        typer.Option(
            min=1, max=4, help="1 straight, 2 bent, 3 twisted or bent sideways, 4 bent and twisted."
        ),
    ] = 1,
    arms: Annotated[
        int, typer.Option(min=1, max=3, help="1 both below the shoulder, 2 one above, 3 both.")
    ] = 1,
    legs: Annotated[
        int,
        typer.Option(
            min=1,
            max=7,
            help="1 sitting, 2 on both straight legs, 3 on one straight leg, 4 both knees bent, "
            "5 on one bent leg, 6 kneeling, 7 walking.",
        ),
    ] = 2,
    load: LoadOption = 0.0,
    json: JsonFlag = False,
) -> None:
    """Find the category of a posture, 1 to 4."""
    from robotix.ergonomics import owas_of_code

    found = owas_of_code(back, arms, legs=legs, load=load)
    values = {"category": found.category, "code": found.code}
    title = f"OWAS {found.code}: category {found.category} of 4"
    print_result(found, values, title=title, as_json=json)
