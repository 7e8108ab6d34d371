from __future__ import annotations

from pathlib import Path

import pytest

from robotix.errors import BadFile, UnknownName
from robotix.experiments.store.connection import StudyInUse
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.store.store import StudyStore
from robotix.experiments.study.plan import SessionStep
from robotix.experiments.trial import TrialOutcome

SMALL = """robotix: 1
study: Small
factors:
  arm: {levels: [a, b]}
tasks: [shelf]
questionnaires: [{form: sus}]
consent: Yes, I agree.
"""
DONE = TrialOutcome("finished", 12.5, 1, {"path_length": 3.0})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(SMALL)
    return tmp_path


def first_trial(store: StudyStore, name: str) -> SessionStep:
    steps = store.plan(store.participant(name))
    return next(step for step in steps if step.kind == "trial")


def test_a_trial_begins_and_ends_and_its_step_is_done(folder: Path) -> None:
    with StudyStore(folder, clock=lambda: 100.0) as store:
        person = store.add_participant()
        assert person.name == "P001"
        step = first_trial(store, person.name)
        number, plan = store.begin_trial(step)
        assert plan.recording == folder / "recordings/P001/000001_shelf.mcap"
        assert store.trials()[0].status == "running"
        assert plan.recording is not None
        plan.recording.write_bytes(b"motion")
        store.finish_trial(
            number, TrialOutcome("finished", 12.5, 1, {"a": 1.0}, plan.recording), step=step
        )
        (trial,) = store.trials("P001")
        assert (trial.status, trial.duration, trial.errors, trial.measures) == (
            "finished",
            12.5,
            1,
            {"a": 1.0},
        )
        assert trial.recording == "recordings/P001/000001_shelf.mcap"
        assert trial.levels == step.levels and trial.ended == 100.0
        assert step.number in store.steps_done("P001")
        with pytest.raises(ValueError, match="is not running"):
            store.finish_trial(number, DONE, step=step)


def test_a_running_trial_is_interrupted_when_the_store_is_opened_again(folder: Path) -> None:
    with StudyStore(folder) as store:
        person = store.add_participant()
        step = first_trial(store, person.name)
        number, _ = store.begin_trial(step)
    with StudyReader(folder) as reader:
        assert reader.trials()[0].status == "running"  # a reader marks nothing
    with StudyStore(folder) as store:
        assert store.interrupted == 1
        assert store.trials()[0].status == "interrupted"
        assert step.number not in store.steps_done(person.name)
        again, _ = store.begin_trial(step)
        assert again != number
        store.finish_trial(again, DONE, step=step)
    with StudyStore(folder) as store:
        assert store.interrupted == 0
        assert [trial.status for trial in store.trials()] == ["interrupted", "finished"]


def test_one_program_writes_and_others_read(folder: Path) -> None:
    with StudyStore(folder) as store:
        store.add_participant()
        with pytest.raises(StudyInUse, match="another `robotix lab`"):
            StudyStore(folder)
        with StudyReader(folder) as reader:
            assert [each.name for each in reader.participants()] == ["P001"]
    StudyStore(folder).close()


def test_consent_answers_and_notes(folder: Path) -> None:
    with StudyStore(folder) as store:
        person = store.add_participant()
        steps = store.plan(person)
        assert store.next_step(person) == steps[0] and steps[0].kind == "consent"
        assert not store.has_consent("P001")
        store.give_consent(steps[0], "P001", store.study.consent)
        assert store.has_consent("P001")
        form = next(step for step in steps if step.kind == "form")
        with pytest.raises(ValueError, match="not answered"):
            store.store_answers(form, "P001", {"sus_1": 3})
        assert store.answers() == []
        answers = {item.name: 3 for item in store.study.form("sus").items}
        store.store_answers(form, "P001", answers)
        assert len(store.answers("P001")) == 10
        assert store.answers()[0].levels == form.levels
        store.add_note("squinted", participant="P001")
        store.add_note("warm day")
        assert [note.text for note in store.notes()] == ["squinted", "warm day"]
        with pytest.raises(UnknownName, match="P001"):
            store.participant("P01")


def test_a_repeated_trial_stays_but_no_longer_counts(folder: Path) -> None:
    with StudyStore(folder) as store:
        person = store.add_participant()
        step = first_trial(store, person.name)
        number, _ = store.begin_trial(step)
        store.finish_trial(number, DONE, step=step)
        store.repeat_trial(store.trials()[0])
        assert store.trials()[0].is_discarded
        assert step.number not in store.steps_done(person.name)


def test_a_changed_design_is_refused_once_trials_are_stored(folder: Path) -> None:
    with StudyStore(folder) as store:
        store.add_participant()
    (folder / "study.yaml").write_text(SMALL.replace("[a, b]", "[a, b, c]"))
    with StudyStore(folder) as store:  # nothing was run yet
        store.begin_trial(first_trial(store, "P001"))
    (folder / "study.yaml").write_text(SMALL)
    with pytest.raises(BadFile, match="differ from those of the trials"):
        StudyStore(folder)
    (folder / "study.yaml").write_text(SMALL.replace("[a, b]", "[a, b, c]") + "participants: 3\n")
    StudyStore(folder).close()  # how many are planned may change


def test_nothing_stored_and_no_database_are_said(folder: Path) -> None:
    with pytest.raises(BadFile, match="nothing has been run"):
        StudyReader(folder)
    (folder / "study.sqlite").write_bytes(b"this is no database, but a long enough text" * 100)
    with pytest.raises(BadFile, match="cannot be read as a database"):
        StudyStore(folder)


def test_a_step_that_is_no_trial_cannot_begin(folder: Path) -> None:
    with StudyStore(folder) as store:
        person = store.add_participant()
        with pytest.raises(ValueError, match="is no trial"):
            store.begin_trial(store.plan(person)[0])
