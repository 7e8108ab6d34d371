"""Ergonomic assessment of postures, lifts, motions and whole tasks by published methods.

Each method is a pure function of numbers. Its result holds the inputs, the steps with their
reasons, the verdict and, in `sources`, where the constants come from. `assess` applies all methods
to a motion, `assess_family` to many bodies. Names load on first use: the calculators need no
compiled code and start at once. The names are those of `__init__.pyi`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
