"""Files followed in one call."""

from __future__ import annotations

from pathlib import Path

from support.squatting import make_plan, squatting

from robotix.capture.follow_markers import follow_file
from robotix.capture.marker_report import report_on
from robotix.capture.trc_file import dump_trc


def test_files_follow_like_markers(tmp_path: Path) -> None:
    path = tmp_path / "squat.trc"
    path.write_text(dump_trc(squatting().rows(0, 10)))
    short = follow_file(path, plan=make_plan(), sex="f")
    assert report_on(short).rms(driven=True) < 0.01
