"""What makes a report one that is signed: who, when, where, photographs, signatures."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from robotix.ergonomics.report.page import section, table
from robotix.errors import BadFile

__all__ = ["ReportDetails", "details_block", "photo_section", "signature_section"]

PHOTO_WIDTH = 900  # pixels; larger photographs are made smaller
MAX_PHOTO_BYTES = 40_000_000
MAX_PHOTO_PIXELS = 60_000_000


@dataclass(frozen=True)
class ReportDetails:
    """Who assessed what, where and when; lines that are not given are left out.

    Args:
        title: Of the report, instead of the name of the task.
        analyst: Who assessed.
        date: As it shall be printed.
        workplace: Where the work is done.
        organisation: Whose it is.
        remarks: Any text.
        photos: Photographs, PNG or JPEG.
        language: Of the report: `"en"`, `"de"`.
    """

    title: str = ""
    analyst: str = ""
    date: str = ""
    workplace: str = ""
    organisation: str = ""
    remarks: str = ""
    photos: tuple[Path, ...] = ()
    language: str = "en"

    @property
    def is_signed(self) -> bool:
        """Whether anything but the title and the language is given."""
        return bool(self.analyst or self.date or self.workplace or self.organisation)


def details_block(details: ReportDetails | None) -> str:
    """Return the table of who, where and when; empty if nothing is given."""
    if details is None:
        return ""
    lines = {
        "Workplace": details.workplace,
        "Organisation": details.organisation,
        "Analyst": details.analyst,
        "Date": details.date,
        "Remarks": details.remarks,
    }
    rows = [(f"<b>{name}</b>", f"<i>{escape(text)}</i>") for name, text in lines.items() if text]
    return f'<div class="details">{table(("", ""), rows)}</div>' if rows else ""


def photo_section(details: ReportDetails | None) -> str:
    """Return the photographs; empty without any.

    Raises:
        BadFile: A file is no photograph.
    """
    if details is None or not details.photos:
        return ""
    figures = "".join(
        f'<figure><img alt="{escape(path.name)}" src="{_photo_url(path)}">'
        f"<figcaption><i>{escape(path.name)}</i></figcaption></figure>"
        for path in details.photos
    )
    return section("Photographs", f'<div class="postures photos">{figures}</div>')


def signature_section(details: ReportDetails | None) -> str:
    """Return lines for signatures; empty if nobody is named."""
    if details is None or not details.is_signed:
        return ""
    lines = ("Analyst: place, date, signature", "Responsible for the workplace: date, signature")
    return section("Signatures", "".join(f'<div class="sign">{line}</div>' for line in lines))


def _photo_url(path: Path) -> str:
    """Return a photograph as a data URL, upright and not larger than needed."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    expected = "a photograph, PNG or JPEG"
    try:
        if path.stat().st_size > MAX_PHOTO_BYTES:
            raise BadFile(str(path), "a file larger than 40 MB", expected)
        with Image.open(path, formats=("PNG", "JPEG")) as image:
            if image.width * image.height > MAX_PHOTO_PIXELS:
                raise BadFile(str(path), f"{image.width} × {image.height} pixels", expected)
            picture = ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, UnidentifiedImageError, SyntaxError) as error:
        raise BadFile(str(path), str(error), expected) from None
    if picture.width > PHOTO_WIDTH:
        size = (PHOTO_WIDTH, max(1, round(picture.height * PHOTO_WIDTH / picture.width)))
        picture = picture.resize(size)
    sink = io.BytesIO()
    picture.save(sink, format="JPEG", quality=85)
    return f"data:image/jpeg;base64,{base64.b64encode(sink.getvalue()).decode()}"


def checked_photos(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the paths, once each of them was read."""
    for path in paths:
        _photo_url(path)
    return tuple(paths)
