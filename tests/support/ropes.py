"""Ropes for tests: links in a row on passive hinges, hanging or floating."""

import numpy as np

import robotix as rx
from robotix.geometry import Capsule, Pose

LENGTH, MASS = 0.2, 0.5  # m and kg of a link


def rope(links: int = 6, *, floating: bool = False) -> rx.Model:
    """Return links along -z with hinges about y, called link0, link1 …; joints are called j1 …"""
    bodies: list[rx.Body] = []
    for k in range(links):
        joint = rx.Joint(f"j{k}", "revolute", np.array([0.0, 1.0, 0.0]), effort=0.0)
        if k == 0:
            joint = rx.Joint("root", "floating" if floating else "fixed")
        bodies.append(
            rx.Body(
                f"link{k}",
                joint,
                f"link{k - 1}" if k else None,
                Pose.at(0, 0, -LENGTH if k else 0),
                mass=MASS,
                com=np.array([0, 0, -LENGTH / 2]),
                inertia=np.diag([2e-3, 2e-3, 1e-4]),
                collision=(Capsule(0.02, LENGTH - 0.04, pose=Pose.at(0, 0, -LENGTH / 2)),),
            )
        )
    return rx.Model("rope", tuple(bodies))
