"""A ball falls, bounces and comes to rest: every bounce keeps a fixed share of its speed.

Run it with `python examples/09_falling_ball.py`.
"""

from robotix.geometry import Halfspace, Pose, Sphere
from robotix.scene import Event, Scene, Signal
from robotix.scene.commands import Fall, Sweep, trace_name

RADIUS = 0.1  # m
SECONDS = 6.0


def main(height: float = 1.0, restitution: float = 0.8) -> list[float]:
    """Return how high the ball gets after each bounce, in m."""
    scene = Scene()
    scene.graph.add("floor", solids=[Halfspace()])
    ball = scene.graph.add("ball", pose=Pose.at(0, 0, height + RADIUS), solids=[Sphere(RADIUS)])
    start, bump = Signal("start"), Signal("bump")
    scene.on(start, Fall("ball", ("floor",), restitution, on_bounce="bump", at_rest="still"))
    scene.on(start, Sweep("ball", "line", every=0.01))
    scene.emit("start")

    tops, top = list[float](), 0.0
    while scene.time < SECONDS:
        scene.step()
        top = max(top, ball.world_position[2] - RADIUS)
        if Event(bump) in scene.events:
            tops.append(round(float(top), 4))
            top = 0.0
        if Event(Signal("still")) in scene.events:
            print(f"at rest after {scene.time:.2f} s and {len(tops)} bounces")
    print(f"its trace: {scene.graph[trace_name(ball)].content!r:.60}…")
    return tops


if __name__ == "__main__":
    print("heights in m:", *main())
