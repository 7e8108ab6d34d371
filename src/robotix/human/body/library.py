"""The human as a robot of the library: `load("human", sex="f", stature=1.62)`."""

from __future__ import annotations

from dataclasses import replace

from robotix.human.body.anthropometry import make_anthropometry
from robotix.human.body.joints import load_human_file
from robotix.human.body.manikin import make_manikin
from robotix.model import Model
from robotix.model.robot_info import RobotSummary, read_info
from robotix.model.robots import LibraryRobot

__all__ = ["HUMAN", "describe_human", "load_human"]


def load_human(
    *,
    sex: str = "m",
    stature: float | None = None,
    mass: float | None = None,
    percentile: float | None = None,
    population: str = "ansur2",
) -> Model:
    """Return the model of a person; see `make_anthropometry` for the options."""
    body = make_anthropometry(
        sex=sex, stature=stature, mass=mass, percentile=percentile, population=population
    )
    return make_manikin(body).model


def describe_human() -> RobotSummary:
    """Return the description of the human, with the figures of `load_human()`."""
    body = make_anthropometry(sex="m")
    info = read_info(load_human_file().top, make_manikin(body).model)
    reach = body["upper_arm_length"] + body["forearm_length"] + body["grip_length"]
    return replace(info, reach=reach)


HUMAN = LibraryRobot(load_human, describe_human)
