"""The analysis as a JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from robotix.experiments.analysis.analyse import MeasureAnalysis
from robotix.experiments.analysis.study_analysis import StudyAnalysis

__all__ = ["analysis_document"]


def analysis_document(analysis: StudyAnalysis) -> dict[str, Any]:
    """Return scores, ranking, tests and the rest of an analysis, ready for JSON."""
    durations = analysis.of("duration")
    return {
        "study": analysis.study.study,
        "participants": analysis.participants,
        "simulated": analysis.simulated,
        "trials": len(analysis.trials),
        "factor": analysis.factor,
        "scores": {
            task: {
                level: {"mean": cell.mean, "sd": cell.sd, "e": cell.e, "n": cell.n,
                        "low": cell.low, "high": cell.high}
                for level, cell in each.cells.items()
            }
            for task, each in durations.items()
        },
        "ranking": {task: list(each.ranking) for task, each in durations.items()},
        "tests": [_test(each) for each in analysis.measures],
        "questionnaires": [
            {
                "form": each.form, "scale": each.scale, "alpha": each.alpha,
                "levels": {level: asdict(cell) for level, cell in each.cells.items()},
            }
            for each in analysis.forms
        ],
        "index": None if analysis.index is None else {
            "values": dict(analysis.index.values), "weights": dict(analysis.index.weights),
            "left_out": analysis.index.left_out, "users": analysis.users,
            "best_for_users": dict(analysis.best_for_users),
            "best_share": dict(analysis.sensitivity.best_share) if analysis.sensitivity else {},
            "turning": dict(analysis.sensitivity.turning) if analysis.sensitivity else {},
        },
        "published": None if analysis.published is None else asdict(analysis.published),
    }  # fmt: skip


def _test(each: MeasureAnalysis) -> dict[str, Any]:
    return {
        "task": each.task,
        "measure": each.measure,
        "factor": each.factor,
        "parametric": each.is_parametric,
        "reason": each.reason,
        "normality": dict(each.normality),
        "effects": [{"name": effect.name, **asdict(effect)} for effect in each.effects],
        "friedman": None if each.friedman is None else asdict(each.friedman),
        "pairs": [asdict(pair) for pair in each.pairs],
        "between": [asdict(test) for test in each.between],
        "mixed_model": None if each.model is None else asdict(each.model),
        "left_out": {name: list(cells) for name, cells in each.left_out.items()},
        "notes": list(each.notes),
    }
