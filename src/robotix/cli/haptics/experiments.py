"""`robotix haptics experiments`: the published experiments on ViSHARD10."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.output import print_json
from robotix.cli.progress import Progress
from robotix.files.output_file import check_new_file

__all__ = ["experiments"]


def experiments(
    *,
    dt: Annotated[
        float, typer.Option(metavar="S", min=1e-5, max=0.02, help="Time step, s.")
    ] = 0.001,
    out: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write report and figures to this file.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Reproduce the published experiments on ViSHARD10, and check their twenty findings."""
    from robotix.haptics.redundancy.findings import check_findings
    from robotix.haptics.redundancy.report import experiments_page
    from robotix.haptics.redundancy.run import run_experiments, total_ticks

    if out is not None:
        check_new_file(out)
    with Progress(total_ticks(dt), "circles") as bar:
        runs = run_experiments(dt=dt, advance=bar.advance)
    findings = check_findings(runs)
    if out is not None:
        out.write_text(experiments_page(runs, findings), encoding="utf-8")
    if json:
        print_json({"findings": [asdict(each) for each in findings]})
        return
    words = {True: "reproduced", False: "NOT reproduced", None: "undecided"}
    for each in findings:
        typer.echo(f"{each.number:2} {each.name}: {each.published}\n     {each.ours}")
        typer.echo(f"     {words[each.reproduced]}")
    count = sum(each.reproduced is True for each in findings)
    typer.echo(f"{count} of {len(findings)} findings reproduced")
    if out is not None:
        typer.echo(f"written to {out}")
