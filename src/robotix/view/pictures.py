"""Saving of images: single ones, contact sheets and animations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from robotix.view.renderer import Image

__all__ = ["contact_sheet", "save_animation", "save_png"]


def save_png(path: str | Path, image: Image, *, colours: int | None = None) -> None:
    """Write an image; with a palette (2 to 256 colours) the file is about a third as large."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(image)
    if colours is not None:
        picture = picture.quantize(colours, dither=Pillow.Dither.FLOYDSTEINBERG)
    picture.save(path, format="PNG", optimize=True)


def save_animation(
    path: str | Path, images: Sequence[Image], *, rate: float = 20.0, colours: int = 256
) -> None:
    """Write images as an endless animation: `.gif`, or `.png` for an animated PNG.

    A GIF file has at most 256 colours; fewer colours make it smaller.
    """
    from PIL import Image as Pillow

    if not images:
        raise ValueError("an animation needs at least one picture")
    kind = {".gif": "GIF", ".png": "PNG", ".apng": "PNG"}.get(Path(path).suffix.lower())
    if kind is None:
        raise ValueError(f"{Path(path).name!r}: an animation is a .gif, .png or .apng file")
    first, *rest = (Pillow.fromarray(image) for image in images)
    if kind == "GIF":  # one palette for all frames, to avoid flicker
        some = images[:: -(-len(images) // 8)]
        palette = Pillow.fromarray(np.concatenate(some)).quantize(colours)
        plain = Pillow.Dither.NONE  # dithering would flicker
        first, *rest = (p.quantize(palette=palette, dither=plain) for p in (first, *rest))
    first.save(path, format=kind, save_all=True, append_images=rest, duration=1000 / rate, loop=0)


def contact_sheet(images: Sequence[Image], *, columns: int, gap: int = 6) -> Image:
    """Return images of one size arranged in rows, on white."""
    if not images or columns < 1:
        raise ValueError("a contact sheet needs pictures and at least one column")
    height, width, _ = images[0].shape
    if any(image.shape != images[0].shape for image in images):
        raise ValueError("all pictures of a contact sheet must have one size")
    rows = -(-len(images) // columns)
    sheet = np.full(
        (rows * (height + gap) - gap, columns * (width + gap) - gap, 3), 255, dtype=np.uint8
    )
    for number, image in enumerate(images):
        top, left = (height + gap) * (number // columns), (width + gap) * (number % columns)
        sheet[top : top + height, left : left + width] = image
    return sheet
