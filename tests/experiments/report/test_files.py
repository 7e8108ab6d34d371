from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.html_pages import check_page
from support.small_study import make_study, recorded_trial

from robotix.experiments.analysis.study_analysis import analyse_study
from robotix.experiments.comparison.files import save_comparison
from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.report.files import write_report
from robotix.experiments.store.store import StudyStore
from robotix.experiments.trial import TrialOutcome


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = make_study(tmp_path_factory.mktemp("study"))
    return write_report(folder).read_text(encoding="utf-8")


def test_the_page_is_self_contained(page: str) -> None:
    check_page(page)
    assert "<title>Small &amp; quick</title>" in page


def test_the_methods_are_those_of_the_study_file(page: str) -> None:
    assert "2 participants and 4 simulated operators took part (12 were planned)" in page
    assert "kuka_lwr, amtec_ulwr and mitsubishi_pa10" in page
    assert "Williams design" in page and "time limit of 300 s" in page


def test_the_published_ranking_is_judged_and_its_assumptions_are_told(page: str) -> None:
    assert re.search(r"best in all four tasks, (comes|does not come) out", page)
    assert "as this product assumes it" in page and "mean of logarithms" in page


def test_questionnaires_and_index_are_reported(page: str) -> None:
    assert "System Usability Scale" in page and "Cronbach" in page
    assert "the mean of the weights that 2 participants chose (best by their own" in page
    assert "What matters to you" not in re.sub("Questionnaires: .*?[.]", "", page)  # no score
    assert "Synthetic index" in page and "Left out for missing data: payload" in page


def test_figures_are_written_as_svg_and_pdf(tmp_path: Path) -> None:
    folder = make_study(tmp_path, operators=2)
    save_comparison(folder, [TargetReach("chess", "kuka_lwr", "rail", 2, 2, 0.5, 0.1, 0.2)])
    target = write_report(folder, analyse_study(folder)).parent / "figures"
    names = {path.stem for path in target.iterdir()}
    assert {"duration_books", "errors_shelf", "form_sus", "index", "arms_and_mountings"} <= names
    for name in names:
        assert (target / f"{name}.pdf").read_bytes().startswith(b"%PDF-1.4")
        assert (target / f"{name}.svg").read_text().startswith("<svg")


def test_who_took_part_and_what_is_missing_is_said(page: str) -> None:
    assert "72 trials of 6 participants: 72 finished. None is missing." in page
    assert "4 of the participants were simulated operators" in page
    assert "robotix lab sensitivity books shelf chess tables --study DIR" in page
    assert "robotix lab arms --study DIR" in page


def test_tests_come_with_degrees_of_freedom_effect_sizes_and_normality(page: str) -> None:
    assert "Shapiro-Wilk p" in page
    assert re.search(r"(F\(2, \d+\)|χ²\(2\)) = [\d.]+</td>", page)
    assert re.search(r"partial η² [\d.]+ \[", page)
    assert not re.search(r"\de-\d", re.sub(r"<svg.*?</svg>", "", page))  # no p of 1e-55
    assert "Fitts throughput, bit/s" in page
    assert "p values and effect sizes say how the model behaves" not in page  # people took part


def test_the_ranking_says_whom_it_leaves_out(tmp_path: Path) -> None:
    folder = make_study(tmp_path, operators=2)
    with StudyStore(folder) as store:  # somebody who has done one trial only
        person = store.add_participant(is_simulated=True)
        step = next(each for each in store.plan(person) if each.kind == "trial")
        number, plan = store.begin_trial(step)
        store.finish_trial(number, recorded_trial(plan), step=step)
    page = write_report(folder).read_text(encoding="utf-8")
    assert "(4 in books, 4 in shelf, 4 in chess, 4 in tables, of 5)" in page


TWO = """robotix: 1
study: Two
factors:
  strategy: {levels: [ssm, pfl]}
tasks: [shelf]
"""


def test_two_levels_that_are_not_normal_have_a_test_too(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(TWO)
    with StudyStore(tmp_path) as store:
        for k in range(6):
            person = store.add_participant(is_simulated=True)
            for step in store.plan(person):
                if step.kind != "trial":
                    continue
                number, plan = store.begin_trial(step)
                stops = 0.0 if plan.levels["strategy"] == "pfl" else 1.0 + k
                outcome = TrialOutcome("finished", 10.0 + k, 0, {"stops": stops})
                store.finish_trial(number, outcome, step=step)
    page = write_report(tmp_path).read_text(encoding="utf-8")
    assert re.search(r"<td>stops of the robot</td>.*?<td class=n>W = 0</td>", page)
    assert "<td class=n>3.50 ± 1.87</td>" in page  # as many decimals as the mean
    assert "p values and effect sizes say how the model behaves" in page
