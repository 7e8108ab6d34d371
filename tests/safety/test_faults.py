"""Faults as data: lines, checks, and what is drawn from a seed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.errors import BadField, UnknownName
from robotix.safety.faults import Fault, FaultKind, parse_fault


def test_a_line_is_a_fault() -> None:
    assert parse_fault("joint_lock joint=3 start=5 seconds=2") == Fault(
        "joint_lock", start=5.0, seconds=2.0, joint=3
    )
    assert parse_fault("none") is None
    guest = parse_fault("person_steps_in person=anna task=walk")
    assert guest is not None
    assert guest.person == "anna"


@given(
    kind=st.sampled_from(["joint_lock", "drive_failure", "delay", "packet_loss"]),
    start=st.floats(0, 100),
    joint=st.integers(0, 9),
    loss=st.floats(0, 1),
)
def test_a_fault_written_is_the_same_fault_read(
    kind: FaultKind, start: float, joint: int, loss: float
) -> None:
    fault = Fault(kind, start=start, joint=joint, loss=loss)
    assert parse_fault(str(fault)) == fault


def test_the_same_seed_draws_the_same_fault() -> None:
    fault = Fault("joint_lock", start=1.0, spread=4.0)
    one, two = (fault.drawn(np.random.default_rng(5), joints=7) for _ in range(2))
    assert one == two
    assert 1.0 <= one.start <= 5.0
    assert 1 <= one.joint <= 7
    drawn = {fault.drawn(np.random.default_rng(k), joints=7).joint for k in range(60)}
    assert drawn == set(range(1, 8))


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("joint_lok", UnknownName, "joint_lock"),
        ("joint_lock 3", BadField, "name=value"),
        ("joint_lock jont=3", UnknownName, "joint"),
        ("joint_lock joint=three", BadField, "whole number"),
        ("packet_loss loss=2", BadField, "loss"),
        ("delay delay=-1", BadField, "delay"),
        ("joint_lock seconds=0", BadField, "seconds"),
        ("person_steps_in person=anna", BadField, "task"),
    ],
)
def test_mistakes_are_named(line: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        parse_fault(line)


def test_without_an_end_it_lasts() -> None:
    assert math.isinf(Fault("joint_lock").seconds)
