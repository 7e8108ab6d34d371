"""The work itself: what is asked of every contestant, written to files that all of them read.

`tick_free`    one tick of a humanoid (Talos, 38 DoF): both feet and both hands in 6-D and the
               centre of mass, 27 rows; all limits switched on, none of them reached.
`tick_active`  the same with some joints of arms and torso held narrow and slow: about eight of the
               position and velocity limits are active in a tick, the hands still nearly get there.
`tick_out`     the same with the hands led out of reach of narrow, slow joints: over half of all
               joints are at a limit in every tick.
`reach`        global inverse kinematics of a 7-DoF arm (Panda) from a random start, within limits.
`batch`        many such problems at once: problems solved per second on one core.

In a tick all minimise the same function: the sum of `weight · |J·dq - error|²` over the tasks plus
`damping · |dq|²`, with `dq` inside the limits, and take the full step.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from robots import write_reduced
from yardstick import Array, Ruler, base_poses, load_ruler, select

WORKLOADS = ("tick_free", "tick_active", "tick_out", "reach", "batch")
SEED = 20261115
DT = 1 / 200  # s
FRAMES = ("left_sole_link", "right_sole_link", "gripper_left_base_link", "gripper_right_base_link")
STARTS = 100  # the first start of a problem and the restarts of those who bring none of their own

# Talos at home, in rad: knees and elbows bent, each joint well inside its range; others are at 0.
MIRRORED = {"arm_{}_1": -0.3, "arm_{}_2": 0.5, "arm_{}_3": -0.3, "arm_{}_5": 0.2}
ALIKE = {"arm_{}_4": -1.3, "gripper_{}": -0.5, "leg_{}_3": -0.5, "leg_{}_4": 1.0, "leg_{}_5": -0.5}
HOME = (
    {"torso_2_joint": 0.1, "head_1_joint": 0.1}
    | {f"{name.format('left')}_joint": angle for name, angle in (MIRRORED | ALIKE).items()}
    | {f"{name.format('right')}_joint": -angle for name, angle in MIRRORED.items()}
    | {f"{name.format('right')}_joint": angle for name, angle in ALIKE.items()}
)


@dataclass(frozen=True, eq=False)
class TickWork:
    """A moving target for a humanoid. `q` rows: position, quaternion (w, x, y, z), joint angles."""

    urdf: str
    joints: tuple[str, ...]
    frames: tuple[str, ...]
    frame_weights: Array  # (k,), for position and orientation alike
    com_weight: float
    damping: float
    dt: float  # s
    home: Array  # (7 + n_joints,)
    poses: Array  # (ticks, k, 4, 4), world_from_frame
    com: Array  # (ticks, 3), m
    posture_weight: float = 0.0  # of each joint's angle; 0: no such task
    angles: Array | None = None  # (ticks, n_joints), rad, wanted of the posture


@dataclass(frozen=True, eq=False)
class ReachWork:
    """Poses for the tip of an arm, each with a start and restarts within the limits."""

    urdf: str
    joints: tuple[str, ...]
    base: str
    tip: str
    lower: Array  # (n_joints,), rad
    upper: Array  # (n_joints,), rad
    tolerance: float  # m and rad, on the norms of the position and the rotation error
    poses: Array  # (problems, 4, 4), base_from_tip
    starts: Array  # (problems, starts, n_joints)


Work = TickWork | ReachWork


def save_work(work: Work, path: Path) -> None:
    """Write a workload to an `.npz` file without pickles."""
    arrays: dict[str, Any] = {field.name: getattr(work, field.name) for field in fields(work)}
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})


def load_work(path: Path) -> Work:
    """Read what `save_work` wrote."""
    with np.load(path, allow_pickle=False) as data:
        kind = TickWork if "com" in data else ReachWork
        return kind(**{name: _from_array(data[name]) for name in data.files})


def write_workloads(folder: Path, originals: Mapping[str, Path], *, quick: bool) -> dict[str, Path]:
    """Make the robot files and all workloads in `folder`; return the workloads' paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ("talos_free", "talos_some_tight", "talos_all_tight", "panda")
    free, some, every, arm = (folder / f"{name}.urdf" for name in names)
    write_reduced(originals["talos"], free)
    write_reduced(originals["talos"], some, limits=tighten_some)
    write_reduced(originals["talos"], every, limits=tighten_every)
    write_reduced(originals["panda"], arm, without="panda_hand")
    ticks, problems, many = (200, 100, 300) if quick else (1200, 1000, 5000)
    works: dict[str, Work] = {
        "tick_free": make_tick(free, ticks=ticks, sway=0.05),
        "tick_active": make_tick(some, ticks=ticks, sway=0.1),
        "tick_out": make_tick(every, ticks=ticks, sway=0.25),
        "reach": make_reach(arm, problems=problems, starts=STARTS, seed=SEED),
        "batch": make_reach(arm, problems=many, starts=1, seed=SEED + 1),
    }
    paths = {name: folder / f"{name}.npz" for name in works}
    for name, work in works.items():
        save_work(work, paths[name])
    return paths


