"""An arm in a room keeps its distance from a ball that swings past, and from a table.

Its end-effector is sent to and fro; the commands do not know of the ball.

Run it with `python examples/11_obstacle_in_a_room.py`.
"""

import math

import numpy as np

import robotix as rx
from robotix.collision.distance import nearest
from robotix.geometry import Box, Pose, Sphere
from robotix.scene import Action, Node, Robot, Scene, wait

KEEP = 0.05  # m


def swing(scene: Scene, ball: Node) -> Action:
    """Let the ball swing through the place where the arm works."""
    while True:
        ball.pose = Pose.at(0.45, 0.35 * math.cos(1.2 * scene.time), 0.55)
        yield


def shuttle(scene: Scene, robot: Robot) -> Action:
    """Send the end-effector from side to side."""
    while True:
        for side in (-0.25, 0.25):
            move = robot.move_xyz([0.5, side, 0.45], ticks=150)
            while robot.drive is move:
                yield
            robot.hold()  # a robot that holds gives way; one that is only stopped does not
            yield from wait(scene, 0.4)


def gap(robot: Robot, node: Node) -> float:
    """Return the distance between the arm and a node."""
    return min(
        nearest(a, b, world_from_a=link.world_pose, world_from_b=node.world_pose).distance
        for link in list(robot.links.values())[1:]  # the base stands still
        for a in link.solids
        for b in node.solids
    )


def main(seconds: float = 6.0) -> float:
    """Return the least distance between the arm and the ball on the way, in m."""
    scene = Scene()
    robot = scene.add_robot("arm", rx.load("kuka_lwr"))
    robot.set_q([-0.5, -0.6, 0.0, 1.4, 0.0, 0.8, 0.0])
    ball = scene.graph.add("ball", pose=Pose.at(0.45, 0.35, 0.55), solids=[Sphere(0.06)])
    scene.graph.add("table", pose=Pose.at(0.7, 0, 0.1), solids=[Box(np.array([0.6, 1.0, 0.04]))])
    robot.add_obstacle("ball", KEEP)
    robot.add_obstacle("table", 0.03)

    scene.start(swing(scene, ball))
    scene.start(shuttle(scene, robot))
    least = math.inf
    for _ in range(round(seconds / scene.dt)):
        scene.step()
        least = min(least, gap(robot, ball))
    return least


if __name__ == "__main__":
    print(f"the arm came no nearer than {1e3 * main():.1f} mm; {1e3 * KEEP:.0f} mm were asked for")
