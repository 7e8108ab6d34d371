"""Studies that no trial could run are refused before anybody comes."""

from __future__ import annotations

import pytest

from robotix.errors import BadFile
from robotix.experiments.study.study_file import parse_study
from robotix.experiments.study.templates import example_text, minimal_text, shared_text
from robotix.experiments.study_check import check_study, study_notes, study_problems

HEAD = "robotix: 1\nstudy: Small\n"


@pytest.mark.parametrize("text", [example_text(), minimal_text(), shared_text()])
def test_the_studies_to_start_from_are_right(text: str) -> None:
    study = parse_study(text)
    assert study_problems(study, is_simulated=True) == [] and study_notes(study) == []


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("factors: {arm: {levels: [ur5]}}\ntasks: [bookz]", "did you mean 'books'"),
        ("factors: {arm: {levels: [ur5, foo]}}\ntasks: [chess]", "no robot 'foo'"),
        ("factors: {mode: {levels: [positon]}}\ntasks: [chess]", "did you mean 'position'"),
        ("factors: {strategy: {levels: [ssn]}}\ntasks: [one_bench]", "did you mean 'ssm'"),
        ("factors: {fault: {levels: [none, x]}}\ntasks: [chess]", "no kind of fault 'x'"),
        (
            "factors: {arm: {levels: [ur5]}}\nsettings: {mounting: wall}\ntasks: [chess]",
            "level of mounting 'wall'",
        ),
    ],
)
def test_what_is_unknown_is_named(rest: str, words: str) -> None:
    study = parse_study(HEAD + rest)
    with pytest.raises(BadFile) as caught:
        check_study(study, "study.yaml")
    assert words in str(caught.value) and "study.yaml" in str(caught.value)


def test_levels_that_only_people_can_use_are_told_to_pilots() -> None:
    text = "factors: {device: {levels: [joystick, keyboard]}}\ntasks: [chess]"
    study = parse_study(HEAD + text)
    assert study_problems(study) == []
    (problem,) = study_problems(study, is_simulated=True)
    assert "simulated operators know joystick" in problem and "keyboard" in problem


def test_any_other_factor_is_noted() -> None:
    text = "factors: {age_group: {levels: [young, old], vary: between}}\ntasks: [chess, one_bench]"
    study = parse_study(HEAD + text)
    assert study_problems(study, is_simulated=True) == []
    (note,) = study_notes(study)
    assert note.startswith("age_group is stored")
