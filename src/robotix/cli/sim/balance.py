"""`robotix sim balance`: a humanoid squats, kicks or is pushed, and its ankles keep it standing."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.dynamics.balance import BalanceResult, BalanceTrial

__all__ = ["balance"]


class BalanceMotion(StrEnum):
    """What the humanoid does."""

    squat = "squat"
    kick = "kick"
    push = "push"


def balance(
    motion: Annotated[BalanceMotion, typer.Argument(help="What the humanoid does.")],
    *,
    gain_mg: Annotated[
        float,
        typer.Option(min=0, max=1000, help="Gain of the centre of mass, in multiples of M·g."),
    ] = 2.0,
    printed_sign: Annotated[
        bool, typer.Option("--printed-sign", help="Use the sign of τ_x as it was published.")
    ] = False,
    no_control: Annotated[
        bool, typer.Option("--no-control", help="Hold the ankles at their first angles instead.")
    ] = False,
    impulse: Annotated[
        float | None,
        typer.Option(metavar="NS", min=0, max=1e4, help="Push, in N s; 1.2 for push."),
    ] = None,
    direction_deg: Annotated[
        float, typer.Option(metavar="D", help="Its direction: 0 forward, 90 to the left.")
    ] = 0.0,
    noise: Annotated[
        float, typer.Option(min=0, max=100, help="Sensor noise, in multiples of the usual one.")
    ] = 0.0,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Let the humanoid testbed squat, kick or be pushed, balanced by its ankles.

    The law acts on angular momentum and centre of mass about the support ankle; all other joints
    follow the motion. A push lasts 0.1 s. It is stable for gains above 1 (M·g).
    """
    if no_control and printed_sign:
        raise typer.BadParameter("give only one of --no-control and --printed-sign")
    from robotix.dynamics.balance import (
        AnkleLaw,
        BalancePush,
        BalanceSensors,
        BalanceTrial,
        run_balance,
    )

    push = None
    if impulse is not None or motion is BalanceMotion.push:
        size = 1.2 if impulse is None else impulse
        push = BalancePush(size, math.radians(direction_deg))
    law = AnkleLaw(gain_mg, sign="printed" if printed_sign else "right_handed")
    trial = BalanceTrial(
        motion.value,
        None if no_control else law,
        push,
        sensors=BalanceSensors.usual(noise),
        seed=seed,
    )
    with Progress(None, motion.value):
        result = run_balance(trial)
    if json:
        print_json(_document(trial, result))
    else:
        _print(trial, result)


def _document(trial: BalanceTrial, result: BalanceResult) -> dict[str, Any]:
    push, law = trial.push, trial.law
    return {
        "motion": trial.motion,
        "control": law is not None,
        "gain_mg": None if law is None else law.com_gain_mg,
        "sign": None if law is None else law.sign,
        "impulse": None if push is None else push.impulse,
        "direction_deg": None if push is None else math.degrees(push.direction),
        "fell": result.fell,
        "fall_time": result.fall_time,
        "seconds": result.seconds,
        "max_com_offset": result.max_com_offset,
        "final_com_offset": result.final_com_offset,
        "tilt_deg": math.degrees(result.max_tilt),
        "max_moment": result.max_moment,
        "lowest_root": result.lowest_root,
        "lowest_hand": result.lowest_hand,
    }


def _print(trial: BalanceTrial, result: BalanceResult) -> None:
    law = trial.law
    how = "ankles held" if law is None else f"gain {law.com_gain_mg:g} M·g, {law.sign} sign"
    end = f"fell after {result.fall_time:.2f} s" if result.fell else "did not fall"
    lines = [
        f"{trial.motion}, {how}: {end} ({result.seconds:.2f} s simulated)",
        f"  centre of mass    up to {result.max_com_offset * 1e3:.1f} mm from the ankle, "
        f"{result.final_com_offset * 1e3:.2f} mm at the end",
        f"  tilt              up to {math.degrees(result.max_tilt):.1f}°",
        f"  lowest            hips {result.lowest_root * 1e3:.0f} mm, "
        f"hands {result.lowest_hand * 1e3:.0f} mm above the floor",
    ]
    typer.echo("\n".join(lines))
