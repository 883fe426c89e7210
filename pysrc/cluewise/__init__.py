"""Cluewise: the best next move in five deduction games, and its expected information.

>>> from cluewise.code import advise
>>> advise({"rules": {"pegs": 2, "colours": 3}}, top=1).options[0].guess
'01'
"""

from typing import TYPE_CHECKING, Any

from cluewise.service import run

if TYPE_CHECKING:
    from cluewise.functions import link, unlink

__all__ = ["__version__", "link", "run", "unlink"]
__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    """Import `link` and `unlink` on first use; the page does not need them."""
    if name not in ("link", "unlink"):
        raise AttributeError(f"module 'cluewise' has no attribute {name!r}")
    from cluewise import functions

    return getattr(functions, name)
