"""All deeds by the name that scene files use."""

from __future__ import annotations

from collections.abc import Mapping

from robotix.scene import basic_deeds as basic
from robotix.scene.rules import Deed

__all__ = ["DEEDS"]

DEEDS: Mapping[str, type[Deed]] = {
    "say": basic.Say,
    "play_sound": basic.PlaySound,
    "stop_sound": basic.StopSound,
    "snapshot": basic.TakeSnapshot,
    "emit": basic.Emit,
    "start_timer": basic.StartTimer,
    "stop_timer": basic.StopTimer,
    "wait": basic.Wait,
    "in_turn": basic.InTurn,
    "together": basic.Together,
    "repeat": basic.Repeat,
}
