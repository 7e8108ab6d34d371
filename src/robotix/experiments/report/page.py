"""The report of a study as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from robotix.experiments.analysis.analyse import MeasureAnalysis
from robotix.experiments.analysis.effects import EffectSize
from robotix.experiments.analysis.published import PUBLISHED_BEST, PublishedRanking
from robotix.experiments.analysis.scores import SampleSummary
from robotix.experiments.analysis.study_analysis import StudyAnalysis
from robotix.experiments.comparison.files import comparable
from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.report.assumptions import assumptions_section
from robotix.experiments.report.comparison import comparison_section
from robotix.experiments.report.figures import study_figures
from robotix.experiments.report.measure_names import measure_title
from robotix.experiments.report.methods import methods_paragraph
from robotix.experiments.report.tables import html_table, number, p_words, probability
from robotix.experiments.sensitivity import SensitivityTable

__all__ = ["report_page"]

PUBLISHED_WORDS = "The published finding, that the KUKA LWR is best in all four tasks,"
STYLE = """
body{font:16px/1.5 sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;font-size:14px;margin:.6rem 0 1.2rem}
td,th{text-align:left;padding:.3rem .7rem;border-bottom:1px solid #ddd;vertical-align:top}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}td.n:last-child{white-space:normal}svg{width:100%;max-width:620px;background:#fff}
.broad svg{max-width:none}
.note{color:#7a4b00}h3{margin-top:1.6rem}figure{margin:.8rem 0}.lead{font-size:17px}
@media print{body{margin:0;max-width:none}h2{break-before:page}figure,table{break-inside:avoid}}
"""


def report_page(
    analysis: StudyAnalysis,
    *,
    sensitivity: Sequence[SensitivityTable] = (),
    comparison: Sequence[TargetReach] = (),
) -> str:
    """Return the page, with what `robotix lab sensitivity` and `robotix lab arms` found."""
    title = analysis.study.study
    figures = study_figures(analysis)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="lead">{escape(_summary(analysis))}</p>',
        f"<h2>Methods</h2><p>{escape(methods_paragraph(analysis))}</p>",
    ]
    if analysis.published is not None:
        parts.append(_published(analysis.published, analysis))
        if analysis.simulated:
            parts.append(assumptions_section(sensitivity))
    parts.append("<h2>Completion times</h2>")
    for task, each in analysis.of("duration").items():
        svg = figures[f"duration_{task}"].svg() if f"duration_{task}" in figures else ""
        parts.append(f"<h3>{escape(task)}</h3><figure>{svg}</figure>{_measure(each)}")
    others = [each for each in analysis.measures if each.measure != "duration"]
    if others:
        parts.append(f"<h2>Other measures</h2>{_others(others)}")
    if comparison or all(comparable(analysis.study)):
        mounting = analysis.study.settings.get("mounting", "rail")
        best = {} if "mounting" in analysis.study.factors else _best_arms(analysis)
        parts.append(comparison_section(comparison, best, mounting=mounting))
    parts += _forms(analysis, {name: each.svg() for name, each in figures.items()})
    parts += _index(analysis, figures["index"].svg() if "index" in figures else "")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _best_arms(analysis: StudyAnalysis) -> dict[str, str]:
    """Return the best arm of every task by E; empty if the trials did not compare arms."""
    return {
        task: each.ranking[0]
        for task, each in analysis.of("duration").items()
        if each.factor == "arm" and each.ranking
    }


def _summary(analysis: StudyAnalysis) -> str:
    trials = analysis.trials
    counts = {status: list(trials["status"]).count(status) for status in trials.distinct("status")}
    words = ", ".join(f"{count} {status}" for status, count in counts.items())
    planned = analysis.participants * analysis.study.trials_of_one
    missing = planned - len(trials)
    kind = ""
    if analysis.simulated == analysis.participants:
        kind = (
            " All operators were simulated: no number here was measured on a person. They differ"
            " less than people do, so p values and effect sizes say how the model behaves, and"
            " nothing about people."
        )
    elif analysis.simulated:
        kind = (
            f" {analysis.simulated} of the participants were simulated operators; their trials are"
            " in all numbers beside those of people."
        )
    left = (
        "None is missing." if not missing else f"{missing} of {planned} planned ones are missing."
    )
    return f"{len(trials)} trials of {analysis.participants} participants: {words}. {left}{kind}"


def _effect(size: EffectSize | None) -> str:
    if size is None:
        return ""
    interval = ""
    if size.low is not None and size.high is not None:
        interval = f" [{size.low:.2f}, {size.high:.2f}]"
    return f"{size.name} {size.value:.3f}{interval}"


def _measure(each: MeasureAnalysis) -> str:
    cells = html_table(
        [each.factor or "", "n", "mean", "sd", "95 % interval", "median", "E", "Shapiro-Wilk p"],
        [
            [
                level, str(cell.n), number(cell.mean), number(cell.sd),
                "" if cell.low is None else f"{number(cell.low)} to {number(cell.high)}",
                number(cell.median), number(cell.e, 6),
                probability(each.normality.get(level)),
            ]
            for level in each.ranking
            for cell in [each.cells[level]]
        ],
    )  # fmt: skip
    parts = [cells]
    if each.effects or each.friedman is not None:
        parts.append(f"<p>{escape(each.reason[:1].upper() + each.reason[1:])}.</p>")
    if each.effects:
        parts.append(_effects(each))
    if each.friedman is not None:
        found = each.friedman
        check = "As a check without the assumption of normality: " if each.is_parametric else ""
        words = f"{check}Friedman's χ²({found.df}) = {found.chi_squared:.3f}, {p_words(found.p)}, "
        parts.append(f"<p>{escape(words + _effect(found.effect_size))}.</p>")
    if each.pairs:
        parts.append(_pairs(each))
    for test in each.between:
        words = f"{test.factor}, between participants (Welch): F({test.df:g}, {test.error_df:.1f})"
        parts.append(f"<p>{escape(f'{words} = {test.f:.3f}, {p_words(test.p)}')}.</p>")
    if each.model is not None:
        parts.append(_model(each))
    parts += [f'<p class="note">{escape(note[:1].upper() + note[1:])}.</p>' for note in each.notes]
    return "".join(parts)


def _effects(each: MeasureAnalysis) -> str:
    heads = ["effect", "F", "df", "p", "ε (GG)", "p (GG)", "ε (HF)", "p (HF)", "Mauchly p", "size"]
    return html_table(heads, [
        [
            effect.name, number(effect.f), f"{effect.df}, {effect.error_df}", probability(effect.p),
            number(effect.sphericity.greenhouse_geisser, 3),
            probability(effect.p_greenhouse_geisser), number(effect.sphericity.huynh_feldt, 3),
            probability(effect.p_huynh_feldt), probability(effect.sphericity.p),
            _effect(effect.effect_size),
        ]
        for effect in each.effects
    ])  # fmt: skip


def _pairs(each: MeasureAnalysis) -> str:
    heads = ["pair", "difference", "95 % interval", "t" if each.is_parametric else "W", "p",
             "p (Holm)", "size"]  # fmt: skip
    return html_table(heads, [
        [
            f"{pair.first} - {pair.second}", number(pair.difference),
            "" if pair.low is None else f"{number(pair.low)} to {number(pair.high)}",
            number(pair.statistic) if each.is_parametric else f"{pair.statistic or 0:g}",
            probability(pair.p), probability(pair.p_holm),
            _effect(pair.effect_size),
        ]
        for pair in each.pairs
    ])  # fmt: skip


def _model(each: MeasureAnalysis) -> str:
    model = each.model
    assert model is not None
    rows = [
        [
            effect.name, number(effect.estimate), number(effect.standard_error),
            f"{number(effect.low)} to {number(effect.high)}", number(effect.z),
            probability(effect.p),
        ]
        for effect in model.effects
    ]  # fmt: skip
    converged = "" if model.has_converged else " The fit has not converged."
    words = (
        f"Mixed model of {model.n} trials of {model.participants} participants: variance between"
        f" participants {number(model.participant_variance)}, residual"
        f" {number(model.residual_variance)}.{converged}"
    )
    table = html_table(["fixed effect", "estimate", "se", "95 % interval", "z", "p"], rows)
    return f"<details><summary>{escape(words)}</summary>{table}</details>"


def _others(others: Sequence[MeasureAnalysis]) -> str:
    levels = list(dict.fromkeys(level for each in others for level in each.cells))
    rows = []
    for each in others:
        test, p, size = "", None, None
        if each.is_parametric and each.effects:
            effect = next((e for e in each.effects if e.factors == (each.factor,)), each.effects[0])
            if effect.f is not None:
                test = f"F({effect.df}, {effect.error_df}) = {effect.f:.2f}"
            p, size = effect.p_greenhouse_geisser, effect.effect_size
        elif each.friedman is not None:
            test = f"χ²({each.friedman.df}) = {each.friedman.chi_squared:.2f}"
            p, size = each.friedman.p, each.friedman.effect_size
        elif len(each.pairs) == 1 and each.pairs[0].statistic is not None:  # of two levels
            (pair,) = each.pairs
            test, p, size = f"W = {pair.statistic:g}", pair.p, pair.effect_size
        means = [_mean(each.cells.get(level)) for level in levels]
        rows.append(
            [measure_title(each.measure), each.task, *means, test, probability(p), _effect(size)]
        )
    heads = ["measure", "task", *levels, "test", "p", "size"]
    known = {each.measure for each in others}
    words = "Means ± standard deviations over participants."
    if "sparc" in known:
        words += " Smoothness is that of the hand's speed."
    if "time_near_singularity" in known:
        words += " Near a singularity means an isotropy below 0.1."
    words += " These tests are not corrected for the number of measures."
    return f"<p>{escape(words)}</p>{html_table(heads, rows, left=2)}"


def _mean(cell: SampleSummary | None) -> str:
    if cell is None:
        return "none"
    mean = number(cell.mean, 3)
    if cell.sd is None:
        return mean
    decimals = len(mean.partition(".")[2]) if cell.mean else 0
    return f"{mean} ± {cell.sd:.{decimals}f}"


def _published(published: PublishedRanking, analysis: StudyAnalysis) -> str:
    is_pilot = analysis.simulated == analysis.participants
    who = "simulated operators" if is_pilot else "participants"
    persons = "these people" if not analysis.simulated else "its model of operators and people"
    wins = [task for task, arm in published.best.items() if arm == PUBLISHED_BEST]
    if published.tasks_missing:
        words = (
            f"{PUBLISHED_WORDS} cannot be judged: {', '.join(published.tasks_missing)} was not run."
            f" It is best in {len(wins)} of {len(published.best)} tasks."
        )
    elif published.reproduced:
        words = f"{PUBLISHED_WORDS} comes out with these {who}."
    else:
        words = (
            f"{PUBLISHED_WORDS} does not come out with these {who}: it is best in {len(wins)} of"
            f" {len(published.best)} tasks."
        )
    fixed = ", ".join(f"{name} {value}" for name, value in analysis.study.settings.items())
    assumed = (
        "The publications give the ranking and figures without numbers, for ten users with a"
        " joystick. Ours rests on the geometry of the tasks as this product assumes it, on the"
        f" settings of this study ({fixed or 'defaults'}), and on"
        f" {'its model of operators' if is_pilot else persons}."
    )
    tasks = list(published.best)
    rows = [
        [name, *(found.get(task, "") for task in tasks)]
        for name, found in published.by_criterion.items()
    ]
    share = [f"{100 * published.bootstrap[task]:.0f} %" for task in tasks]
    rows.append([f"resampled participants with {PUBLISHED_BEST} best by E", *share])
    table = html_table(["best arm by", *tasks], rows)
    left = ""
    if any(count < analysis.participants for count in published.participants.values()):
        counts = ", ".join(f"{count} in {task}" for task, count in published.participants.items())
        words_left = (
            f"Only participants who did a task with all three arms count here ({counts}, of"
            f" {analysis.participants}), so that arms are compared over the same people; the tables"
            " of completion times have all trials, and may differ."
        )
        left = f'<p class="note">{escape(words_left)}</p>'
    return (
        f"<h2>The published ranking</h2><p>{escape(words)}</p><p>{escape(assumed)}</p>"
        f"<p>What would turn it, among ways to compare the same trials:</p>{table}{left}"
    )


def _forms(analysis: StudyAnalysis, figures: dict[str, str]) -> list[str]:
    if not analysis.forms:
        return []
    parts = ["<h2>Questionnaires</h2>"]
    for form in dict.fromkeys(each.form for each in analysis.forms):
        scales = [each for each in analysis.forms if each.form == form]
        figure = figures.get(f"form_{form}", "")
        rows = [
            [each.scale, level, str(cell.n), number(cell.mean), number(cell.sd),
             "" if cell.low is None else f"{number(cell.low)} to {number(cell.high)}"]
            for each in scales
            for level, cell in each.cells.items()
        ]  # fmt: skip
        alpha = scales[0].alpha
        words = "" if alpha is None else f"<p>Cronbach's α of the items: {alpha:.3f}.</p>"
        parts.append(
            f"<h3>{escape(scales[0].title)}</h3><figure>{figure}</figure>{words}"
            + html_table(["scale", "level", "n", "mean", "sd", "95 % interval"], rows, left=2)
        )
    return parts


def _whose_weights(analysis: StudyAnalysis) -> str:
    if not analysis.users:
        return "the weights of the study file"
    best = ", ".join(f"{escape(name)}: {count}" for name, count in analysis.best_for_users.items())
    return (
        f"the mean of the weights that {analysis.users} participants chose (best by their own"
        f" weights: {best})"
    )


def _index(analysis: StudyAnalysis, figure: str) -> list[str]:
    index, sensitivity = analysis.index, analysis.sensitivity
    if index is None or sensitivity is None:
        return []
    rows = []
    for criterion, weight in index.weights.items():
        turn = sensitivity.turning[criterion]
        words = "never" if turn is None else f"at {turn[0]:.2f}: {turn[1]}"
        scaled = [f"{index.scaled[criterion][name]:.2f}" for name in index.values]
        rows.append([criterion, f"{weight:.2f}", *scaled, words])
    shares = ", ".join(
        f"{name} {100 * share:.0f} %" for name, share in sensitivity.best_share.items()
    )
    left = (
        f'<p class="note">Left out for missing data: {escape(", ".join(index.left_out))}.</p>'
        if index.left_out
        else ""
    )
    return [
        f"<h2>Synthetic index</h2><figure>{figure}</figure>",
        "<p>Each criterion is scaled to 0..1 over the alternatives, 1 being best; the index is the"
        f" mean with {_whose_weights(analysis)}. The last column says at which weight another"
        " alternative would become best, the others keeping their proportions.</p>",
        html_table(["criterion", "weight", *index.values, "best changes"], rows),
        f"<p>Best under random weights: {escape(shares)}.</p>",
        left,
    ]
