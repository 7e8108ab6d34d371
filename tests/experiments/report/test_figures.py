from robotix.experiments.analysis.scores import summarise
from robotix.experiments.report.drawing import CircleMark, TextMark
from robotix.experiments.report.figures import interval_figure


def test_one_row_a_level_with_its_values() -> None:
    values = {"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0]}
    cells = {name: summarise(each) for name, each in values.items()}
    figure = interval_figure("Time", "s", cells, values)
    dots = [mark for mark in figure.marks if isinstance(mark, CircleMark)]
    assert len(dots) == 5 + 2
    words = [mark.words for mark in figure.marks if isinstance(mark, TextMark)]
    assert {"a", "b", "Time", "s"} <= set(words)
    assert all(0 <= dot.x <= figure.width for dot in dots)


def test_equal_values_still_have_a_scale() -> None:
    cells = {"a": summarise([0.0])}
    assert interval_figure("Errors", "", cells, {"a": [0.0]}).svg()


def test_times_are_not_drawn_below_nothing() -> None:
    cells = {"a": summarise([1.0, 30.0])}
    assert cells["a"].low is not None and cells["a"].low < 0
    figure = interval_figure("Time", "s", cells, {"a": [1.0, 30.0]}, least=0.0)
    ticks = [mark.words for mark in figure.marks if isinstance(mark, TextMark)]
    assert "0" in ticks and not any(words.startswith("-") for words in ticks)


def test_intervals_of_scores_end_at_the_scale() -> None:
    cells = {"a": summarise([20.0, 90.0])}  # its interval goes far beyond 0 and 100
    figure = interval_figure("SUS", "score", cells, {"a": [20.0, 90.0]}, limits=(0.0, 100.0))
    ticks = [mark.words for mark in figure.marks if isinstance(mark, TextMark)]
    assert {"0", "100"} <= set(ticks) and "200" not in ticks
