"""Design studies: ratings, the search, and its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.authoring.load.load import load_scene
from robotix.errors import BadField, UnknownName
from robotix.experiments.design.files import ARM_FILE, write_design
from robotix.experiments.design.parameters import design_parameters, make_design
from robotix.experiments.design.rating import DesignWeights, rate_design
from robotix.experiments.design.search import optimise_design
from robotix.experiments.tasks.library import load_task
from robotix.kinematics import Posture

CHESS = [load_task("chess")]


def test_the_design_as_built_is_the_arm_of_the_laboratory() -> None:
    from robotix.experiments.tasks.room import RoomSetup, make_robot

    for mounting in ("fixed", "rail"):
        design = make_design("kuka_lwr", mounting, {})
        _, model, base = make_robot(RoomSetup(mounting=mounting))
        np.testing.assert_allclose(design.base.matrix, base.matrix, atol=1e-12)
        q = model.neutral
        np.testing.assert_allclose(
            Posture(design.model, q).position("flange"), Posture(model, q).position("flange")
        )


def test_an_arm_out_of_reach_or_inside_the_person_has_no_rating() -> None:
    for values in ({"forward": -5.0}, {"forward": 0.1, "left": 0.0, "up": 0.8}):
        rating = rate_design(
            make_design("kuka_lwr", "fixed", values), CHESS, weights=DesignWeights()
        )
        assert rating.rating == 0.0
        assert rating.tasks[0].reached == 0


def test_with_reach_alone_the_rating_is_the_share_of_points() -> None:
    only = DesignWeights(1.0, 0.0, 0.0, 0.0)
    shelf = rate_design(make_design("kuka_lwr", "fixed", {}), [load_task("shelf")], weights=only)
    (task,) = shelf.tasks
    assert 0 < task.reached < task.points == 5
    assert shelf.rating == pytest.approx(task.reached / task.points)


def test_a_search_is_repeatable_and_finds_a_better_mounting() -> None:
    seen: list[int] = []
    found = [
        optimise_design(
            "kuka_lwr", tasks=["chess"], evaluations=30, seed=3, advance=lambda: seen.append(1)
        )
        for _ in range(2)
    ]
    assert len(seen) == 60 and found[0].evaluations == 30
    assert found[0].best.values == found[1].best.values
    assert found[0].best_rating.rating > found[0].built_rating.rating + 0.05
    for each in found[0].parameters:
        assert each.low <= found[0].best.values[each.name] <= each.high


def test_what_is_not_varied_stays_as_built() -> None:
    study = optimise_design("kuka_lwr", tasks=["chess"], vary=["up"], evaluations=10)
    before = dict(study.built.values)
    after = dict(study.best.values)
    assert {name for name in before if before[name] != after[name]} <= {"up"}


def test_wrong_settings_are_named() -> None:
    with pytest.raises(UnknownName, match="ceiling"):
        design_parameters("kuka_lwr", "ceiling")
    with pytest.raises(UnknownName, match="tilt_deg"):
        optimise_design("kuka_lwr", "fixed", vary=["tilt_deg"])
    with pytest.raises(BadField, match="low < high"):
        optimise_design("kuka_lwr", "fixed", bounds={"up": (0.8, 0.4)})
    with pytest.raises(BadField, match="at least 10"):
        optimise_design("kuka_lwr", "fixed", evaluations=3)
    with pytest.raises(BadField, match="reach"):
        DesignWeights(reach=-1.0)


@pytest.mark.parametrize(
    ("mounting", "values"),
    [
        ("fixed", {"up": 0.7, "lean_deg": 20.0, "forearm": 1.2}),
        ("rail", {"tilt_deg": 10.0, "upper_arm": 0.9}),
    ],
)
def test_the_files_hold_the_design(tmp_path: Path, mounting: str, values: dict[str, float]) -> None:
    design = make_design("kuka_lwr", mounting, values)
    scene = load_scene(write_design(tmp_path / "out", design, ["chess"]))
    arm = scene.robots["arm"]
    q = np.linspace(0.1, 0.4, design.model.n_dof)
    arm.q = q
    scene.step()
    expected = design.base.apply(Posture(design.model, q).position("link7"))
    np.testing.assert_allclose(arm.model.n_dof, design.model.n_dof)
    base = scene.graph["arm"].world_pose
    np.testing.assert_allclose(
        base.apply(Posture(arm.model, q).position("link7")), expected, atol=1e-5
    )
    assert (tmp_path / "out" / ARM_FILE).exists()
    with pytest.raises(FileExistsError, match="choose a new name"):
        write_design(tmp_path / "out", design, ["chess"])
