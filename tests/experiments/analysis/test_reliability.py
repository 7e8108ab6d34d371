import numpy as np
import pytest
from oracles.pingouin_oracle import pingouin

from robotix.experiments.analysis.reliability import cronbach_alpha


def test_alpha_equals_pingouin() -> None:
    import pandas

    rng = np.random.default_rng(1)
    data = rng.integers(1, 6, (20, 10)) + rng.integers(0, 3, (20, 1))
    known, _ = pingouin().cronbach_alpha(pandas.DataFrame(data))
    assert cronbach_alpha(data) == pytest.approx(known, rel=1e-9)


def test_equal_items_are_fully_reliable_and_nothing_is_nothing() -> None:
    assert cronbach_alpha([[1, 1], [2, 2], [4, 4]]) == pytest.approx(1.0)
    assert cronbach_alpha([[1, 2]]) is None
    assert cronbach_alpha([[1], [2]]) is None
    assert cronbach_alpha([[1, 2], [2, 1]]) is None
