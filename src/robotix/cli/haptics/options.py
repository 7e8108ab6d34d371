"""Options of device and hand that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = [
    "CellsOption", "DampingOption", "DelayOption", "DeviceOption", "MapPushOption", "MassOption",
    "MaxDampingOption", "MaxStiffnessOption", "ModeOption", "PushOption", "RateOption",
]  # fmt: skip

RateOption: TypeAlias = Annotated[
    float, typer.Option(metavar="HZ", min=1, max=1e6, help="Sampling rate of the controller.")
]
MassOption: TypeAlias = Annotated[
    float, typer.Option(metavar="M", min=1e-6, max=1e6, help="Mass of device and hand, kg.")
]
DampingOption: TypeAlias = Annotated[
    float, typer.Option(metavar="D", min=0, max=1e6, help="Damping of the device, N s/m.")
]
DelayOption: TypeAlias = Annotated[
    float, typer.Option(metavar="S", min=0, max=10, help="Delay of the force, s.")
]
PushOption: TypeAlias = Annotated[
    float, typer.Option(metavar="N", min=0, max=1e4, help="Force of the hand into the wall.")
]

# of `haptics map`; None: what suits a wall or a device
MaxStiffnessOption: TypeAlias = Annotated[
    float | None,
    typer.Option(min=1, max=1e9, help="Largest stiffness, N/m: 4e4; of a device 1e6."),
]
MaxDampingOption: TypeAlias = Annotated[
    float | None,
    typer.Option(min=0.1, max=1e6, help="Largest damping, N s/m: 40; of a device 400."),
]
CellsOption: TypeAlias = Annotated[
    int | None, typer.Option(min=2, max=400, help="Cells along each axis: 40; of a device 14.")
]
DeviceOption: TypeAlias = Annotated[
    str, typer.Option(metavar="NAME", help="vishard10: map the whole device, with all its joints.")
]
ModeOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Of --device: admittance, the default, position_impedance or impedance.",
    ),
]
MapPushOption: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="N", min=0, max=1e4, help="Force of the hand: 5; on a device 30."),
]
