from __future__ import annotations

from pathlib import Path

import pytest

from robotix.errors import UnknownName
from robotix.experiments.store.forgetting import forget_participant
from robotix.experiments.store.store import StudyStore
from robotix.experiments.trial import TrialOutcome

STUDY = """robotix: 1
study: S
factors: {arm: {levels: [a]}}
tasks: [shelf]
questionnaires: [{form: sus, after: study}]
consent: I agree.
"""
SECRET = "wore a red hat"


def do_everything(store: StudyStore) -> str:
    person = store.add_participant()
    for step in store.plan(person):
        if step.kind == "consent":
            store.give_consent(step, person.name, f"agreed {SECRET}")
        elif step.kind == "form":
            answers = {item.name: 3 for item in store.study.form("sus").items}
            store.store_answers(step, person.name, answers)
        elif step.kind == "trial":
            number, plan = store.begin_trial(step)
            assert plan.recording is not None
            plan.recording.write_bytes(b"motion")
            store.finish_trial(
                number, TrialOutcome("finished", 1.0, recording=plan.recording), step=step
            )
    store.add_note(SECRET, participant=person.name)
    return person.name


def test_one_participant_is_deleted_with_all_traces(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    with StudyStore(tmp_path) as store:
        first, second = do_everything(store), do_everything(store)
        kept = store.trials(second), store.answers(second)
        (tmp_path / "tidy.csv").write_text(f"participant\n{first}\n")
        removed = forget_participant(store, first)
        assert (removed.trials, removed.answers, removed.notes, removed.consents) == (1, 10, 1, 1)
        assert (removed.recordings, removed.bytes) == (1, 6)
        assert removed.exports == ("tidy.csv",)
        (tmp_path / "tidy.csv").unlink()
        assert store.trials(first) == [] and store.answers(first) == []
        assert (store.trials(second), store.answers(second)) == kept
        assert store.check_integrity() == []
        assert not (tmp_path / "recordings" / first).exists()
        with pytest.raises(UnknownName):
            forget_participant(store, first)
        assert store.add_participant().name not in (first, second)
        forget_participant(store, second)
        for path in tmp_path.rglob("*"):  # while the database is open: its log, too
            if path.is_file():
                data = path.read_bytes()
                assert SECRET.encode() not in data and first.encode() not in data, path
