"""Saving of reports: an HTML page, tables and a JSON summary in one folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.comparison import Comparison
from robotix.ergonomics.assessment.family import Family
from robotix.ergonomics.assessment.work import WorkDay
from robotix.ergonomics.report.details import ReportDetails
from robotix.ergonomics.report.languages import translated
from robotix.files.json_text import json_text
from robotix.motion import save_table

__all__ = ["save_report"]


Reported: TypeAlias = "Assessment | Family | Comparison | WorkDay"


def save_report(
    folder: str | Path,
    found: Reported,
    *,
    inputs: Mapping[str, str] | None = None,
    parquet: bool = False,
    details: ReportDetails | None = None,
) -> list[Path]:
    """Write `report.html`, `summary.json` and tables (`.csv`, also `.parquet`) to a folder.

    A table holds the time series of an assessment (two tables for a comparison, one per task of a
    working day), or one row per body or method. `inputs` are additional rows of the table of
    inputs, `details` say who assessed what, where and when, and in which language. Returns the
    written paths.
    """
    target = Path(folder)
    tables = _tables(found)
    page = translated(_html(found, inputs, details), details.language if details else "en")
    target.mkdir(parents=True, exist_ok=True)
    written = [target / "report.html", target / "summary.json"]
    for name, columns in tables.items():
        for suffix in (".csv", ".parquet") if parquet else (".csv",):
            save_table(target / f"{name}{suffix}", columns)
            written.append(target / f"{name}{suffix}")
    written[0].write_text(page, encoding="utf-8")
    written[1].write_text(json_text(found.as_dict()), encoding="utf-8")
    return written


def _tables(found: Reported) -> dict[str, dict[str, Any]]:
    if isinstance(found, Comparison):
        both = {"curves_before": found.before.columns(), "curves_after": found.after.columns()}
        return {"comparison": found.columns(), **both}
    if isinstance(found, WorkDay):
        return {f"curves_{k}": each.columns() for k, each in enumerate(found.tasks.values(), 1)}
    return {"curves" if isinstance(found, Assessment) else "family": found.columns()}


def _html(found: Reported, inputs: Mapping[str, str] | None, details: ReportDetails | None) -> str:
    if isinstance(found, Family):
        from robotix.ergonomics.report.family_page import family_html

        return family_html(found, details=details)
    if isinstance(found, Comparison):
        from robotix.ergonomics.report.comparison_page import comparison_html

        return comparison_html(found, details=details)
    if isinstance(found, WorkDay):
        from robotix.ergonomics.report.work_page import work_html

        return work_html(found, details=details)
    from robotix.ergonomics.report.report import report_html

    return report_html(found, inputs=inputs, details=details)
