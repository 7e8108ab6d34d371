"""Messages about who sees what: views of pages, and poses of tracked devices."""

from __future__ import annotations

from typing import TypeAlias

from robotix.server.wire.messages import Quaternion, Vector, Wire, WirePart

__all__ = [
    "DevicePose",
    "DevicePoses",
    "PageView",
    "ToClient",
    "ToServer",
    "TrackingOrigin",
    "ViewOfPage",
    "WatchDevices",
    "WatchViews",
]


class DevicePose(WirePart, frozen=True):
    """Pose of a tracked logical device in the world."""

    device: str
    position: Vector
    quaternion: Quaternion
    is_live: bool


class DevicePoses(Wire, frozen=True, tag="devices"):
    """All tracked logical devices at a tick; sent only while the page watches them."""

    tick: int
    time: float  # s, scene time
    poses: list[DevicePose]


class WatchDevices(Wire, frozen=True, tag="watch_devices"):
    """Subscribe to `devices` messages, or unsubscribe."""

    is_on: bool


class PageView(Wire, frozen=True, tag="view"):
    """Where a page, or who wears its headset, looks from: along -z, with y up."""

    position: Vector
    quaternion: Quaternion
    field_of_view: float  # rad, vertical


class ViewOfPage(Wire, frozen=True, tag="view_of"):
    """View of another page; `is_there` is False when it has left."""

    client: str
    position: Vector
    quaternion: Quaternion
    field_of_view: float
    is_there: bool = True


class TrackingOrigin(Wire, frozen=True, tag="look"):
    """Pose of the tracking space of worn devices in the world; changes with a teleport."""

    position: Vector
    quaternion: Quaternion


class WatchViews(Wire, frozen=True, tag="watch_views"):
    """Subscribe to `view_of` messages, or unsubscribe."""

    is_on: bool


ToClient: TypeAlias = DevicePoses | ViewOfPage
ToServer: TypeAlias = WatchDevices | WatchViews | PageView | TrackingOrigin
