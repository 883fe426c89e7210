"""The hooks of selection.py and the fixtures for all tests; e2e/ has a conftest too."""

from commands import command  # noqa: F401
from selection import *  # noqa: F403
