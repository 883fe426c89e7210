"""The hooks of selection.py; a module of its own, since e2e/ has a conftest too."""

from selection import *  # noqa: F403
