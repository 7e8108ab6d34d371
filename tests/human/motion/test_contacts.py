"""Contacts do not keep models alive."""

from __future__ import annotations

import gc
import weakref

from robotix.human import make_anthropometry, make_manikin
from robotix.human.motion.balance import polygon_of
from robotix.human.motion.contacts import toes
from robotix.human.motion.scenario import standing
from robotix.human.motion.styles import NATURAL


def test_models_are_collected_although_their_contacts_were_located() -> None:
    person = standing(make_manikin(make_anthropometry(sex="f")), style=NATURAL)
    person.add_contact(toes(person.manikin, "right"))
    assert len(polygon_of(person, *person.contacts)) > 3
    gone = weakref.ref(person.manikin.model)
    del person
    gc.collect()
    assert gone() is None
