"""The README's sessions and the samples in docstrings, run as they stand."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_the_python_session_says_what_it_shows() -> None:
    (text,) = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    assert len(test.examples) >= 8
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_the_terminal_session_says_what_it_shows(tmp_path: Path) -> None:
    (text,) = blocks("console")
    steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert len(steps) >= 5
    shell = f"PATH={Path(sys.executable).parent}:$PATH; "
    for step in steps:
        command, _, shown = step.partition("\n")
        ran = subprocess.run(
            ["bash", "-c", shell + command],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (ran.stdout + ran.stderr).strip() == shown.strip(), command


def test_the_pictures_of_the_readme_are_there() -> None:
    names = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README.read_text())
    assert names
    for name in names:
        assert (README.parent / name).is_file(), name


PACKAGE = Path(__file__).resolve().parents[2] / "pysrc" / "cluewise"
MODULES = sorted(
    "cluewise." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if ">>>" in path.read_text() and path.name not in ("browser.py", "worker.py")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_samples_of_a_module_say_what_they_show(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".__init__"))
    extras = {**vars(module), **vars(importlib.import_module("array"))}
    result = doctest.testmod(module, extraglobs=extras)
    assert result.attempted > 0
    assert result.failed == 0
