"""The samples in docstrings, run as they stand."""

import doctest
import importlib
from pathlib import Path

import pytest

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
