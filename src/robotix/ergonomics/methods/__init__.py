"""The published methods as pure functions, by what they assess.

`back`, `manual_handling`, `posture`, `strength` and `upper_limb`; all of them use `checks` (of
inputs), `tables` (the constants of a method) and `verdict` (what a method says of a result).
"""

__all__: list[str] = []
