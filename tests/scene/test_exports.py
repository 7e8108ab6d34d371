"""What plug-ins need is exported by `robotix.scene` and `robotix.scene.commands`."""

import inspect

import pytest

import robotix.scene
from robotix.scene import commands
from robotix.scene.commands import COMMANDS, edits
from robotix.scene.commands.registry import COMMANDS as REGISTRY
from robotix.scene.console import console


@pytest.mark.parametrize("word", COMMANDS)
def test_every_command_of_scene_files_is_exported(word: str) -> None:
    kind = COMMANDS[word]
    assert kind.__name__ in commands.__all__
    assert getattr(commands, kind.__name__) is kind


def test_every_edit_command_is_exported() -> None:
    kinds = [kind for name in edits.__all__ if inspect.isclass(kind := getattr(edits, name))]
    assert kinds and {kind.__name__ for kind in kinds} <= set(commands.__all__)


def test_tables_are_the_same() -> None:
    assert COMMANDS is REGISTRY
    legacy_names = {"track_init_damping_factor"}
    assert set(console.LINE_COMMANDS) <= set(COMMANDS) | legacy_names


@pytest.mark.parametrize("package", [robotix.scene, commands], ids=["scene", "commands"])
def test_all_names_exist_and_are_sorted(package: object) -> None:
    names = package.__all__  # type: ignore[attr-defined]
    assert len(set(names)) == len(names)
    assert all(hasattr(package, name) for name in names)
