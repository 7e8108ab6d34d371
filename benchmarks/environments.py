"""One virtual environment per contestant, made on first use and kept while its pins stay."""

import hashlib
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from peers import OURS

HERE = Path(__file__).parent
PIP_TIMEOUT = 1800  # s
ONE_THREAD = {
    name: "1"
    for name in (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    )
}


class NotInstallable(Exception):
    """A contestant that cannot take part; the message says why, in one line."""


@dataclass(frozen=True)
class Environment:
    """How to run a contestant's module."""

    peer: str
    python: Path

    def run(self, *arguments: str, timeout: float) -> subprocess.CompletedProcess[str]:
        """Run the module in one thread and catch what it prints."""
        command = [str(self.python), "-m", f"peers.{self.peer}", *arguments]
        variables = os.environ | ONE_THREAD | {"PYTHONPATH": self._search_path()}
        return subprocess.run(
            command,
            cwd=HERE,
            env=variables,
            timeout=timeout,
            capture_output=True,
            text=True,
            check=False,
        )

    def _search_path(self) -> str:
        """Let ours run from the source tree too; shield the others from the caller's packages."""
        return str(HERE.parent / "src") if self.peer == OURS else ""


def is_ready(peer: str, root: Path) -> bool:
    """Tell whether the environment is there and was made from the present pins."""
    stamp = root / peer / "stamp"
    return peer == OURS or (stamp.exists() and stamp.read_text() == _fingerprint(peer))


def make_environment(peer: str, root: Path) -> Environment:
    """Return the environment of a contestant, making it under `root` if it is not ready.

    Raises:
        NotInstallable: There is no module for it, or pip fails; pip's own words are in a log file.
    """
    if not (HERE / "peers" / f"{peer}.py").exists():
        raise NotInstallable(f"peers/{peer}.py does not exist")
    if peer == OURS:
        return Environment(peer, Path(sys.executable))
    folder = root / peer
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not is_ready(peer, root):
        _create(folder)
        _install(peer, python, log=root / f"{peer}.log")
        (folder / "stamp").write_text(_fingerprint(peer))
    return Environment(peer, python)


def _create(folder: Path) -> None:
    try:
        venv.create(folder, clear=True, with_pip=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise NotInstallable(f"no virtual environment at {folder}: {error}") from None


def _install(peer: str, python: Path, *, log: Path) -> None:
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "-r"]
    with log.open("w") as stream:
        try:
            done = subprocess.run(
                [*command, str(_pins(peer))],
                stdout=stream,
                stderr=subprocess.STDOUT,
                timeout=PIP_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotInstallable(f"pip took longer than {PIP_TIMEOUT} s (see {log})") from None
    if done.returncode:
        errors = [line for line in log.read_text().splitlines() if line.startswith("ERROR")]
        reason = errors[-1] if errors else f"pip ended with {done.returncode}"
        raise NotInstallable(f"{reason} (see {log})")


def _fingerprint(peer: str) -> str:
    pins = _pins(peer).read_bytes()
    return hashlib.sha256(pins + sys.version.encode() + sys.base_prefix.encode()).hexdigest()


def _pins(peer: str) -> Path:
    return HERE / "peers" / f"{peer}.txt"
