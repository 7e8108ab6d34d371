"""Devices driven by a program."""

from collections.abc import Iterator

from robotix.devices import (
    Program,
    Sample,
)


def test_a_script_sends_once_a_tick() -> None:
    program = Program(axes=("x",))

    def wave() -> Iterator[None]:
        for value in (0.0, 0.5, 1.0):
            program.send(axes=(value,))
            yield

    program.run(wave())
    samples = [program.read(float(now)) for now in range(5)]
    assert samples == [Sample(0.0, (0.0,)), Sample(1.0, (0.5,)), Sample(2.0, (1.0,)), None, None]
