"""`robotix check`: validate a scene file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import explain, print_json
from robotix.cli.trusting import plugin_document

__all__ = ["check"]

SceneArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="SCENE", help="A scene: .yaml, .vd2 or .cfg.")
]


def check(scene: SceneArgument, *, json: JsonFlag = False) -> None:
    """Check a scene file without running it.

    Lists all errors with file, line and column; the exit status is 1 if there are any. Also lists
    warnings: what would run, but perhaps not as intended, and the plug-ins that would run.
    """
    from robotix.kernels.compile_events import announce_compiling

    announce_compiling()
    from robotix.authoring import examine_scene
    from robotix.authoring.trust import describe, is_known
    from robotix.cli.reporting import collected_warnings

    with collected_warnings() as warnings:
        problems, plugins = examine_scene(scene)
    if json:
        listed = [
            {
                "path": str(problem.args[0]),
                "line": problem.line,
                "column": problem.column,
                "found": str(problem.args[1]),
                "expected": str(problem.args[2]),
            }
            for problem in problems
        ]
        document = {"scene": str(scene), "ok": not problems, "problems": listed}
        document["plugins"] = [plugin_document(each) for each in plugins]
        print_json(document | {"warnings": warnings})
    else:
        for warning in warnings:
            typer.echo(f"warning: {warning}")
        for problem in problems:
            typer.echo(explain(problem))
        for plugin in plugins:
            state = "" if is_known(plugin) else "; `robotix run` will ask before it runs"
            typer.echo(f"plug-in {plugin.name}: {describe(plugin)}{state}")
        errors = f"{len(problems)} error{'s' * (len(problems) > 1)}" if problems else "no errors"
        typer.echo(f"{scene}: {errors}")
    if problems:
        raise typer.Exit(1)
