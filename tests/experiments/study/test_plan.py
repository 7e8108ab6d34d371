from collections import Counter
from itertools import pairwise

import pytest

from robotix.experiments.study.plan import SessionStep, levels_between, plan_session
from robotix.experiments.study.study_file import parse_study
from robotix.experiments.study.templates import example_text

STUDY = parse_study(example_text())
BETWEEN = parse_study("""robotix: 1
study: Devices
factors:
  device: {levels: [stick, keys], vary: between}
  arm: {levels: [a, b]}
  mode: {levels: [position, velocity], order: latin}
tasks: [shelf, chess]
task_order: random
repeats: 2
""")


def trials(steps: tuple[SessionStep, ...]) -> list[SessionStep]:
    return [step for step in steps if step.kind == "trial"]


def test_the_steps_of_the_example() -> None:
    steps = plan_session(STUDY, 0, "P01")
    kinds = Counter(step.kind for step in steps)
    assert kinds == {
        "briefing": 1, "consent": 1, "form": 3 + 3 * 3, "training": 6, "trial": 12, "break": 2,
        "end": 1,
    }  # fmt: skip
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert [step.kind for step in steps[:3]] == ["briefing", "consent", "form"]
    first = trials(steps)[0].trial
    assert first is not None and set(first.levels) == {"arm", "mounting", "device", "mode"}
    assert {t.trial.time_limit for t in trials(steps) if t.trial} == {300, 900}


def test_twelve_participants_balance_arms_and_tasks() -> None:
    arms, tasks = Counter[object](), Counter[object]()
    for number in range(12):
        steps = trials(plan_session(STUDY, number, f"P{number}"))
        by_block = [[s for s in steps if s.block == block] for block in (1, 2, 3)]
        arms.update(pairwise(block[0].levels["arm"] for block in by_block))
        for block in by_block:
            names = [s.trial.task for s in block if s.trial]
            tasks.update(pairwise(names))
    assert set(arms.values()) == {4} and len(arms) == 6
    assert set(tasks.values()) == {9} and len(tasks) == 12


def test_every_cell_comes_once_a_repeat() -> None:
    for number in range(5):
        cells = Counter(
            (s.trial.task, s.trial.repeat, s.levels["arm"], s.levels["mode"])
            for s in trials(plan_session(BETWEEN, number, "P"))
            if s.trial
        )
        assert len(cells) == BETWEEN.trials_of_one == 16 and set(cells.values()) == {1}


def test_groups_between_participants_are_filled_evenly() -> None:
    groups = [levels_between(BETWEEN, number)["device"] for number in range(20)]
    assert all(
        set(pair) == {"stick", "keys"} for pair in zip(groups[::2], groups[1::2], strict=True)
    )
    assert groups != groups[:2] * 10  # not simply in turn
    steps = trials(plan_session(BETWEEN, 3, "P"))
    assert {s.levels["device"] for s in steps} == {groups[3]}


def test_random_orders_differ_between_participants_and_blocks() -> None:
    firsts = [
        next(
            s.trial.task
            for s in trials(plan_session(BETWEEN, number, "P"))
            if s.trial and s.block == k
        )
        for number in range(8)
        for k in (1, 2)
    ]
    assert set(firsts) == {"shelf", "chess"}
    assert firsts[::2] != firsts[1::2]


def test_seeds_differ_between_trials_and_repeat_exactly() -> None:
    steps = trials(plan_session(STUDY, 0, "P01")) + trials(plan_session(STUDY, 1, "P02"))
    seeds = [s.trial.seed for s in steps if s.trial]
    assert len(set(seeds)) == len(seeds)
    assert plan_session(STUDY, 0, "P01") == plan_session(STUDY, 0, "P01")


def test_participants_count_from_zero() -> None:
    with pytest.raises(ValueError, match="counted from 0"):
        plan_session(STUDY, -1, "P")
