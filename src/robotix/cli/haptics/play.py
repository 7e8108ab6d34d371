"""`robotix haptics play`: the labyrinth in the browser."""

from __future__ import annotations

from robotix.cli.arguments import JsonFlag
from robotix.cli.run import (
    PORT,
    DevicesOption,
    HeadlessOption,
    LanOption,
    NoOpenOption,
    PortOption,
    RecordOption,
    SecondsOption,
    run,
)

__all__ = ["play"]


def play(
    *,
    port: PortOption = PORT,
    lan: LanOption = False,
    no_open: NoOpenOption = False,
    headless: HeadlessOption = False,
    seconds: SecondsOption = None,
    record: RecordOption = None,
    devices: DevicesOption = None,
    json: JsonFlag = False,
) -> None:
    """Play the labyrinth: lead a ball that is felt through ViSHARD10 to its goal.

    The stick of a gamepad, the arrow keys or the mouse push; a gamepad rumbles at walls, and the
    controllers of a headset pulse.
    """
    from robotix.authoring.rooms import room_path

    run(
        room_path("labyrinth"), port=port, lan=lan, no_open=no_open, headless=headless,
        seconds=seconds, record=record, devices=devices, json=json,
    )  # fmt: skip
