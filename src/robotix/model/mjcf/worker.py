"""The process that runs MuJoCo's compiler: a path a line comes in, an answer a line goes out.

Kept apart, and run by path rather than imported, because the compiler can be made to crash (a
height field of 2³² points) or to run for minutes (a million replicates). Memory and processor time
are bounded here, waiting time by whoever started the process.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

MEMORY = 8 * 2**30  # bytes of address space
SECONDS = 60  # of processor time a file; in case nobody is left to end the process


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever the compiler prints is not an answer
    _bound_memory()
    try:
        import mujoco
    except ImportError as error:
        _send(answers, {"missing": str(error)})
        return
    mujoco.set_mju_user_warning(lambda _: None)  # else it appends to a log file in this folder
    _send(answers, {"ready": mujoco.__version__})
    for line in sys.stdin:
        _bound_time()
        _send(answers, _answer(mujoco, json.loads(line)))


def _send(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _answer(mujoco: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        model = mujoco.MjModel.from_xml_path(request["path"])
        if model.nbody > request["most_bodies"]:
            return {"error": f"Error: {model.nbody} bodies; at most {request['most_bodies']}"}
        return _dump(mujoco, model)
    except Exception as error:  # the caller turns every failure into one kind of error
        return {"error": str(error) or type(error).__name__}


def _dump(mujoco: Any, model: Any) -> dict[str, Any]:
    """Return, as plain lists, what a kinematic model is made from."""
    objects = mujoco.mjtObj
    names = {
        key: [mujoco.mj_id2name(model, kind, i) or "" for i in range(count)]
        for key, kind, count in (
            ("body", objects.mjOBJ_BODY, model.nbody),
            ("joint", objects.mjOBJ_JOINT, model.njnt),
            ("site", objects.mjOBJ_SITE, model.nsite),
        )
    }
    arrays = {key: getattr(model, key).tolist() for key in _ARRAYS}
    kinds = {
        "joint": [mujoco.mjtJoint(i).name.removeprefix("mjJNT_").lower() for i in model.jnt_type],
        "geom": [mujoco.mjtGeom(i).name.removeprefix("mjGEOM_").lower() for i in model.geom_type],
        "equality": [mujoco.mjtEq(i).name.removeprefix("mjEQ_").lower() for i in model.eq_type],
        "transmission": [
            mujoco.mjtTrn(i).name.removeprefix("mjTRN_").lower() for i in model.actuator_trntype
        ],
    }
    return {
        "gravity": model.opt.gravity.tolist(),
        "meshes": [_mesh_address(mujoco, model, i) for i in range(model.nmesh)],
        "counts": {"tendon": model.ntendon, "flex": model.nflex, "skin": model.nskin},
        "names": names,
        "kinds": kinds,
        "arrays": arrays,
    }


_ARRAYS = (
    *("body_parentid", "body_pos", "body_quat", "body_mass", "body_ipos", "body_iquat"),
    *("body_inertia", "body_jntadr", "body_jntnum", "qpos0"),
    *("jnt_qposadr", "jnt_pos", "jnt_axis", "jnt_limited", "jnt_range"),
    *("jnt_actfrclimited", "jnt_actfrcrange"),
    *("geom_bodyid", "geom_dataid", "geom_pos", "geom_quat", "geom_size", "geom_rgba"),
    *("geom_contype", "geom_conaffinity", "geom_group", "geom_matid", "mat_rgba"),
    *("mesh_pos", "mesh_quat", "mesh_scale", "site_bodyid", "site_pos", "site_quat"),
    *("eq_active0", "eq_obj1id", "eq_obj2id", "eq_data"),
    *("actuator_trnid", "actuator_gear", "actuator_forcelimited", "actuator_forcerange"),
)


def _mesh_address(mujoco: Any, model: Any, index: int) -> str:
    start = int(model.mesh_pathadr[index])
    if start >= 0:
        return bytes(model.paths)[start:].split(b"\0", 1)[0].decode("utf-8", "replace")
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, index) or f"mesh_{index}"


def _bound_memory() -> None:
    import resource

    for what, limit in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(what, (limit, limit))
        except (OSError, ValueError):  # a system that does not bound this
            continue


def _bound_time() -> None:
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main()
