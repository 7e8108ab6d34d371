"""An index of an MCAP file finds what a reader finds, also in files that are cut off or damaged."""

from pathlib import Path

import numpy as np
import pytest
from mcap.writer import CompressionType, Writer

from robotix.errors import BadFile
from robotix.motion.mcap_index import McapIndex

COUNT = 200


def write(path: Path, *, compression: CompressionType = CompressionType.NONE) -> None:
    with path.open("wb") as stream:
        writer = Writer(stream, chunk_size=600, compression=compression)
        writer.start()
        schema = writer.register_schema("bytes", "", b"")
        one = writer.register_channel("/one", "raw", schema, {"unit": "m"})
        two = writer.register_channel("/two", "raw", schema)
        for k in range(COUNT):
            channel = two if k % 4 == 3 else one
            writer.add_message(channel, k * 10_000_000, bytes([k]) * (1 + k % 5), 0, k)
        writer.finish()


def test_messages_are_found_by_topic(tmp_path: Path) -> None:
    write(tmp_path / "file.mcap")
    index = McapIndex(tmp_path / "file.mcap")
    expected = [k for k in range(COUNT) if k % 4 != 3]
    offsets = index.of_topic("/one")
    assert index.is_complete and index.n_damaged == 0
    np.testing.assert_allclose(index.times(offsets), 0.01 * np.array(expected), atol=1e-12)
    assert index.lengths(offsets).tolist() == [1 + k % 5 for k in expected]
    assert [index.data(int(at)) for at in offsets] == [bytes([k]) * (1 + k % 5) for k in expected]
    assert len(index.of_topic("/two")) == COUNT // 4
    assert len(index.of_topic("/three")) == 0
    assert {each.metadata.get("unit") for each in index.channels.values()} == {"m", None}


@pytest.mark.parametrize("share", [0.3, 0.55, 0.9])
def test_what_was_cut_off_is_indexed_up_to_the_cut(tmp_path: Path, share: float) -> None:
    write(tmp_path / "file.mcap")
    whole = McapIndex(tmp_path / "file.mcap").of_topic("/one")
    data = (tmp_path / "file.mcap").read_bytes()
    end = int(whole[int(share * len(whole))]) + 20  # in the middle of a message
    (tmp_path / "cut.mcap").write_bytes(data[:end])
    cut = McapIndex(tmp_path / "cut.mcap")
    assert not cut.is_complete
    assert cut.of_topic("/one").tolist() == whole[: int(share * len(whole))].tolist()


def test_a_damaged_part_is_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path / "file.mcap")
    whole = McapIndex(tmp_path / "file.mcap").of_topic("/one")
    data = bytearray((tmp_path / "file.mcap").read_bytes())
    data[int(whole[40]) + 31] ^= 0xFF  # in the data of a message
    (tmp_path / "file.mcap").write_bytes(data)
    index = McapIndex(tmp_path / "file.mcap")
    found = set(index.of_topic("/one").tolist())
    assert index.n_damaged == 1 and index.is_complete
    assert found < set(whole.tolist())
    assert int(whole[40]) not in found and int(whole[-1]) in found


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.mcap").write_text("this is no recording")
    with pytest.raises(BadFile, match="another kind"):
        McapIndex(tmp_path / "text.mcap")
    write(tmp_path / "small.mcap", compression=CompressionType.ZSTD)
    with pytest.raises(BadFile, match="mcap decompress"):
        McapIndex(tmp_path / "small.mcap")


def test_random_damage_never_raises_anything_else(tmp_path: Path) -> None:
    write(tmp_path / "file.mcap")
    data, rng = (tmp_path / "file.mcap").read_bytes(), np.random.default_rng(3)
    for k in range(40):
        broken = bytearray(data)
        for at in rng.integers(8, len(data), size=6):
            broken[at] = rng.integers(256)
        path = tmp_path / f"broken{k}.mcap"
        path.write_bytes(broken)
        try:
            index = McapIndex(path)
        except BadFile:
            continue
        assert len(index.of_topic("/one")) <= COUNT
        index.close()
