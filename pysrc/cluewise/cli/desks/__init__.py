"""Terminal tables and commands of the desks, and layouts that they share."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


def plain_table(*columns: str) -> Table:
    """Return a table without lines; columns that begin with `>` are right-aligned."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.lstrip(">"), justify="right" if right else "left")
    return table


def print_unwrapped(text: str) -> Group:
    """Return lines that a narrow terminal neither wraps nor cuts, for copying.

    In a group, because rich drops the wrapping options of bare texts when it joins them.
    """
    return Group(Text(text, no_wrap=True, overflow="ignore"))


def side_by_side(*parts: tuple[str, RenderableType]) -> Table:
    """Return the parts side by side, each under its title."""
    table = Table.grid(padding=(0, 4))
    table.add_row(*[Group(Text(title, style="bold"), body) for title, body in parts])
    return table


def group_digits(value: int) -> str:
    """Return a number in groups of three digits: `5 472 730 538`."""
    return f"{value:,}".replace(",", " ")
