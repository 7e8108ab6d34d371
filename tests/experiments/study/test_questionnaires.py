import pytest

from robotix.errors import BadField
from robotix.experiments.study.questionnaires import (
    STANDARD_FORMS,
    QuestionItem,
    Questionnaire,
    check_answers,
    score_answers,
    tlx_pairs,
)

SUS, TLX, SSQ = (STANDARD_FORMS[name] for name in ("sus", "nasa_tlx", "ssq"))


def test_sus_spans_0_to_100_and_turns_every_second_item() -> None:
    best = {item.name: 1 if item.is_reversed else 5 for item in SUS.items}
    worst = {item.name: 5 if item.is_reversed else 1 for item in SUS.items}
    assert score_answers(SUS, best) == {"score": 100.0}
    assert score_answers(SUS, worst) == {"score": 0.0}
    assert score_answers(SUS, {item.name: 3 for item in SUS.items}) == {"score": 50.0}
    assert score_answers(SUS, best | {"sus_1": 4}) == {"score": 97.5}


def test_tlx_weights_are_how_often_a_scale_was_chosen() -> None:
    ratings = {"mental": 80, "physical": 10, "temporal": 30, "performance": 20, "effort": 60}
    first = {f"{a} or {b}": 0 for a, b in tlx_pairs()}  # always the first: weights 5 4 3 2 1 0
    scores = score_answers(TLX, {**ratings, "frustration": 100, **first})
    assert len(tlx_pairs()) == 15
    assert scores["score"] == pytest.approx((5 * 80 + 4 * 10 + 3 * 30 + 2 * 20 + 60) / 15)
    assert scores["raw"] == pytest.approx(300 / 6)
    assert sum(value for name, value in scores.items() if name.startswith("weight_")) == 15


def test_ssq_scales_and_total() -> None:
    nothing = {item.name: 0 for item in SSQ.items}
    assert set(score_answers(SSQ, nothing).values()) == {0.0}
    most = score_answers(SSQ, {item.name: 3 for item in SSQ.items})
    assert most["nausea"] == pytest.approx(21 * 9.54)
    assert most["oculomotor"] == pytest.approx(21 * 7.58)
    assert most["disorientation"] == pytest.approx(21 * 13.92)
    assert most["score"] == pytest.approx(63 * 3.74)
    sick = score_answers(SSQ, nothing | {"nausea": 2})
    assert (sick["nausea"], sick["disorientation"]) == pytest.approx((2 * 9.54, 2 * 13.92))


def test_own_forms_are_scored_by_their_mean() -> None:
    form = Questionnaire("Own", (QuestionItem("a", "?"), QuestionItem("b", "?", is_reversed=True)))
    assert score_answers(form, {"a": 5, "b": 1}) == {"score": 5.0}


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"a": 3}, "b is not answered"),
        ({"a": 3, "b": 6}, "1 to 5, not 6"),
        ({"a": 3, "b": 3, "c": 1}, "no item 'c'"),
    ],
)
def test_answers_are_complete_and_in_range(answers: dict[str, int], words: str) -> None:
    form = Questionnaire("Own", (QuestionItem("a", "?"), QuestionItem("b", "?")))
    with pytest.raises(ValueError, match=words):
        check_answers(form, answers)


def test_ratings_of_tlx_have_steps_of_five() -> None:
    answers = {item.name: 50 for item in TLX.items} | {f"{a} or {b}": 1 for a, b in tlx_pairs()}
    check_answers(TLX, answers)
    with pytest.raises(ValueError, match="not 52"):
        check_answers(TLX, answers | {"effort": 52})


def test_impossible_items_are_refused() -> None:
    with pytest.raises(BadField, match="above low"):
        QuestionItem("a", "?", 5, 1)
    with pytest.raises(BadField, match="a word"):
        QuestionItem("not a word", "?")
    with pytest.raises(BadField, match="whole fraction"):
        QuestionItem("a", "?", 0, 10, step=3)
    with pytest.raises(BadField, match="a twice"):
        Questionnaire("Own", (QuestionItem("a", "?"), QuestionItem("a", "?")))
    with pytest.raises(BadField, match="one item"):
        Questionnaire("Own", ())
