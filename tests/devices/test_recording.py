"""Recordings of devices: exact, safe against a sudden end, and refused when they are not ours."""

import math
from pathlib import Path

import pytest

from robotix.devices import Program, Sample, load_samples, record_samples
from robotix.errors import BadFile

HEADER = '{"robotix_samples":1}\n'
DEVICE = '{"device":"stick","kind":"program","axes":["x"],"buttons":["go"]}\n'
SAMPLE = '{"of":"stick","now":1.0,"time":1.0,"axes":[0.5]}\n'


def make_recording(path: Path, values: list[float]) -> None:
    program = Program("stick", axes=("x",))
    with record_samples(path) as log:
        device = log.of(program)
        for i, value in enumerate(values):
            program.send(axes=(value,))
            device.read(5.0 + 0.1 * i)


def test_even_rubbish_is_recorded_as_it_came(tmp_path: Path) -> None:
    make_recording(tmp_path / "log.jsonl", [math.nan, math.inf, -math.inf, 1e308, 0.1 + 0.2])
    twin = load_samples(tmp_path / "log.jsonl")["stick"]
    samples = [twin.read(5.0 + 0.1 * i) for i in range(5)]
    axes = [sample.axes[0] for sample in samples if sample is not None]
    assert math.isnan(axes[0])
    assert axes[1:] == [math.inf, -math.inf, 1e308, 0.1 + 0.2]


def test_a_twin_keeps_the_pace_on_another_clock(tmp_path: Path) -> None:
    make_recording(tmp_path / "log.jsonl", [0.0, 0.1, 0.2])
    twin = load_samples(tmp_path / "log.jsonl")["stick"]
    assert twin.read(100.0) == Sample(100.0, (0.0,))
    assert twin.read(100.05) is None
    later = twin.read(100.25)  # both others, of which the last holds
    assert later is not None and later.axes == (0.2,)
    assert later.time == pytest.approx(100.2)


def test_twins_of_one_recording_keep_together(tmp_path: Path) -> None:
    one, other = Program("one"), Program("other")
    with record_samples(tmp_path / "log.jsonl") as log:
        for now, program in [(1.0, one), (1.3, other)]:
            program.send()
            log.of(program).read(now)
    twins = load_samples(tmp_path / "log.jsonl")
    assert [twins["one"].read(8.0), twins["other"].read(8.0)] == [Sample(8.0), None]
    sample = twins["other"].read(8.4)
    assert sample is not None and sample.time == pytest.approx(8.3)


def test_every_sample_is_in_the_file_at_once(tmp_path: Path) -> None:
    program = Program("stick", axes=("x",))
    with record_samples(tmp_path / "log.jsonl") as log:
        program.send(axes=(0.5,))
        log.of(program).read(1.0)
        assert load_samples(tmp_path / "log.jsonl")["stick"].read(1.0) == Sample(1.0, (0.5,))


def test_a_recording_is_never_overwritten(tmp_path: Path) -> None:
    make_recording(tmp_path / "log.jsonl", [0.0])
    with pytest.raises(FileExistsError):
        record_samples(tmp_path / "log.jsonl")


def test_a_recording_that_was_cut_short_is_read_up_to_there(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    make_recording(whole, [0.0, 0.1, 0.2])
    data = whole.read_bytes()
    for length in range(len(HEADER), len(data)):
        (tmp_path / "cut.jsonl").write_bytes(data[:length])
        twins = load_samples(tmp_path / "cut.jsonl")
        lines = data[:length].count(b"\n")
        samples = [twins["stick"].read(5.0 + 0.1 * i) for i in range(3)] if twins else []
        complete = max(0, lines - 2) + (data[length : length + 1] == b"\n" and lines >= 2)
        assert sum(sample is not None for sample in samples) == complete


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 0),
        ("time,x\n", 1),
        ('{"robotix_samples":2}\n', 1),
        (HEADER + "{\n" + DEVICE, 2),
        (HEADER + "[]\n", 2),
        (HEADER + SAMPLE, 2),  # of nobody
        (HEADER + DEVICE + SAMPLE.replace("0.5", '"much"'), 3),
        (HEADER + DEVICE + SAMPLE.replace("0.5", "true"), 3),
        (HEADER + DEVICE + SAMPLE.replace("1.0", "NaN", 1), 3),
        (HEADER + DEVICE + SAMPLE + SAMPLE.replace("1.0", "0.5", 1), 4),  # time goes back
        (HEADER + DEVICE + SAMPLE[:-2] + ',"position":[1,2]}\n', 3),
        (HEADER + DEVICE.replace('["go"]', '"go"'), 2),
        (HEADER + '{"kind":"stick"}\n', 2),
    ],
)
def test_another_file_is_refused_with_its_line(text: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(text)
    with pytest.raises(BadFile) as caught:
        load_samples(tmp_path / "log.jsonl")
    assert caught.value.line == line


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        load_samples(tmp_path / "log.jsonl")
