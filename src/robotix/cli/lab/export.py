"""`robotix lab export`: tables and motions for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

__all__ = ["ExportFormat", "export"]


class ExportFormat(StrEnum):
    """What an export writes."""

    csv = "csv"
    parquet = "parquet"
    bids = "bids"


def export(
    folder: StudyFolder,
    *,
    format: Annotated[
        ExportFormat,
        typer.Option("--format", help="Tidy tables as CSV or Parquet, or motions as BIDS."),
    ] = ExportFormat.csv,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A new folder; DIR/export/FORMAT if left out."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Write the study for other programs.

    csv and parquet: trials (one row each), answers and scores. bids: one motion file a trial.
    """
    from robotix.experiments.export.bids import export_bids
    from robotix.experiments.export.tables import export_csv, export_parquet
    from robotix.experiments.store.reading import StudyReader

    target = out or folder / "export" / format.value
    if target.exists() and any(target.iterdir() if target.is_dir() else [target]):
        raise FileExistsError(
            17, "is not empty; delete it, or choose another by --out", str(target)
        )
    writers = {"csv": export_csv, "parquet": export_parquet, "bids": export_bids}
    with StudyReader(folder) as reader, Progress(None, f"export to {target.name}"):
        target.mkdir(parents=True, exist_ok=True)
        files = writers[format.value](reader, target)
    if json:
        print_json(
            {"format": format.value, "folder": str(target), "files": [str(f) for f in files]}
        )
        return
    typer.echo(f"wrote {len(files)} files to {target}")
