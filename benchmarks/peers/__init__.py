"""The contestants: one module each, run in an environment of its own.

A contestant's module hands up to three makers to `peers.protocol.serve`:

- `ticker(work: TickWork)` returns an object with `reset()`, `tick(k)` and `q()`;
- `reacher(work: ReachWork)` returns a function of the problem's number that gives `q`, or None;
- `batcher(work: ReachWork)` returns a function that solves all problems in one call.

What a maker does (reading the robot, turning targets into the contestant's own types) is not timed.
`<name>.txt` beside the module pins what its environment is made of; ours runs in the harness's own.
"""

OURS = "robotix"
TICKS = ("tick_free", "tick_active", "tick_out", "tick_human")  # the last: human_tick.py
ENTRIES = {
    OURS: (*TICKS, "reach", "batch"),
    "placo": (*TICKS, "reach"),
    "pink": (*TICKS, "reach"),
    "mink": (*TICKS, "reach"),
    "roboticstoolbox": ("reach", "batch"),
    "ssik": ("reach", "batch"),
    "tracik": ("reach", "batch"),
}
