"""`robotix lab analyse`: statistics of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from robotix.cli.arguments import JsonFlag
from robotix.cli.lab.options import StudyFolder
from robotix.cli.output import print_json
from robotix.cli.progress import Progress

if TYPE_CHECKING:
    from robotix.experiments.analysis.analyse import MeasureAnalysis

__all__ = ["analyse"]


def analyse(folder: StudyFolder, *, json: JsonFlag = False) -> None:
    """Print scores, ranking and tests of the completion times; with --json, of all measures."""
    from robotix.experiments.analysis.document import analysis_document
    from robotix.experiments.analysis.study_analysis import analyse_study

    with Progress(None, "statistics"):
        analysis = analyse_study(folder)
    if json:
        print_json(analysis_document(analysis))
        return
    people = f"{len(analysis.trials)} trials, {analysis.participants} participants"
    typer.echo(f"{analysis.study.study}: {people}")
    for task, each in analysis.of("duration").items():
        typer.echo(f"{task}: completion time, s; best first by E = mean² + sd²")
        for level in each.ranking:
            cell = each.cells[level]
            sd = "" if cell.sd is None else f" ± {cell.sd:.2f}"
            e = "" if cell.e is None else f"   E {cell.e:.1f}"
            typer.echo(f"  {level:<16} {cell.mean:8.2f}{sd}  (n = {cell.n}){e}")
        _print_tests(each)
        for note in each.notes:
            typer.echo(f"  note: {note}")
    if analysis.published is not None:
        best = ", ".join(f"{task}: {arm}" for task, arm in analysis.published.best.items())
        words = "comes out" if analysis.published.reproduced else "does not come out"
        if missing := analysis.published.tasks_missing:
            words = f"cannot be judged without {', '.join(missing)}"
        typer.echo(f"published ranking (kuka_lwr best in all four tasks) {words}; best: {best}")
    if analysis.index is not None:
        ranked = ", ".join(f"{name} {value:.3f}" for name, value in analysis.index.values.items())
        typer.echo(f"index: {ranked}")


def _print_tests(each: MeasureAnalysis) -> None:
    if each.is_parametric:
        for effect in each.effects:
            if effect.f is not None and effect.p_greenhouse_geisser is not None:
                typer.echo(
                    f"  {effect.name}: F({effect.df}, {effect.error_df}) = {effect.f:.3f},"
                    f" p = {effect.p:.3g}, Greenhouse-Geisser {effect.p_greenhouse_geisser:.3g}"
                )
    elif each.friedman is not None:
        test = each.friedman
        typer.echo(f"  Friedman: chi2({test.df}) = {test.chi_squared:.3f}, p = {test.p:.3g}")
    for pair in each.pairs:
        if pair.p_holm is not None:
            typer.echo(
                f"  {pair.first} - {pair.second}: {pair.difference:+.2f} s,"
                f" p(Holm) = {pair.p_holm:.3g}"
            )
