"""Rooms of shared work can be read, and the examples are these rooms."""

from pathlib import Path

import pytest

from robotix.authoring import check_scene
from robotix.errors import UnknownName
from robotix.experiments.sharing.rooms import SHARED_TASKS, SharedSetup, draw_setup, shared_room
from robotix.safety.protection import ProtectionSettings

EXAMPLES = Path(__file__).parents[3] / "examples" / "scenes"


@pytest.mark.parametrize("name", SHARED_TASKS)
def test_a_room_has_no_mistakes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(shared_room(name, SharedSetup(), ProtectionSettings()))
    assert not check_scene(path)


@pytest.mark.parametrize(
    ("name", "strategy"), [("one_bench", "both"), ("handover_to_person", "ssm")]
)
def test_examples_are_these_rooms(name: str, strategy: str) -> None:
    protection = ProtectionSettings(strategy=strategy)  # type: ignore[arg-type]
    text = shared_room(name, SharedSetup(), protection)
    hint, _, rest = (EXAMPLES / f"{name}.yaml").read_text().partition("\n")
    assert hint.startswith("# yaml-language-server:") and rest == text


def test_a_seed_draws_the_same_person_again() -> None:
    assert draw_setup(5) == draw_setup(5)
    drawn = [draw_setup(seed) for seed in range(30)]
    assert {each.sex for each in drawn} == {"f", "m"}
    assert all(5 <= each.percentile <= 95 and 0 <= each.delay <= 2 for each in drawn)


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(UnknownName, match="one_bench"):
        shared_room("one_bnch", SharedSetup(), ProtectionSettings())
