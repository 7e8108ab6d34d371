"""Search for a better place beside the seat for an arm that plays chess, and a better forearm."""

from robotix.experiments.design.search import optimise_design


def main(evaluations: int = 40) -> tuple[float, float]:
    """Return the ratings of the mounting as built and of the best one found, 0 to 1."""
    study = optimise_design(
        "kuka_lwr",
        "fixed",
        tasks=["chess"],
        vary=["forward", "left", "up", "yaw_deg", "forearm"],
        bounds={"up": (0.4, 0.8)},
        evaluations=evaluations,
    )
    for each in study.parameters:
        before, after = study.built.values[each.name], study.best.values[each.name]
        print(f"{each.name:<8} {before:7.3f} -> {after:7.3f} {each.unit}")
    return study.built_rating.rating, study.best_rating.rating


if __name__ == "__main__":
    built, best = main()
    print(f"ratings: {built:.3f} as built, {best:.3f} at best")
