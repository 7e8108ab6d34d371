from robotix.experiments.report.tables import number, probability


def test_numbers_keep_their_digits_and_have_no_powers_of_ten() -> None:
    assert [number(x) for x in (217.0, 0.1273, 39806.2, -2.377, 0.0)] == [
        "217.0", "0.1273", "39806", "-2.377", "0",
    ]  # fmt: skip
    assert number(47174.12, 6) == "47174.1"
    assert number(2.6e-7) == "0" and number(None) == ""


def test_small_probabilities_are_bounded() -> None:
    assert probability(1e-9) == "< 0.001" and probability(0.0345) == "0.035"
