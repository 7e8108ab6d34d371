"""What a contestant's postures are worth, measured with the yardstick and not with its own word."""

from pathlib import Path

import numpy as np
from workloads import ReachWork, TickWork, Work
from yardstick import Array, base_poses, load_ruler, rotation_angles, select

SLACK = 1e-6  # rad and rad/s: how near to a limit counts as on it, and how far past it as broken


def judge(work: Work, q: Array) -> dict[str, float]:
    """Measure the postures `q`, one row for each tick or problem, NaN where there is none."""
    return judge_ticks(work, q) if isinstance(work, TickWork) else judge_reaches(work, q)


def judge_ticks(work: TickWork, q: Array) -> dict[str, float]:
    """Return task errors in m and rad, the limits in use, and by how much any was broken."""
    ruler = load_ruler(Path(work.urdf))
    poses = ruler.link_poses(q[:, 7:], world_from_base=base_poses(q))
    frames = select(poses, work.frames)
    offsets = np.linalg.norm(frames[..., :3, 3] - work.poses[..., :3, 3], axis=-1)
    turns = rotation_angles(np.swapaxes(work.poses[..., :3, :3], -1, -2) @ frames[..., :3, :3])
    com = np.linalg.norm(ruler.centre_of_mass(poses) - work.com, axis=-1)
    lower, upper, speed = (
        np.array([getattr(edge, name) for edge in ruler.moving])
        for name in ("lower", "upper", "speed")
    )
    angles = q[:, 7:]
    rates = np.abs(np.diff(angles, axis=0, prepend=work.home[None, 7:])) / work.dt
    past = np.maximum(np.maximum(lower - angles, angles - upper), rates - speed)
    on_limit = np.sum(past > -SLACK, axis=1)
    return {
        "feet": float(offsets[:, :2].mean()),
        "hands": float(offsets[:, 2:].mean()),
        "turn": float(turns.mean()),
        "com": float(com.mean()),
        "active": float(on_limit.mean()),
        "active_least": float(on_limit[len(on_limit) // 10 :].min()),  # past the start from rest
        "broken": float(max(0.0, past.max() - SLACK)),
    }


def judge_reaches(work: ReachWork, q: Array) -> dict[str, float]:
    """Return the share of problems solved within tolerance and limits, and the false claims."""
    ruler = load_ruler(Path(work.urdf))
    here = np.tile(np.eye(4), (len(q), 1, 1))
    tips = ruler.link_poses(q, world_from_base=here)[work.tip]
    offsets = np.linalg.norm(tips[:, :3, 3] - work.poses[:, :3, 3], axis=1)
    turns = rotation_angles(np.swapaxes(work.poses[:, :3, :3], 1, 2) @ tips[:, :3, :3])
    inside = np.all((q >= work.lower - SLACK) & (q <= work.upper + SLACK), axis=1)
    good = (offsets <= work.tolerance) & (turns <= work.tolerance) & inside
    claimed = np.isfinite(q).all(axis=1)
    return {
        "solved": float(good.mean()),
        "false_claims": float((claimed & ~good).mean()),
        "problems": float(len(q)),
    }
