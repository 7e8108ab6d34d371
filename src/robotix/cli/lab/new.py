"""`robotix lab new`: a study to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["new"]


def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    *,
    example: Annotated[
        bool, typer.Option("--example", help="The complete example: three arms, four tasks.")
    ] = False,
    shared: Annotated[
        bool,
        typer.Option("--shared", help="Person and robot in one task: two strategies compared."),
    ] = False,
) -> None:
    """Write a study file to start from, with comments."""
    from robotix.experiments.study.study_file import STUDY_FILE
    from robotix.experiments.study.templates import example_text, minimal_text, shared_text

    if example and shared:
        raise typer.BadParameter("choose one of --example and --shared")
    path = folder / STUDY_FILE
    if path.exists():
        raise typer.BadParameter(f"{path} exists already; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    text = example_text() if example else shared_text() if shared else minimal_text()
    path.write_text(text, encoding="utf-8")
    typer.echo(
        f"wrote {path}; edit it, then\n"
        f"  robotix lab status {folder}                  checks it\n"
        f"  robotix lab pilot {folder} --operators 10    tries it without people\n"
        f"  robotix lab run {folder}                     runs it with people"
    )
