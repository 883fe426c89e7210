"""What desks build their tables of."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text


def plain_table(*columns: str) -> Table:
    """A table without lines; columns that begin with `>` are right-aligned."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.lstrip(">"), justify="right" if right else "left")
    return table


def print_unwrapped(text: str) -> Group:
    """Lines to be copied, which a narrow terminal neither breaks nor cuts.

    In a group, because rich joins bare texts and forgets how they want to be wrapped.
    """
    return Group(Text(text, no_wrap=True, overflow="ignore"))


def side_by_side(*parts: tuple[str, RenderableType]) -> Table:
    """Each part under its title, one next to the other."""
    table = Table.grid(padding=(0, 4))
    table.add_row(*[Group(Text(title, style="bold"), body) for title, body in parts])
    return table


def group_digits(value: int) -> str:
    """A number in groups of three: `5 472 730 538`."""
    return f"{value:,}".replace(",", " ")
