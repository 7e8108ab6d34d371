"""Grab a link and drag it: every joint up the chain follows the hand, and no Jacobian is needed.

Run it with `python examples/07_drag_by_hand.py`.
"""

import numpy as np

import robotix as rx
from robotix.kinematics import drag

DT = 1 / 60  # s


def main(ticks: int = 120) -> float:
    """Drag the wrist of an arm aside; return how far it ends from the hand, in m."""
    model = rx.load("kuka_lwr")
    posture = rx.Posture(model, [0.0, -0.5, 0.0, 1.6, 0.0, 0.5, 0.0])
    hand = posture.position("wrist")
    for _ in range(ticks):
        hand = hand + 0.1 * DT * np.array([0.0, 1.0, 0.0])  # 0.1 m/s to the left
        posture = drag(posture, hand, point="wrist", joints=("A1", "A2", "A3"), dt=DT)
    return float(np.linalg.norm(posture.position("wrist") - hand))


if __name__ == "__main__":
    print(f"{1e3 * main():.1f} mm from the hand")
