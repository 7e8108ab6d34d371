"""Rooms that try every command of scene files and of the console, on any kind of arm."""

from pathlib import Path

ARMS = ("planar_3r", "ur5", "kuka_lwr_rail")

# What a rule does, by the name of the command.
DEEDS = {
    "call": "{plugin: helper, callback: help}",
    "say": "{text: hello}",
    "play_sound": "{file: beep.wav, node: cup}",
    "stop_sound": "{file: beep.wav, node: cup}",
    "snapshot": "{path: a.png}",
    "emit": "{signal: ping}",
    "start_timer": "{timer: t, seconds: 0.01, again: true}",
    "stop_timer": "{timer: t}",
    "wait": "{seconds: 0.05}",
    "in_turn": "{do: [{home: {}}, {wait: 0.1}]}",
    "together": "{do: [{home: {}}, {wait: 0.1}]}",
    "repeat": "{do: [{home: {}}], times: 2}",
    "set": "{node: cup, opacity: 0.5, at: [1, 1, 1]}",
    "colour": "{node: cup, colour: [1, 0, 0]}",
    "wireframe": "{node: cup}",
    "show": "{node: cup}",
    "hide": "{node: cup}",
    "attach": "{node: cup, to: arm}",
    "detach": "{node: cup}",
    "grab": "{node: cup, hand: glove, reach: 100}",
    "hinge": "{node: door, hand: glove, upper_deg: 90, reach: 100}",
    "slide": "{node: drawer, hand: glove, axis: [1, 0, 0], upper: 1, reach: 100}",
    "follow_path": "{node: bead, hand: glove, points: [[0, 0, 0], [1, 0, 0]], reach: 100}",
    "fall": "{node: ball, floors: [floor]}",
    "sweep": "{node: cup}",
    "clear_sweep": "{node: cup}",
    "record_clip": "{clip: c, nodes: [cup]}",
    "play_clip": "{clip: c}",
    "stop_clip": "{clip: c}",
    "perform": "{person: anna, task: bow}",
    "track_body": "{person: anna, head: glove, right_hand: glove, left_hand: glove}",
    "init": "{file: more.urdf}",
    "renew": "{}",
    "set_robot": "{robot: arm}",
    "printvar": "{}",
    "step": "{by_deg: [%(ones)s]}",
    "go_back": "{steps: 3}",
    "stop_at_contact": "{robot: arm}",
    "protect": "{robot: arm, strategy: ssm, reaction: retreat}",
    "fault": "{kind: joint_lock, joint: 1, seconds: 0.05}",
    "clear_faults": "{}",
    "move": "{to_deg: [%(ones)s], steps: 3}",
    "joint": "{joint: '2', to_deg: 5}",
    "home": "{steps: 3}",
    "keep_posture": "{posture: here}",
    "go_to": "{posture: kept, steps: 3}",
    "forget_posture": "{posture: here}",
    "prefer_posture": "{to: [%(ones)s]}",
    "move_xyz": "{to: [0.3, 0.1, 0.2], steps: 5}",
    "move_p2p": "{to: [0.3, 0.1, 0.2], steps: 5}",
    "follow": "{node: cup}",
    "stop": "{}",
    "save": "{file: m}",
    "play": "{file: m, timed: true}",
    "set_step": "{steps: 5}",
    "set_first_joint": "{joint: 1}",
    "set_end_effector": "{joint: 3}",
    "set_event_eos": "{signal: eos}",
    "set_event_move": "{signal: moving}",
    "set_damping": "{k: 0.05}",
    "set_method": "{method: qp}",
    "set_weights": "{weights: []}",
    "set_obstacle": "{node: cup, distance: 0.05}",
    "clear_obstacles": "{}",
    "display_ellipsoid": "{}",
    "init_ellipsoid": "{}",
    "track_init": "{device: glove, turn: true}",
    "track_init_scale": "{scale: 1}",
    "track_toggle": "{}",
    "track_set_scale": "{scale: 0.5}",
    "track_turn": "{}",
    "set_control_point": "{point: hand}",
    "track_exit": "{}",
    "drag": "{body: %(tip)s, hand: glove}",
    "drag_pose": "{body: %(tip)s, hand: glove}",
}
# What the end of these would undo is needed later.
LASTING = {"cut", "stop_at_contact", "track_init", "track_toggle", "set_method"}
PHYSICS_DEEDS = {
    "cut": "{name: bar to ball}",  # which a line has connected
    "connect": "{node: bar, to: ball, joint: hinge, at: [0, 0, 1], axis: [0, 1, 0], name: link}",
    "push": "{node: ball, force: [1, 0, 0], seconds: 0.05}",
    "link_table": "{}",
}
PHYSICS_LINES = [
    "connect bar; ball; ball; (0, 0, 1)", "push ball; (1, 0, 0); 0.05", "link_table",
    "cut bar to ball", "connect bar; ball; slider; (0, 0, 1); (0, 0, 1)", "cut bar to ball",
    "init more.urdf", "renew", "save_robot more", "save_room saved.yaml", "connect bar; ball",
]  # fmt: skip
LINES = [
    "go_back", "set_step 5", "printvar", "step (%(ones)s)", "move @3;(%(ones)s)", "joint 2; 5",
    "home", "keep_posture there", "go_to there", "forget_posture there",
    "prefer_posture (%(ones)s)", "prefer_posture",
    "move_xyz (0.3, 0.1, 0.2)", "move_p2p (0.3, 0.1, 0.2)", "move_p2p off", "follow cup",
    "follow off", "stop all", "save m",
    "play m", "set_first_joint 1", "set_end_effector 3", "set_event_eos eos",
    "set_event_move moving", "set_obstacle cup; 0.05", "move_xyz (0.3, 0.1, 0.2)",
    "clear_obstacles", "set_damping 0.05", "set_weights", "set_method nested",
    "move_xyz (0.2, 0.1, 0.2)",
    "set_method strict", "move_xyz (0.3, 0.1, 0.2)", "set_method qp", "move_xyz (0.2, 0.1, 0.2)",
    "display_ellipsoid", "init_ellipsoid", "track_init_scale 1", "track_init glove; turn",
    "track_toggle", "track_set_scale 0.5", "track_init_damping_factor 0.1", "track_turn",
    "set_control_point hand", "track_exit",
    "drag %(tip)s; glove", "drag off", "drag_pose %(tip)s; glove", "drag_pose off",
    "place cup; (1, 0, 0.8); (1, 0, 0, 0)", "show cup", "hide cup", "wireframe cup; on",
    "undo", "redo", "add post; cylinder (0.05, 1); (1, 0, 0.5)", "copy post", "colour post; red",
    "delete post", "grab cup; glove", "let_go glove", "emit ping", "set_robot arm",
    "stop_at_contact", "protect ssm; stop", "fault sensor_freeze joint=1 seconds=0.05",
    "fault packet_loss loss=0.5 seconds=0.05", "clear_faults", "fault off", "protect off",
]  # fmt: skip
NOT_COMMANDS = {
    "press",
    "release",
    "use",  # calls a function of the program that added the slider
    "reset_room",
    "quit",
}  # of the keyboard and the program, not of the scene

