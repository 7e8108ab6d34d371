"""An encoder freezes while an arm moves beside a person; reactions are compared.

A joint whose encoder no longer changes runs on past its goal. An arm that compares what it asked
for with what it measures notices, and stops.

Run it with `python examples/18_faults_on_purpose.py`.
"""

import robotix as rx
from robotix.geometry import Pose
from robotix.human import make_anthropometry, make_manikin
from robotix.safety.faults import Fault
from robotix.safety.protection import ProtectionSettings, SafetyReaction
from robotix.scene import Scene
from robotix.scene.commands.safety import inject
from robotix.scene.robots.safety_monitor import SafetyMonitor


def run(reaction: SafetyReaction) -> dict[str, float]:
    """Return what the arm did about the fault."""
    scene = Scene(dt=1 / 60)
    arm = scene.add_robot("arm", rx.load("kuka_lwr"), pose=Pose.at(0, 0, 0.8))
    body = make_manikin(make_anthropometry(sex="f"))
    person = scene.add_person("anna", body, pose=Pose.at(1.6, 0, 0, rpy=(0, 0, 3.14)))
    settings = ProtectionSettings(strategy="none", reaction=reaction)
    arm.monitor = SafetyMonitor(arm, [person.robot], settings)

    arm.move([0.8, -0.9, 0.0, 0.6, 0.0, 0.0, 0.0], ticks=120)
    scene.start(inject(scene, Fault("sensor_freeze", joint=2, start=0.8), robot=arm))
    for _ in range(240):
        scene.step()
    return scene.faults.records[0].figures()


def main() -> dict[str, dict[str, float]]:
    """Return the figures of the fault by reaction."""
    return {reaction: run(reaction) for reaction in ("none", "stop")}


if __name__ == "__main__":
    for reaction, figures in main().items():
        words = ", ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"{reaction:>5}: {words}")
