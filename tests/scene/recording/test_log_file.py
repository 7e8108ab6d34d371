"""What a recording cannot hold, and what it must not write."""

import threading
from pathlib import Path

import msgspec
import pytest
from support.recorded_rooms import make_room

from robotix.errors import BadFile
from robotix.motion.mcap_records import RecordReader
from robotix.scene.recording.log_file import LogFile
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay


def read(path: Path) -> dict[str, list[bytes]]:
    """Return the data of all messages by topic."""
    from mcap.records import Channel, Message

    found: dict[str, list[bytes]] = {}
    topics: dict[int, str] = {}
    with path.open("rb") as stream:
        for each in RecordReader(str(path), stream):
            if isinstance(each, Channel):
                topics[each.id] = each.topic
            elif isinstance(each, Message):
                found.setdefault(topics[each.channel_id], []).append(each.data)
    return found


def test_half_characters_do_not_end_a_recording(tmp_path: Path) -> None:
    scene = make_room()
    with Recorder(tmp_path / "a.mcap", scene) as recorder:
        for _ in range(5):
            scene.step()
            scene.say("odd \ud800")
            scene.emit("odd \udfff")
            recorder(scene)
    messages = read(tmp_path / "a.mcap")
    assert len(messages["/tick"]) == 6 and not recorder.problem
    (sent,) = msgspec.json.decode(messages["/messages"][0])["messages"]
    assert sent["what"] == {"text": "odd \ufffd"}


def test_a_state_that_cannot_be_recorded_ends_the_recording_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = make_room()
    with Recorder(tmp_path / "a.mcap", scene) as recorder:
        for tick in range(5):
            scene.step()
            if tick == 3:
                with monkeypatch.context() as patch:
                    patch.setattr(recorder, "_write_state", lambda scene: 1 / 0)
                    recorder(scene)
            else:
                recorder(scene)
    assert "tick 4 cannot be recorded: ZeroDivisionError" in recorder.problem
    report = replay(tmp_path / "a.mcap", load=lambda _: make_room(), check=False)
    assert report.ticks <= 3 and not report.is_complete


def test_what_was_added_is_on_disk_after_a_recording_was_abandoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = LogFile(tmp_path / "a.mcap")
    channel = log.add_channel("/x", schema=("X", "jsonschema", "{}"))
    log.begin()
    may_write, write = threading.Event(), LogFile._write

    def slowly(self: LogFile, data: bytes) -> None:
        assert may_write.wait(30)
        write(self, data)

    monkeypatch.setattr(LogFile, "_write", slowly)
    for tick in range(100):
        log.add([(channel, b"%d" % tick)], time=0.01 * tick, tick=tick)
        if tick % 10 == 0:
            log.flush()
    log.abandon()  # returns though the disk is slow
    threading.Timer(0.1, may_write.set).start()
    log.close()
    assert read(tmp_path / "a.mcap")["/x"] == [b"%d" % tick for tick in range(100)]


def test_a_used_file_is_written_nowhere_else(tmp_path: Path) -> None:
    scene, wave = make_room(), tmp_path / "wave.csv"
    wave.write_text("time [s]")
    with Recorder(tmp_path / "a.mcap", scene) as recorder:
        scene.files.use("../evil.csv", wave)
        scene.step()
        recorder(scene)
    assert scene.files.on_use is None
    into = tmp_path / "new"
    with pytest.raises(BadFile, match="a file elsewhere"):
        replay(tmp_path / "a.mcap", load=lambda _: make_room(), files_into=into)
    assert not (tmp_path / "evil.csv").exists()