ROOM = """
robotix: 1
robots: {arm: {model: %(arm)s, postures_deg: {kept: [%(ones)s]}}}
devices: {glove: hand}
people: {anna: {at: [3, 3, 0]}}
tasks: {bow: [{wait: 0.1}, {look: {at: cup, seconds: 0.2}}]}
objects:
  cup: {box: [0.1, 0.1, 0.1], at: [1.5, 0, 0.5]}
  door: {box: [1, 0.1, 2], at: [4, 0, 1]}
  drawer: {box: [0.4, 0.4, 0.2], at: [4, 1, 1]}
  bead: {sphere: 0.1, at: [4, 2, 1]}
  ball: {sphere: 0.1, at: [5, 2, 1]}
  floor: {plane: true}
plugins: {helper: {module: helper}}
rules:
"""
PHYSICS_ROOM = """
robotix: 1
physics: {}
robots: {arm: {model: planar_3r}}
objects:
  floor: {plane: true}
  bar: {box: [0.1, 0.1, 0.4], at: [1, 0, 1], body: {mass: 1}}
  ball: {sphere: 0.1, at: [1.5, 0, 1], body: {mass: 1}}
rules:
"""
PLUGIN = "def help(state, args): pass\n"
URDF = """<robot name="more"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


def write_rules(deeds: dict[str, str], values: dict[str, str]) -> str:
    return "".join(
        f"  - {{when: {{event: do {name}}}, mode: {'on' if name in LASTING else 'reflect'}, "
        f"do: {{{name}: {deed % values}}}}}\n"
        for name, deed in deeds.items()
    )


def write_room(folder: Path, arm: str) -> tuple[str, list[str], list[str]]:
    """Return the file of a room with an arm, its lines, and the commands of its rules."""
    from robotix.model.robots import load

    model = load(arm)
    values = {"ones": ", ".join(["1"] * model.n_dof), "tip": model.point(None).body}
    folder.mkdir()
    (folder / "more.urdf").write_text(URDF, encoding="utf-8")
    (folder / "helper.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "beep.wav").write_bytes(b"")
    path = folder / f"{arm}.yaml"
    path.write_text(ROOM % {"arm": arm, **values} + write_rules(DEEDS, values), encoding="utf-8")
    return str(path), [line % values for line in LINES], list(DEEDS)


def write_physics_room(folder: Path) -> tuple[str, list[str], list[str]]:
    folder.mkdir()
    (folder / "more.urdf").write_text(URDF, encoding="utf-8")
    path = folder / "room.yaml"
    path.write_text(PHYSICS_ROOM + write_rules(PHYSICS_DEEDS, {}), encoding="utf-8")
    return str(path), PHYSICS_LINES, list(PHYSICS_DEEDS)
