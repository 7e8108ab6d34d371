import math

import pytest

from robotix.experiments.analysis.scores import score_e, summarise


def test_e_is_mean_squared_plus_variance() -> None:
    summary = summarise([10.0, 14.0])
    assert summary.sd == pytest.approx(math.sqrt(8))
    assert summary.e == pytest.approx(144 + 8) == score_e(12.0, math.sqrt(8))


def test_the_interval_is_students() -> None:
    summary = summarise([1.0, 2.0, 3.0, 4.0, 5.0])
    assert summary.low is not None and summary.high is not None
    assert (summary.low, summary.high) == pytest.approx((1.0367568385, 4.9632431615))


def test_one_value_has_no_spread_and_none_is_refused() -> None:
    assert summarise([3.0]).sd is None and summarise([3.0]).e is None
    with pytest.raises(ValueError, match="nothing"):
        summarise([])
