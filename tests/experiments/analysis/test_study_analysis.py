from __future__ import annotations

import json
from pathlib import Path

import pytest
from oracles.pingouin_oracle import pingouin
from support.small_study import make_study

from robotix.experiments.analysis.document import analysis_document
from robotix.experiments.analysis.study_analysis import (
    StudyAnalysis,
    analyse_study,
    analyse_tables,
)
from robotix.experiments.analysis.tidy import TidyTable
from robotix.files.json_text import to_plain


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> StudyAnalysis:
    return analyse_study(make_study(tmp_path_factory.mktemp("study"), operators=6))


def test_scores_and_ranking_have_the_stable_keys(analysis: StudyAnalysis) -> None:
    document = json.loads(json.dumps(to_plain(analysis_document(analysis))))
    assert set(document["scores"]) == {"books", "shelf", "chess", "tables"}
    for task, arms in document["scores"].items():
        for cell in arms.values():
            assert cell["e"] == pytest.approx(cell["mean"] ** 2 + cell["sd"] ** 2)
            assert cell["n"] == 8
        best = sorted(arms, key=lambda arm: arms[arm]["e"])
        assert document["ranking"][task] == best
    assert document["published"]["best"]["books"] == document["ranking"]["books"][0]
    assert {test["measure"] for test in document["tests"]} >= {"duration", "errors", "path_length"}


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_the_pilots_statistics_equal_pingouin(analysis: StudyAnalysis) -> None:
    frame = analysis.trials.to_pandas()
    for task, each in analysis.of("duration").items():
        known = pingouin().rm_anova(
            frame[frame["task"] == task], dv="duration", within="arm", subject="participant",
            correction=True, effsize="np2",
        ).iloc[0]  # fmt: skip
        (effect,) = each.effects
        assert effect.f == pytest.approx(known["F"], rel=1e-9)
        assert effect.p == pytest.approx(known["p_unc"], rel=1e-9)
        assert effect.p_greenhouse_geisser == pytest.approx(known["p_GG_corr"], rel=1e-9)


def test_tables_are_tidy_for_notebooks(analysis: StudyAnalysis) -> None:
    assert len(analysis.table_of_scores) == 12
    assert list(analysis.table_of_scores.columns)[:3] == ["task", "arm", "n"]
    assert analysis.trials.to_pandas().shape[0] == 96
    assert "<th>participant</th>" in analysis.trials._repr_html_()
    assert len(analysis.scores) == 6 and analysis.forms[0].alpha is not None


def test_nothing_finished_is_said(analysis: StudyAnalysis) -> None:
    with pytest.raises(ValueError, match="no trial is finished"):
        analyse_tables(analysis.study, TidyTable({"status": []}), analysis.answers)


def test_the_index_uses_what_there_is(analysis: StudyAnalysis, tmp_path: Path) -> None:
    assert analysis.index is not None and analysis.index.left_out == ("payload",)
    by_users = {"duration": 0.2, "sus": 0.8}  # what two participants chose, on average
    assert analysis.index.weights == pytest.approx(by_users)
    assert analysis.users == sum(analysis.best_for_users.values()) == 2
    without = analysis.answers.where(lambda row: row["form"] != "importance")
    plain = analyse_tables(analysis.study, analysis.trials, without)
    assert plain.index is not None and plain.users == 0
    assert plain.index.weights == pytest.approx({"duration": 2 / 3, "sus": 1 / 3})
