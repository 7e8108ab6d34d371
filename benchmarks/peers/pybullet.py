"""PyBullet steps an arm: `python -m peers.pybullet ROBOT.urdf STEPS ROUNDS`; see simulation.py."""

import json
import sys
import time

import pybullet

DT = 1e-3  # s
STIFFNESS, DAMPING = 600.0, 50.0  # N m/rad and N m s/rad, as in simulation.py


def main(path: str, steps: int, rounds: int) -> None:
    """Print the processor time of the best round, in s."""
    pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0, 0, -9.81)
    pybullet.setTimeStep(DT)
    robot = pybullet.loadURDF(path, useFixedBase=True)
    for joint in range(pybullet.getNumJoints(robot)):
        if pybullet.getJointInfo(robot, joint)[2] == pybullet.JOINT_REVOLUTE:
            pybullet.setJointMotorControl2(
                robot, joint, pybullet.PD_CONTROL, targetPosition=0.0, targetVelocity=0.0,
                positionGain=STIFFNESS, velocityGain=DAMPING, force=1e3,
            )  # fmt: skip
    best = float("inf")
    for _ in range(rounds):
        before = time.process_time()
        for _ in range(steps):
            pybullet.stepSimulation()
        best = min(best, time.process_time() - before)
    print(json.dumps({"seconds": best}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
