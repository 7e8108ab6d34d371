"""Pictures in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from robotix.view import contact_sheet, save_animation, save_png


def plain(colour: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((8, 12, 3), colour, dtype=np.uint8)


def test_a_saved_picture_is_read_back(tmp_path: Path) -> None:
    image = np.random.default_rng(0).integers(0, 255, (9, 7, 3)).astype(np.uint8)
    save_png(tmp_path / "a.png", image)
    with Pillow.open(tmp_path / "a.png") as stored:
        assert (np.asarray(stored) == image).all()


@pytest.mark.parametrize("name", ["a.gif", "a.png", "a.apng"])
def test_an_animation_has_all_its_pictures(tmp_path: Path, name: str) -> None:
    images = [plain((k * 60, 20, 200 - k * 40)) for k in range(4)]
    save_animation(tmp_path / name, images, rate=10)
    with Pillow.open(tmp_path / name) as stored:
        assert getattr(stored, "n_frames", 1) == 4
        assert stored.info["duration"] == 100
        stored.seek(3)
        found = np.asarray(stored.convert("RGB"))[4, 6]
    assert abs(found.astype(int) - images[3][0, 0]).max() <= 4


def test_other_kinds_of_animation_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.gif"):
        save_animation(tmp_path / "a.mp4", [plain((0, 0, 0))])


def test_a_contact_sheet_goes_row_by_row() -> None:
    sheet = contact_sheet([plain((k, k, k)) for k in range(5)], columns=3, gap=2)
    assert sheet.shape == (18, 40, 3)
    assert sheet[0, 0, 0] == 0 and sheet[0, 14, 0] == 1 and sheet[10, 0, 0] == 3
    assert (sheet[8:10] == 255).all() and (sheet[10:, 28:] == 255).all()
