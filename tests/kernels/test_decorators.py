"""Decorated functions compile as they say; without a file they are compiled all the same."""

from typing import Any

import numpy as np

from robotix.kernels import fast_kernel, fast_part, inlined_part, kernel, part, stay_apart


def test_what_has_no_file_is_compiled_all_the_same() -> None:
    names: dict[str, Any] = {}
    exec("def double(x):\n    return 2.0 * x", names)
    assert kernel(names["double"])(4.0) == 8.0


def test_a_part_is_still_plain_python() -> None:
    @part
    def third(x: float) -> float:
        return x / 3

    assert third.__name__ == "third"
    assert third(np.float64(6.0)) == 2.0


def test_an_inlined_part_does_not_take_along_what_it_calls() -> None:
    @fast_part
    def long_story(x: float) -> float:
        stay_apart()
        return 3.0 * x

    @inlined_part
    def short_story(x: float) -> float:
        return long_story(x) + 1.0

    names: dict[str, Any] = {"short_story": short_story}
    exec("def tell(x):\n    return short_story(x)", names)  # without a file: not kept on disk
    tell: Any = fast_kernel(names["tell"])
    assert tell(2.0) == 7.0
    calls = [
        line for line in "".join(tell.inspect_llvm().values()).splitlines() if " call " in line
    ]
    assert any("long_story" in line for line in calls)
    assert not any("short_story" in line for line in calls)
