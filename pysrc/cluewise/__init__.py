"""Cluewise: the best next move in five deduction games, and its expected information.

>>> from cluewise.code import advise
>>> advise({"rules": {"pegs": 2, "colours": 3}}, top=1).options[0].guess
'01'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cluewise.service import run

if TYPE_CHECKING:
    from cluewise.batch import study
    from cluewise.functions import link, unlink

__all__ = ["__version__", "link", "run", "study", "unlink"]
__version__ = "0.2.0"

_MODULES = {"link": "functions", "unlink": "functions", "study": "batch"}


def __getattr__(name: str) -> Any:
    """Import `link`, `unlink` and `study` on first use; the page does not need them."""
    if name not in _MODULES:
        raise AttributeError(f"module 'cluewise' has no attribute {name!r}")
    return getattr(import_module(f"cluewise.{_MODULES[name]}"), name)
