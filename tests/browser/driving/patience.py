"""A mapping of devices for busy machines, where a page may stall for longer than a hand would."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

PATIENT = "quiet: 2, lost: 6"
DEVICES = (
    *("keyboard", "gamepad", "joystick", "space_mouse", "headset"),
    *("left_controller", "right_controller", "left_tracked_hand", "right_tracked_hand"),
)


def patient_devices(folder: Path) -> Path:
    """Write the usual mapping, but with longer silences before a device counts as let go."""
    usual = files("robotix.devices").joinpath("data/default_devices.yaml").read_text("utf-8")
    lines = [
        line.replace("{", "{" + PATIENT + ", ", 1) if line.startswith("  cursor: {speed") else line
        for line in usual.splitlines()
    ]
    lines += [f"  {device}: {{{PATIENT}}}" for device in DEVICES]
    file = folder / "devices.yaml"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file
