"""`robotix lab shared`: a person and a robot share a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from robotix.cli.arguments import JsonFlag, SeedOption
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

if TYPE_CHECKING:
    from robotix.experiments.sharing.run import SharedRun
    from robotix.geometry import Array
    from robotix.scene.robots.safety_log import RobotContact

__all__ = ["shared"]


Task = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        help="one_bench, walk_past, handover_to_person, handover_to_robot or carry_together.",
    ),
]
Strategy = Annotated[
    str, typer.Option(metavar="S", help="none, ssm, pfl or both (as fast as one permits).")
]
Reaction = Annotated[str, typer.Option(metavar="R", help="stop, retreat, avoid or none.")]
FaultLine = Annotated[
    str, typer.Option(metavar="F", help="A fault, such as 'joint_lock joint=3 start=2'.")
]
TimeLimit = Annotated[float, typer.Option(min=0.1, max=3600.0, help="Time limit, s.")]
ArmName = Annotated[str, typer.Option(metavar="A", help="An arm of the library.")]
MotionFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A recorded motion that the person repeats instead."),
]
Tracked = Annotated[
    bool,
    typer.Option("--tracked", help="The person follows a headset and controllers; see --scene."),
]
SamplesFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Recorded samples of these devices, instead of live ones."),
]
Stature = Annotated[
    float | None, typer.Option(min=1.2, max=2.2, help="Of the person, m; drawn without.")
]
SeriesFile = Annotated[
    Path | None, typer.Option(metavar="CSV", help="Write all series, a row a tick.")
]
SceneFile = Annotated[
    Path | None,
    typer.Option(metavar="YAML", help="Write the room, for `robotix run`; run nothing."),
]


def shared(
    task: Task,
    *,
    strategy: Strategy = "ssm",
    reaction: Reaction = "stop",
    fault: FaultLine = "none",
    seconds: TimeLimit = 60.0,
    arm: ArmName = "ur5",
    motion: MotionFile = None,
    tracked: Tracked = False,
    samples: SamplesFile = None,
    stature: Stature = None,
    out: SeriesFile = None,
    scene: SceneFile = None,
    seed: SeedOption = 0,
    json: JsonFlag = False,
) -> None:
    """Let a person and a robot share a task, faster than real time, and measure both.

    Prints distance, speeds, waiting, contacts against the limits of body regions, and the load of
    the person. Who the person is, and when they begin, is drawn by --seed.
    """
    from robotix.experiments.sharing.rooms import draw_setup, shared_room
    from robotix.experiments.sharing.run import run_shared
    from robotix.safety.faults import parse_fault
    from robotix.safety.protection import ProtectionSettings

    for path in (out, scene):
        if path is not None:
            check_new_file(path)
    protection = ProtectionSettings(strategy=strategy, reaction=reaction)  # type: ignore[arg-type]
    setup = draw_setup(seed, arm=arm)
    setup = replace(
        setup,
        motion="" if motion is None else str(motion),
        is_tracked=tracked or samples is not None,
        samples="" if samples is None else str(samples),
        stature=stature,
    )
    if setup.is_tracked and samples is None and scene is None:
        raise typer.BadParameter("--tracked needs --scene, for live devices, or --samples")
    if setup.is_tracked and motion is not None:
        raise typer.BadParameter("a person is tracked, or repeats a motion, not both")
    if scene is not None:
        scene.write_text(shared_room(task, setup, protection), encoding="utf-8")
        typer.echo(f"wrote {scene}; `robotix run {scene}` opens it")
        return
    found = parse_fault(fault)
    with Progress(None, f"{task}, at most {seconds:g} s"):
        run = run_shared(task, protection, setup=setup, time_limit=seconds, fault=found)
    if out is not None:
        _write(out, run.series)
    if json:
        print_json({**_document(run), "fault": fault, "seed": seed})
        return
    _print(run)
    if out is not None:
        typer.echo(f"series: {out}")


def _document(run: SharedRun) -> dict[str, Any]:
    return {
        "task": run.task,
        "strategy": run.protection.strategy,
        "reaction": run.protection.reaction,
        "is_done": run.is_done,
        "duration": run.duration,
        "figures": dict(run.figures),
        "contacts": [_contact(each) for each in run.contacts],
    }


def _print(run: SharedRun) -> None:
    state = "done" if run.is_done else "not done"
    typer.echo(f"{run.task} with {run.protection.strategy}: {state} after {run.duration:.1f} s")
    for name, value in run.figures.items():
        typer.echo(f"  {name:<22} {value:.3g}")
    for each in map(_contact, run.contacts):
        typer.echo(
            f"  contact at {each['time']:.2f} s: {each['body']} on {each['segment']}, "
            f"{each['force']:.0f} N ({each['ratio']:.2f} of the limit, {each['kind']})"
        )


def _contact(contact: RobotContact) -> dict[str, Any]:
    force = contact.force
    return {
        "time": contact.time,
        "segment": contact.segment,
        "body": contact.body,
        "region": force.region.name,
        "limit_sources": list(force.region.sources),
        "kind": force.kind,
        "speed": contact.speed,
        "robot_speed": contact.robot_speed,
        "robot_mass": contact.robot_mass,
        "force": force.force,
        "pressure": force.pressure,
        "ratio": force.ratio,
        "is_permitted": force.is_permitted,
    }


def _write(path: Path, series: Mapping[str, Array]) -> None:
    """Write series as columns."""
    import csv

    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(series)
        length = min(map(len, series.values()))
        writer.writerows(zip(*(column[:length] for column in series.values()), strict=True))
