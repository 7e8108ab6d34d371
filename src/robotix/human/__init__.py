"""The virtual human: body measures, and a model of 39 joints made from them."""

from robotix.human.body.anthropometry import Anthropometry, make_anthropometry
from robotix.human.body.manikin import GROUPS, Manikin, make_manikin, mirrored
from robotix.human.body.measures import Measure
from robotix.human.body.skeleton import Side, Skeleton

__all__ = [
    "GROUPS",
    "Anthropometry",
    "Manikin",
    "Measure",
    "Side",
    "Skeleton",
    "make_anthropometry",
    "make_manikin",
    "mirrored",
]
