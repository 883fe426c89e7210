"""The player's own marks, and checks common to all lists of cells and all counts."""

from __future__ import annotations

import msgspec

from cluewise.errors import BadPosition


class Notes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player's marks next to the dot; no clue, and read by no verb. A cell has one at most."""

    safe: tuple[int, ...] = ()
    """Cells with a tick: taken to be safe."""
    unsure: tuple[int, ...] = ()
    """Cells with a `?`: to be looked at again."""
    first: tuple[int, ...] = ()
    """Cells with the first pencil's square, for what is supposed."""
    second: tuple[int, ...] = ()
    """Cells with the second pencil's triangle, for the opposite or for another try."""


def check_cells(listed: tuple[int, ...], cells: int, where: str, what: str) -> None:
    """Raise BadPosition if a list names a missing cell, or a cell twice."""
    seen: set[int] = set()
    for i, cell in enumerate(listed):
        if not 0 <= cell < cells:
            raise BadPosition(f"There is no cell {cell}; this {what} names one.", f"{where}[{i}]")
        if cell in seen:
            raise BadPosition(f"Cell {cell} is named twice.", f"{where}[{i}]")
        seen.add(cell)


def check_count(count: int | None, cells: int, where: str) -> None:
    """Raise BadPosition if a count does not fit its number of cells."""
    if count is not None and not 0 <= count <= cells:
        raise BadPosition(f"{count} mines do not fit {cells} cells.", where)


def check_notes(dots: tuple[int, ...], notes: Notes, cells: int) -> None:
    """Raise BadPosition if a mark is on no cell, or a cell has two."""
    lists = {"marks": dots, **{f"notes.{k}": getattr(notes, k) for k in Notes.__struct_fields__}}
    marked: set[int] = set()
    for name, listed in lists.items():
        check_cells(listed, cells, f"$.{name}", "mark")
        for i, cell in enumerate(listed):
            if cell in marked:
                raise BadPosition(f"Cell {cell} has two marks.", f"$.{name}[{i}]")
        marked.update(listed)
