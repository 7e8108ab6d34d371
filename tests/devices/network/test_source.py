"""Devices on other machines in mapping files."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from support.osc_packets import message

from robotix.app.inputs import make_controls
from robotix.devices import load_device_map
from robotix.devices.network import NetworkSource, open_network_devices
from robotix.errors import BadField, BadFile
from robotix.scene.scene import Scene

MAPPING = """robotix: 1
network:
  wand: {osc: PORT, axes: [x, y], buttons: [fire]}
  head: {vrpn: "Tracker0@127.0.0.1:1", sensor: 1}
logical:
  stick: {kind: translate3, from: [{device: wand, axes: [x, y, ""]}]}
  helmet: {kind: head, from: [{device: head}]}
"""


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_mapping_opens_its_devices(tmp_path: Path) -> None:
    port, file = free_port(), tmp_path / "lab.yaml"
    file.write_text(MAPPING.replace("PORT", str(port)))
    with make_controls(Scene(), [file]) as controls:
        assert {"wand", "head"} <= set(controls.devices)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for now, x in ((1.0, 0.0), (1.01, 0.5)):
                sender.sendto(message("/wand/x", x), ("127.0.0.1", port))
                readings = controls.read(now)
        assert readings["stick"].axes == (0.5, 0.0, 0.0)
        assert not readings["helmet"].live


def test_two_mappings_are_one_too_many(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text("robotix: 1\nlogical: {}\n")
    with pytest.raises(ValueError, match="are both mappings"):
        make_controls(Scene(), [tmp_path / "a.yaml", tmp_path / "b.yaml"])


def test_names_of_axes_are_checked(tmp_path: Path) -> None:
    (tmp_path / "lab.yaml").write_text(MAPPING.replace("[x, y, ", "[x, z, ").replace("PORT", "9"))
    with pytest.raises(BadFile, match="no axis of device 'wand' called 'z'"):
        load_device_map(tmp_path / "lab.yaml")


@pytest.mark.parametrize(
    "fields",
    [{}, {"osc": 1, "vrpn": "a@b"}, {"osc": 70_000}, {"osc": -1}, {"vrpn": "a"}, {"vrpn": "a@b:x"}],
)
def test_sources_that_cannot_be_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(BadField):
        NetworkSource(**fields)  # type: ignore[arg-type]


def test_a_vrpn_name_has_a_host_and_a_port() -> None:
    assert NetworkSource(vrpn="Wand@lab").remote == ("Wand", "lab", 3883)
    assert NetworkSource(vrpn="Wand@lab:4000").remote == ("Wand", "lab", 4000)


def test_when_one_cannot_be_opened_the_others_are_closed() -> None:
    port = free_port()
    with pytest.raises(ValueError, match="cannot listen"):
        open_network_devices({"a": NetworkSource(osc=port), "b": NetworkSource(osc=port)})
    (again,) = open_network_devices({"a": NetworkSource(osc=port)})
    again.close()
