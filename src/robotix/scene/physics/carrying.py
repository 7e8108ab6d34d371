"""Free things that simulated robots carry: welded to a link, so that they weigh and collide."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.dynamics.simulation import Simulation, WeldJoint

__all__ = ["Carrying", "is_carried"]

SUFFIX = " is carried"  # of the names of connections that belong to carried things


class Carrying:
    """Which things hang on which links."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._links: dict[str, str] = {}  # by the thing that is carried

    def resume(self, other: Carrying) -> None:
        """Take over what another simulation carries, where its connections came along."""
        names = {each.name for each in self._simulation.connections}
        self._links = {n: link for n, link in other._links.items() if n + SUFFIX in names}

    def update(self, wanted: Mapping[str, str]) -> bool:
        """Carry exactly these things, by link; return whether something changed."""
        if wanted == self._links:
            return False
        for name, link in list(self._links.items()):
            if wanted.get(name) != link:
                self._simulation.cut(name + SUFFIX)
                del self._links[name]
        for name, link in wanted.items():
            if name not in self._links:
                self._simulation.connect(link, name, WeldJoint(), name=name + SUFFIX)
                self._links[name] = link
        return True

    def has_room(self, count: int) -> bool:
        """Return whether that many things can be carried besides all other connections."""
        others = [each for each in self._simulation.connections if not is_carried(each.name)]
        used = sum(each.joint.slots for each in others)
        return used + count <= self._simulation.settings.slots


def is_carried(connection: str) -> bool:
    """Return whether a connection belongs to a carried thing, by its name."""
    return connection.endswith(SUFFIX)
