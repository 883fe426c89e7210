"""Run the quick tests of the changed files, or of one desk: `make check`, `make check DESK=code`.

    python wasm_build/check_changed.py [DESK]

A file counts as changed if it differs from the main branch, committed or not. A file with a desk's
name in its path selects the tests of that desk; a test selects itself; documents and browser tests
select none; every other file selects the tests of all desks.
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
class Selection:
    """The tests to run: those of `desks`, or of `all_desks`, and the changed `tests`."""

    desks: set[str] = field(default_factory=set)
    all_desks: bool = False
    tests: list[str] = field(default_factory=list)


def desks_of(name: str) -> set[str]:
    """Return the desks that a path names: `web/desks/code/page.js` → `{"code"}`."""
    return set(re.split(r"[^a-z]+", name)) & set(DESKS)


def select(names: Iterable[str]) -> Selection:
    """Return the tests of the changed files."""
    selected = Selection()
    for name in names:
        desks = desks_of(name)
        if TEST.match(name):
            selected.tests.append(name)
        elif UNTESTED.match(name):
            continue
        elif desks:
            selected.desks |= desks
        else:
            selected.all_desks = True
    return selected


def changed_files() -> list[str]:
    """Return the files that differ from the main branch, including untracked ones."""
    for main in ("origin/main", "main", "HEAD"):
        base = _git("merge-base", "HEAD", main)
        if base:
            break
    differing = _git("diff", "--name-only", base[0]) + _git("ls-files", "-o", "--exclude-standard")
    return sorted(set(differing))


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def commands(selected: Selection) -> list[list[str]]:
    """Return the commands that run the tests, pytest first."""
    python = [sys.executable, "-m", "pytest", "-p", "no:playwright", "-m", "not long and not slow"]
    page = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/page/*.test.mjs"))
    tests = [name for name in selected.tests if (ROOT / name).exists()]
    run = [[*python, STRUCTURE, *(name for name in tests if name.endswith(".py"))]]
    if selected.all_desks:
        run.append([*python, "-n", "2", "tests/unit", *CONTRACT])
    elif selected.desks:
        options = [word for desk in sorted(selected.desks) for word in ("--desk", desk)]
        run.append([*python, "-n", "2", *options, "tests/unit", *CONTRACT])
    pages = [n for n in page if selected.all_desks or n in tests or desks_of(n) & selected.desks]
    return [*run, [*NODE, *pages]] if pages else run


def main(words: Sequence[str]) -> int:
    """Run the commands; return 1 if one fails."""
    selected = Selection(desks=set(words)) if words else select(changed_files())
    unknown = selected.desks - set(DESKS)
    if unknown:
        print(f"There is no desk {min(unknown)!r}; desks: {', '.join(DESKS)}.", file=sys.stderr)
        return 2
    what = "all desks" if selected.all_desks else ", ".join(sorted(selected.desks)) or "no desk"
    changed = "" if words else f", and {len(selected.tests)} changed test files"
    print(f"Tests of {what}{changed}.")
    failed = [command for command in commands(selected) if _status(command)]
    print("Failed: " + " ".join(failed[0]) if failed else "The check has passed.")
    return 1 if failed else 0


def _status(command: list[str]) -> int:
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
