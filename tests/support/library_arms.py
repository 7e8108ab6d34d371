"""The arms of the library: what the kinematic core is tried on, again and again.

The bodies that float, the human and the humanoid, have tests of their own, and would take most of
the time here.
"""

from robotix.model.robots import robot_names

ARMS = tuple(name for name in robot_names() if name not in ("human", "vhrp26"))
