"""Compares what is pinned, for Python and for the page, with published advisories.

Run it by `make audit`, with `pip-audit` in the environment. It ends with 0 if nothing is known
against any package, 1 if an advisory was found, and 2 if advisories could not be fetched: then
nothing is said about those packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PINNED = ROOT / "requirements" / "dev.txt"
PIP_AUDIT = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
NPM_AUDIT = ["npm", "audit", "--package-lock-only", "--json"]
CLEAN, FOUND, UNKNOWN = 0, 1, 2


@dataclass(frozen=True)
class Verdict:
    """What is known about the packages of one list."""

    what: str
    n_packages: int
    advisories: tuple[str, ...]  # package, version and advisory
    not_fetched: str  # why advisories of some packages are not known; empty if all are

    @property
    def code(self) -> int:
        """The exit code that this verdict asks for."""
        return FOUND if self.advisories else UNKNOWN if self.not_fetched else CLEAN

    def __str__(self) -> str:
        lines = [f"{self.what}: {self.n_packages} packages, {len(self.advisories)} advisories"]
        lines += [f"  {each}" for each in self.advisories]
        if self.not_fetched:
            lines.append(f"  NOT AUDITED: advisories could not be fetched: {self.not_fetched}")
        return "\n".join(lines)


def python_verdict(report: dict[str, Any]) -> Verdict:
    """Return the verdict on what `pip-audit --format json` has reported."""
    packages = report["dependencies"]
    advisories = tuple(
        f"{each['name']} {each['version']}: {found['id']}"
        + (f", fixed in {', '.join(found['fix_versions'])}" if found["fix_versions"] else "")
        for each in packages
        for found in each.get("vulns", ())
    )
    skipped = [each for each in packages if "skip_reason" in each]
    why = f"{len(skipped)} packages, first {skipped[0]['skip_reason']}" if skipped else ""
    return Verdict("Python", len(packages), advisories, why)


def page_verdict(report: dict[str, Any], n_packages: int) -> Verdict:
    """Return the verdict on what `npm audit --json` has reported."""
    found = report.get("vulnerabilities")
    if not isinstance(found, dict):
        why = report.get("message") or report.get("error", {}).get("summary") or "no report"
        return Verdict("page", n_packages, (), str(why))
    advisories = tuple(
        f"{name} {each.get('range', '')}: {each.get('severity', 'unknown severity')}"
        for name, each in found.items()
    )
    return Verdict("page", n_packages, advisories, "")


def main() -> int:
    """Print both verdicts; return the exit code."""
    verdicts = [_audit_python(), _audit_page()]
    for verdict in verdicts:
        sys.stdout.write(f"{verdict}\n")
    codes = {verdict.code for verdict in verdicts}
    return FOUND if FOUND in codes else max(codes)


def _audit_python() -> Verdict:
    pins = PINNED.read_text(encoding="utf-8").count("==")
    done = _run([*PIP_AUDIT, "--format", "json", "--requirement", str(PINNED)], ROOT)
    try:
        return python_verdict(json.loads(done.stdout))
    except ValueError:  # no report: it ended before it had asked
        return Verdict("Python", pins, (), _last_line(done.stderr))


def _audit_page() -> Verdict:
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    n_packages = len(locked["packages"]) - 1  # the page itself is listed, too
    try:
        done = _run(NPM_AUDIT, ROOT / "web")
        return page_verdict(json.loads(done.stdout), n_packages)
    except FileNotFoundError:
        return Verdict("page", n_packages, (), "there is no npm here")
    except ValueError:
        return Verdict("page", n_packages, (), _last_line(done.stderr))


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no answer"])[-1]


if __name__ == "__main__":
    sys.exit(main())
