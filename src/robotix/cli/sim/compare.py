"""`robotix sim compare`: a robot's log against the simulation of the same commands."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.dynamics.testbed import Identification, LogComparison

__all__ = ["compare"]


def compare(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A .csv or .mcap file; see the docs.")],
    *,
    robot: Annotated[
        str, typer.Option(metavar="ROBOT", help="A name from `robotix robots`, or a file.")
    ] = "vhrp26",
    identify: Annotated[
        bool, typer.Option("--identify", help="Find delay, stiffness and damping of the joints.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Simulate the commands of a log, and print how far every signal is off.

    RMS and largest difference are in rad, m or N; the delay is how much the log lags behind the
    simulation. With --identify they are those after the joints' servos were found from the log.
    """
    if log.suffix.lower() not in (".csv", ".mcap"):
        raise typer.BadParameter(f"{log}: a log is a .csv or .mcap file")
    from robotix.dynamics.testbed import compare_log, identify_joints, load_log
    from robotix.model.robots import load

    model, recorded = load(robot), load_log(log)
    with Progress(None, log.name):
        found = identify_joints(model, recorded) if identify else None
        result = compare_log(model, recorded, None if found is None else found.responses)
    if json:
        print_json(
            {
                "robot": model.name,
                "seconds": float(recorded.times[-1] - recorded.times[0]),
                "signals": {
                    each.name: {"rms": each.rms, "max": each.max, "delay": each.delay}
                    for each in result.errors
                },
                "joints": None if found is None else _joints(found),
            }
        )
        return
    _print_errors(result)
    if found is not None:
        _print_joints(found)


def _joints(found: Identification) -> dict[str, dict[str, float]]:
    return {
        name: {
            "delay": each.delay,
            "stiffness": each.stiffness,
            "damping": each.damping,
            "rms_before": found.rms_before[name],
            "rms": found.rms[name],
        }
        for name, each in found.responses.items()
    }


def _print_errors(result: LogComparison) -> None:
    typer.echo(f"{'signal':<28}{'RMS':>12}{'max':>12}{'delay':>12}")
    for each in result.errors:
        delay = "–" if math.isnan(each.delay) else f"{each.delay * 1e3:.1f} ms"
        typer.echo(f"{each.name:<28}{each.rms:>12.2e}{each.max:>12.2e}{delay:>12}")


def _print_joints(found: Identification) -> None:
    typer.echo(f"\n{'joint':<28}{'delay':>12}{'stiffness':>12}{'damping':>12}")
    for name, each in found.responses.items():
        delay = f"{each.delay * 1e3:.1f} ms"
        typer.echo(f"{name:<28}{delay:>12}{each.stiffness:>12.4g}{each.damping:>12.4g}")
