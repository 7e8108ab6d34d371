from pathlib import Path

import pytest

from robotix.errors import BadFile
from robotix.experiments.study.study_file import load_study, parse_study
from robotix.experiments.study.templates import example_text, minimal_text

SMALL = """robotix: 1
study: Small
factors:
  arm: {levels: [a, b]}
tasks: [shelf]
"""


def test_both_templates_are_studies() -> None:
    study = parse_study(example_text())
    assert study.trials_of_one == 12 and study.limit_of("books") == 900
    assert study.form("look").items[1].is_reversed
    assert parse_study(minimal_text()).trials_of_one == 4


def test_participants_may_choose_the_weights() -> None:
    asked = SMALL + "questionnaires: [{form: importance, after: study}]\n"
    form = parse_study(asked + "weights: {duration: 2, grip: 1}\n").form("importance")
    assert [item.name for item in form.items] == ["duration", "grip"]
    assert form.items[0].text == "How important is it to you that tasks are done quickly?"
    assert (form.items[0].low, form.items[0].high) == (0, 10)
    with pytest.raises(BadFile, match="criteria under `weights`"):
        parse_study(asked)


def test_defaults_make_a_short_file_enough() -> None:
    study = parse_study(SMALL)
    assert study.within == ("arm",) and study.between == () and study.limit_of("shelf") == 300


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("[a, b]", "[a, a]", "4:17", "levels that differ"),
        ("[a, b]", "[]", "4:17", "one level or more"),
        ("levels: [a, b]", "levels: [a], order: willams", "4:29", "did you mean 'williams'"),
        ("arm:", "task:", "4:3", "none of participant, task"),
        ("tasks: [shelf]", "tasks: [shelf, shelf]", "5:8", "each once"),
        ("tasks: [shelf]", "tasks: [shelf]\ntime_limits: {chess: 5}", "6:14", "chess"),
        ("tasks: [shelf]", "tasks: [shelf]\ntime_limit: 5 min", "6:13", "a number"),
        ("tasks: [shelf]", "tasks: [shelf]\nrepeats: 0", "6:10", "1 to 1000"),
        ("tasks: [shelf]", "tasks: [shelf]\nquestionnaires: [{form: suss}]", "6:17", "one of sus"),
        ("tasks: [shelf]", "tasks: [shelf]\nweights: {duration: -1}", "6:10", "0 or more"),
        ("tasks: [shelf]", "tasks: [shelf]\nsettings: {arm: b}", "6:11", "no factors"),
        ("tasks: [shelf]", "tasks: [shelf]\nrepeats: 1000\nbogus: 1", "7:1", "unknown key"),
        ("robotix: 1", "robotix: 2", "1:10", "one of these"),
        ("study: Small\n", "", "1:1", "the key study"),
    ],
)
def test_mistakes_are_shown_at_their_place(old: str, new: str, place: str, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_study(SMALL.replace(old, new))
    assert f"study.yaml:{place}: " in str(caught.value) and words in str(caught.value)


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="robotix lab new"):
        load_study(tmp_path)
