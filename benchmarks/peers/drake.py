"""Drake steps an arm: `python -m peers.drake ROBOT.urdf STEPS ROUNDS`; see simulation.py."""

import json
import sys
import time

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import PdControllerGains, RevoluteJoint
from pydrake.systems.analysis import Simulator

DT = 1e-3  # s
STIFFNESS, DAMPING = 600.0, 50.0  # N m/rad and N m s/rad, as in simulation.py


def main(path: str, steps: int, rounds: int) -> None:
    """Print the processor time of the best round, in s, and the joint positions at the end."""
    plant = MultibodyPlant(time_step=DT)
    (robot,) = Parser(plant).AddModels(path)
    base = plant.get_body(plant.GetBodyIndices(robot)[0])
    plant.WeldFrames(plant.world_frame(), base.body_frame())
    for index in plant.GetJointIndices(robot):
        joint = plant.get_joint(index)
        if isinstance(joint, RevoluteJoint):
            actuator = plant.AddJointActuator(f"servo {joint.name()}", joint)
            actuator.set_controller_gains(PdControllerGains(p=STIFFNESS, d=DAMPING))
    plant.Finalize()
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    count = plant.num_actuators()
    plant.get_desired_state_input_port(robot).FixValue(context, np.zeros(2 * count))
    plant.get_actuation_input_port(robot).FixValue(context, np.zeros(count))
    simulator.Initialize()
    best = float("inf")
    for _ in range(rounds):
        before = time.process_time()
        for _ in range(steps):
            simulator.AdvanceTo(context.get_time() + DT)
        best = min(best, time.process_time() - before)
    joints = (plant.get_joint(index) for index in plant.GetJointIndices(robot))
    q = {each.name(): each.get_angle(context) for each in joints if isinstance(each, RevoluteJoint)}
    print(json.dumps({"seconds": best, "q": q}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
