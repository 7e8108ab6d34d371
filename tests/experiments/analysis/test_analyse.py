from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.pingouin_oracle import pingouin
from support.known_data import known_data

from robotix.experiments.analysis.analyse import analyse_measure
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.study.study_file import parse_study

STUDY = parse_study("""robotix: 1
study: S
factors:
  arm: {levels: [a, b, c]}
  group: {levels: [x, y], vary: between}
tasks: [shelf]
""")


def rows_of(values: Any, *, task: str = "shelf") -> list[dict[str, Any]]:
    return [
        {
            "participant": f"P{i:02}", "task": task, "repeat": 1, "status": "finished",
            "duration": float(value), "errors": 0, "arm": "abc"[k], "group": "xy"[i % 2],
        }
        for i, row in enumerate(values)
        for k, value in enumerate(row)
    ]  # fmt: skip


def test_friedman_of_sleep_aids_is_the_published_one() -> None:
    table = TidyTable.of(rows_of(known_data("sleep_aids")))
    analysis = analyse_measure(table, STUDY, task="shelf", measure="duration")
    assert analysis.friedman is not None
    assert analysis.friedman.chi_squared == pytest.approx(20.167, abs=5e-4)
    assert analysis.friedman.p == pytest.approx(4.177e-05, abs=5e-9)
    assert analysis.ranking == ("a", "b", "c")


def test_friedman_and_welch_equal_pingouin() -> None:
    values = known_data("sleep_aids")
    table = TidyTable.of(rows_of(values))
    analysis = analyse_measure(table, STUDY, task="shelf", measure="duration")
    frame = table.to_pandas()
    pg = pingouin()
    known = pg.friedman(frame, dv="duration", within="arm", subject="participant").iloc[0]
    assert analysis.friedman is not None
    assert analysis.friedman.effect_size.value == pytest.approx(known["W"], rel=1e-9)
    assert analysis.friedman.chi_squared == pytest.approx(known["Q"], rel=1e-9)
    assert analysis.friedman.p == pytest.approx(known["p_unc"], rel=1e-9)
    means = frame.groupby(["participant", "group"], as_index=False)["duration"].mean()
    welch = pg.welch_anova(means, dv="duration", between="group").iloc[0]
    (between,) = analysis.between
    assert (between.f, between.error_df, between.p) == pytest.approx(
        (welch["F"], welch["ddof2"], welch["p_unc"]), rel=1e-9
    )
    shapiro = pg.normality(frame, dv="duration", group="arm")
    for level, p in analysis.normality.items():
        assert p == pytest.approx(shapiro.loc[level, "pval"], rel=1e-9)


def test_assumptions_choose_the_test_and_say_so() -> None:
    rng = np.random.default_rng(1)
    normal = TidyTable.of(rows_of(rng.normal(10, 1, (12, 3))))
    skewed = TidyTable.of(rows_of(np.exp(rng.normal(0, 2, (12, 3)))))
    first = analyse_measure(normal, STUDY, task="shelf", measure="duration")
    second = analyse_measure(skewed, STUDY, task="shelf", measure="duration")
    assert first.is_parametric and "Student" in first.reason
    assert not second.is_parametric and "Wilcoxon" in second.reason


def test_a_level_without_variance_is_not_called_normal() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(10, 1, (12, 3))
    values[:, 1] = 0.0
    table = TidyTable.of(rows_of(values))
    found = analyse_measure(table, STUDY, task="shelf", measure="duration")
    assert not found.is_parametric and "all values of b are equal" in found.reason


def test_an_interval_below_nothing_is_said() -> None:
    table = TidyTable.of(rows_of([[1.0, 5.0, 5.0], [1.2, 5.1, 5.2], [30.0, 5.2, 5.4]]))
    found = analyse_measure(table, STUDY, task="shelf", measure="duration")
    assert found.cells["a"].low is not None and found.cells["a"].low < 0
    assert any(note.startswith("the 95 % interval of a reaches below 0") for note in found.notes)


def test_missing_cells_are_left_out_and_said() -> None:
    rows = rows_of(known_data("sleep_aids"))
    del rows[4]
    rows[0]["status"] = "timeout"
    analysis = analyse_measure(TidyTable.of(rows), STUDY, task="shelf", measure="duration")
    assert analysis.left_out == {"P01": ("b",)}
    assert analysis.cells["b"].n == 11 and analysis.cells["a"].n == 12
    assert analysis.effects[0].error_df == 20
    assert analysis.model is not None and analysis.model.n == 35
    assert any("P01" in note for note in analysis.notes)
    assert any("time limit" in note for note in analysis.notes)


def test_one_participant_gives_means_and_no_tests() -> None:
    table = TidyTable.of(rows_of([[1.0, 2.0, 3.0]]))
    analysis = analyse_measure(table, STUDY, task="shelf", measure="duration")
    assert analysis.effects == () and analysis.pairs == () and analysis.model is None
    assert analysis.cells["a"].mean == 1.0 and analysis.cells["a"].e is None
