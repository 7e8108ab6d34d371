"""The page on scenes: all its files load, and its tables know every word."""

import importlib.util
import re
from pathlib import Path

import pytest

from robotix.authoring import load_scene
from robotix.authoring.schema.words import SOURCES, command_words
from robotix.inputs.problem import Problem
from robotix.scene.people.task_steps import STEPS

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "scenes.md").read_text()
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", BLOCKS, ids=lambda text: f"{len(text)} characters")
def test_each_block_is_a_scene_that_runs(text: str, tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(text)
    scene = load_scene(path)
    for _ in range(60):
        scene.step()
        assert not [message for message in scene.messages if isinstance(message, Problem)]


def test_the_page_has_blocks() -> None:
    assert len(BLOCKS) >= 5


def test_the_tables_know_every_word() -> None:
    words = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert words == [*SOURCES, *STEPS, *command_words()]


def test_the_tables_are_fresh() -> None:
    spec = importlib.util.spec_from_file_location("make_words", DOCS / "make_words.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.filled(PAGE) == PAGE, "run `python docs/make_words.py`"
