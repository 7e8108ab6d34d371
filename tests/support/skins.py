"""Skins of a family of bodies, made once for all tests."""

from __future__ import annotations

from functools import cache

from support.people import manikin

from robotix.human.skin.skin import Skin, make_skin

FAMILY = [(sex, percentile) for sex in "fm" for percentile in (5.0, 50.0, 95.0)]


@cache
def skin_of(sex: str, percentile: float = 50.0) -> Skin:
    return make_skin(manikin(sex, percentile=percentile))
