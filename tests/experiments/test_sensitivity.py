"""Rankings under changed assumptions."""

from __future__ import annotations

import math

import pytest

from robotix.errors import UnknownName
from robotix.experiments import sensitivity
from robotix.experiments.sensitivity import count_trials, run_sensitivity


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
