"""The inertia of drives in mass matrices and efforts: as MuJoCo has it, and not twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import files
from pathlib import Path

import mujoco
import numpy as np
import pytest

from robotix.dynamics import inverse_dynamics
from robotix.dynamics.simulation import EXACT, Mechanism, Servo, Simulation, World
from robotix.dynamics.simulation.holding import holding_servos
from robotix.geometry import Array, exp_rotation, quaternion_from_rotation
from robotix.haptics.loop.drives import drives_for, link_inertia
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.loop.reference import reference_posture
from robotix.kinematics import Posture, effective_mass
from robotix.kinematics.batch import mass_matrix_batch
from robotix.model import Body, Joint, Mimic, Model
from robotix.model.mjcf.compiler import MjcfCompiler
from robotix.model.mjcf.reader import load_mjcf
from robotix.model.mjcf.writer import to_mjcf
from robotix.model.robots import load

INSTALLED = sorted(
    Path(str(file.locate()))
    for file in files("gymnasium") or ()
    if file.suffix == ".xml" and "mujoco" in str(file)
)
TWO_LINKS = """<mujoco><worldbody>
<body name="upper"><joint name="a" axis="0 1 0" armature="0.3"/><geom type="capsule" size="0.05"
  fromto="0 0 0 0.5 0 0" mass="2"/>
 <body name="lower" pos="0.5 0 0"><joint name="b" axis="0 0 1" armature="0.1"/>
  <geom type="capsule" size="0.04" fromto="0 0 0 0.4 0 0" mass="1"/></body></body></worldbody>
{}</mujoco>"""
MOTORS = '<actuator><motor joint="a" gear="10" armature="0.01"/></actuator>'
FREE = """<mujoco><worldbody><body name="a" pos="0 0 1" euler="10 20 30"><joint type="free"
armature="0.5"/><geom type="box" size="0.1 0.2 0.3" mass="3"/><body name="b" pos="0.2 0 0">
<joint name="j" armature="0.2"/><geom size="0.1" mass="1" pos="0.3 0 0"/></body></body></worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def compiler() -> Iterator[MjcfCompiler]:
    with MjcfCompiler(timeout=60.0) as shared:
        yield shared


def load_text(text: str, folder: Path, compiler: MjcfCompiler) -> Model:
    (folder / "robot.xml").write_text(text, encoding="utf-8")
    return load_mjcf(folder / "robot.xml", compiler=compiler)


def reference(native: mujoco.MjModel, model: Model, q: Array) -> tuple[Array, Array]:
    """Return MuJoCo's mass matrix, and the matrix that maps its velocities to ours."""
    data, T = mujoco.MjData(native), np.eye(native.nv)
    moving = [
        (body, start)
        for body, start in zip(model.bodies, model.dof_start, strict=True)
        if body.joint.kind != "fixed"
    ]
    for i, (body, start) in enumerate(moving):
        at, dof = native.jnt_qposadr[i], native.jnt_dofadr[i]
        if native.jnt_type[i] != mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[at] = q[start]
            continue
        turn = exp_rotation(q[start + 3 : start + 6])
        data.qpos[at : at + 3] = body.placement.apply(q[start : start + 3])
        data.qpos[at + 3 : at + 7] = quaternion_from_rotation(body.placement.rotation @ turn)
        T[dof : dof + 3, dof : dof + 3] = body.placement.rotation.T
        T[dof + 3 : dof + 6, dof + 3 : dof + 6] = turn  # MuJoCo's is along the body's own axes
    mujoco.mj_forward(native, data)
    M = np.zeros((native.nv, native.nv))
    mujoco.mj_fullM(native, data, M)
    return M, T


def check_against_mujoco(native: mujoco.MjModel, model: Model) -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        q = rng.uniform(-1.0, 1.0, model.n_dof)
        theirs, T = reference(native, model, q)
        ours = Posture(model, q).mass_matrix
        scale = abs(theirs).max()
        np.testing.assert_allclose(T.T @ ours @ T, theirs, rtol=0, atol=1e-12 * scale)
        np.testing.assert_allclose(mass_matrix_batch(model, [q])[0], ours, rtol=0, atol=1e-13)
        ddq = rng.normal(size=model.n_dof)
        efforts = inverse_dynamics(model, q, ddq=ddq) - inverse_dynamics(model, q)
        np.testing.assert_allclose(efforts, ours @ ddq, rtol=0, atol=1e-11 * scale)


def test_there_are_installed_models_with_armature() -> None:
    assert len(INSTALLED) > 5
    assert any("armature" in path.read_text() for path in INSTALLED)


@pytest.mark.parametrize("path", INSTALLED, ids=lambda path: path.stem)
def test_mass_matrices_and_efforts_are_mujocos(path: Path, compiler: MjcfCompiler) -> None:
    model = load_mjcf(path, compiler=compiler)
    if any(joint.mimic for joint in model.joints):
        pytest.skip("MuJoCo ties mimics by a force, not in its mass matrix")
    check_against_mujoco(mujoco.MjModel.from_xml_path(str(path)), model)


