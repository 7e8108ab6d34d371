"""The standard devices: every device of the default mapping exists."""

from robotix.devices import default_device_map
from robotix.devices.standard import make_standard_devices


def test_the_default_mapping_names_standard_devices_only() -> None:
    devices = make_standard_devices()
    used = {
        feed.device for logical in default_device_map().logical.values() for feed in logical.from_
    }
    assert used and used <= devices.keys()


def test_devices_are_silent_until_they_are_fed() -> None:
    for name, device in make_standard_devices().items():
        assert device.name == name and device.read(0.0) is None
