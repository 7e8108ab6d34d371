"""Objects that are closed at the end of a `with` block."""

import pytest

from robotix.files.closing import Closing


class Counted(Closing):
    closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_block_closes_also_after_an_error() -> None:
    thing = Counted()
    with pytest.raises(KeyError), thing as inside:
        assert inside is thing and thing.closed == 0
        raise KeyError("x")
    assert thing.closed == 1
