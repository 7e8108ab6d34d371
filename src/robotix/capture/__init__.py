"""Motion capture: markers from files, and a manikin that follows a few of them."""

from robotix.capture.follow_markers import Followed, follow, follow_file
from robotix.capture.follow_run import run_follow
from robotix.capture.marker_plan import MarkerPlan, load_plan
from robotix.capture.marker_recording import MarkerRecording, prepare
from robotix.capture.marker_report import FollowReport, report_on
from robotix.capture.markers import MarkerSet
from robotix.capture.mocap_files import load_markers

__all__ = [
    "FollowReport",
    "Followed",
    "MarkerPlan",
    "MarkerRecording",
    "MarkerSet",
    "follow",
    "follow_file",
    "load_markers",
    "load_plan",
    "prepare",
    "report_on",
    "run_follow",
]
