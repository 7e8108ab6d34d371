"""Key instants of an assessment."""

from __future__ import annotations

from support.assessed import assessed

from robotix.ergonomics.assessment.key_instants import key_instants


def test_key_instants_are_few_and_in_order() -> None:
    found = assessed("lift")
    instants = key_instants(found)
    assert 1 < len(instants) <= 6
    assert [each.time for each in instants] == sorted(each.time for each in instants)
    labels = [label for each in instants for label in each.labels]
    assert "box is taken" in labels and "worst L5/S1 compression" in labels
