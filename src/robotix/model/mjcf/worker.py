"""The sandboxed process that runs MuJoCo's compiler.

The compiler can be made to crash (a height field of 2³² points) or to run for minutes (a million
replicates).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robotix.files.sandbox import serve_requests


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import MuJoCo and return the function that compiles the file of a request."""
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)  # else it appends to a log file in this folder
    return lambda request: (_answer(mujoco, request), b"")


def _answer(mujoco: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        model = mujoco.MjModel.from_xml_path(request["path"])
        if model.nbody > request["max_bodies"]:
            return {"error": f"Error: {model.nbody} bodies; at most {request['max_bodies']}"}
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
    is_weightless = bool(model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    return {
        "gravity": [0.0, 0.0, 0.0] if is_weightless else model.opt.gravity.tolist(),
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
    *("jnt_dofadr", "dof_armature"),
    *("jnt_actfrclimited", "jnt_actfrcrange"),
    *("geom_bodyid", "geom_dataid", "geom_pos", "geom_quat", "geom_size", "geom_rgba"),
    *("geom_contype", "geom_conaffinity", "geom_group", "geom_matid", "mat_rgba"),
    *("mesh_pos", "mesh_quat", "mesh_scale", "site_bodyid", "site_pos", "site_quat"),
    *("eq_active0", "eq_obj1id", "eq_obj2id", "eq_data"),
    *("actuator_trnid", "actuator_gear", "actuator_forcelimited", "actuator_forcerange"),
    *("actuator_armature", "tendon_armature"),
)


def _mesh_address(mujoco: Any, model: Any, index: int) -> str:
    start = int(model.mesh_pathadr[index])
    if start >= 0:
        return bytes(model.paths)[start:].split(b"\0", 1)[0].decode("utf-8", "replace")
    return mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, index) or f"mesh_{index}"


if __name__ == "__main__":
    serve_requests(load)
