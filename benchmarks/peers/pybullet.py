"""PyBullet steps an arm: `python -m peers.pybullet ROBOT.urdf STEPS ROUNDS`; see simulation.py.

It holds the arm by its own motors, which are constraints: its PD law is explicit, and with the
gains of simulation.py it diverges at this time step.
"""

import json
import sys
import time

import pybullet

DT = 1e-3  # s
MAX_EFFORT = 1e3  # N m


def main(path: str, steps: int, rounds: int) -> None:
    """Print the processor time of the best round, in s, and the joint positions at the end."""
    pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0, 0, -9.81)
    pybullet.setTimeStep(DT)
    robot = pybullet.loadURDF(path, useFixedBase=True)
    joints = {}
    for joint in range(pybullet.getNumJoints(robot)):
        info = pybullet.getJointInfo(robot, joint)
        if info[2] == pybullet.JOINT_REVOLUTE:
            joints[info[1].decode()] = joint
            pybullet.setJointMotorControl2(
                robot, joint, pybullet.POSITION_CONTROL, targetPosition=0.0, force=MAX_EFFORT
            )
    best = float("inf")
    for _ in range(rounds):
        before = time.process_time()
        for _ in range(steps):
            pybullet.stepSimulation()
        best = min(best, time.process_time() - before)
    q = {name: pybullet.getJointState(robot, joint)[0] for name, joint in joints.items()}
    print(json.dumps({"seconds": best, "q": q}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
