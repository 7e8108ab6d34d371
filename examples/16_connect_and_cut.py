"""A gymnast of three links takes a bar, swings on it, lets go, and loses a leg.

Run it with `python examples/16_connect_and_cut.py`.
"""

import numpy as np

import robotix as rx
from robotix.dynamics.simulation import EXACT, HingeJoint

LENGTH = 0.5  # m of every link
BAR = np.array([0.0, 1.0, 0.0])  # direction of the bar


def make_gymnast() -> rx.Model:
    """Return arms, trunk and legs: rods that hang in a row, with joints about the bar's axis."""
    bodies, parent = [], None
    for name in ("arms", "trunk", "legs"):
        joint = rx.Joint("root", "floating") if parent is None else rx.Joint(name, "revolute", BAR)
        bodies.append(
            rx.Body(
                name,
                joint,
                parent,
                rx.Pose.at(0, 0, 0 if parent is None else -LENGTH),
                mass=20.0,
                com=np.array([0, 0, -LENGTH / 2]),
                inertia=np.diag([0.42, 0.42, 0.01]),
            )
        )
        parent = name
    return rx.Model("gymnast", tuple(bodies))


def main() -> dict[str, float]:
    """Return the gap at the bar (m), and the jumps of momentum at letting go and at the cut."""
    gymnast = rx.Mechanism("gymnast", make_gymnast())
    simulation = rx.Simulation(rx.World(mechanisms=(gymnast,)), EXACT)
    simulation.set_state("gymnast", [0, 0, 3, 0, 0.6, 0, 0.2, 0.1], [1.5, 0, 1, 0, 0, 0, 0, 0])
    simulation.step(200)

    bar = simulation.pose("gymnast/arms").translation  # where the hands are
    simulation.connect("world", "gymnast/arms", HingeJoint(bar, BAR), name="grip")
    print(simulation.link_table())
    gap = 0.0
    for _ in range(80):
        simulation.step(10)
        hands = simulation.pose("gymnast/arms").translation
        gap = max(gap, float(np.linalg.norm(hands - bar)))

    jumps = {}
    for what in ("grip", "gymnast/legs"):
        before = simulation.momentum()
        simulation.cut(what)
        after = simulation.momentum()
        jumps[what] = float(abs(after.linear - before.linear).max())
        simulation.step(100)
    print(simulation.link_table())
    return {"gap": gap, "letting go": jumps["grip"], "losing the legs": jumps["gymnast/legs"]}


if __name__ == "__main__":
    for name, value in main().items():
        print(f"{name:16} {value:.1e}")
