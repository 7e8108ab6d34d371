"""Robots that packages add to the library by entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from robotix.errors import BadModel, UnknownName
from robotix.model import Body, Joint, Model
from robotix.model import robots as library
from robotix.model.robots import LibraryRobot, describe_robot, load, robot_names


def make_stick(*, length: float = 1.0) -> Model:
    return Model("stick", (Body("stick", Joint("hinge", "revolute"), mass=length),))


STICK = LibraryRobot(make_stick, lambda: replace(describe_robot("ur5"), name="stick"))


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Let packages offer robots: `install(stick="package.module:NAME")`."""

    def install(**robots: str) -> None:
        found = [EntryPoint(name, value, "robotix.robots") for name, value in robots.items()]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: found)
        library._entry_points.cache_clear()

    yield install
    library._entry_points.cache_clear()


def offer(monkeypatch: pytest.MonkeyPatch, robot: object) -> str:
    """Put a robot where an entry point can find it."""
    module = ModuleType("stick_package")
    module.__dict__["STICK"] = robot
    monkeypatch.setitem(sys.modules, "stick_package", module)
    return "stick_package:STICK"


def test_a_package_adds_a_robot(
    install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(stick=offer(monkeypatch, STICK), ur5="nothing.there:UR5")
    assert {"stick", "ur5", "vishard10"} < set(robot_names())
    assert "human" not in robot_names()  # that one, too, comes in by an entry point
    assert load("stick").mass == 1.0
    assert load("stick", length=2.0).mass == 2.0
    assert describe_robot("stick").name == "stick"
    assert load("ur5").n_dof == describe_robot("ur5").n_dof == 6  # our own names win
    with pytest.raises(ValueError, match=r"robot 'stick' .* 'size'; it takes length"):
        load("stick", size=2.0)
    with pytest.raises(ValueError, match=r"'tilt'; it takes length"):
        load("stick", tilt=0.1)
    with pytest.raises(UnknownName, match="did you mean 'stick'"):
        load("stik")


def test_a_package_that_fails_is_named(
    install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(stick=offer(monkeypatch, make_stick), lost="no_such_package:ROBOT")
    assert {"lost", "stick"} < set(robot_names())  # names need no import
    for use in (load, describe_robot):
        with pytest.raises(BadModel, match="robot 'lost': no_such_package:ROBOT cannot be loaded"):
            use("lost")
        with pytest.raises(BadModel, match="not a LibraryRobot"):
            use("stick")


def test_only_what_has_options_takes_them(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="robot 'ur5' takes no stature"):
        load("ur5", stature=1.7)
    with pytest.raises(ValueError, match="a robot from a file takes no stature"):
        load(tmp_path / "x.toml", stature=1.7)
