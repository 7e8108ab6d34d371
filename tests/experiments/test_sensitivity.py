"""Rankings under changed assumptions."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from robotix.errors import BadFile, UnknownName
from robotix.experiments import sensitivity
from robotix.experiments.report.assumptions import assumptions_section
from robotix.experiments.sensitivity import (
    SensitivityRow,
    SensitivityTable,
    count_trials,
    run_sensitivity,
)
from robotix.experiments.sensitivity_file import (
    SENSITIVITY_FILE,
    load_sensitivity,
    save_sensitivity,
)


def test_unfinished_trials_rank_last_and_are_not_averaged(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: sensitivity.CHANGES[name] for name in ("as assumed", "full pace")}
    monkeypatch.setattr(sensitivity, "CHANGES", few)
    seen = []
    table = run_sensitivity(
        "chess", arms=["kuka_lwr"], operators=1, time_limit=1.0, advance=lambda: seen.append(1)
    )
    assert len(seen) == count_trials(["kuka_lwr"], 1) == 2
    first, second = table.rows
    assert first.change == "as assumed"
    assert math.isinf(first.scores["kuka_lwr"])
    assert math.isnan(first.means["kuka_lwr"])
    assert not second.is_turned


def test_unknown_tasks_are_named() -> None:
    with pytest.raises(UnknownName, match="juggling"):
        run_sensitivity("juggling", arms=["kuka_lwr"], operators=1)


def make_table(task: str, *e: tuple[float, float]) -> SensitivityTable:
    """Return a table of two arms: E of the KUKA LWR and of the PA-10 under each assumption."""
    rows: list[SensitivityRow] = []
    for k, (kuka, pa10) in enumerate(e):
        scores = {"kuka_lwr": kuka, "mitsubishi_pa10": pa10}
        ranking = tuple(sorted(scores, key=lambda arm: scores[arm]))
        is_turned = bool(rows) and ranking != rows[0].ranking
        means = {arm: math.sqrt(score) for arm, score in scores.items()}
        rows.append(SensitivityRow(f"assumption {k}", scores, means, ranking, is_turned))
    return SensitivityTable(task, 2, 0, 600.0, tuple(rows))


def test_tables_are_kept_beside_a_study_task_by_task(tmp_path: Path) -> None:
    assert load_sensitivity(tmp_path) == ()
    save_sensitivity(tmp_path, [make_table("chess", (100.0, 121.0), (100.0, math.inf))])
    save_sensitivity(tmp_path, [make_table("shelf", (4.0, 1.0)), make_table("books", (9.0, 4.0))])
    save_sensitivity(tmp_path, [make_table("books", (4.0, 9.0))])
    chess, shelf, books = load_sensitivity(tmp_path)
    assert (chess.task, shelf.task, books.task) == ("chess", "shelf", "books")
    assert chess.rows[0].lead == pytest.approx(0.1)
    assert math.isinf(chess.rows[1].lead) and chess.rows[1].best == "kuka_lwr"
    assert books.rows[0].best == "kuka_lwr"
    (tmp_path / SENSITIVITY_FILE).write_text("{}")
    with pytest.raises(BadFile, match="robotix lab sensitivity"):
        load_sensitivity(tmp_path)


def test_the_report_says_which_assumptions_turn_the_ranking() -> None:
    tables = [
        make_table("chess", (1.0, 4.0), (9.0, 4.0)),
        make_table("shelf", (1.0, 1.21), (4.0, 9.0)),
    ]
    text = assumptions_section(tables)
    assert "<td>kuka_lwr (by 100 %)</td><td>kuka_lwr (by 10 %)</td>" in text
    assert "<td>mitsubishi_pa10 (by 50 %) *</td>" in text
    assert "best in these tasks under: assumption 0." in text
    assert "Not examined: books, tables." in text
    assert "under none of these" in assumptions_section([make_table("chess", (9.0, 4.0))])
    assert "robotix lab sensitivity books shelf chess tables" in assumptions_section([])


def test_an_arm_that_finished_alone_or_none() -> None:
    alone = assumptions_section([make_table("chess", (1.0, math.inf))])
    assert "kuka_lwr (alone)" in alone
    assert "no arm finished" in assumptions_section([make_table("chess", (math.inf, math.inf))])
