"""Run the quick tests of what changed, or of one desk: `make check`, `make check DESK=code`.

    python wasm_build/check_changed.py [DESK]

What changed is what differs from the main branch, committed or not. A file with a desk's name in
its path asks for the tests of that desk, a changed test for itself, documents for none, and every
other file for the tests of all desks.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DESKS = tuple(sorted(path.stem for path in (ROOT / "web" / "desks").iterdir() if path.is_dir()))
STRUCTURE = "tests/unit/test_house.py"
CONTRACT = ("tests/contract/test_every_desk.py", "tests/contract/test_docs_samples.py")
UNTESTED = re.compile(r"e2e/|\.github/|[^/]*\.md$|LICENSE|\.git|\.editorconfig")
TEST = re.compile(r"tests/(?:.*/)?(?:test_\w+\.py|[\w-]+\.test\.mjs)$")


NODE = ["node", "--import", "./tests/page/typescript.mjs", "--test"]


@dataclass(slots=True)
class Chosen:
    """What is to be tested: desks, whether it is all of them, and changed tests."""

    desks: set[str] = field(default_factory=set)
    every: bool = False
    tests: list[str] = field(default_factory=list)


def desks_of(name: str) -> set[str]:
    """Return the desks that a path names: `web/desks/code/page.js` → `{"code"}`."""
    return set(re.split(r"[^a-z]+", name)) & set(DESKS)


def chosen(names: Iterable[str]) -> Chosen:
    """Return what the changed files ask for."""
    found = Chosen()
    for name in names:
        desks = desks_of(name)
        if TEST.match(name):
            found.tests.append(name)
        elif UNTESTED.match(name):
            continue
        elif desks:
            found.desks |= desks
        else:
            found.every = True
    return found


def changed() -> list[str]:
    """Return the files that differ from the main branch, new ones too."""
    for main in ("origin/main", "main", "HEAD"):
        base = _git("merge-base", "HEAD", main)
        if base:
            break
    differing = _git("diff", "--name-only", base[0]) + _git("ls-files", "-o", "--exclude-standard")
    return sorted(set(differing))


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def commands(found: Chosen) -> list[list[str]]:
    """Return the commands that test it, Python's first."""
    python = [sys.executable, "-m", "pytest", "-p", "no:playwright", "-m", "not long and not slow"]
    page = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/page/*.test.mjs"))
    own = [name for name in found.tests if (ROOT / name).exists()]
    run = [[*python, STRUCTURE, *(name for name in own if name.endswith(".py"))]]
    if found.every:
        run.append([*python, "-n", "2", "tests/unit", *CONTRACT])
    elif found.desks:
        wanted = [word for desk in sorted(found.desks) for word in ("--desk", desk)]
        run.append([*python, "-n", "2", *wanted, "tests/unit", *CONTRACT])
    pages = [n for n in page if found.every or n in own or desks_of(n) & found.desks]
    return [*run, *([[*NODE, *pages]] if pages else [])]


def main(words: Sequence[str]) -> int:
    """Run the commands; return 1 if one fails."""
    found = Chosen(desks=set(words)) if words else chosen(changed())
    unknown = found.desks - set(DESKS)
    if unknown:
        print(f"There is no desk {min(unknown)!r}; desks: {', '.join(DESKS)}.", file=sys.stderr)
        return 2
    what = "all desks" if found.every else ", ".join(sorted(found.desks)) or "no desk"
    print(f"Tests of {what}" + ("." if words else f", and {len(found.tests)} changed test files."))
    failed = [command for command in commands(found) if _status(command)]
    print("Failed: " + " ".join(failed[0]) if failed else "The check has passed.")
    return 1 if failed else 0


def _status(command: list[str]) -> int:
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
