"""Notebook display of positions."""

from __future__ import annotations

import importlib
import importlib.util

import msgspec


class NotebookDisplay(msgspec.Struct, frozen=True):
    """Base of positions; a notebook shows them as a board: `desks/<desk>/drawing.py` draws it."""

    def _repr_svg_(self) -> str | None:
        name = f"cluewise.desks.{getattr(self, 'desk', None)}.drawing"
        if importlib.util.find_spec(name) is None:
            return None  # a desk without a drawing is shown as text
        text: str = importlib.import_module(name).svg(self)
        return text

    def _repr_html_(self) -> str | None:
        """The drawing for hosts that show only HTML; a wide board scrolls."""
        drawing = self._repr_svg_()
        return drawing and f'<div style="max-width:100%;overflow-x:auto">{drawing}</div>'
