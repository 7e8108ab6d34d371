"""Mappings: made in Python, read from files, refused with a place and a reason."""

import math
import random
from pathlib import Path
from typing import Any

import pytest

from robotix.devices import (
    Controls,
    DeviceFeed,
    DeviceLimits,
    DeviceMap,
    Logical,
    Program,
    default_device_map,
    fit_to_scene,
    load_device_map,
    load_samples,
    make_standard_devices,
    record_samples,
)
from robotix.errors import BadFile, UnknownName
from robotix.inputs.device_kinds import AXES, BUTTONS, DEFAULT_KINDS

GOOD = """\
robotix: 1
logical:
  stick:
    kind: translate3
    from:
      - {device: gamepad, axes: [-left_y, -left_x, up/down], dead_zone: 0.1, curve: soft}
      - {device: wand, clutch: grip, scale: 2, buttons: {fire: trigger}}
  wheels: {kind: drive2, from: [{device: keyboard, axes: [W/S, A/D], curve: 1.5}]}
  spare: {kind: rotate3}
trust:
  wand: {lost: 1, quiet: 0.2}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "devices.yaml"
    path.write_text(text)
    return path


def test_a_file_says_what_python_can_say(tmp_path: Path) -> None:
    assert load_device_map(write(tmp_path, GOOD)) == DeviceMap(
        {
            "stick": Logical(
                "translate3",
                (
                    DeviceFeed(
                        "gamepad",
                        ("-left_y", "-left_x", "up/down"),
                        dead_zone=0.1,
                        curve="soft",
                    ),
                    DeviceFeed("wand", clutch="grip", scale=2.0, buttons={"fire": "trigger"}),
                ),
            ),
            "wheels": Logical("drive2", (DeviceFeed("keyboard", ("W/S", "A/D"), curve=1.5),)),
            "spare": Logical("rotate3"),
        },
        {"wand": DeviceLimits(lost=1.0, quiet=0.2)},
    )


@pytest.mark.parametrize(
    ("right", "wrong", "line", "complaint"),
    [
        ("robotix: 1\n", "", 1, "robotix"),
        ("robotix: 1", "robotix: 2", 1, "2"),
        ("kind: translate3", "kind: translat3", 4, "did you mean 'translate3'"),
        ("dead_zone: 0.1", "deadzone: 0.1", 6, "did you mean 'dead_zone'"),
        ("dead_zone: 0.1", "dead_zone: 1", 6, "less than 1"),
        ("dead_zone: 0.1", "dead_zone: some", 6, "a number"),
        ("curve: soft", "curve: steep", 6, "curve"),
        ("curve: soft", "curve: 0", 6, "curve: 0.0; expected linear"),
        ("scale: 2", "scale: -2", 7, "mirror"),
        ("-left_x,", "-lft_x,", 6, "did you mean 'left_x'"),
        ("up/down", "up/dwn", 6, "did you mean 'down'"),
        ("-left_x,", "left_y,", 6, "twice"),
        ("up/down", "up/", 6, "'up/'"),
        (", up/down", "", 6, "2 from gamepad; expected 3 axes for translate3"),
        ("W/S", "W/SS", 8, "no button of device 'keyboard' called 'SS'"),
        ("device: gamepad", "devise: gamepad", 6, "did you mean 'device'"),
        ("lost: 1", "lost: 0.1", 11, "quiet"),
        ("lost: 1", "lost: .nan", 11, "finite"),
        ("trust:", "mistrust:", 10, "did you mean 'trust'"),
        ("logical:", "logical: stick", 3, "devices.yaml"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(
    right: str, wrong: str, line: int, complaint: str, tmp_path: Path
) -> None:
    assert right in GOOD
    with pytest.raises(BadFile) as caught:
        load_device_map(write(tmp_path, GOOD.replace(right, wrong, 1)))
    assert complaint in str(caught.value)
    assert caught.value.line == line, str(caught.value)


def test_the_names_of_own_devices_are_checked_too(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    load_device_map(path, [Program("wand", buttons=("grip", "trigger"))])
    with pytest.raises(BadFile, match="no button of device 'wand' called 'trigger'; did you mean"):
        load_device_map(path, [Program("wand", buttons=("grip", "triger"))])


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\x00", b""])
def test_what_is_no_text_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "devices.yaml").write_bytes(data)
    with pytest.raises(BadFile):
        load_device_map(tmp_path / "devices.yaml")


def test_a_key_without_a_value_is_read_as_nothing(tmp_path: Path) -> None:
    assert load_device_map(write(tmp_path, "robotix: 1\nlogical:\n")).logical == {}


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file; expected a mapping of devices"):
        load_device_map(tmp_path / "devices.yaml")


@pytest.mark.parametrize(
    "wrong",
    [
        {"dead_zone": math.nan},
        {"scale": math.inf},
        {"scale": 0.0},
        {"curve": math.nan},
        {"curve": 99},
    ],
)
def test_a_feed_without_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        DeviceFeed("gamepad", **wrong)


def test_a_spoilt_file_is_refused_or_read_but_nothing_else_happens(tmp_path: Path) -> None:
    rng = random.Random(3)
    refused = 0
    for _ in range(150):
        at = rng.randrange(len(GOOD))
        junk = rng.choice(
            ["", "[", "]", "{", "- ", ":", "\n", "#", "stick", "7", "null", "'", "from: 3"]
        )
        try:
            load_device_map(write(tmp_path, GOOD[:at] + junk + GOOD[at + rng.randrange(9) :]))
        except BadFile as error:
            assert "devices.yaml" in str(error)
            refused += 1
    assert refused > 75


def test_short_forms_are_understood(tmp_path: Path) -> None:
    text = "robotix: 1\nlogical: {a: rotate3, b: [hand, [{device: keyboard}]]}"
    mapping = load_device_map(write(tmp_path, text))
    assert mapping.logical == {
        "a": Logical("rotate3"),
        "b": Logical("hand", (DeviceFeed("keyboard"),)),
    }


# -- the default ----------------------------------------------------------------------------


def test_the_default_serves_every_kind() -> None:
    assert {logical.kind for logical in default_device_map().logical.values()} == set(AXES)


def test_the_default_uses_every_standard_device() -> None:
    logical = default_device_map().logical.values()
    assert {feed.device for one in logical for feed in one.from_} == set(make_standard_devices())


FORWARDS, LEFT, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("device", "axis", "value", "meaning"),
    [
        ("space_mouse", "y", -1.0, FORWARDS),  # pushed away
        ("space_mouse", "x", -1.0, LEFT),
        ("space_mouse", "z", -1.0, UP),  # pulled up
        ("gamepad", "left_y", -1.0, FORWARDS),
        ("gamepad", "left_x", -1.0, LEFT),
        ("gamepad", "up", 1.0, UP),
        ("joystick", "y", -1.0, FORWARDS),
        ("keyboard", "Up", 1.0, FORWARDS),
        ("keyboard", "Left", 1.0, LEFT),
        ("keyboard", "PageUp", 1.0, UP),
    ],
)
def test_the_default_stick_goes_where_it_is_pushed(
    device: str, axis: str, value: float, meaning: tuple[float, ...]
) -> None:
    standard = make_standard_devices()[device]
    program = Program(device, axes=standard.axes, buttons=standard.buttons)
    controls = Controls(default_device_map(), [program])
    program.send()
    controls.read(1.0)
    axes = [value if name == axis else 0.0 for name in program.axes]
    program.send(axes=axes, buttons={axis} & set(program.buttons))
    assert controls.read(1.01)["stick"].axes == pytest.approx(meaning)


def test_the_table_of_buttons_is_that_of_the_default_mapping() -> None:
    offered: dict[str, set[str]] = {kind: set() for kind in BUTTONS}
    for logical in default_device_map().logical.values():
        for feed in logical.from_:
            if logical.kind in offered:
                offered[logical.kind] |= set(feed.buttons)
    assert offered == {kind: set(names) for kind, names in BUTTONS.items()}
    assert set(AXES) - set(BUTTONS) == {"buttons"}


def test_a_recording_need_not_have_all_that_a_mapping_names(tmp_path: Path) -> None:
    program = Program("gamepad", axes=("left_y",), buttons=("b",))
    with record_samples(tmp_path / "log.jsonl") as log:
        device = log.of(program)
        program.send()
        device.read(0.0)
        program.send(axes=(-1.0,), buttons={"b"})
        device.read(0.01)
    controls = Controls(default_device_map(), load_samples(tmp_path / "log.jsonl").values())
    controls.read(5.0)
    stick = controls.read(5.01)["stick"]
    assert stick.live and stick.axes == (1.0, 0.0, 0.0) and stick.buttons == {"b"}
    with pytest.raises(UnknownName, match="left_x"):
        Controls(default_device_map(), [program])  # one that is there must have them


# -- scenes ---------------------------------------------------------------------------------


def test_a_scene_may_call_its_devices_as_it_likes() -> None:
    one = DeviceMap(
        {"stick": Logical("translate3", (DeviceFeed("gamepad"),)), "pad": Logical("buttons")}
    )
    fitted = fit_to_scene(one, {"lever": "translate3", "pad": "buttons", "glove": "hand"})
    assert fitted.logical["lever"] == one.logical["stick"]
    assert fitted.logical["pad"] == one.logical["pad"]
    assert fitted.logical["glove"] == Logical("hand")
    assert fitted.logical["stick"] == one.logical["stick"]
    assert fitted.logical["keyboard"].from_[0].device == "keyboard"  # rules may always name keys


def test_a_scene_that_wants_something_else_is_refused() -> None:
    one = DeviceMap({"stick": Logical("translate3")})
    with pytest.raises(ValueError, match="wants 'stick' to be a hand"):
        fit_to_scene(one, {"stick": "hand"})
    with pytest.raises(UnknownName, match="did you mean 'translate3'"):
        fit_to_scene(one, {"stick": "translate"})


def test_no_stick_of_the_default_mapping_moves_two_things() -> None:
    logical = default_device_map().logical
    for device in ("gamepad", "joystick", "space_mouse"):
        arm, chair = (
            {
                name
                for feed in logical[which].from_
                if feed.device == device
                for term in feed.terms
                for name in (term.axis, term.plus, term.minus)
                if name
            }
            for which in ("stick", "wheels")
        )
        assert not arm & chair, device


def test_kinds_of_the_default_mapping_are_known_without_it() -> None:
    kinds = {name: entry.kind for name, entry in default_device_map().logical.items()}
    assert kinds == DEFAULT_KINDS
