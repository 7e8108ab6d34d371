"""The virtual human: body measures, and a model of 39 joints made from them."""

from robotix.human.anthropometry import Anthropometry, make_anthropometry
from robotix.human.manikin import GROUPS, Manikin, make_manikin, mirrored
from robotix.human.measures import Measure
from robotix.human.skeleton import Side, Skeleton

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
