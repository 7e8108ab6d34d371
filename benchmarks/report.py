"""From the rounds of all contestants to one table for each workload."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from peers import OURS, TICKS

Row = dict[str, Any]  # what is known of one contestant at one workload
Column = tuple[str, Callable[[Row], str]]

# Goals of this project: workload, the rivals it is measured against, the figure, the least ratio.
GOALS = (
    ("tick_free", ("placo",), "median", 3.0),
    ("tick_active", ("placo",), "median", 2.0),
    ("tick_out", ("placo",), "median", 2.0),
    ("reach", (), "mean", 4.0),  # no name: the best of all
)
LEAST_SOLVED = 0.999
LEAST_RATE = 20_000  # problems per second on one core


def merge_rounds(rounds: Sequence[Row]) -> Row:
    """Keep, of each figure, the best over the rounds: noise only ever makes a time longer."""
    merged = dict(rounds[-1])
    for name in ("median", "mean", "p95", "p99"):
        merged[name] = min(row[name] for row in rounds)
    merged["rounds"] = [{name: row[name] for name in ("median", "mean", "p95")} for row in rounds]
    if "problems" in merged:
        seconds = merged["mean"] * merged["timings"] * 1e-6
        merged["rate"] = merged["solved"] * merged["problems"] / seconds
    return merged


def table(workload: str, rows: Mapping[str, Row]) -> str:
    """Lay out one workload's results, the fastest first; failures last, with their reason."""
    done = {peer: row for peer, row in rows.items() if "failure" not in row}
    reference = done.get(OURS) or min(
        done.values(), key=lambda row: cost(row, workload), default={}
    )
    columns = _columns(workload)
    ratio_head = f"slower than {'ours' if OURS in done else 'the best'}"
    lines = [["contestant", *(head for head, _ in columns), ratio_head]]
    for peer, row in sorted(done.items(), key=lambda item: cost(item[1], workload)):
        ratio = cost(row, workload) / cost(reference, workload)
        lines.append([peer, *(show(row) for _, show in columns), f"{ratio:.2f} ×"])
    failures = [f"{peer}: {row['failure']}" for peer, row in rows.items() if "failure" in row]
    return "\n".join([workload, *_aligned(lines), *failures, *unequal_work(workload, done)])


def figure_of(workload: str) -> str:
    """Name the time that a workload is decided on."""
    return "median" if workload in TICKS else "mean"


def cost(row: Row, workload: str) -> float:
    """Return what is compared, small is good: a time, for a batch the time per solved problem."""
    return 1 / row["rate"] if workload == "batch" else float(row[figure_of(workload)])


def unequal_work(workload: str, rows: Mapping[str, Row]) -> list[str]:
    """Name those whose task errors are clearly larger than the usual: they did less work."""
    if workload not in TICKS or len(rows) < 2:
        return []
    warnings = []
    for name in ("feet", "hands", "turn", "com"):
        usual = sorted(row[name] for row in rows.values())[(len(rows) - 1) // 2]
        for peer, row in rows.items():
            if row[name] > 1.1 * usual + 1e-5:
                warnings.append(
                    f"NOT EQUAL WORK: {peer}: {name} error {row[name]:.2e}, usual {usual:.2e}"
                )
    return warnings


def verdicts(results: Mapping[str, Mapping[str, Row]]) -> list[str]:
    """Say for each goal whether it is met, and by how much."""
    lines = []
    for workload, rivals, figure, least in GOALS:
        rows = {k: v for k, v in results.get(workload, {}).items() if "failure" not in v}
        others = {k: v for k, v in rows.items() if k != OURS and (not rivals or k in rivals)}
        if OURS in rows and others:
            best = min(others, key=lambda peer: float(others[peer][figure]))
            ratio = others[best][figure] / rows[OURS][figure]
            lines.append(_verdict(f"{workload}: {figure} time against {best}", ratio, least, " ×"))
    ours = results.get("reach", {}).get(OURS, {})
    if "solved" in ours:
        lines.append(_verdict("reach: solved", ours["solved"], LEAST_SOLVED, ""))
    ours = results.get("batch", {}).get(OURS, {})
    if "rate" in ours:
        lines.append(_verdict("batch: solved per second on one core", ours["rate"], LEAST_RATE, ""))
    return lines


def _verdict(what: str, value: float, least: float, unit: str) -> str:
    word = "met   " if value >= least else "MISSED"
    return f"{word}  {what}: {value:,.5g}{unit} (goal {least:,g}{unit})"


def _columns(workload: str) -> list[Column]:
    times: list[Column] = [(f"{name} µs", _time(name)) for name in ("median", "mean", "p95", "p99")]
    solved: Column = ("solved %", lambda row: f"{100 * row['solved']:.2f}")
    if workload == "batch":
        return [solved, ("solved/s", lambda row: f"{row['rate']:,.0f}")]
    if workload == "reach":
        return [*times, solved, ("wrong %", lambda row: f"{100 * row['false_claims']:.2f}")]
    errors = [("hands mm", "hands"), ("feet mm", "feet"), ("turn mrad", "turn"), ("CoM mm", "com")]
    return [
        *times,
        *((head, _milli(name)) for head, name in errors),
        ("limits active", lambda row: f"{row['active']:.1f} (≥ {row['active_least']:.0f})"),
        ("broken by", lambda row: f"{row['broken']:.0e}" if row["broken"] else "0"),
    ]


def _time(name: str) -> Callable[[Row], str]:
    return lambda row: f"{row[name]:,.1f}"


def _milli(name: str) -> Callable[[Row], str]:
    return lambda row: f"{1000 * row[name]:.3g}"


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            [
                line[0].ljust(widths[0]),
                *(c.rjust(w) for c, w in zip(line[1:], widths[1:], strict=True)),
            ]
        )
        for line in lines
    ]
