"""The paragraph on methods, filled in from the study file and the data."""

from __future__ import annotations

from importlib.metadata import version

from robotix.experiments.analysis.study_analysis import StudyAnalysis
from robotix.experiments.study.study import Study
from robotix.version import __version__

__all__ = ["methods_paragraph"]

ORDER_WORDS = {
    "williams": "balanced for order and first-order carry-over by a Williams design",
    "latin": "balanced for position by a Latin square",
    "random": "randomised",
    "fixed": "in a fixed order",
}


def methods_paragraph(analysis: StudyAnalysis) -> str:
    """Return how the study was done and analysed, in sentences for a paper."""
    study = analysis.study
    people = analysis.participants - analysis.simulated
    who = []
    if people:
        who.append(f"{people} participants")
    if analysis.simulated:
        who.append(f"{analysis.simulated} simulated operators")
    sentences = [
        f"{' and '.join(who)} took part ({study.participants} were planned).",
        *_factors(study),
        f"The tasks were {_listed(study.tasks)}, {ORDER_WORDS[study.task_order]}; each was done"
        f" {_times(study.repeats)} per condition, with a time limit of"
        f" {_limits(study)}.",
        *_around(study, analysis),
        "Completion times are reported as means with 95 % confidence intervals (Student's t) and as"
        " the score E = μ² + σ², lower being better. Trials that reached the time limit count with"
        " that limit; aborted trials are left out.",
        "Normality of each condition was checked by the test of Shapiro and Wilk, sphericity by"
        " that of Mauchly. Effects were tested by an analysis of variance with repeated measures,"
        " corrected after Greenhouse and Geisser, or, where normality was rejected, by Friedman's"
        " test; pairs were compared by Student's t or Wilcoxon's signed ranks, corrected after"
        " Holm. Effect sizes are partial η² (90 % interval) and dz (95 % interval), by inversion of"
        " noncentral distributions, Kendall's W, and the rank-biserial correlation (95 % interval"
        " by resampling). A linear mixed"
        " model with random intercepts for participants was fitted by restricted maximum likelihood"
        " to all trials.",
        f"The analysis was made with robotix {__version__}, SciPy {version('scipy')} and"
        f" statsmodels {version('statsmodels')}.",
    ]
    return " ".join(sentences)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _factors(study: Study) -> list[str]:
    found = []
    for name, factor in study.factors.items():
        where = "within" if factor.vary == "within" else "between"
        order = f", {ORDER_WORDS[factor.order]}" if factor.vary == "within" else ", in blocks"
        levels = _listed(factor.levels)
        found.append(f"The factor {name} ({levels}) varied {where} participants{order}.")
    if study.settings:
        fixed = ", ".join(f"{name}: {value}" for name, value in study.settings.items())
        found.append(f"The same for all trials were {fixed}.")
    return found


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _limits(study: Study) -> str:
    special = [f"{limit:g} s for {task}" for task, limit in study.time_limits.items()]
    return " and ".join([f"{study.time_limit:g} s", *special])


def _around(study: Study, analysis: StudyAnalysis) -> list[str]:
    found = []
    is_with_people = analysis.participants > analysis.simulated
    if study.training is not None and is_with_people:
        when = "each block" if study.training.before == "block" else "the first block"
        found.append(
            f"Before {when} participants trained in two phases, moving along the three axes and"
            " following a path, until they met the criterion of each."
        )
    if study.breaks is not None and is_with_people:
        found.append(
            f"A break of {study.breaks.seconds:g} s followed every {study.breaks.every} trials."
        )
    forms = dict.fromkeys(study.form(plan.form).title for plan in study.questionnaires)
    if forms and is_with_people:
        found.append(f"Questionnaires: {_listed(tuple(forms))}.")
    if analysis.simulated:
        found.append("Simulated operators neither trained nor answered questionnaires.")
    return found
