"""Every example ends, and gives back something worth having."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import robotix as rx

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_ends_well(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = load(path).main()
    if isinstance(result, int | float | np.ndarray | np.number) and result is not False:
        assert np.isfinite(result).all()
    else:
        assert result


def test_the_elbow_ducks_under_the_lamp_and_the_cup_stays_on_its_line(tmp_path: Path) -> None:
    (path,) = (path for path in EXAMPLES if path.stem == "14_cup_past_a_lamp")
    found = load(path).main(tmp_path / "cup.csv")
    assert found["left alone"] < 0
    assert found["keeping clear"] >= 0.049  # 50 mm asked for
    assert found["cup off its line"] < 1e-3
    model = rx.load("kuka_lwr_rail")
    rx.load_motion(tmp_path / "cup.csv", model=model).check_limits(model)
