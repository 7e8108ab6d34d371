"""QR codes of addresses, for the page."""

from __future__ import annotations

import functools

__all__ = ["qr_image"]


@functools.cache
def qr_image(address: str) -> str:
    """Return the QR code of an address as a data URI of an SVG image; "" for no address."""
    if not address:
        return ""
    import segno

    code = segno.make_qr(address, error="l", boost_error=False)
    return code.svg_data_uri(omitsize=True, svgclass=None, lineclass=None)
