"""What is written into the state folder goes through no link."""

from pathlib import Path

import pytest

from robotix.files.user_state import write_private


def test_a_link_laid_in_the_way_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "token").symlink_to(victim)
    monkeypatch.setattr("secrets.token_hex", lambda _: "guessed")
    part = tmp_path / "token.guessed.part"
    part.symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_private(tmp_path / "token", b"secret")
    part.unlink(missing_ok=True)
    write_private(tmp_path / "token", b"secret")
    assert victim.read_text() == "precious"
    assert (tmp_path / "token").read_bytes() == b"secret" and not (tmp_path / "token").is_symlink()
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
