"""`robotix lab report`: the report of a study."""

from __future__ import annotations

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.arms import ComparisonFlag, compare_for_report
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

__all__ = ["report"]


def report(
    folder: StudyFolder, *, comparison: ComparisonFlag = True, json: JsonFlag = False
) -> None:
    """Write report/index.html, one self-contained page, and its figures as SVG and PDF."""
    from robotix.experiments.analysis.study_analysis import analyse_study
    from robotix.experiments.report.files import write_report

    with Progress(None, "statistics"):
        analysis = analyse_study(folder)  # raises if nothing has been run
    if comparison:
        compare_for_report(folder)
    with Progress(None, "figures"):
        page = write_report(folder, analysis)
    figures = sorted(str(path) for path in (page.parent / "figures").iterdir())
    if json:
        print_json({"report": str(page), "figures": figures})
        return
    typer.echo(f"wrote {page} and {len(figures)} figures beside it")
