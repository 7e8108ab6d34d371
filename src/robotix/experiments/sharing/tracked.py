"""Shared rooms for somebody who wears a headset: one takes things by one's own hands.

A hand that closes within reach of a thing holds it. What the manikin would tell by performing its
part, regions of the room tell: that something was taken, put down, lifted.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

__all__ = ["BEGIN", "HERE", "PERFORM", "PERSON", "begin_later", "track_person"]

PERSON = "alex"  # in all shared rooms
BEGIN, HERE = "begin", "here"
PERFORM = rf"perform: {{person: {PERSON}, task: \w+}}"  # where the manikin does its part
_FOLLOW = f"track_body: {{person: {PERSON}}}"
_EYES = f"""\
  eyes: {{viewpoint: {{field_of_view_deg: 70}}, at: [0.06, 0, 1.5], on: {PERSON}}}
"""  # where one begins who wears a headset
_DEVICES = "{head: head, right_glove: hand, left_glove: hand}"
_UNSEEN = "region: true, visible: false, collidable: false"
REACH = 0.12  # m, from the hand to the origin of a thing
THINGS: Mapping[str, tuple[tuple[str, float], ...]] = {  # that hands take, and from how far (m)
    "one_bench": (("part", REACH),),
    "walk_past": (),
    "handover_to_person": (("cup", REACH),),
    "handover_to_robot": (("cup", REACH),),
    "carry_together": (("board", 0.3),),
}
# More objects and rules, in place of what the manikin's performance causes.
REGIONS: Mapping[str, str] = {
    "one_bench": f"  target: {{box: [0.16, 0.16, 0.16], at: [0.52, 0.05, 0.97], {_UNSEEN}}}\n",
    "walk_past": (
        f"  beyond: {{box: [3, 3, 3], at: [3.1, 0, 1.5], {_UNSEEN}}}\n"
        "  goal: {cylinder: [0.3, 0.004], at: [2.2, 0, 0.002], collidable: false}\n"
    ),
    "handover_to_person": (
        f"  hold: {{box: [0.08, 0.08, 0.08], at: [0, 0, 0.1], on: arm/flange, {_UNSEEN}}}\n"
    ),
    "handover_to_robot": (
        f"  post_top: {{box: [0.12, 0.12, 0.16], at: [0.6, 0, 1.12], {_UNSEEN}}}\n"
    ),
    "carry_together": f"  high: {{box: [1.2, 1.2, 0.6], at: [0.52, 0, 1.5], {_UNSEEN}}}\n",
}
RULES: Mapping[str, str] = {
    "one_bench": "  - {when: {region: [target, part]}, do: {emit: placed}}\n",
    "walk_past": f"  - {{when: {{region: [beyond, {PERSON}/head]}}, do: {{emit: passed}}}}\n",
    "handover_to_person": (
        "  - {when: {region: [hold, cup]}, mode: off, do: [{detach: cup}, {emit: taken}]}\n"
    ),
    "handover_to_robot": (
        "  - when: {region: [post_top, cup]}\n"
        "    mode: reflect\n"
        "    do: {in_turn: [{wait: 1.5}, {emit: given}]}\n"
    ),
    "carry_together": (
        "  - {when: {region: [high, board]}, do: {emit: lifted}}\n"
        "  - {when: {region: [high, board]}, mode: off, do: {emit: person_done}}\n"
    ),
}


def track_person(task: str, text: str) -> str:
    """Return a shared room whose person follows a headset and what is in the hands."""
    text = re.sub(rf"  - in_turn:\n      - {PERFORM}\n      - emit: \w+\n", "", text)
    text = re.sub(rf"(?m)^  - {PERFORM}\n", "", text)  # of the start
    text = re.sub(PERFORM, "emit: your_turn", text)  # of rules
    text = text.replace("start:\n", f"start:\n  - {_FOLLOW}\n", 1)
    text = text.replace("rules:\n", f"rules:\n{_taking(task)}{RULES[task]}", 1)
    objects = f"devices: {_DEVICES}\nobjects:\n{_EYES}{REGIONS[task]}"
    return text.replace("objects:\n", objects, 1)


def _taking(task: str) -> str:
    """Return the rules by which hands take things: by the grip of a controller, or by a pinch."""
    return "".join(
        f"  - when: {{button: [{hand}, {button}]}}\n"
        "    mode: reflect\n"
        f"    do: {{grab: {{node: {thing}, hand: {hand}, reach: {reach:g}}}}}\n"
        for thing, reach in THINGS[task]
        for hand in ("right_glove", "left_glove")
        for button in ("grip", "pinch")
    )


def begin_later(text: str) -> str:
    """Return a shared room in which work begins with the signal `begin`, not at once.

    The signal `here` says that a page shows the room.
    """
    head, start = text.split("start:\n")
    items = re.split(r"(?m)^(?=  - )", start)[1:]
    now = [item for item in items if "protect:" in item or "track_body" in item]
    later = textwrap.indent("".join(item for item in items if item not in now), "      ")
    rule = f"  - when: {{event: {BEGIN}}}\n    do:\n      together:\n{later}"
    here = f"  - {{when: {{client: any}}, do: {{emit: {HERE}}}}}\n"
    return f"{head}{here}{rule}start:\n{''.join(now)}"
