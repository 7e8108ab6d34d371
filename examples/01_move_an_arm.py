"""Move an arm: load it, ask where its flange is, solve for a target, and go there.

Run it with `python examples/01_move_an_arm.py`.
"""

import numpy as np

import robotix as rx
from robotix.motion import make_move


def main() -> float:
    """Bring the flange of an arm to a pose; return how far off it ends, in m."""
    model = rx.load("kuka_lwr")
    posture = rx.Posture(model, [0.0, -0.5, 0.0, 1.6, 0.0, 0.5, 0.0])
    print(f"{model.name}: {model.n_dof} joints, {model.tip} at {posture.position().round(3)} m")

    target = rx.Pose.at(0.45, 0.25, 0.55, rpy=(np.pi, 0.0, 0.0))  # facing down
    found = rx.solve(model, target, q0=posture.q)
    if not found.converged:
        print(f"out of reach: {found.error:.3f} is missing")

    motion = make_move(posture.q, found.q.tolist(), model=model)  # as fast as the joints allow
    motion.check_limits(model)
    print(f"there in {motion.duration:.2f} s, {len(motion.times)} postures on the way")

    end = rx.Posture(model, motion.q[-1])
    return float(np.linalg.norm(end.position() - target.translation))


if __name__ == "__main__":
    print(f"{main():.2e} m off the target")
