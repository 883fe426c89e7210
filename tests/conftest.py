"""The hooks of selection.py; a module of its own, since e2e/ has a conftest too."""

pytest_plugins = ["selection"]
