"""Options of device and hand that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

__all__ = ["DampingOption", "DelayOption", "MassOption", "PushOption", "RateOption"]

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
