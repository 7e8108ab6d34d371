"""Statistics of a real pilot (`robotix lab pilot`, example study, seed 1) against pingouin."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from oracles.pingouin_oracle import pingouin

from robotix.experiments.analysis.analyse import MeasureAnalysis, analyse_measure
from robotix.experiments.analysis.pairs import compare_pairs
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.study.study import Study
from robotix.experiments.study.study_file import load_study
from robotix.experiments.study.templates import example_text

EXACT = 1e-9
WORDS = frozenset({"participant", "task", "arm", "status"})
MEASURES = ("duration", "path_length", "throughput", "sparc")
TASKS = ("books", "shelf", "chess", "tables")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.yaml").write_text(example_text())
    return load_study(folder)


@pytest.fixture(scope="module")
def trials() -> TidyTable:
    file = Path(__file__).parent / "tables" / "pilot.csv"
    with file.open(newline="", encoding="utf-8") as lines:
        return TidyTable.of([
            {name: text if name in WORDS else float(text) for name, text in row.items()}
            for row in csv.DictReader(lines)
        ])  # fmt: skip


@pytest.fixture(params=itertools.product(TASKS, MEASURES), ids="-".join)
def analysis(request: pytest.FixtureRequest, study: Study, trials: TidyTable) -> MeasureAnalysis:
    task, measure = request.param
    return analyse_measure(trials, study, task=task, measure=measure)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # in pingouin
def test_a_pilot_has_the_statistics_of_pingouin(
    analysis: MeasureAnalysis, trials: TidyTable
) -> None:
    pg, measure = pingouin(), analysis.measure
    frame = trials.where(lambda row: row["task"] == analysis.task).to_pandas()
    names = {"dv": measure, "within": "arm", "subject": "participant"}
    known = pg.rm_anova(frame, **names, correction=True, effsize="np2").iloc[0]
    (effect,) = analysis.effects
    assert effect.effect_size is not None and analysis.friedman is not None
    ours = [effect.f, effect.p, effect.p_greenhouse_geisser, effect.effect_size.value]
    theirs = known[["F", "p_unc", "p_GG_corr", "np2"]].to_numpy(float)
    np.testing.assert_allclose(np.array(ours, float), theirs, rtol=EXACT)
    friedman = pg.friedman(frame, **names).iloc[0]
    assert analysis.friedman.chi_squared == pytest.approx(friedman["Q"], rel=EXACT)
    assert analysis.friedman.p == pytest.approx(friedman["p_unc"], rel=EXACT)
    assert analysis.friedman.effect_size.value == pytest.approx(friedman["W"], rel=EXACT)


def test_pairs_of_a_pilot_equal_pingouin(analysis: MeasureAnalysis, trials: TidyTable) -> None:
    pg, measure = pingouin(), analysis.measure
    arms = list(analysis.cells)
    frame = trials.where(lambda row: row["task"] == analysis.task).to_pandas()
    values = frame.pivot(index="participant", columns="arm", values=measure)[arms].to_numpy(float)
    for is_parametric in (True, False):
        pairs = compare_pairs(values, arms, is_parametric=is_parametric)
        test = pg.ttest if is_parametric else pg.wilcoxon
        for pair, (i, j) in zip(pairs, itertools.combinations(range(3), 2), strict=True):
            options = {"paired": True} if is_parametric else {}
            known = test(values[:, i], values[:, j], **options).iloc[0]
            assert pair.p == pytest.approx(known["p_val"], rel=EXACT)
        ps = [pair.p for pair in pairs]
        _, corrected = pg.multicomp(ps, method="holm")
        ours = np.array([pair.p_holm for pair in pairs], float)
        np.testing.assert_allclose(ours, corrected, rtol=EXACT)
