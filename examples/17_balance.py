"""A humanoid is pushed: its ankles keep it standing, with the right sign and gain.

The law acts on angular momentum and centre of mass about the ankles; see `docs/balance.md`.
"""

import math

from robotix.dynamics.balance import AnkleLaw, BalancePush, BalanceTrial, run_balance

BACKWARD = BalancePush(1.0, direction=math.pi)  # N s, for 0.1 s at the chest


def main() -> dict[str, float]:
    """Return how far the centre of mass got from the ankles, in m, for three cases."""
    trials = {
        "pushed": BalanceTrial("push", AnkleLaw(2.0), BACKWARD, max_seconds=1.5),
        "kicking": BalanceTrial("kick", AnkleLaw(2.0)),
        "kicking, printed sign": BalanceTrial("kick", AnkleLaw(2.0, sign="printed")),
    }
    found = {}
    for name, trial in trials.items():
        result = run_balance(trial)
        end = f"fell after {result.fall_time:.2f} s" if result.fall_time else "stands"
        print(f"{name:<22} {end}, CoM up to {result.max_com_offset * 1e3:.1f} mm off")
        found[name] = result.max_com_offset
    return found


if __name__ == "__main__":
    main()
