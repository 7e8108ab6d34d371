from robotix.experiments.study.remarks import study_remarks
from robotix.experiments.study.study_file import parse_study
from robotix.experiments.study.templates import example_text


def test_the_example_is_balanced() -> None:
    assert study_remarks(parse_study(example_text())) == []


def test_unbalanced_orders_and_missing_texts_are_said() -> None:
    study = parse_study(
        "robotix: 1\nstudy: S\nparticipants: 7\ntasks: [shelf]\n"
        "factors: {arm: {levels: [a, b, c]}, look: {levels: [x, y], order: fixed}}\n"
    )
    remarks = study_remarks(study)
    assert "multiples of 6 participants, not for 7" in remarks[0]
    assert "no text of consent" in remarks[1]
    assert "order of look is fixed" in remarks[2]