@pytest.mark.parametrize("text", [TWO_LINKS.format(""), TWO_LINKS.format(MOTORS), FREE])
def test_motors_and_free_joints_have_armature_too(
    text: str, tmp_path: Path, compiler: MjcfCompiler
) -> None:
    model = load_text(text, tmp_path, compiler)
    check_against_mujoco(mujoco.MjModel.from_xml_string(text), model)
    again = load_text(to_mjcf(model), tmp_path, compiler)
    q = np.full(model.n_dof, 0.3)
    np.testing.assert_allclose(
        Posture(again, q).mass_matrix, Posture(model, q).mass_matrix, rtol=0, atol=1e-12
    )


def test_the_armature_of_tendons_is_left_out_and_said(
    tmp_path: Path, compiler: MjcfCompiler
) -> None:
    tendon = """<tendon><fixed armature="0.5"><joint joint="a" coef="1"/><joint joint="b"
    coef="2"/></fixed></tendon>"""
    model = load_text(TWO_LINKS.format(tendon), tmp_path, compiler)
    assert any("armature of tendons" in note for note in model.notes)
    assert not load_text(TWO_LINKS.format(MOTORS), tmp_path, compiler).notes


def arm(armature: float = 0.0) -> Model:
    """Return two links that turn about z, the second three times as far as the first."""
    follow = Joint("b", "revolute", mimic=Mimic("a", 3.0), armature=armature)
    link = Body(
        "one", Joint("a", "revolute", armature=armature), mass=1.0, com=np.array([0.5, 0, 0])
    )
    return Model("arm", (link, replace(link, name="two", joint=follow, parent="one")))


def test_the_drive_of_a_mimic_turns_as_fast_as_it_does() -> None:
    added = Posture(arm(0.2), [0.4]).mass_matrix - Posture(arm(), [0.4]).mass_matrix
    np.testing.assert_allclose(added, [[0.2 * (1 + 3**2)]], atol=1e-14)


def test_a_drive_makes_the_hand_heavier(tmp_path: Path, compiler: MjcfCompiler) -> None:
    heavy = load_text(TWO_LINKS.format(""), tmp_path, compiler)
    light = load_text(TWO_LINKS.format("").replace("armature", "margin"), tmp_path, compiler)
    masses = [
        effective_mass(Posture(each, [0.0, 0.7]), "lower", direction=[0, 0, 1])
        for each in (light, heavy)
    ]
    assert masses[1] - masses[0] == pytest.approx(0.3 / 0.5**2)  # a lever of 0.5 m, drive 0.3 kg m²


def test_the_simulation_counts_the_armature_once(tmp_path: Path, compiler: MjcfCompiler) -> None:
    model = load_text(TWO_LINKS.format(MOTORS), tmp_path, compiler)
    q, dq = np.array([0.3, -0.8]), np.array([0.5, 1.0])
    for servos in ({}, {"a": Servo(), "b": Servo()}):
        world = World(mechanisms=(Mechanism("robot", model, servos=servos),))
        simulation = Simulation(world, EXACT)
        simulation.set_state("robot", q, dq)
        simulation.forward()
        ddq = simulation.accelerations("robot")
        np.testing.assert_allclose(inverse_dynamics(model, q, dq=dq, ddq=ddq), 0, atol=1e-10)


def test_holding_servos_keep_the_armature_of_the_joint(
    tmp_path: Path, compiler: MjcfCompiler
) -> None:
    servos = holding_servos(load_text(TWO_LINKS.format(""), tmp_path, compiler))
    bare = holding_servos(
        load_text(TWO_LINKS.format("").replace("armature", "margin"), tmp_path, compiler)
    )
    assert servos["a"].armature == 0.3
    assert servos["a"].stiffness - bare["a"].stiffness == pytest.approx(0.3 * 30.0**2)


def test_a_haptic_device_has_the_rotors_of_its_drives_instead() -> None:
    bare, q = load("vishard10"), reference_posture(0.6)
    bodies = [replace(each, joint=replace(each.joint, armature=0.4)) for each in bare.bodies]
    model = replace(bare, bodies=tuple(bodies))
    assert drives_for(replace(model, name="stick"))[0].reflected_inertia == pytest.approx(0.4)
    np.testing.assert_allclose(
        link_inertia(Posture(model, q)), Posture(bare, q).mass_matrix, atol=1e-12
    )
    runs = [HapticLoop(each, q) for each in (model, bare)]
    for loop in runs:
        loop.push((30.0, 0.0, 0.0))
        loop.run(0.05)
    assert abs(runs[0].dq).max() > 1e-3
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-12)
    assert runs[0].mechanical_energy() == pytest.approx(runs[1].mechanical_energy())