def make_tick(urdf: Path, *, ticks: int, sway: float) -> TickWork:
    """Lead the hands and the centre of mass along smooth closed curves; the feet stand.

    Args:
        urdf: Talos, reduced.
        ticks: Length of the motion.
        sway: How far the hands are led from home, in m; the centre of mass goes 2 cm.
    """
    ruler = load_ruler(urdf)
    home = np.concatenate(
        [[0, 0, 1, 1, 0, 0, 0], [HOME.get(edge.name, 0.0) for edge in ruler.moving]]
    )
    poses, com = _observe(ruler, home[None])
    phase = 2 * np.pi * 0.5 * DT * np.arange(1, ticks + 1)
    path = np.stack([np.sin(phase), np.sin(2 * phase) / 2, 1 - np.cos(phase)], axis=1)
    targets = np.tile(poses, (ticks, 1, 1, 1))
    targets[:, 2, :3, 3] += sway * path
    targets[:, 3, :3, 3] += sway * path * np.array([-1, 1, 1])
    return TickWork(
        urdf=str(urdf),
        joints=tuple(edge.name for edge in ruler.moving),
        frames=FRAMES,
        frame_weights=np.array([100.0, 100.0, 1.0, 1.0]),  # it stands before it reaches
        com_weight=100.0,
        damping=1e-6,
        dt=DT,
        home=home,
        poses=targets,
        com=com + 0.02 * path * np.array([1, 1, -0.5]),
    )


def make_reach(urdf: Path, *, problems: int, starts: int, seed: int) -> ReachWork:
    """Draw reachable poses (of postures uniform within the limits) and starts likewise."""
    rng = np.random.default_rng(seed)
    ruler = load_ruler(urdf)
    lower = np.array([edge.lower for edge in ruler.moving])
    upper = np.array([edge.upper for edge in ruler.moving])
    q = rng.uniform(lower, upper, (problems, len(lower)))
    here = np.tile(np.eye(4), (problems, 1, 1))
    return ReachWork(
        urdf=str(urdf),
        joints=tuple(edge.name for edge in ruler.moving),
        base=ruler.root,
        tip="panda_link8",
        lower=lower,
        upper=upper,
        tolerance=1e-4,
        poses=ruler.link_poses(q, world_from_base=here)["panda_link8"],
        starts=rng.uniform(lower, upper, (problems, starts, len(lower))),
    )


def tighten_some(joint: str, *limits: float) -> tuple[float, float, float]:
    """Narrow three joints of each arm and the torso: redundancy has to make up for them."""
    chosen = joint.startswith("torso") or (joint.startswith("arm") and joint[-7] in "146")
    lower, upper, speed = limits
    return _tightened(joint, limits, room=0.1, speed=0.3) if chosen else (lower, upper, speed)


def tighten_every(joint: str, *limits: float) -> tuple[float, float, float]:
    """Narrow all joints: there is nothing left to make up for it."""
    return _tightened(joint, limits, room=0.2, speed=0.4)


def _tightened(
    joint: str, limits: Sequence[float], *, room: float, speed: float
) -> tuple[float, float, float]:
    home = HOME.get(joint, 0.0)
    return max(limits[0], home - room), min(limits[1], home + room), min(limits[2], speed)


def _observe(ruler: Ruler, q: Array) -> tuple[Array, Array]:
    poses = ruler.link_poses(q[:, 7:], world_from_base=base_poses(q))
    return select(poses, FRAMES), ruler.centre_of_mass(poses)


def _from_array(value: NDArray[Any]) -> Any:
    """Turn a stored array back into a string, a number, a tuple of strings or itself."""
    if value.dtype.kind == "U":
        return str(value) if value.ndim == 0 else tuple(map(str, value))
    return float(value) if value.ndim == 0 else value
