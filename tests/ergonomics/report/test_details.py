"""Who, when and where; photographs and signatures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from robotix.ergonomics import ReportDetails
from robotix.ergonomics.report.details import (
    checked_photos,
    details_block,
    photo_section,
    signature_section,
)
from robotix.errors import BadFile


def test_only_what_is_given_is_said() -> None:
    assert details_block(None) == "" and signature_section(None) == ""
    assert details_block(ReportDetails(title="Line 3")) == ""
    assert signature_section(ReportDetails(title="Line 3")) == ""
    given = ReportDetails(analyst="A & B", workplace="Hall <2>")
    block = details_block(given)
    assert "A &amp; B" in block and "Hall &lt;2&gt;" in block and "Date" not in block
    assert signature_section(given).count('class="sign"') == 2


def test_photographs_are_made_smaller_and_turned_upright(tmp_path: Path) -> None:
    picture = Image.new("RGB", (2000, 1000), (200, 30, 30))
    exif = picture.getexif()
    exif[0x0112] = 6  # taken upright with a camera on its side
    path = tmp_path / "a.jpg"
    picture.save(path, exif=exif)
    page = photo_section(ReportDetails(photos=(path,)))
    assert page.count("data:image/jpeg;base64,") == 1 and "a.jpg" in page
    assert len(page) < 60_000
    assert photo_section(None) == "" == photo_section(ReportDetails())


@pytest.mark.parametrize("content", [b"", b"GIF89a....", b"\xff\xd8\xff\xe0 not a picture"])
def test_what_is_no_photograph_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "b.jpg"
    path.write_bytes(content)
    with pytest.raises(BadFile, match="a photograph, PNG or JPEG"):
        checked_photos([path])
    with pytest.raises(BadFile, match="photograph"):
        checked_photos([tmp_path / "nosuch.png"])
