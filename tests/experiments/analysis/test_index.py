import numpy as np
import pytest

from robotix.experiments.analysis.index import (
    best_for_users,
    make_index,
    mean_weights,
    test_weights,
    users_weights,
)
from robotix.experiments.analysis.tidy import TidyTable

CRITERIA: dict[str, dict[str, float | None]] = {
    "duration": {"a": 10.0, "b": 20.0, "c": 15.0},
    "sus": {"a": 50.0, "b": 90.0, "c": 80.0},
}


def test_times_count_downwards_and_scores_upwards() -> None:
    index = make_index(CRITERIA, {"duration": 3, "sus": 1})
    assert index is not None
    assert index.scaled["duration"] == {"a": 1.0, "b": 0.0, "c": 0.5}
    assert index.scaled["sus"] == {"a": 0.0, "b": 1.0, "c": 0.75}
    assert index.values == pytest.approx({"a": 0.75, "c": 0.5625, "b": 0.25})
    assert index.best == "a" and list(index.values) == ["a", "c", "b"]


def test_the_weight_that_turns_the_best_is_found() -> None:
    index = make_index(CRITERIA, {"duration": 3, "sus": 1})
    assert index is not None
    result = test_weights(index, rng=np.random.default_rng(1))
    # a: 1 - w, c: 0.5 (1 - w) + 0.75 w meet where 1 - w = 0.5 + 0.25 w: w = 0.4
    assert result.turning["sus"] == pytest.approx((0.4, "c"))
    assert result.turning["duration"] == pytest.approx((0.6, "c"))
    assert sum(result.best_share.values()) == pytest.approx(1.0)
    assert result.best_share["a"] == pytest.approx(0.4, abs=0.03)


def test_missing_and_equal_criteria() -> None:
    index = make_index(
        {"duration": {"a": 1.0, "b": 1.0}, "sus": {"a": 1.0, "b": None}},
        {"duration": 1, "sus": 1, "look": 1},
    )
    assert index is not None
    assert index.left_out == ("sus", "look") and index.values == {"a": 1.0, "b": 1.0}
    assert test_weights(index, rng=np.random.default_rng(1)).turning == {"duration": None}
    assert make_index({}, {"duration": 1}) is None


def test_users_choose_the_weights() -> None:
    answers = TidyTable.of([
        {"participant": name, "form": form, "item": item, "value": value}
        for name, form, item, value in [
            ("P1", "importance", "duration", 9), ("P1", "importance", "sus", 1),
            ("P2", "importance", "duration", 0), ("P2", "importance", "sus", 5),
            ("P3", "importance", "duration", 0), ("P3", "importance", "sus", 0),
            ("P1", "sus", "item_1", 5),
        ]
    ])  # fmt: skip
    chosen = users_weights(answers)
    assert chosen == {"P1": {"duration": 0.9, "sus": 0.1}, "P2": {"duration": 0.0, "sus": 1.0}}
    assert mean_weights(chosen) == pytest.approx({"duration": 0.45, "sus": 0.55})
    assert best_for_users(CRITERIA, chosen) == {"a": 1, "b": 1}
    assert mean_weights({}) == {}
