"""Cluewise: what to do next in five deduction games, and how much it will tell you."""

from cluewise.service import run

__all__ = ["__version__", "run"]
__version__ = "0.1.0"
