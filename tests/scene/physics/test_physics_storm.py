"""Random rooms and random commands: nothing breaks, and no number that is not finite gets out."""

from collections import Counter

import numpy as np
import pytest
from conftest import Figures
from support.hands import hand, problems
from support.physics_rooms import room
from support.ropes import rope

from robotix.errors import RobotixError
from robotix.geometry import Box, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.inputs.readings import Inputs
from robotix.scene.commands.attaching import Attach, Detach
from robotix.scene.console.console import run_command
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.messages import Announcement
from robotix.scene.graph.body import BodyKind, BodyProperties
from robotix.scene.recording.state import Digest
from robotix.scene.scene import Scene

SEEDS, MANY_SEEDS = 20, 10_000
TICKS = 40
JOINTS = ("weld", "ball", "hinge", "slider")


def solid(rng: np.random.Generator) -> Shape:
    a, b = (10 ** rng.uniform(-3, 0) for _ in range(2))
    shapes: list[Shape] = [Sphere(a), Capsule(a, b), Cylinder(a, b), Box(np.array([a, b, a]))]
    return shapes[rng.integers(len(shapes))]


def random_room(rng: np.random.Generator) -> Scene:
    """Return a room with overlapping things of absurd masses and sizes."""
    scene = room()
    for k in range(rng.integers(1, 9)):
        x, y, z, roll, pitch, yaw = rng.uniform(-0.4, 0.4, 6).tolist()
        mass = float(10 ** rng.uniform(-6, 6))
        body = BodyProperties(mass=mass, friction=rng.uniform(0, 2), restitution=rng.uniform(0, 1))
        scene.graph.add(
            f"thing_{k}",
            solids=[solid(rng) for _ in range(rng.integers(1, 3))],
            pose=Pose.at(x, y, z + 0.8, rpy=(roll, pitch, yaw)),
            body=body if rng.random() < 0.8 else None,
        )
    for k in range(rng.integers(0, 3)):
        add_rope(scene, rng, f"rope_{k}")
    return scene


def add_rope(scene: Scene, rng: np.random.Generator, name: str) -> None:
    """Add a simulated chain, overlapping with other things, with or without a tool."""
    model = rope(int(rng.integers(2, 5)), floating=rng.random() < 0.5)
    x, y, z = rng.uniform(-0.4, 0.4, 3).tolist()
    robot = scene.add_robot(name, model, pose=Pose.at(x, y, z + 1.0))
    robot.set_q(rng.uniform(-1, 1, model.n_dof))
    scene.physics.simulate_robot(name)
    if rng.random() < 0.5:
        mass = float(10 ** rng.uniform(-4, 4)) if rng.random() < 0.5 else None
        kind: BodyKind = "free" if rng.random() < 0.5 else "static"
        scene.graph.add(
            f"thing_{name}", parent=f"{name}/link1", solids=[solid(rng)],
            body=BodyProperties(kind, mass=mass),
        )  # fmt: skip


def random_command(scene: Scene, rng: np.random.Generator) -> str:
    names = [name for name in scene.graph.names if name.startswith("thing") or "/" in name]
    names = names or ["table"]
    joints = [
        f"{name}/{joint.name}" for name, r in scene.robots.items() for joint in r.model.joints
    ]
    one, other = (names[rng.integers(len(names))] for _ in range(2))
    x, y, z = rng.normal(size=3)
    force = 10 ** rng.uniform(0, 6)
    some = list(scene.physics.connections) or ["nothing"]
    commands = [
        f"connect {one}; {other}; {JOINTS[rng.integers(4)]}; ({x}, {y}, {z}); ({y}, {z}, {x})",
        f"connect {one}; table",
        f"cut {some[rng.integers(len(some))]}",
        f"push {one}; ({force * x}, {force * y}, {force * z}); 0.05",
        f"place {one}; ({x}, {y}, {z + 1})",
        f"hide {one}",
        "undo",
        f"cut {joints[rng.integers(len(joints))] if joints else 'nothing'}",
        f"grab {one}; hand",
        "let_go hand",
    ]
    return commands[rng.integers(len(commands))]


def attach_or_detach(scene: Scene, rng: np.random.Generator) -> bool:
    """Attach something to anything, or detach it, as rules do; return whether it was refused."""
    names = [name for name in scene.graph.names if name.startswith("thing")] or ["table"]
    one, other = names[rng.integers(len(names))], scene.graph.names[rng.integers(len(scene.graph))]
    command = Attach(one, other) if rng.random() < 0.6 else Detach(one)
    try:
        command(scene, Event(Signal("storm"), True))
    except (ValueError, RobotixError) as refusal:
        assert str(refusal)
        return True
    return False


def moving_hand(rng: np.random.Generator) -> Inputs:
    """Return a hand that is somewhere else at every tick, at times far away."""
    return hand(rng.normal(size=3) * 10 ** rng.uniform(-3, 1), turn=rng.normal(size=4))


def storm(seed: int) -> tuple[Counter[str], bytes]:
    """Run a random room; return what happened, and the digest of all its states."""
    rng, told = np.random.default_rng(seed), Counter[str](rooms=1)
    scene = random_room(rng)
    scene.devices["hand"] = "hand"
    digest, reported = Digest(scene), ""
    for tick in range(TICKS):
        if rng.random() < 0.5:
            before = len(problems(scene))
            run_command(scene, random_command(scene, rng))
            told.update(commands=1, refused=len(problems(scene)) - before)
        if rng.random() < 0.1:
            told.update(commands=1, refused=attach_or_detach(scene, rng))
        if tick == TICKS // 2 and "thing_0" in scene.graph:
            scene.graph.remove("thing_0")
        scene.step(moving_hand(rng))
        reported += "".join(problems(scene))
        reported += "".join(m.text for m in scene.messages if isinstance(m, Announcement))
        assert np.isfinite(scene.graph.world).all(), seed
        assert np.abs(scene.graph.world[:, 9:12]).max() < 1e4, seed
        digest.update()
    assert scene.physics.mirror is not None
    frozen = scene.physics.mirror.frozen
    for name in frozen:
        assert repr(name) in reported, f"{seed}: {name} was frozen without a word"
    told.update(frozen=len(frozen), diverged=reported.count("diverged"), ticks=TICKS)
    return told, digest.value


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_rooms_and_commands_break_nothing(seed: int) -> None:
    storm(seed)


@pytest.mark.parametrize("seed", range(3))
def test_a_storm_is_the_same_to_the_last_bit(seed: int) -> None:
    assert storm(seed) == storm(seed)


@pytest.mark.soak
def test_many_random_rooms_and_commands_break_nothing(figures: Figures) -> None:
    told = Counter[str]()
    for seed in range(MANY_SEEDS):
        told.update(storm(SEEDS + seed)[0])
    figures(
        "whatever is asked of a room with physics, it goes on, and no number is not finite",
        f"{told['rooms']:,} random rooms, {told['commands']:,} commands, {told['ticks']:,} ticks",
        f"{told['refused']:,} commands refused with a message; {told['diverged']:,} reports of "
        f"motions that diverged, {told['frozen']:,} things frozen, each reported",
    )
    assert told["diverged"] and told["frozen"]  # the campaign reaches them
