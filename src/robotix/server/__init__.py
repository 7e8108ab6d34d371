"""Serves a scene over the network: browser pages display it and control it."""

from robotix.server.http.access import Access, machine_token
from robotix.server.http.hosting import Hosting, PortTaken, Secure
from robotix.server.live.service import RoomService

__all__ = ["Access", "Hosting", "PortTaken", "RoomService", "Secure", "machine_token"]
