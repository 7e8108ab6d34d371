"""DH files that are wrong: refused with the place, what was found and what was expected."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import world_poses
from support.dh_text import ARM

from robotix.errors import BadFile
from robotix.model.dh import load_dh, parse_dh


def changed(old: str, new: str) -> str:
    assert ARM.count(old) >= 1
    return ARM.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("alpha_deg = 90", "alpah_deg = 90", "unknown key 'alpah_deg'; expected 'alpha_deg'"),
        ("a = 0.5", 'a = "half"', "a has 'half'; expected a number"),
        ("a = 0.5", "a = true", "a has True; expected a number"),
        ("a = 0.5", "a = nan", "a has nan; expected a finite number"),
        ("a = 0.5", "a = -inf", "a has -inf"),
        ("a = 0.5", f"a = {10**350}", "a has inf"),
        ("a = 0.5", "a = 500", r"a = 500; expected a number in \[-100, 100\] \(metres\)"),
        ("a = 0.5", "a = [0.5]", "expected a number"),
        ("a = 0.5", "a = 1979-05-27", "expected a number"),
        ("upper_deg = 170", "upper_deg = -171", "limits .* expected lower below upper"),
        ("upper_deg = 170", "upper = nan", "upper has nan"),
        ("upper_deg = 170", "upper_deg = 170\nupper = 3", "both 'upper' and 'upper_deg'"),
        ("upper = 0.4", "upper_deg = 40", "'upper_deg' for a prismatic joint; expected 'upper' in"),
        ("velocity_deg = 90", "velocity_deg = -1", r"velocity_deg = -1; expected .* \[0,"),
        ('kind = "prismatic"', 'kind = "prismatc"', "did you mean 'prismatic'"),
        ('kind = "prismatic"', "kind = 3", "one of revolute, prismatic"),
        ('name = "slide"', 'name = "shoulder"', "name 'shoulder' for the second time"),
        ('name = "slide"', 'name = "slide"\nlink = "link1"', "link 'link1' for the second time"),
        ('name = "slide"', 'name = "slide"\nlink = "base"', "link 'base' for the second time"),
        ('name = "slide"', 'name = ""', "name of 0 characters"),
        ('name = "slide"', 'name = " slide"', "printable"),
        ("mass = 3.0", "mass = -3.0", r"mass = -3; expected .* \(kilograms\)"),
        ("com = [-0.25, 0.0, 0.0]", "com = [-0.25, 0.0]", "a list of 3 numbers"),
        ("com = [-0.25, 0.0, 0.0]", "com = [-0.25, 0.0, 'x']", "expected a number"),
        ("inertia = [0.01, 0.07, 0.07]", "inertia = [0.01, 0.07]", "a list of 3 or 6 numbers"),
        ("inertia = [0.01, 0.07, 0.07]", "inertia = [-0.1, 0.07, 0.07]", "not positive"),
        ('frame = "dh"', 'frame = "world"', "one of joint, dh, zero"),
        ("radius = 0.05", "radius = 0", r"radius = 0; expected a number in"),
        ("radius = 0.05", "shape = [[0, 0, 0]]", "a shape without a radius"),
        ("radius = 0.05", "radius = 0.05\nshape = [0, 0, 0]", "shape has 0"),
        ("radius = 0.05", "radius = 0.05\nshape = []", "a list of 1 to 50 points"),
        ('link = "link1"', 'link = "link9"', "link = 'link9'; expected one of base, link1, link2"),
        ('convention = "standard"', 'convention = "std"', "one of standard, modified"),
        ('convention = "standard"', 'tip = "hand"', "a control point: flange, tool, middle"),
        ('convention = "standard"', "version = 2", "version 2; expected version 1"),
        ("gravity = [0, 0, -9.81]", "gravity = -9.81", "a list of 3 numbers"),
        ('sources = ["S1"]', 'sources = ["S2"]', r"source 'S2'; expected a key of the table"),
        ('sources = ["S1"]', 'sources = "S1"', "a list of texts"),
        ('confidence = "high"', 'confidence = "sure"', "one of high, medium, low, assumed"),
        ("[provenance.kinematics]", "[provenance.colour]", "provenance of 'colour'"),
        ('confidence = "high"', 'unverified = "yes"', "unverified = 'yes'; expected true or false"),
        ("[tool]", "[tool]\nrpy = [0, 0, 0]\nrpy_deg = [0, 0, 0]", "both 'rpy' and 'rpy_deg'"),
        ("[tool]", "[tol]", "unknown key 'tol'; expected 'tool'"),
        ("[points.middle]", "[points.flange]", "a point called 'flange'"),
        ("[points.middle]", "[points.link2]", "a point called 'link2'"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(old: str, new: str, words: str) -> None:
    text = changed(old, new)
    with pytest.raises(BadFile, match=words) as caught:
        parse_dh(text, path="arm.toml")
    first = line_of(ARM, old)
    assert first <= caught.value.line <= first + new.count("\n"), str(caught.value)
    assert caught.value.column == 1
    assert str(caught.value).startswith(f"arm.toml:{caught.value.line}:1: ")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('name = "arm"\n', "", 1, "no key 'name'"),
        ("mass = 3.0\n", "", 24, "no key 'mass'"),
        ('link = "link1"\n', "", 41, "no key 'link'"),
        ("com = [-0.25, 0.0, 0.0]\n", "", 26, "an inertia without a com"),
        ('frame = "dh"', 'about = "origin"', 27, "not positive about the com"),
        ("a = 0.5", "a = = 0.5", 17, "Invalid value; expected valid TOML"),
        ("a = 0.5", "a = 0.5\na = 0.6", 18, "Cannot overwrite a value"),
        ("[[joint]]", "[[joint]", 15, "Expected ']]'"),
        ('name = "arm"', 'name = "arm', 1, "Illegal character"),
        ("a = 0.5", "a" + ".b" * 9 + " = 0.5", 17, "a key of more than 8 parts"),
        ("a = 0.5", "a = " + "[" * 2000, 17, "nested too deeply"),
        ("a = 0.5", "a = " + "9" * 5000, 17, "very many digits"),
        ("a = 0.5", "a = 0.5\0", 17, "NUL character"),
    ],
)
def test_other_faults_are_placed_too(old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_dh(changed(old, new), path="arm.toml")
    assert words in str(caught.value)
    assert caught.value.line == line


def test_nothing_and_too_much_are_refused() -> None:
    with pytest.raises(BadFile, match=r"0 tables \[\[joint\]\]; expected 1 to 100"):
        parse_dh('name = "x"')
    with pytest.raises(BadFile, match=r"101 tables \[\[joint\]\]"):
        parse_dh('name = "x"\n' + "[[joint]]\n" * 101)
    with pytest.raises(BadFile, match="characters"):
        parse_dh("#" * 300_000)
    with pytest.raises(BadFile, match="at most 100"):
        points = "".join(f"[points.p{i}]\nlink = 'link1'\n" for i in range(101))
        parse_dh('name = "x"\n[[joint]]\n' + points)
    with pytest.raises(BadFile, match="nested too deeply"):
        parse_dh("a = " + "[\n" * 5000)


def test_places_are_found_behind_long_values_and_strings() -> None:
    text = (
        'name = "x"\n'
        'notes = ["""\n[[joint]]\nradius = 3\n""", "b"]\n'
        "[[joint]]\n"
        "radius = 0.1\n"
        "shape = [\n  [0, 0, 0],\n  [0, 0, 1]\n]\n"
        "effort = -1\n"
    )
    with pytest.raises(BadFile, match="effort") as caught:
        parse_dh(text)
    assert caught.value.line == line_of(text, "effort")


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    good, binary, empty = (tmp_path / f"{name}.toml" for name in ("good", "binary", "empty"))
    good.write_text(ARM)
    binary.write_bytes(b'name = "x"\nab\xff\xfe\x00')
    empty.write_bytes(b"")
    assert load_dh(good).n_dof == 2
    assert load_dh(str(good)).name == "arm"
    with pytest.raises(BadFile, match=r"binary.toml:2:3: byte 0xff"):
        load_dh(binary)
    for path in (empty, tmp_path, tmp_path / "none.toml"):
        with pytest.raises(BadFile):
            load_dh(path)


def mutated(text: str, rng: random.Random) -> str:
    """Return the text with a few things broken."""
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(text))
        j = min(len(text), i + rng.randint(1, 40))
        piece = rng.choice(
            ["", "nan", "inf", "-1e308", "[", "]]", '"', "\n", "=", "0x", "'", "\0", "é", "#", "{"]
        )
        match rng.randrange(4):
            case 0:
                text = text[:i] + piece + text[i + 1 :]
            case 1:
                text = text[:i] + text[j:]
            case 2:
                text = text[:i] + text[i:j] * rng.choice([2, 3]) + text[j:]
            case 3:
                lines = text.split("\n")
                k, m = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[k], lines[m] = lines[m], lines[k]
                text = "\n".join(lines)
    return text


@pytest.mark.parametrize("name", ["kuka_lwr", "ur5", "scara"])
def test_mutated_files_are_models_or_clear_errors(name: str) -> None:
    file = resources.files("robotix.model") / "data" / f"{name}.toml"
    text, rng = file.read_text(encoding="utf-8"), random.Random(name)
    refused = 0
    for _ in range(250):
        try:
            model = parse_dh(mutated(text, rng), path="m.toml")
        except BadFile as error:
            refused += 1
            assert str(error).startswith("m.toml")
            assert "expected" in str(error)
        else:
            assert np.isfinite(world_poses(model, model.neutral)["flange"].matrix).all()
    assert refused > 50
