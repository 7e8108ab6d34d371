"""The virtual human: a 39-DoF model made from body measures, and the tasks it performs in balance.

`make_manikin` builds a body, `perform` lets it carry out a task, `measure` reports balance, slip,
limits and penetration. A new task is a generator made of actions such as `reach` and `walk`. Names
load on first use; they are those of `__init__.pyi`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
