"""A small study that was run by the stand-in for operators, with answers of two people."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from support.stand_in_trials import run_trial

from robotix.experiments.pilot import run_pilot
from robotix.experiments.store.store import StudyStore
from robotix.experiments.trial import TrialOutcome, TrialPlan
from robotix.model.robots import load
from robotix.motion.files import save_motion
from robotix.motion.motion import Motion

STUDY = """robotix: 1
study: Small & quick
factors:
  arm: {levels: [kuka_lwr, amtec_ulwr, mitsubishi_pa10]}
tasks: [books, shelf, chess, tables]
questionnaires: [{form: sus, after: block}, {form: importance, after: study}]
weights: {duration: 2, sus: 1, payload: 1}
"""


def recorded_trial(plan: TrialPlan) -> TrialOutcome:
    """Run a stand-in trial with a short motion of a real arm."""
    outcome = run_trial(plan)
    model = load("kuka_lwr")
    times = np.arange(11) / 10
    q = np.outer(np.sin(times), np.linspace(0.1, 0.5, model.n_dof))
    assert plan.recording is not None
    save_motion(plan.recording, Motion.of(model, times, q=q))
    return outcome


def make_study(folder: Path, *, operators: int = 4, text: str = STUDY) -> Path:
    """Write and run a study; return its folder."""
    (folder / "study.yaml").write_text(text)
    with StudyStore(folder, clock=lambda: 1.7e9) as store:
        run_pilot(store, recorded_trial, operators=operators)
        rng = np.random.default_rng(1)
        for _ in range(2):
            person = store.add_participant()
            for step in store.plan(person):
                if step.kind == "form":
                    items = store.study.form(step.form).items
                    answers = {
                        item.name: int(rng.integers(item.low, item.high + 1)) for item in items
                    }
                    store.store_answers(step, person.name, answers)
                elif step.kind == "trial":
                    number, plan = store.begin_trial(step)
                    store.finish_trial(number, recorded_trial(plan), step=step)
    return folder
