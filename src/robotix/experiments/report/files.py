"""Files of a report: the page, and its figures as SVG and PDF."""

from __future__ import annotations

from pathlib import Path

from robotix.experiments.analysis.study_analysis import StudyAnalysis, analyse_study
from robotix.experiments.comparison.files import load_comparison
from robotix.experiments.report.comparison import comparison_figure
from robotix.experiments.report.figures import study_figures
from robotix.experiments.report.page import report_page
from robotix.experiments.sensitivity_file import load_sensitivity

__all__ = ["REPORT_FOLDER", "write_report"]

REPORT_FOLDER = "report"


def write_report(folder: str | Path, analysis: StudyAnalysis | None = None) -> Path:
    """Write `report/index.html` and its figures into the folder of a study; return the page."""
    known = analysis or analyse_study(folder)
    target = Path(folder) / REPORT_FOLDER
    figures = target / "figures"
    figures.mkdir(parents=True, exist_ok=True)
    compared = load_comparison(folder)
    drawings = study_figures(known)
    if compared:
        drawings["arms_and_mountings"] = comparison_figure(compared)
    for name, drawing in drawings.items():
        (figures / f"{name}.svg").write_text(drawing.svg(), encoding="utf-8")
        (figures / f"{name}.pdf").write_bytes(drawing.pdf())
    page = target / "index.html"
    text = report_page(known, sensitivity=load_sensitivity(folder), comparison=compared)
    page.write_text(text, encoding="utf-8")
    return page
