"""Views of pages are relayed to those that follow them; poses of tracked devices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from robotix.server.live.hub import Client, Hub, encode
from robotix.server.wire.messages import Quaternion, Vector
from robotix.server.wire.viewing import DevicePose, DevicePoses, PageView, ViewOfPage

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["relay_end", "relay_view", "snapshot_devices", "watch_views"]

MAX_DISTANCE = 1e5  # m
DIGITS = 5  # of positions in m and of quaternions


def _check_pose(position: Vector, quaternion: Quaternion) -> None:
    if not max(map(abs, position)) <= MAX_DISTANCE:
        raise ValueError(f"position must be within {MAX_DISTANCE:g} m")
    if not 1e-3 < math.hypot(*quaternion) < 1e3:
        raise ValueError("quaternion must not be zero")


def relay_view(hub: Hub, client: Client, view: PageView) -> None:
    """Send the view of a client to all that watch views; a newer one replaces an unsent one."""
    _check_pose(view.position, view.quaternion)
    if not 0.0 < view.field_of_view < math.pi:
        raise ValueError(f"field_of_view must be between 0 and pi rad, got {view.field_of_view}")
    client.view = ViewOfPage(client.name, view.position, view.quaternion, view.field_of_view)
    _send(hub, client.view)


def relay_end(hub: Hub, client: Client) -> None:
    """Tell those that watch views that a client has left, if it had shown its view."""
    if (view := client.view) is not None:
        _send(
            hub,
            ViewOfPage(view.client, view.position, view.quaternion, view.field_of_view, False),
        )


def _send(hub: Hub, view: ViewOfPage) -> None:
    text = encode(view)
    for other in hub.clients.values():
        if other.watches_views and other.name != view.client:
            other.set_view(view.client, text)


def watch_views(hub: Hub, client: Client, *, is_on: bool) -> None:
    """Start or stop sending a client the views of others, beginning with the current ones."""
    client.watches_views = is_on
    for other in hub.clients.values() if is_on else ():
        if other.view is not None and other is not client:
            client.set_view(other.name, encode(other.view))


def snapshot_devices(scene: Scene) -> DevicePoses:
    """Return where tracked logical devices are in this tick."""
    poses = [
        DevicePose(name, _round3(reading.position), _xyzw(reading.quaternion), reading.live)
        for name, reading in sorted(scene.inputs.devices.items())
        if reading.position is not None
    ]
    return DevicePoses(scene.tick, scene.time, poses)


def _round3(position: Vector) -> Vector:
    x, y, z = (round(each, DIGITS) for each in position)
    return x, y, z


def _xyzw(quaternion: Quaternion) -> Quaternion:
    """Return a quaternion (w, x, y, z) in the order of three.js."""
    w, x, y, z = (round(each, DIGITS) for each in quaternion)
    return x, y, z, w
