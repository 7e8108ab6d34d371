"""A person and an arm work at one bench, under three ways of protecting the person.

Speed and separation monitoring keeps a distance and waits; power and force limiting goes on
slowly; both together is as fast as one of them permits.

Run it with `python examples/19_share_a_bench.py`.
"""

from robotix.experiments.sharing.run import run_shared
from robotix.safety.protection import ProtectionSettings, SafetyStrategy

STRATEGIES: tuple[SafetyStrategy, ...] = ("ssm", "pfl", "both")


def main() -> dict[str, dict[str, float]]:
    """Return the time of the work and the figures of the robot, by strategy."""
    found: dict[str, dict[str, float]] = {}
    for strategy in STRATEGIES:
        run = run_shared("one_bench", ProtectionSettings(strategy=strategy), with_load=False)
        found[strategy] = {"duration": run.duration, **run.figures}
    return found


if __name__ == "__main__":
    for strategy, figures in main().items():
        print(
            f"{strategy:>5}: {figures['duration']:5.1f} s, "
            f"waited {figures['waiting_time']:4.1f} s, "
            f"came as near as {figures['min_distance']:.2f} m"
        )
